/**
 * The protocol in flight: the whole engine and the embedded autopilot, on the virtual clock.
 * Enters: nothing. Leaves: tests.
 */
import assert from 'node:assert/strict';
import type { EngineEvent, SubmitReply } from '../../../src/contract/index.js';
import { HOMEWARD, LEG } from '../schedules/errand.js';
import { Rig } from '../schedules/rig.js';
import type { ProtocolTest } from './cases.js';

class Flight {
  readonly rig = new Rig(7);
  readonly events: { readonly atUs: number; readonly event: EngineEvent }[] = [];
  #responses = 0;

  constructor() {
    this.listen();
    this.seconds(2.4);
  }

  listen(): void {
    this.rig.engine.onEvent((event) => this.events.push({ atUs: this.rig.nowUs, event }));
  }

  seconds(s: number): void {
    for (let k = 0; k < s * 50; k += 1) this.rig.step();
  }

  until(what: string, holds: () => boolean, withinS = 30): void {
    for (let k = 0; k < withinS * 50 && !holds(); k += 1) this.rig.step();
    assert.ok(holds(), `${what} came within ${withinS} s`);
  }

  submit(components: typeof LEG.components = LEG.components, more: object = {}): SubmitReply {
    this.#responses += 1;
    let answer: SubmitReply | undefined;
    const response = {
      protocol: 'halo/1',
      id: `r-${this.#responses}`,
      task: 'errand-1',
      components,
    };
    this.rig.submit({ ...response, ...more }, (reply) => (answer = reply));
    this.rig.step();
    assert.ok(answer, 'the engine answers in its next tick');
    return answer;
  }

  of<T extends EngineEvent['type']>(type: T) {
    return this.events.filter(
      (e): e is { atUs: number; event: Extract<EngineEvent, { type: T }> } => e.event.type === type,
    );
  }

  stateOf(id: string): string {
    return this.rig.engine.state().components.findLast((c) => c.id === id)?.state ?? 'absent';
  }

  onTheLeg(): this {
    this.submit();
    const moving = (): boolean => this.rig.tap.sent.filter(({ nedM }) => nedM).length > 25;
    this.until('the leg', moving);
    return this;
  }

  setpointsSince(atUs: number): number {
    return this.rig.tap.sent.filter((frame) => frame.nedM && frame.atUs > atUs).length;
  }

  get openObligation() {
    return this.rig.engine.state().obligations.find(({ state }) => state === 'open');
  }
}

const codeOf = (reply: SubmitReply): string | undefined => reply.findings[0]?.code;

export const FLIGHT_TESTS: readonly ProtocolTest[] = [
  {
    name: 'a whole errand is flown, and each obligation rests on a receipt',
    run: () => {
      const flight = new Flight();
      assert.equal(flight.submit().verdict?.outcome, 'admitted');
      flight.until('the end', () => flight.of('response-ended').length > 0);
      const { obligations } = flight.rig.engine.state().task;
      assert.deepEqual(
        obligations.map(({ state }) => state),
        Array(5).fill('satisfied'),
      );
      assert.equal(flight.of('receipt').length, LEG.components.length);
    },
  },
  {
    name: 'when the estimator jumps: no further setpoint, guardian and obligation in one tick',
    run: () => {
      const flight = new Flight().onTheLeg();
      const jumpNedM = { n: 3, e: -2, d: 0 };
      flight.rig.autopilot.inject({ name: 'estimator-reset', jumpNedM });
      flight.until('the obligation', () => flight.openObligation !== undefined, 3);
      const seenUs = flight.of('epoch').at(-1)?.atUs ?? 0;
      assert.equal(flight.of('obligation')[0]?.atUs, seenUs);
      assert.equal(flight.of('guardian')[0]?.atUs, seenUs);
      flight.seconds(2);
      assert.equal(flight.setpointsSince(seenUs - 1), 0);
    },
  },
  {
    name: 'a fresh candidate flies by a generation and leases of its own',
    run: () => {
      const flight = new Flight().onTheLeg();
      flight.rig.autopilot.inject({ name: 'battery-drop', fraction: 0.12 });
      flight.until('the obligation', () => flight.openObligation !== undefined, 5);
      const discharges = flight.openObligation?.id ?? '';
      const before = flight.of('lease').map(({ event }) => event.lease.id);
      const reply = flight.submit(HOMEWARD, { discharges });
      assert.equal(reply.verdict?.generation, 2);
      flight.until('the landing', () => flight.stateOf('down') === 'done');
      const after = flight
        .of('lease')
        .filter(({ event: { lease } }) => lease.componentId === 'down');
      assert.ok(after.every(({ event }) => !before.includes(event.lease.id)) && after.length > 0);
      assert.equal(flight.rig.engine.state().obligations[0]?.state, 'discharged');
    },
  },
  {
    name: 'what is withheld does not revive when its cause is over',
    run: () => {
      const flight = new Flight().onTheLeg();
      flight.rig.autopilot.inject({ name: 'gps-loss', seconds: 2.5 });
      flight.until('the obligation', () => flight.openObligation !== undefined, 5);
      const atUs = flight.rig.nowUs;
      flight.seconds(6);
      assert.equal(flight.setpointsSince(atUs), 0);
      assert.equal(flight.stateOf('there'), 'interrupted');
    },
  },
  {
    name: 'from the heartbeat that shows a pilot on, nothing is sent',
    run: () => {
      const flight = new Flight().onTheLeg();
      const modes = flight.rig.tap.told.length;
      flight.rig.autopilot.inject({ name: 'pilot-takeover' });
      flight.until('the heartbeat', () => flight.rig.tap.told.length > modes, 3);
      const seenUs = flight.rig.tap.told.at(-1)?.atUs ?? 0;
      flight.seconds(8);
      assert.deepEqual(
        flight.rig.tap.sent.filter(({ atUs }) => atUs >= seenUs),
        [],
      );
      assert.equal(codeOf(flight.submit(HOMEWARD)), 'HALO-306');
    },
  },
  {
    name: 'a new process takes nothing up from the one before it',
    run: () => {
      const flight = new Flight().onTheLeg();
      flight.rig.restart();
      flight.listen();
      const atUs = flight.rig.nowUs;
      flight.seconds(2);
      assert.equal(flight.setpointsSince(atUs), 0);
      const life = flight.rig.ledger.bootEpoch;
      flight.until('the landing', () => !flight.rig.autopilot.status().armed, 40);
      const leases = flight.of('lease').filter((e) => e.atUs > atUs);
      assert.ok(leases.every(({ event }) => event.lease.id.startsWith(`l-${life}-`)));
    },
  },
  {
    name: 'an event loop that hung sends nothing on what it knew before',
    run: () => {
      const flight = new Flight().onTheLeg();
      flight.rig.link.fromVehicle.cut(flight.rig.nowUs + 1_500_000);
      flight.rig.stalledUntilUs = flight.rig.nowUs + 1_400_000;
      const atUs = flight.rig.nowUs;
      flight.seconds(1.46);
      assert.equal(flight.setpointsSince(atUs), 0);
    },
  },
  {
    name: 'a response id is good once, and one response is carried out at a time',
    run: () => {
      const flight = new Flight();
      flight.submit();
      assert.equal(codeOf(flight.submit(LEG.components, { id: 'r-1' })), 'HALO-111');
      assert.equal(codeOf(flight.submit(LEG.components)), 'HALO-301');
    },
  },
];
