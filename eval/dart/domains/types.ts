/**
 * What a simulated domain is: a plan of steps, and a world in which they have their effects.
 * Enters: nothing. Leaves: types. Never: a word of checkpoints or admissibility: a domain knows
 * only what its steps do to its world.
 */
import type { EffectClass } from '../../../src/recovery/dart/index.js';

/** One step of a plan; steps of the same instance stand next to each other but for consumers. */
export interface Act {
  readonly id: string;
  readonly name: string;
  /** Steps with the same key are one instance. */
  readonly instance: string;
  readonly component: string;
  readonly entity: string;
  readonly effect: EffectClass;
  readonly uses: readonly string[];
}

/** What belongs to one instance, and comes back when it is restored. */
export type Own = Record<string, unknown>;

export interface World {
  /** By instance. */
  readonly own: Record<string, Own>;
  /** What the outside has been given; it does not come back. */
  readonly outside: { readonly of: string; readonly what: string; readonly ref: number }[];
  /** How often each irreversible thing has happened. */
  readonly irreversible: Record<string, number>;
  /** Numbers that the outside world gives out: never the same twice. */
  serial: number;
}

export interface Stage {
  readonly name: string;
  readonly effect: EffectClass;
}

/** An instance of every entity runs through the stages; a consumer takes up what one publishes. */
export interface Domain {
  readonly name: string;
  readonly component: string;
  readonly stages: readonly Stage[];
  readonly consumer: { readonly component: string; readonly after: string; readonly stage: Stage };
  readonly entities: readonly string[];
  /** What the step does when it succeeds. */
  act(world: World, own: Own, act: Act): void;
  /** What a step leaves behind that breaks off in the middle. */
  breakOff(own: Own, act: Act): void;
  /** What counts in the end, free of serial numbers. */
  view(world: World): unknown;
}

/** As before its first step. */
export function begin(own: Own): void {
  for (const key of Object.keys(own)) delete own[key];
}

export const freshWorld = (): World => ({ own: {}, outside: [], irreversible: {}, serial: 100 });

export const nextSerial = (world: World): number => {
  world.serial += 1;
  return world.serial;
};

/** Gives something outside that speaks of a number of the instance it is about. */
export function tell(world: World, what: string, of: string, key: string): void {
  world.outside.push({ of, what, ref: Number(world.own[of]?.[key]) });
}

/** Does what was given outside still speak of what stands inside? */
export const outsideView = (world: World, key: string): readonly string[] =>
  world.outside
    .map(({ of, what, ref }) => {
      const stands = world.own[of]?.[key] === ref;
      return `${what} for ${of}: ${stands ? 'stands' : 'speaks of nothing'}`;
    })
    .toSorted();

export const text = (own: Own, key: string): string => {
  const value = own[key];
  return typeof value === 'string' ? value : '';
};
export const count = (own: Own, key: string): number => Number(own[key] ?? 0);

const STAGE = (effect: EffectClass) => (name: string) => ({ name, effect });
export const undoable = STAGE('reversible');
export const replaceable = STAGE('compensable');
export const final = STAGE('irreversible');
