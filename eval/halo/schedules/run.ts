/**
 * One schedule: a flight with its faults, from a seed. Enters: the seed. Leaves: what was planned,
 * what bit, and every violation. Never: a result that another run of the seed would not give.
 */
import type { Component, EngineEvent } from '../../../src/contract/index.js';
import { seededRandom } from '../../../src/platform/index.js';
import { violations } from './checks.js';
import { errandFor, HOMEWARD } from './errand.js';
import { FAULTS, planFaults, type FaultKind, type Planned } from './faults.js';
import { Rig } from './rig.js';

export interface ScheduleResult {
  readonly seed: number;
  readonly errand: string;
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
/** An operator who is asked says no now and then. */
const NO = 0.1;
/** Longer than an agent or a person thinks, and a contingency waits: then nothing follows. */
const QUIET_US = 6_000_000;
/** Telemetry without a stamp may be 4 s late unseen, a heartbeat 1 s more; a dwell comes on top. */
const LATE_S = 8;

interface Due {
  readonly atUs: number;
  readonly run: () => void;
}

export class Schedule {
  readonly rig: Rig;
  readonly bites: Partial<Record<FaultKind, number>> = {};
  /** When responses were accepted, and when lives began: authority of people is over by then. */
  readonly acceptedUs: number[] = [];
  readonly troubles: string[] = [];
  /** Of the errand as it was sent first. */
  firstGeneration: number | undefined;
  /** What an operator has approved, by digest. */
  readonly approvedUs = new Map<string, number>();
  completed = false;
  #ended = false;
  #responses = 0;
  #agenda: Due[] = [];
  #engine: unknown;
  /** Since when nothing but people could move the vehicle, and nothing was sent. */
  #quietSinceUs = Infinity;
  readonly #asked = new Set<string>();
  readonly #random: () => number;

  constructor(readonly seed: number) {
    this.rig = new Rig(seed, errandFor(seed));
    this.#random = seededRandom(seed ^ 0x5eed);
  }

  run(planned: readonly Planned[]): ScheduleResult {
    const { rig } = this;
    this.#listen();
    this.#advance(LISTEN_US, () => false);
    this.#submit(rig.errand.components, {});
    for (const fault of planned) this.#arrange(fault);
    this.#advance(LIMIT_US, () => this.#over());
    for (const { run } of this.#agenda) run(); // Lasting faults are counted when they end.
    return {
      seed: this.seed,
      errand: rig.errand.name,
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
    }
  }

  #at(atUs: number, run: () => void): void {
    this.#agenda.push({ atUs, run });
  }

  #arrange({ kind, startUs, durationUs }: Planned): void {
    const random = this.#random;
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
    if (event.type === 'progress' && event.progress.state === 'awaiting-approval') {
      this.#askOperator(/[0-9a-f]{64}/.exec(event.progress.reason)?.[0] ?? '');
    }
    if (event.type === 'obligation' && event.obligation.state === 'open') {
      const { id } = event.obligation;
      this.#at(this.rig.nowUs + THINKS_US, () => this.#submit(HOMEWARD, { discharges: id }));
    }
  }

  /** A person, who takes as long to think as an agent does, and is asked once. */
  #askOperator(digest: string): void {
    if (digest === '' || this.#asked.has(digest)) return;
    this.#asked.add(digest);
    const approved = this.#random() >= NO;
    this.#at(this.rig.nowUs + THINKS_US, () => {
      if (approved) this.approvedUs.set(digest, this.rig.nowUs);
      this.rig.approve(digest, approved);
    });
  }

  #submit(components: readonly Component[], more: { readonly discharges?: string }): void {
    if (this.#responses > CANDIDATES_MAX) return;
    this.#responses += 1;
    this.#ended = false;
    const id = `r-${this.#responses}`;
    const response = { protocol: 'halo/1', id, task: 'errand-1', components, ...more };
    this.rig.submit(response, (reply) => {
      if (id === 'r-1') this.firstGeneration = reply.verdict?.generation;
      if (reply.accepted) this.acceptedUs.push(this.rig.nowUs);
      else this.#ended = true;
    });
  }

  /** A receipt says that something is so; in truth it must have been, lately. */
  #judge(obligation: string): void {
    const { watch, nowUs } = this.rig;
    const { airborne, there, down } = watch.lastUs;
    const last = new Map(Object.entries({ airborne, there, down })).get(obligation);
    if (last === undefined) return;
    const agoS = (nowUs - last) / 1e6;
    if (agoS > LATE_S)
      this.troubles.push(`receipt of ${obligation}, true ${agoS.toFixed(1)} s ago`);
  }

  /** Down and nothing under way; or down, or flown by a pilot, and nothing follows for long. */
  #over(): boolean {
    const { truth, autopilot, stalledUntilUs, nowUs, tap } = this.rig;
    const { armed, mode } = autopilot.status();
    const down = truth.onGround && !armed && nowUs > stalledUntilUs;
    if (this.#ended && down) return true;
    const quiet = (down || mode === 'POSCTL') && this.#agenda.length === 0;
    const lastUs = tap.sent.at(-1)?.atUs ?? 0;
    if (!quiet || lastUs === nowUs) this.#quietSinceUs = nowUs;
    return nowUs - this.#quietSinceUs > QUIET_US;
  }
}

export const runSchedule = (seed: number): ScheduleResult =>
  new Schedule(seed).run(planFaults(seededRandom(seed)));
