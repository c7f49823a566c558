/**
 * Admission: which components of a response are retained, and why the others are not.
 * Enters: a parsed response, catalog, contract, one snapshot, the basis, the time.
 * Leaves: a verdict, the retained components in an order that respects their prerequisites, and
 * drafts of localized obligations. Never: authority to dispatch, state of its own, or I/O.
 */
import type {
  Catalog,
  ComponentVerdict,
  Finding,
  LocalizedObligation,
  Snapshot,
  TaskContract,
  Verdict,
} from '../contract/index.js';
import { assert, finding } from '../platform/index.js';
import {
  CHECKS,
  type Basis,
  type Candidate,
  type Check,
  type CheckContext,
  type CheckName,
} from './checks/index.js';
import { layContext } from './context.js';
import { localize } from './localize.js';
import { joined, NO_FINDINGS } from './findings.js';
import type {
  AdmittedComponent,
  DigestedResponse,
  ObligationDraft,
  TypedComponent,
} from './types.js';
import { closeAndExplain } from './verdicts.js';

export interface AdmissionInput {
  readonly parsed: DigestedResponse;
  readonly catalog: Catalog;
  readonly contract: TaskContract;
  readonly snapshot: Snapshot;
  /** Epochs of the named basis; `'unknown'` when it was named and is not kept; else undefined. */
  readonly basis: Basis;
  readonly generation: number;
  readonly nowUs: number;
  /** The open obligation that waits for an answer, if one does. */
  readonly openObligation?: LocalizedObligation | undefined;
}

export interface Admission {
  readonly verdict: Verdict;
  readonly admitted: readonly AdmittedComponent[];
  readonly obligations: readonly ObligationDraft[];
}

/** `closure` is not a check of one component, and can be removed in tests like one. */
export type Removable = CheckName | 'closure';

/** All checks; codes HALO-110, 201 to 219, 302 to 304. */
export const admit = (input: AdmissionInput): Admission => admitWithout(input, NOTHING_REMOVED);

const NOTHING_REMOVED: ReadonlySet<Removable> = new Set();

export function admitWithout(input: AdmissionInput, removed: ReadonlySet<Removable>): Admission {
  const whole = wholeFindings(input);
  if (whole.length > 0) return refusedWhole(input, whole);
  const context = layContext(input);
  const checks = removed.size === 0 ? ALL_CHECKS : checksWithout(removed);
  const nodes = context.candidates.map((candidate) => {
    const { component, typed } = candidate;
    const findings = ownFindings(context, candidate, checks);
    // Without types there is nothing that could be flown, whatever the checks say.
    const supported = findings.length === 0 && typed !== undefined;
    return { id: component.id, kind: component.kind, findings, supported };
  });
  const { kept, verdicts } = closeAndExplain(context.graph, nodes, removed.has('closure'));
  const admitted: AdmittedComponent[] = [];
  for (const index of context.graph.order) {
    if (kept[index] !== 1) continue;
    admitted.push(admittedComponent(input, context.candidates[index]?.typed));
  }
  return {
    verdict: verdictOf(input, verdicts, []),
    admitted,
    obligations: localize({
      graph: context.graph,
      kept,
      verdicts,
      entries: context.candidates.map(({ entry }) => entry),
      catalog: input.catalog,
    }),
  };
}

/** Trouble with the response as a whole: then nothing of it is looked at. */
function wholeFindings({ parsed, contract, openObligation }: AdmissionInput): readonly Finding[] {
  const { task, discharges } = parsed.response;
  const findings: Finding[] = [];
  if (task !== contract.task) {
    const message = `The response is for task ${task}; this is ${contract.task}.`;
    const detail = { observed: task, limit: contract.task, path: 'task' };
    findings.push(finding('task', 'HALO-110', message, detail));
  }
  if (openObligation !== undefined && discharges === undefined) {
    const message = `Obligation ${openObligation.id} is open, and the response does not name it.`;
    const detail = { limit: openObligation.id, path: 'discharges' };
    findings.push(finding('scope', 'HALO-304', message, detail));
  }
  if (discharges !== undefined && discharges !== openObligation?.id) {
    const message = `No open obligation ${discharges}.`;
    const detail = { observed: discharges, path: 'discharges' };
    findings.push(finding('scope', 'HALO-303', message, detail));
  }
  return findings;
}

const CHECK_NAMES = Object.keys(CHECKS) as readonly CheckName[]; // the keys are the names
const ALL_CHECKS: readonly Check[] = Object.values(CHECKS);

const checksWithout = (removed: ReadonlySet<Removable>): readonly Check[] =>
  CHECK_NAMES.filter((name) => !removed.has(name)).map((name) => CHECKS[name]);

function ownFindings(
  context: CheckContext,
  candidate: Candidate,
  checks: readonly Check[],
): readonly Finding[] {
  let all = NO_FINDINGS;
  for (const check of checks) all = joined(all, check(context, candidate));
  if (all.length < 2) return all;
  const seen = new Set<string>();
  return all.filter((one) => isFirst(one, seen));
}

/** Two checks may read the same evidence; the same trouble is told once. */
function isFirst({ code, field }: Finding, seen: Set<string>): boolean {
  if (field === undefined) return true;
  const key = `${code} ${field}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function admittedComponent(
  { parsed, snapshot, basis }: AdmissionInput,
  typed: TypedComponent | undefined,
): AdmittedComponent {
  assert(typed !== undefined, 'a retained component is typed');
  const { component, entry, mission } = typed;
  const digest = parsed.componentDigests.get(component.id);
  assert(digest !== undefined, 'intake digests every component');
  const requires = component.requires ?? [];
  return {
    component,
    entry,
    typed: typed.typed,
    ...(mission === undefined ? {} : { mission }),
    digest,
    requires: requires.length > 1 ? [...new Set(requires)] : requires,
    needsApproval: entry.approval !== undefined,
    basisEpochs: typeof basis === 'object' ? basis.epochs : snapshot.epochs,
  };
}

function refusedWhole(input: AdmissionInput, findings: readonly Finding[]): Admission {
  return { verdict: verdictOf(input, [], findings), admitted: [], obligations: [] };
}

function verdictOf(
  { parsed, generation, snapshot }: AdmissionInput,
  components: readonly ComponentVerdict[],
  findings: readonly Finding[],
): Verdict {
  const admitted = components.filter((component) => component.admitted).length;
  return {
    responseId: parsed.response.id,
    responseDigest: parsed.digest,
    generation,
    snapshotId: snapshot.id,
    outcome: admitted === 0 ? 'refused' : admitted === components.length ? 'admitted' : 'partial',
    components,
    findings,
  };
}
