/**
 * Prerequisites exist, stand in an order, and are of kinds that may come before this one.
 * Enters: a candidate and the graph. Leaves: HALO-204, 205, 219. Never: a dropped reference.
 */
import type { Finding } from '../../contract/index.js';
import { finding } from '../../platform/index.js';
import { at } from '../graph.js';
import { NO_FINDINGS } from '../findings.js';
import type { Candidate, Check, CheckContext } from './context.js';

export const checkPrerequisites: Check = (context, candidate) => {
  const { graph } = context;
  const { index, entry } = candidate;
  const permitted = entry?.prerequisiteKinds;
  const typed = candidate.typed?.typed;
  const named = typed !== undefined && 'of' in typed.params ? typed.params.of : undefined;
  const isUsable = graph.dangling[index] === 0 && graph.cyclic[index] === 0;
  if (isUsable && permitted === undefined && named === undefined) return NO_FINDINGS;
  const findings: Finding[] = [];
  if (graph.dangling[index] === 1) findings.push(...danglingFindings(context, candidate));
  if (graph.cyclic[index] === 1) findings.push(cycleFinding(context, candidate));
  if (permitted !== undefined) findings.push(...kindFindings(context, candidate, permitted));
  if (named !== undefined) findings.push(...namedFindings(context, candidate, named));
  return findings;
};

/** What a component rests on by name, and what such a one does not do. */
const NAMES: Partial<Record<string, { readonly does: string; readonly not: string }>> = {
  report_image: { does: 'capture', not: 'takes no picture' },
  mission_start: { does: 'mission_upload', not: 'stores no mission' },
};

/** A picture is told of once it was taken, a mission flown once it is stored: that comes before. */
function namedFindings(
  { named }: CheckContext,
  { component, entry, place }: Candidate,
  of: string,
): Finding[] {
  const detail = { observed: of, path: `${place}.params.of` };
  if (component.requires?.includes(of) !== true) {
    return [
      finding(
        'prerequisites',
        'HALO-204',
        `${of} is named in of and does not stand in requires.`,
        detail,
      ),
    ];
  }
  const other = named(of)?.entry;
  const wanted = NAMES[entry?.does ?? ''];
  if (other === undefined || wanted === undefined || other.does === wanted.does) return [];
  return [finding('prerequisites', 'HALO-219', `${of} ${wanted.not}.`, detail)];
}

function danglingFindings({ ids }: CheckContext, { component, place }: Candidate): Finding[] {
  return (component.requires ?? []).flatMap((id, k) => {
    if (ids.has(id)) return [];
    const message = `Prerequisite ${id} is not a component of this response.`;
    return [
      finding('prerequisites', 'HALO-204', message, {
        observed: id,
        path: `${place}.requires[${k}]`,
      }),
    ];
  });
}

/** Ten names show the cycle; the verdict of each member says the rest. */
const NAMES_SHOWN = 10;

function cycleFinding(context: CheckContext, candidate: Candidate): Finding {
  const { graph, cycles, candidates } = context;
  const members = cycles.get(at(graph.knot, candidate.index)) ?? [];
  const names = members.slice(0, NAMES_SHOWN).map((index) => candidates[index]?.component.id);
  const more = members.length > NAMES_SHOWN ? `, and ${members.length - NAMES_SHOWN} more` : '';
  const message =
    members.length === 1
      ? `${candidate.component.id} requires itself.`
      : `These require one another: ${names.join(', ')}${more}.`;
  return finding('prerequisites', 'HALO-205', message, { path: `${candidate.place}.requires` });
}

function kindFindings(
  { graph, candidates }: CheckContext,
  { component, index, place }: Candidate,
  permitted: readonly string[],
): Finding[] {
  const findings: Finding[] = [];
  for (let e = at(graph.prereqStart, index); e < at(graph.prereqStart, index + 1); e += 1) {
    const prereq = candidates[at(graph.prereqs, e)]?.component;
    if (prereq === undefined || permitted.includes(prereq.kind)) continue;
    const message = `${component.kind} may not require ${prereq.id}, which is a ${prereq.kind}.`;
    findings.push(
      finding('prerequisites', 'HALO-219', message, {
        observed: prereq.kind,
        limit: permitted.join(', '),
        path: `${place}.requires`,
      }),
    );
  }
  return findings;
}
