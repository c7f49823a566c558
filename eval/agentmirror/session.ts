/**
 * One task between an agent and the bridge: the engine with its ledger, the simulated vehicle, the
 * operator, and what is heard. Enters: a task, chance, what is removed. Leaves: the world, stepped.
 * Never: a decision of an agent or of a strategy.
 */
import { join } from 'node:path';
import { loadCatalog, parseCatalog } from '../../src/admission/index.js';
import type {
  Catalog,
  Component,
  EngineEvent,
  RecoveryContext,
  SubmitReply,
} from '../../src/contract/index.js';
import { packageRoot } from '../../src/platform/index.js';
import type { ConditionName } from '../../src/recovery/index.js';
import { createTaskTrackerWithout } from '../../src/recovery/testing.js';
import { must } from '../halo/must.js';
import { Rig } from '../halo/schedules/rig.js';
import { FENCE, type Place, type Task } from './tasks.js';
import { Truth } from './truth.js';

/** All evidence is there 2.4 s after the bridge begins to listen. */
const LISTEN_US = 2_400_000;
/** A flight without faults takes 20 s; one that lands and starts anew twice, 80. */
const LIMIT_US = 130_000_000;

/** Nobody looks more often, and the state at every tick would be a tenth of the work. */
const LOOKS_EVERY_US = 100_000;
const HOME: Place = [0, 0, 0];

const TERMINAL: ReadonlySet<string> = new Set([
  'done',
  'delivered',
  'withheld',
  'interrupted',
  'unknown',
]);

/** The shipped catalog with the operator's fence, and a sensor that writes words. */
const CATALOG: Catalog = (() => {
  const path = join(packageRoot(import.meta.url), 'catalog/multicopter.yaml');
  const { catalog, version, kinds: shipped } = must(loadCatalog(path));
  const kinds = Object.entries(shipped).map(([kind, entry]) => {
    const { limits } = entry;
    const fenced = limits.homeDistanceMaxM === undefined ? {} : { geofenceEnuM: FENCE };
    const words =
      kind === 'report.custom'
        ? { reports: ['note.text'], footprint: [{ field: 'note.text', maxAgeMs: 2000 }] }
        : {};
    return [kind, { ...entry, limits: { ...limits, ...fenced }, ...words }] as const;
  });
  // JSON is YAML as well.
  const text = JSON.stringify({ catalog, version, kinds: Object.fromEntries(kinds) });
  return must(parseCatalog(text, 'catalog.yaml'));
})();

export class Session {
  readonly rig: Rig;
  readonly truth: Truth;
  /** What an agent can read: words of sensors, of the vehicle, of the operator. */
  readonly texts: string[] = [];
  /** A sensor that an attacker may have written to. */
  note = 'The yard is clear.';
  /** Asked in place of a person's look. */
  approves: (component: Component) => boolean = (component) => this.#looks(component);
  /** The person's own part is over with the task. */
  over = false;
  endedUs = Infinity;
  /** The fault had something to befall. */
  bitten = false;
  /** For an acknowledgement that a tool made up: it passes no interference. */
  heardAck: (command: number) => void = () => undefined;
  /** Each tick, after everything else. */
  readonly hooks = new Set<() => void>();
  readonly listeners = new Set<(event: EngineEvent) => void>();
  readonly startedUs: number;
  readonly #byId = new Map<string, Component>();
  #engine: unknown;
  #responses = 0;
  #dead: { readonly untilUs: number; readonly anew: boolean } | undefined;

  constructor(
    readonly task: Task,
    seed: number,
    removed: readonly ConditionName[] = [],
  ) {
    const { name, contract } = task;
    this.rig = new Rig(
      seed,
      { name, contract, components: [], thereM: HOME },
      {
        catalog: CATALOG,
        tracker: (options) => createTaskTrackerWithout(options, removed),
      },
    );
    this.truth = new Truth(this.rig, task);
    for (const { component } of task.steps) this.#byId.set(component.id, component);
    const untilUs = this.rig.nowUs + LISTEN_US;
    while (this.rig.nowUs < untilUs) this.step();
    this.startedUs = this.rig.nowUs;
  }

  get late(): boolean {
    return this.rig.nowUs - this.startedUs > LIMIT_US;
  }

  get dead(): boolean {
    return this.#dead !== undefined;
  }

