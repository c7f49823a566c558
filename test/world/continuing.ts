/**
 * A scripted agent that continues: whenever nothing of it is under way, it asks for the recovery
 * context and submits what is left of its plan. And what must hold of a flight that was continued.
 */
import { residualComponents } from '../../src/cli/host/residual.js';
import type { Component, LedgerRecord } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import { responseOf } from './hop.js';

const TAKEOFF = 22;
const GRIPPER = 211;
const TERMINAL: ReadonlySet<string> = new Set([
  'done',
  'delivered',
  'withheld',
  'interrupted',
  'unknown',
]);

/** How often it looks, in seconds. */
const LOOKS_EVERY_S = 0.25;

export class Agent {
  readonly #flight: Flight;
  readonly #plan: readonly Component[];
  /** What the bridge last said of what is left. */
  told = '';

  constructor(flight: Flight, plan: readonly Component[]) {
    this.#flight = flight;
    this.#plan = plan;
  }

  get done(): boolean {
    const { obligations } = this.#flight.engine.state().task;
    return obligations.every(({ state }) => state === 'satisfied');
  }

  /** Looks once; submits when it can. */
  look(): void {
    const flight = this.#flight;
    const { components, vehicle, obligations, evidence } = flight.engine.state();
    for (const { state, reason } of components) {
      const digest = /[0-9a-f]{64}/.exec(reason)?.[0];
      if (state === 'awaiting-approval' && digest !== undefined) flight.approve(digest);
    }
    if (this.done || components.some(({ state }) => !TERMINAL.has(state))) return;
    if (!vehicle.connected || obligations.some(({ state }) => state === 'open')) return;
    const settled =
      vehicle.landed === 'in_air' || (vehicle.landed === 'on_ground' && !vehicle.armed);
    if (!settled || !evidence.some(({ field }) => field === 'vehicle.home_global')) return;
    const left = residualComponents(this.#plan, flight.context(), vehicle.landed === 'in_air');
    if (left.length === 0) return;
    const response = responseOf(left);
    const reply = flight.check(JSON.stringify(response));
    this.told = JSON.stringify(reply);
    const { components: judged = [] } = reply.verdict ?? {};
    if (judged.length > 0 && judged.every(({ admitted }) => admitted)) flight.submit(response);
  }

  /** Until everything is done; fails the test otherwise. */
  finish(withinS = 240): void {
    for (let s = 0; s < withinS && !this.done; s += LOOKS_EVERY_S) this.goOn(LOOKS_EVERY_S);
    if (this.done) return;
    const { phase, vehicle, task, obligations, components } = this.#flight.engine.state();
    const { told } = this;
    throw new Error(JSON.stringify({ told, phase, vehicle, task, obligations, components }));
  }

  goOn(seconds: number): void {
    for (let s = 0; s < seconds; s += LOOKS_EVERY_S) {
      this.look();
      this.#flight.seconds(Math.min(LOOKS_EVERY_S, seconds - s));
    }
  }
}

/** Notes, from the start of a flight, what was commanded that must not be commanded twice. */
export class Repeats {
  readonly found: string[] = [];
  releases = 0;
  takeoffs = 0;

  constructor(flight: Flight) {
    flight.wire.loses = ({ command, atUs }) => {
      if (command === TAKEOFF) {
        this.takeoffs += 1;
        if (!flight.vehicle.autopilot.truth().onGround) {
          this.found.push(`a take-off was commanded in the air at ${atUs}`);
        }
      }
      if (command === GRIPPER) {
        this.releases += 1;
        if (this.releases > 1) this.found.push(`a release was commanded again at ${atUs}`);
      }
      return false;
    };
  }
}

/** Effects of which frames left although their obligation was satisfied and stood. */
export function flownAgain(flight: Flight, plan: readonly Component[]): readonly string[] {
  const fulfils = new Map(plan.map((component) => [component.id, component.fulfils]));
  const standing = new Set<string>();
  const found: string[] = [];
  for (const record of flight.ledger.records) {
    const { obligationId, componentId, authority } = bodyOf(record);
    if (record.kind === 'state-advanced') standing.add(obligationId ?? '');
    if (record.kind === 'obligation-voided') standing.delete(obligationId ?? '');
    if (record.kind !== 'lease-granted' || authority !== 'agent') continue;
    const obligation = fulfils.get(componentId ?? '');
    if (obligation !== undefined && standing.has(obligation)) found.push(`${componentId} again`);
  }
  return found;
}

const bodyOf = (record: LedgerRecord) => record.body as Partial<Record<string, string>>;
