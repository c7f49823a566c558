/**
 * Structured replay: every plan under every drift, through every variant.
 * Enters: nothing but the data of ../scenarios. Leaves: counts for each variant.
 * Never: an expectation that was computed.
 */
import { type Admission, type AdmittedComponent } from '../../../src/admission/index.js';
import { admitWithout, type Removable } from '../../../src/admission/testing.js';
import type { Component, EpochKind, Snapshot } from '../../../src/contract/index.js';
import { EPOCH_KINDS } from '../../../src/contract/index.js';
import { parseResponse } from '../../../src/intake/index.js';
import { ALTERATIONS, ALTERED, STALE } from '../scenarios/chances.js';
import { DRIFTS, type DriftName } from '../scenarios/drifts.js';
import { MISTAKES, UNDER_DRIFT } from '../scenarios/expectations.js';
import { PLANS, type PlanName } from '../scenarios/plans.js';
import { must } from '../must.js';
import { CATALOG, CONTRACT, EPOCHS, NOW_US, snapshotOf, type Change } from '../world.js';
import { isLetThrough, takeTurn, type Turn } from './dispatch.js';
import { rightfulFrames, TAMPERINGS } from './tampering.js';
import { VARIANTS, type Variant, type VariantName } from './variants.js';

export { VARIANTS, type VariantName } from './variants.js';

export interface VariantCounts {
  kept: number;
  supported: number;
  orphansLeaked: number;
  orphanChances: number;
  staleMissed: number;
  staleChances: number;
  wrongBindingMissed: number;
  wrongBindingChances: number;
}

export interface Replay {
  readonly variants: Readonly<Record<VariantName, VariantCounts>>;
  readonly expectations: { readonly met: number; readonly total: number };
  /** Sentences about expectations that were not met. */
  readonly unmet: readonly string[];
}

interface Case {
  readonly name: string;
  readonly components: readonly Component[];
  readonly snapshot: Snapshot;
  readonly expected: Expected;
}

interface Expected {
  /** Withheld for a reason of their own: the HALO code. */
  readonly withheld: ReadonlyMap<string, string>;
  readonly orphans: ReadonlySet<string>;
}

export function replay(): Replay {
  const cases = [...driftCases(), ...mistakeCases()];
  const unmet = cases.flatMap(checkExpectation);
  const missed = new Set(unmet.map((sentence) => sentence.split(':')[0]));
  const counts = VARIANTS.map((variant) => [variant.name, countsOf(variant, cases)] as const);
  return {
    variants: Object.fromEntries(counts) as Replay['variants'], // One entry for each name.
    expectations: { met: cases.length - missed.size, total: cases.length },
    unmet,
  };
}

function driftCases(): readonly Case[] {
  return Object.entries(UNDER_DRIFT).flatMap(([plan, byDrift]) =>
    Object.entries(byDrift).map(
      ([drift, text]) => caseOf(plan as PlanName, drift as DriftName, text), // The keys of the data are the names.
    ),
  );
}

function caseOf(plan: PlanName, drift: DriftName, text: string): Case {
  const { components, place } = PLANS[plan];
  const snapshot = snapshotOf(place, DRIFTS[drift]);
  return { name: `${plan}/${drift}`, components, snapshot, expected: expectedOf(text) };
}

function mistakeCases(): readonly Case[] {
  const { components, place } = PLANS.tower;
  return MISTAKES.map(({ name, wrote, expected }) => ({
    name: `tower/${name}`,
    components: components.map((component) => ({ ...component, ...wrote[component.id] })),
    snapshot: snapshotOf(place),
    expected: expectedOf(expected),
  }));
}

function expectedOf(text: string): Expected {
  const [own = '', inherited = ''] = text.split('|');
  const words = (part: string): string[] => part.split(' ').filter((word) => word !== '');
  return {
    withheld: new Map(
      words(own).map((word) => [word.split('=')[0] ?? '', `HALO-${word.slice(-3)}`]),
    ),
    orphans: new Set(words(inherited)),
  };
}

function judge({ components, snapshot }: Case, removed: ReadonlySet<Removable>): Admission {
  const response = { protocol: 'halo/1', id: 'r-1', task: CONTRACT.task, components };
  return admitWithout(
    {
      parsed: must(parseResponse(JSON.stringify(response))),
      catalog: CATALOG,
      contract: CONTRACT,
      snapshot,
      basis: { epochs: EPOCHS },
      generation: 1,
      nowUs: NOW_US,
    },
    removed,
  );
}