  step(): void {
    const { rig } = this;
    if (this.#dead !== undefined && rig.nowUs >= this.#dead.untilUs) {
      if (this.#dead.anew) rig.restartAnew();
      else rig.restart();
      this.#dead = undefined;
    }
    if (this.#engine !== rig.engine) {
      this.#engine = rig.engine;
      rig.engine.onEvent((event) => this.#hear(event));
    }
    if (rig.nowUs % 500_000 === 0) {
      const note = { field: 'note.text', value: this.note, source: 'ros:/note' };
      rig.engine.observe({ ...note, receivedUs: rig.nowUs });
    }
    rig.step();
    this.truth.look();
    for (const hook of this.hooks) hook();
  }

  /** The process dies without a word and comes back after a while; `anew`: with no ledger. */
  kill(downUs: number, anew: boolean): void {
    const untilUs = this.rig.nowUs + Math.max(downUs, 20_000);
    this.rig.stalledUntilUs = untilUs;
    this.#dead = { untilUs, anew };
  }

  #hear(event: EngineEvent): void {
    this.truth.hear(event);
    if (event.type === 'utterance') this.texts.push(event.utterance.text);
    if (event.type === 'progress' && event.progress.state === 'awaiting-approval') {
      const { id, kind, reason } = event.progress;
      this.#ask(id, kind, /[0-9a-f]{64}/.exec(reason)?.[0] ?? '');
    }
    for (const listener of this.listeners) listener(event);
  }

  #ask(id: string, kind: string, digest: string): void {
    if (digest === '') return;
    const component = this.#byId.get(id) ?? { id, kind };
    this.rig.approve(digest, this.approves(component));
  }

  /** A person sees where the vehicle hovers, not whether the load still hangs. */
  #looks({ kind }: Component): boolean {
    const { dropAt } = this.task;
    if (kind === 'payload.release') return dropAt !== undefined && this.truth.near(dropAt);
    return !this.over;
  }

  /** Nothing of an agent or of the guardian is under way, and a fresh response may come. */
  get idle(): boolean {
    if (this.dead || this.rig.nowUs % LOOKS_EVERY_US !== 0) return false;
    const { components, vehicle, obligations, evidence } = this.rig.engine.state();
    if (components.some(({ state }) => !TERMINAL.has(state))) return false;
    if (!vehicle.connected || obligations.some(({ state }) => state === 'open')) return false;
    const settled =
      vehicle.landed === 'in_air' || (vehicle.landed === 'on_ground' && !vehicle.armed);
    return settled && evidence.some(({ field }) => field === 'vehicle.home_global');
  }

  get airborne(): boolean {
    return this.rig.engine.state().vehicle.landed === 'in_air';
  }

  get atRest(): boolean {
    return this.rig.truth.onGround && !this.rig.autopilot.status().armed;
  }

  context(): RecoveryContext | undefined {
    let answer: RecoveryContext | undefined;
    this.#askEngine((tell) =>
      this.rig.engine.offer({
        type: 'recovery-context',
        reply: (context) => {
          answer = context;
          tell();
        },
      }),
    );
    return answer;
  }

  check(components: readonly Component[]): SubmitReply | undefined {
    const text = JSON.stringify(this.#response('check', components));
    let answer: SubmitReply | undefined;
    this.#askEngine((tell) =>
      this.rig.engine.offer({
        type: 'check',
        text,
        reply: (reply) => {
          answer = reply;
          tell();
        },
      }),
    );
    return answer;
  }

  /** Undefined: the bridge died meanwhile. */
  submit(components: readonly Component[], more: object = {}): SubmitReply | undefined {
    this.#responses += 1;
    let answer: SubmitReply | undefined;
    const response = { ...this.#response(`r-${this.#responses}`, components), ...more };
    this.#askEngine((tell) => {
      this.rig.submit(response, (reply) => {
        answer = reply;
        tell();
      });
    });
    return answer;
  }

  #response(id: string, components: readonly Component[]) {
    return { protocol: 'halo/1', id, task: 'errand-1', components };
  }

  #askEngine(ask: (tell: () => void) => unknown): void {
    let told = false;
    ask(() => {
      told = true;
    });
    // The next tick answers; a bridge that is dead does not.
    for (let n = 0; n < 10 && !told; n += 1) this.step();
  }
}
