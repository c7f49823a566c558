/**
 * The support of one typed component, now: footprint, epochs, and at start the volume.
 * Enters: a component, a snapshot, the time, the stage, the epochs of its basis.
 * Leaves: every finding, or one frozen empty list when all is well. Never: a cached answer.
 *
 * The gate asks this for every frame of a lease, so that the good case allocates nothing.
 */
import {
  type Epochs,
  type Finding,
  type GuardianAction,
  type KindEntry,
  type Snapshot,
  type Stage,
} from '../contract/index.js';
import { finding } from '../platform/index.js';
import { joined, NO_FINDINGS } from './findings.js';
import { evaluatePredicate, fieldOf } from './predicate.js';
import type { TypedComponent } from './types.js';
import { placeFindings, readHome, readPosition, volumeFindings } from './volume.js';

export interface SupportQuestion {
  readonly component: TypedComponent;
  readonly snapshot: Snapshot;
  readonly nowUs: number;
  readonly stage: Stage;
  /** Epochs that the component was decided on; its own effects may have moved them since. */
  readonly basisEpochs: Epochs;
}

/** HALO-208 to 212, 218; from `start` on also 215, from where the vehicle really is. */
export function supportFindings(question: SupportQuestion): readonly Finding[] {
  const { component, snapshot, nowUs, stage, basisEpochs } = question;
  const footprint = footprintFindings(component, snapshot, nowUs, stage);
  const epochs = epochFindings(component.entry, snapshot.epochs, basisEpochs);
  const volume = liveVolumeFindings(component, snapshot, nowUs, stage);
  return joined(joined(footprint, epochs), volume);
}

/** Every predicate of the footprint that applies at this stage and does not hold. */
export function footprintFindings(
  { component, entry }: TypedComponent,
  snapshot: Snapshot,
  nowUs: number,
  stage: Stage,
): readonly Finding[] {
  let found: Finding[] | undefined;
  for (const predicate of entry.footprint) {
    if (predicate.at !== undefined && !predicate.at.includes(stage)) continue;
    const trouble = evaluatePredicate(predicate, component.params, snapshot, nowUs);
    if (trouble !== undefined) (found ??= []).push(trouble);
  }
  return found ?? NO_FINDINGS;
}

/** HALO-212 for each epoch of the kind that moved: a stale route looks fine by its values. */
export function epochFindings(entry: KindEntry, now: Epochs, basis: Epochs): readonly Finding[] {
  // The store makes new ones whenever one moves.
  if (now === basis) return NO_FINDINGS;
  let found: Finding[] | undefined;
  for (const kind of entry.epochs) {
    if (now[kind] === basis[kind]) continue;
    const message = `The ${kind} epoch moved from ${basis[kind]} to ${now[kind]} since the basis.`;
    (found ??= []).push(
      finding('epochs', 'HALO-212', message, {
        field: `epoch.${kind}`,
        observed: String(now[kind]),
        limit: String(basis[kind]),
      }),
    );
  }
  return found ?? NO_FINDINGS;
}

/** They fly by what is not streamed point by point, so their place is judged all along. */
const WATCHED: readonly string[] = ['velocity', 'mission_start'];

/** From where the vehicle really is. */
function liveVolumeFindings(
  component: TypedComponent,
  snapshot: Snapshot,
  nowUs: number,
  stage: Stage,
): readonly Finding[] {
  if (stage === 'admit') return NO_FINDINGS;
  const watched = WATCHED.includes(component.typed.does);
  if (stage === 'flight' && !watched) return NO_FINDINGS;
  const at = readPosition(snapshot, nowUs);
  const home = readHome(snapshot, nowUs);
  if (stage === 'flight') return placeFindings(component.entry.limits, at, home);
  return volumeFindings(component, at, home);
}

/** Stronger first: where two losses ask for different actions, the one nearer to the ground. */
const BY_CAUTION: readonly GuardianAction[] = ['land', 'return', 'hold', 'continue'];

/**
 * What the guardian does about these findings of the component: the most cautious of what its
 * failed predicates ask for, and the kind's own `onLoss` for everything else.
 */
export function lossAction(
  { component, entry }: TypedComponent,
  findings: readonly Finding[],
): GuardianAction {
  const asked = new Set<GuardianAction>();
  for (const { rule, field } of findings) {
    const own = entry.footprint.filter(
      (p) => rule === 'evidence' && fieldOf(p.field, component.params) === field,
    );
    for (const predicate of own) asked.add(predicate.onLoss ?? entry.onLoss);
    if (own.length === 0) asked.add(entry.onLoss);
  }
  return BY_CAUTION.find((action) => asked.has(action)) ?? entry.onLoss;
}