/** Of the whole bridge: every component as the data says, with the code that it says. */
function checkExpectation(one: Case): readonly string[] {
  const { verdict } = judge(one, new Set());
  return verdict.components.flatMap(({ id, admitted, findings }) => {
    const code = one.expected.withheld.get(id);
    const wanted = code ?? (one.expected.orphans.has(id) ? 'HALO-206' : 'retained');
    const got = admitted ? 'retained' : (findings[0]?.code ?? 'nothing');
    return got === wanted ? [] : [`${one.name}: ${id} is ${got}, expected ${wanted}`];
  });
}

function countsOf(variant: Variant, cases: readonly Case[]): VariantCounts {
  const counts: VariantCounts = {
    ...{ kept: 0, supported: 0, orphansLeaked: 0, orphanChances: 0 },
    ...{ staleMissed: 0, staleChances: 0, wrongBindingMissed: 0, wrongBindingChances: 0 },
  };
  for (const one of cases) countAdmission(variant, one, counts);
  for (const { plan, drift, moved } of STALE) {
    for (const [id, kinds] of Object.entries(moved)) {
      for (const kind of kinds.split(' ')) {
        counts.staleChances += 1;
        if (staleLeaves(variant, plan, drift, id, epochKind(kind))) counts.staleMissed += 1;
      }
    }
  }
  for (const { plan, drift, components } of ALTERED) {
    for (const id of components) {
      for (const alteration of ALTERATIONS) {
        counts.wrongBindingChances += 1;
        const turn = turnOf(variant, plan, drift, id);
        const frames = turn === undefined ? [] : takeTurn(turn, TAMPERINGS[alteration]);
        if (frames.length > rightfulFrames(alteration)) counts.wrongBindingMissed += 1;
      }
    }
  }
  return counts;
}

function countAdmission(variant: Variant, one: Case, counts: VariantCounts): void {
  const retained = retainedBy(variant, one);
  const { withheld, orphans } = one.expected;
  for (const { id, requires = [] } of one.components) {
    if (withheld.has(id)) continue;
    const kept = retained.get(id);
    if (!orphans.has(id)) {
      counts.supported += 1;
      if (kept !== undefined) counts.kept += 1;
      continue;
    }
    counts.orphanChances += 1;
    // Its turn comes in the same world: nothing has brought about what it waits for.
    const done = requires.every((required) => retained.has(required));
    if (kept && isLetThrough(turnIn(variant, kept, one.snapshot, done))) counts.orphansLeaked += 1;
  }
}

function retainedBy(variant: Variant, one: Case): ReadonlyMap<string, AdmittedComponent> {
  const { admitted } = judge(one, variant.admissionWithout);
  if (variant.whole && admitted.length < one.components.length) return new Map();
  return new Map(admitted.map((component) => [component.component.id, component]));
}

const turnIn = (
  { gateWithout, admissionWithout }: Variant,
  admitted: AdmittedComponent,
  snapshot: Snapshot,
  prerequisitesReady: boolean,
): Turn => ({
  admitted,
  snapshot,
  liveEpochs: snapshot.epochs,
  prerequisitesReady,
  gateWithout,
  epochsCount: !admissionWithout.has('epochs'),
});

const epochKind = (text: string): EpochKind => {
  const kind = EPOCH_KINDS.find((one) => one === text);
  if (kind === undefined) throw new Error(`there is no epoch ${text}`);
  return kind;
};

/** Where the vehicle is when the turn of such a component has come, and what is said then. */
const WHEN_ITS_TURN: Readonly<Record<string, readonly ['ground' | 'air', object]>> = {
  'flight.arm': ['ground', {}],
  'flight.disarm': ['ground', { 'vehicle.armed': true }],
  'flight.takeoff': ['ground', { 'vehicle.armed': true }],
};

/** The component's turn in a world where all before it went well; undefined: it is withheld. */
function turnOf(variant: Variant, plan: PlanName, drift: DriftName, id: string): Turn | undefined {
  const one = caseOf(plan, drift, UNDER_DRIFT[plan][drift] ?? '');
  const admitted = retainedBy(variant, one).get(id);
  if (admitted === undefined) return undefined;
  const [place, said] = WHEN_ITS_TURN[admitted.component.kind] ?? ['air', {}];
  const changes = { ...(said as Record<string, Change>), ...DRIFTS[drift] }; // Literals above.
  return turnIn(variant, admitted, snapshotOf(place, changes), true);
}

/** True when a frame leaves although the epoch moved; without the move it must leave. */
function staleLeaves(
  variant: Variant,
  plan: PlanName,
  drift: DriftName,
  id: string,
  kind: EpochKind,
): boolean {
  const turn = turnOf(variant, plan, drift, id);
  if (turn === undefined) return false;
  if (takeTurn(turn).length === 0) throw new Error(`${plan}/${drift}: ${id} never leaves`);
  const liveEpochs = { ...turn.liveEpochs, [kind]: turn.liveEpochs[kind] + 1 };
  return takeTurn({ ...turn, liveEpochs }).length > 0;
}
