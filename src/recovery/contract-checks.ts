/**
 * What a task contract's schema cannot say: that it does not contradict itself.
 * Enters: a contract that fits its schema. Leaves: the first contradiction, or none.
 * Never: a change to the contract.
 */
import {
  meets,
  VEHICLE_FIELDS,
  type Catalog,
  type KindEntry,
  type ShownEvidence,
  type TaskContract,
  type TaskObligation,
} from '../contract/index.js';
import { OBSERVED_BY, OBSERVED_FLAGS } from './observed.js';

/** `path` is into the document, so that the reader of the file can be shown the line. */
export interface Contradiction {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

type Obligations = TaskContract['obligations'];

/** The first contradiction of the contract in itself: HALO-704. */
export function contradictionIn({
  obligations,
  budget,
}: Pick<TaskContract, 'obligations' | 'budget'>): Contradiction | undefined {
  return (
    repeatedId(obligations) ??
    unknownPredecessor(obligations) ??
    cycle(obligations) ??
    impossibleEvidence(obligations) ??
    lateDeadline(obligations, budget.timeS) ??
    indistinct(obligations)
  );
}

/**
 * The first obligation that this catalog cannot bring about: its kind is not in it, or carrying
 * out the kind never shows what the obligation asks for. HALO-704.
 */
export function beyondCatalog(
  { obligations }: Pick<TaskContract, 'obligations'>,
  catalog: Pick<Catalog, 'kinds'>,
): Contradiction | undefined {
  for (const [index, { id, target, evidence }] of obligations.entries()) {
    const entry = catalog.kinds[target.kind];
    if (entry === undefined) {
      const message = `${id} wants ${target.kind}, which is not in the catalog.`;
      return { message, path: ['obligations', index, 'target', 'kind'] };
    }
    const shown: readonly string[] = OBSERVED_BY[entry.does];
    const flag = OBSERVED_FLAGS.find((name) => evidence[name] === true && !shown.includes(name));
    const wanted = flag ?? (evidence.within && !shown.includes('dwellS') ? 'within' : undefined);
    if (wanted !== undefined) {
      const message = `${id} wants ${wanted}, which ${target.kind} (${entry.does}) never shows.`;
      return { message, path: ['obligations', index, 'evidence', wanted] };
    }
    const dwell = shortDwell(evidence.within?.dwellS ?? 0, entry);
    if (dwell !== undefined) {
      const message = `${id} wants a dwell that ${target.kind} never shows: ${dwell}.`;
      return { message, path: ['obligations', index, 'evidence', 'within', 'dwellS'] };
    }
    if (target.sensor !== undefined && !shown.includes('sensor')) {
      const message = `${id} names a sensor, but ${target.kind} (${entry.does}) has none.`;
      return { message, path: ['obligations', index, 'target', 'sensor'] };
    }
  }
  return undefined;
}

/**
 * The first predicate over evidence that nothing fills: neither the vehicle nor the evidence map,
 * whose fields are `mapped`. HALO-704.
 */
export function unknownEvidence(
  { obligations }: Pick<TaskContract, 'obligations'>,
  mapped: ReadonlySet<string>,
): Contradiction | undefined {
  for (const [index, { id, evidence }] of obligations.entries()) {
    for (const [at, { field }] of (evidence.shown ?? []).entries()) {
      if (Object.hasOwn(VEHICLE_FIELDS, field) || mapped.has(field)) continue;
      const message = `${id} wants ${field}, which neither the vehicle nor the evidence map fills.`;
      return { message, path: ['obligations', index, 'evidence', 'shown', at, 'field'] };
    }
  }
  return undefined;
}

/** Its effect ends before so long a dwell; undefined when it does not, or nobody can tell. */
function shortDwell(wantedS: number, entry: KindEntry): string | undefined {
  const { completion, deadlineS } = entry;
  if (wantedS >= deadlineS) return `its deadline is ${deadlineS} s`;
  // A hold lasts as long as it is asked to; the others end once their own dwell is over.
  if (entry.does === 'hold' || completion.dwellS === undefined) return undefined;
  return wantedS > completion.dwellS ? `it ends after ${completion.dwellS} s` : undefined;
}

function repeatedId(obligations: Obligations): Contradiction | undefined {
  const seen = new Set<string>();
  for (const [index, { id }] of obligations.entries()) {
    if (seen.has(id)) {
      return { message: `Two obligations have the id ${id}.`, path: ['obligations', index, 'id'] };
    }
    seen.add(id);
  }
  return undefined;
}

function unknownPredecessor(obligations: Obligations): Contradiction | undefined {
  const ids = new Set(obligations.map(({ id }) => id));
  for (const [index, { id, after }] of obligations.entries()) {
    const at = after.findIndex((name, n) => !ids.has(name) || after.indexOf(name) < n);
    const name = after[at];
    if (name === undefined) continue;
    const why = ids.has(name) ? 'and says so twice' : 'which is not in the contract';
    const message = `${id} comes after ${name}, ${why}.`;
    return { message, path: ['obligations', index, 'after', at] };
  }
  return undefined;
}

/** Takes away what has no predecessors left; what remains waits for itself. */
function cycle(obligations: Obligations): Contradiction | undefined {
  let left = [...obligations];
  for (;;) {
    const ids = new Set(left.map(({ id }) => id));
    const next = left.filter(({ after }) => after.some((name) => ids.has(name)));
    if (next.length === left.length) break;
    left = next;
  }
  const first = left[0];
  if (first === undefined) return undefined;
  const message = `These obligations wait for each other: ${left.map(({ id }) => id).join(', ')}.`;
  const index = obligations.findIndex(({ id }) => id === first.id);
  return { message, path: ['obligations', index, 'after'] };
}

function impossibleEvidence(obligations: Obligations): Contradiction | undefined {
  for (const [index, obligation] of obligations.entries()) {
    const found = impossible(obligation);
    if (found === undefined) continue;
    const message = `${obligation.id}: ${found.why}.`;
    return { message, path: ['obligations', index, ...found.path] };
  }
  return undefined;
}

const UTTERANCE_FAMILIES = ['report.', 'operator.'];

function impossible({
  target,
  evidence,
}: TaskObligation):
  { readonly why: string; readonly path: readonly (string | number)[] } | undefined {
  const utterance = UTTERANCE_FAMILIES.some((family) => target.kind.startsWith(family));
  const at = (why: string, ...path: string[]) => ({ why, path });
  if (evidence.within !== undefined && target.positionM === undefined) {
    return at('within needs the target’s positionM', 'evidence', 'within');
  }
  if (target.positionM !== undefined && evidence.within === undefined) {
    return at('positionM is compared only by evidence within', 'target', 'positionM');
  }
  if (target.positionM !== undefined && target.frame === undefined) {
    return at('positionM needs frame: local_enu', 'target', 'positionM');
  }
  if (evidence.delivered === true && !utterance) {
    return at(`${target.kind} is not delivered to anyone`, 'evidence', 'delivered');
  }
  const seen = Object.keys(evidence).find((key) => key !== 'delivered');
  if (utterance && seen !== undefined) {
    return at(`${target.kind} can only be delivered`, 'evidence', seen);
  }
  if (evidence.armed === true && evidence.disarmed === true) {
    return at('nothing is armed and disarmed at once', 'evidence', 'disarmed');
  }
  if (evidence.airborne === true && (evidence.landed ?? evidence.disarmed) === true) {
    return at('nothing is airborne and landed or disarmed at once', 'evidence', 'airborne');
  }
  if (evidence.holds === true && evidence.shown === undefined) {
    return at('holds says of shown that it goes on, and there is no shown', 'evidence', 'holds');
  }
  return impossibleShown(evidence.shown ?? []);
}

function impossibleShown(
  shown: readonly ShownEvidence[],
): { readonly why: string; readonly path: readonly (string | number)[] } | undefined {
  for (const [index, one] of shown.entries()) {
    if (shown.slice(0, index + 1).some((other) => neverBoth(one, other))) {
      const why = `no value of ${one.field} meets what shown asks of it`;
      return { why, path: ['evidence', 'shown', index] };
    }
  }
  return undefined;
}

/** No value meets both; true of one with itself when nothing meets it. */
function neverBoth(a: ShownEvidence, b: ShownEvidence): boolean {
  if (a.field !== b.field) return false;
  const named = [a, b].flatMap(({ is, in: among }) => (is === undefined ? (among ?? []) : [is]));
  if (named.length > 0) return !named.some((value) => meets(a, value) && meets(b, value));
  const min = Math.max(a.min ?? -Infinity, b.min ?? -Infinity);
  return min > Math.min(a.max ?? Infinity, b.max ?? Infinity);
}

/** A deadline that the budget's end comes before decides nothing. */
function lateDeadline(obligations: Obligations, timeS: number): Contradiction | undefined {
  for (const [index, { id, deadlineS }] of obligations.entries()) {
    if (deadlineS === undefined || deadlineS <= timeS) continue;
    const message = `${id} has until ${deadlineS} s, but the task ends after ${timeS} s.`;
    return { message, path: ['obligations', index, 'deadlineS'] };
  }
  return undefined;
}

/**
 * Two obligations that one receipt could fulfil at once, with no order between them: such a
 * receipt closes neither. With an order, it can only belong to the earlier one.
 */
function indistinct(obligations: Obligations): Contradiction | undefined {
  const before = predecessors(obligations);
  for (const [index, later] of obligations.entries()) {
    for (const earlier of obligations.slice(0, index)) {
      if (before.get(later.id)?.has(earlier.id) || before.get(earlier.id)?.has(later.id)) continue;
      if (!overlap(earlier, later)) continue;
      const message =
        `One receipt could fulfil both ${earlier.id} and ${later.id}: ` +
        'order them or make their targets distinct.';
      return { message, path: ['obligations', index] };
    }
  }
  return undefined;
}

/** Per obligation: all that must be satisfied before it, also indirectly. Needs no cycles. */
export function predecessors(obligations: Obligations): ReadonlyMap<string, ReadonlySet<string>> {
  const byId = new Map(obligations.map((obligation) => [obligation.id, obligation]));
  const all = new Map<string, Set<string>>();
  const of = (id: string): Set<string> => {
    const known = all.get(id);
    if (known !== undefined) return known;
    const found = new Set<string>();
    all.set(id, found);
    for (const name of byId.get(id)?.after ?? []) {
      found.add(name);
      for (const earlier of of(name)) found.add(earlier);
    }
    return found;
  };
  for (const { id } of obligations) of(id);
  return all;
}

function overlap(a: TaskObligation, b: TaskObligation): boolean {
  if (a.target.kind !== b.target.kind) return false;
  const [sensorA, sensorB] = [a.target.sensor, b.target.sensor];
  if (sensorA !== undefined && sensorB !== undefined && sensorA !== sensorB) return false;
  if (contradict(a, b) || contradict(b, a)) return false;
  const [shownA, shownB] = [a.evidence.shown ?? [], b.evidence.shown ?? []];
  if (shownA.some((one) => shownB.some((other) => neverBoth(one, other)))) return false;
  const [withinA, withinB] = [a.evidence.within, b.evidence.within];
  const [fromA, fromB] = [a.target.positionM, b.target.positionM];
  if (!withinA || !withinB || !fromA || !fromB) return true;
  const horizontalM = Math.hypot(fromA[0] - fromB[0], fromA[1] - fromB[1]);
  const verticalM = Math.abs(fromA[2] - fromB[2]);
  return (
    horizontalM <= withinA.horizontalM + withinB.horizontalM &&
    verticalM <= withinA.verticalM + withinB.verticalM
  );
}

const contradict = (a: TaskObligation, b: TaskObligation): boolean =>
  (a.evidence.armed === true && b.evidence.disarmed === true) ||
  (a.evidence.airborne === true && (b.evidence.landed ?? b.evidence.disarmed) === true);
