/**
 * One schedule: a flight with its faults, from a seed. Enters: the seed. Leaves: what was planned,
 * what bit, and every violation. Never: a result that another run of the seed would not give.
 */
import type { EngineEvent } from '../../../src/contract/index.js';
import { seededRandom } from '../../../src/platform/index.js';
import { violations } from './checks.js';
import { ERRAND, HOMEWARD } from './errand.js';
import { FAULTS, planFaults, type FaultKind, type Planned } from './faults.js';
import { Rig } from './rig.js';
import { TruthWatch } from './truth.js';

export interface ScheduleResult {
  readonly seed: number;
  readonly planned: readonly Planned[];
  readonly bites: Readonly<Partial<Record<FaultKind, number>>>;
  readonly violations: readonly string[];
  readonly frames: number;
  readonly completed: boolean;
}

/** All evidence is there 2.4 s after the bridge begins to listen. */
const LISTEN_US = 2_400_000;
/** A flight without faults takes 17 s; with a long partition PX4's own failsafe lands it. */
const LIMIT_US = 40_000_000;
/** A model is quicker than this nowhere, and slower does not matter here. */
const THINKS_US = 400_000;
const CANDIDATES_MAX = 3;
/** Telemetry without a stamp may be 4 s late unseen, a heartbeat 1 s more; a dwell comes on top. */
const LATE_S = 8;

interface Due {
  readonly atUs: number;
  readonly run: () => void;
}

export class Schedule {
  readonly rig: Rig;
  readonly truth = new TruthWatch();
  readonly bites: Partial<Record<FaultKind, number>> = {};
  /** When responses were accepted, and when lives began: authority of people is over by then. */
  readonly acceptedUs: number[] = [];
  readonly troubles: string[] = [];
  completed = false;
  #ended = false;
  #responses = 0;
  #agenda: Due[] = [];
  #engine: unknown;

  constructor(readonly seed: number) {
    this.rig = new Rig(seed);
  }

  run(planned: readonly Planned[]): ScheduleResult {
    const { rig } = this;
    const random = seededRandom(this.seed ^ 0x5eed);
    this.#listen();
    this.#advance(LISTEN_US, () => false);
    this.#submit(ERRAND, {});
    for (const fault of planned) this.#arrange(fault, random);
    this.#advance(LIMIT_US, () => this.#over());
    for (const { run } of this.#agenda) run(); // Lasting faults are counted when they end.
    return {
      seed: this.seed,
      planned,
      bites: this.bites,
      violations: violations(this),
      frames: rig.tap.sent.length,
      completed: this.completed,
    };
  }

  #advance(us: number, done: () => boolean): void {
    for (const untilUs = this.rig.nowUs + us; this.rig.nowUs < untilUs && !done();) {
      for (const due of this.#agenda.filter(({ atUs }) => atUs <= this.rig.nowUs)) {
        this.#agenda = this.#agenda.filter((other) => other !== due);
        due.run();
      }
      if (this.#engine !== this.rig.engine) this.#listen();
      this.rig.step();
      this.truth.look(this.rig);
    }
  }

  #at(atUs: number, run: () => void): void {
    this.#agenda.push({ atUs, run });
  }

  #arrange({ kind, startUs, durationUs }: Planned, random: () => number): void {
    const bite = (): void => void (this.bites[kind] = (this.bites[kind] ?? 0) + 1);
    this.#at(this.rig.nowUs + startUs, () => {
      if (this.#ended) return;
      const end = FAULTS[kind]({ rig: this.rig, random, durationUs, bite });
      if (end !== undefined) this.#at(this.rig.nowUs + durationUs, end);
    });
  }

  #listen(): void {
    this.#engine = this.rig.engine;
    this.#ended = false;
    this.rig.engine.onEvent((event) => this.#hear(event));
  }

  #hear(event: EngineEvent): void {
    if (event.type === 'response-ended') {
      this.completed ||= event.report.outcome === 'completed';
      this.#ended = true;
    }
    if (event.type === 'receipt' && event.obligationId !== undefined) {
      this.#judge(event.obligationId);
    }
    if (event.type === 'obligation' && event.obligation.state === 'open') {
      const { id } = event.obligation;
      this.#at(this.rig.nowUs + THINKS_US, () => this.#submit(HOMEWARD, { discharges: id }));
    }
  }

  #submit(components: typeof ERRAND, more: { readonly discharges?: string }): void {
    if (this.#responses > CANDIDATES_MAX) return;
    this.#responses += 1;
    this.#ended = false;
    const id = `r-${this.#responses}`;
    const response = { protocol: 'halo/1', id, task: 'errand-1', components, ...more };
    this.rig.submit(response, (reply) => {
      if (reply.accepted) this.acceptedUs.push(this.rig.nowUs);
      else this.#ended = true;
    });
  }

  /** A receipt says that something is so; in truth it must have been, lately. */
  #judge(obligation: string): void {
    this.truth.look(this.rig);
    const last = Object.entries(this.truth.lastUs).find(([name]) => name === obligation)?.[1];
    if (last === undefined) return;
    const agoS = (this.rig.nowUs - last) / 1e6;
    if (agoS > LATE_S)
      this.troubles.push(`receipt of ${obligation}, true ${agoS.toFixed(1)} s ago`);
  }

  /** At rest, and nothing under way. */
  #over(): boolean {
    const { truth, autopilot, stalledUntilUs, nowUs } = this.rig;
    return this.#ended && truth.onGround && !autopilot.status().armed && nowUs > stalledUntilUs;
  }
}

export const runSchedule = (seed: number): ScheduleResult =>
  new Schedule(seed).run(planFaults(seededRandom(seed)));
