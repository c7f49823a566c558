/**
 * Chances to go wrong after admission, by plan and drift under which the component is retained.
 * Data: which epochs move between decision and dispatch, and how a minted frame is altered.
 */
import type { DriftName } from './drifts.js';
import type { PlanName } from './plans.js';

export interface StaleChances {
  readonly plan: PlanName;
  readonly drift: DriftName;
  /** Component, and the epochs that its kind binds in the catalog. */
  readonly moved: Readonly<Record<string, string>>;
}

export const STALE: readonly StaleChances[] = [
  {
    plan: 'tower',
    drift: 'range-silent',
    moved: {
      arm: 'vehicle link mode',
      up: 'vehicle link mode arming estimator home',
      leg: 'vehicle link mode arming estimator home',
      down: 'vehicle link mode',
    },
  },
  {
    plan: 'survey',
    drift: 'range-silent',
    moved: {
      leg1: 'vehicle link mode arming estimator home',
      leg2: 'vehicle link mode arming estimator home',
      home: 'vehicle link mode arming home',
      down: 'vehicle link mode',
    },
  },
  {
    plan: 'watch',
    drift: 'down-silent',
    moved: { stay: 'vehicle link mode arming', down: 'vehicle link mode' },
  },
  {
    plan: 'preflight',
    drift: 'down-silent',
    moved: { arm: 'vehicle link mode', off: 'vehicle link' },
  },
  {
    plan: 'hop',
    drift: 'range-silent',
    moved: {
      arm: 'vehicle link mode',
      up: 'vehicle link mode arming estimator home',
      stay: 'vehicle link mode arming',
    },
  },
  {
    plan: 'shuttle',
    drift: 'down-silent',
    moved: { leg1: 'estimator home', leg2: 'estimator home', leg3: 'estimator home' },
  },
  {
    plan: 'relay',
    drift: 'range-silent',
    moved: { stay: 'vehicle link mode arming', down: 'vehicle link mode' },
  },
  // Nothing has drifted by the time of the decision: what refuses whole responses has these too.
  {
    plan: 'patrol',
    drift: 'none',
    moved: {
      round: 'vehicle link mode arming estimator home',
      turn: 'vehicle link mode arming estimator',
      circle: 'vehicle link mode arming estimator home',
    },
  },
  {
    plan: 'sidestep',
    drift: 'none',
    moved: { push: 'vehicle link mode arming estimator home' },
  },
  {
    plan: 'cargo',
    drift: 'none',
    moved: {
      look: 'vehicle link mode',
      shot: 'vehicle link mode',
      drop: 'vehicle link mode estimator',
      line: 'vehicle link mode',
    },
  },
  { plan: 'workshop', drift: 'none', moved: { set: 'vehicle link mode' } },
  { plan: 'rounds', drift: 'none', moved: { store: 'vehicle link mode home estimator' } },
];

/** How a frame that was minted for one thing is made another. */
export const ALTERATIONS = [
  'a bit of the payload',
  'the sign of a number',
  'payload and wire digest alike',
  'another message id',
  'another run',
  'another boot epoch',
  'another generation',
  'another component',
  'another component digest',
  'another catalog',
  'another lease',
  'another sequence',
  'another vehicle',
  'other epochs',
  'a token of another frame',
  'a token that was used',
] as const;
export type Alteration = (typeof ALTERATIONS)[number];

/** Each of them suffers every alteration. */
export const ALTERED: readonly {
  readonly plan: PlanName;
  readonly drift: DriftName;
  readonly components: readonly string[];
}[] = [
  { plan: 'tower', drift: 'range-silent', components: ['arm', 'up', 'leg', 'down'] },
  { plan: 'watch', drift: 'down-silent', components: ['stay'] },
  { plan: 'patrol', drift: 'none', components: ['round', 'turn', 'circle'] },
  { plan: 'sidestep', drift: 'none', components: ['push'] },
  { plan: 'cargo', drift: 'none', components: ['look', 'shot', 'drop', 'line'] },
  { plan: 'workshop', drift: 'none', components: ['set'] },
  { plan: 'rounds', drift: 'none', components: ['store'] },
];
