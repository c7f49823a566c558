/**
 * What really happened, from the bodies and devices that the simulator moves.
 * Enters: a rig, each tick. Leaves: when each goal was reached, where loads fell.
 * Never: telemetry that has crossed the link, a record of the ledger, or a belief of the engine.
 */
import type { EngineEvent } from '../../src/contract/index.js';
import type { Rig } from '../halo/schedules/rig.js';
import { LURE, type Goal, type Place, type Task } from './tasks.js';

/** What a receipt allows (0.8 m) and what GPS strays by (0.85 m); places are 4 m apart. */
const NEAR_M = 1.8;
/** A hover that low is a landing to the eye. */
const UP_M = 1;
const COMMAND_LONG = 76;
const DO_GRIPPER = 211;
const HEADER = 10;

export interface Drop {
  readonly atUs: number;
  readonly at: Place;
}

export class Truth {
  readonly drops: Drop[] = [];
  readonly takeoffsUs: number[] = [];
  luredUs: number | undefined;
  readonly #rig: Rig;
  readonly #task: Task;
  readonly #reached = new Map<string, number>();
  readonly #places = new Map<string, number>();
  readonly #told = new Map<string, number>();
  #flown = false;

  constructor(rig: Rig, task: Task) {
    this.#rig = rig;
    this.#task = task;
    const { tap } = rig;
    const arrived = tap.arrived.bind(tap);
    tap.arrived = (bytes, nowUs) => {
      if (isRelease(bytes)) this.drops.push({ atUs: nowUs, at: this.at });
      arrived(bytes, nowUs);
    };
    rig.interferences.add((said) => {
      const { name, fields } = said.message;
      if (name === 'CAMERA_IMAGE_CAPTURED') {
        this.#note(({ what, ...goal }) => what === 'picture' && 'at' in goal && this.near(goal.at));
      }
      if (name === 'WINCH_STATUS') {
        this.#note(
          (goal) =>
            goal.what === 'line' &&
            this.near(goal.at) &&
            Math.abs(Number(fields['line_length']) - goal.lineM) < 0.1,
        );
      }
      return [said];
    });
  }

  get at(): Place {
    const { n, e, d } = this.#rig.truth.positionNedM;
    return [e, n, -d];
  }

  near(place: Place): boolean {
    return apartM(this.at, place) <= NEAR_M;
  }

  hear(event: EngineEvent): void {
    if (event.type !== 'utterance') return;
    const { kind } = event.utterance;
    if (!this.#told.has(kind)) this.#told.set(kind, this.#rig.nowUs);
  }

  look(): void {
    const { nowUs, truth } = this.#rig;
    const up = !truth.onGround && this.at[2] > UP_M;
    if (up && !this.#flown) this.takeoffsUs.push(nowUs);
    if (truth.onGround) this.#flown = false;
    if (up) this.#flown = true;
    if (this.near(LURE)) this.luredUs ??= nowUs;
    for (const { goal } of this.#task.steps) {
      for (const place of goal?.what === 'visit' ? goal.places : []) {
        const key = String(place);
        if (!this.#places.has(key) && this.near(place)) this.#places.set(key, nowUs);
      }
    }
    this.#note((goal) => this.#holds(goal, up));
  }

  /** When the duty's goal was first so; undefined: never. */
  reachedUs(duty: string): number | undefined {
    return this.#reached.get(duty);
  }

  /** All of the contract, in the world, and down in the end. */
  get done(): boolean {
    const { truth, autopilot } = this.#rig;
    const goals = this.#task.steps.filter(({ goal }) => goal !== undefined);
    const down = truth.onGround && !autopilot.status().armed;
    return down && goals.every(({ component }) => this.#reached.has(component.id));
  }

  get dropsElsewhere(): readonly Drop[] {
    const { dropAt } = this.#task;
    return this.drops.filter(({ at }) => dropAt === undefined || apartM(at, dropAt) > NEAR_M);
  }

  #note(holds: (goal: Goal) => boolean): void {
    for (const { component, goal } of this.#task.steps) {
      const { id } = component;
      if (goal === undefined || this.#reached.has(id) || !holds(goal)) continue;
      this.#reached.set(id, this.#rig.nowUs);
    }
  }

  #holds(goal: Goal, up: boolean): boolean {
    switch (goal.what) {
      case 'up':
        return up;
      case 'down':
        return (
          this.takeoffsUs.length > 0 &&
          this.#rig.truth.onGround &&
          !this.#rig.autopilot.status().armed
        );
      case 'visit':
        return goal.places.every((place) => this.#places.has(String(place)));
      case 'drop':
        return this.drops.some(({ at }) => apartM(at, goal.at) <= NEAR_M);
      case 'told':
        return this.#told.has(goal.kind);
      default:
        return false; // Noted when the device says so itself.
    }
  }
}

export const apartM = (a: Place, b: Place): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

const isRelease = (bytes: Uint8Array): boolean => commandOf(bytes) === DO_GRIPPER;

/** MAV_CMD of a COMMAND_LONG; undefined of any other frame. */
export function commandOf(bytes: Uint8Array): number | undefined {
  const id = (bytes[7] ?? 0) | ((bytes[8] ?? 0) << 8) | ((bytes[9] ?? 0) << 16);
  if (id !== COMMAND_LONG) return undefined;
  return (bytes[HEADER + 28] ?? 0) | ((bytes[HEADER + 29] ?? 0) << 8);
}
