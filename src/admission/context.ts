/**
 * Prepares what the checks read: candidates, graph, course, and where each leg begins.
 * Enters: the input of admission. Leaves: the context. Never: a finding of its own.
 */
import {
  COMPONENTS_MAX,
  pointsOf,
  type Finding,
  type KindEntry,
  type Snapshot,
} from '../contract/index.js';
import type { AdmissionInput } from './admit.js';
import { typeParams, type Candidate, type CheckContext } from './checks/index.js';
import { layCourse, type Course } from './course.js';
import { NO_FINDINGS } from './findings.js';
import { at, buildGraph, type Graph } from './graph.js';
import { filledBy, paramsIn } from './predicate.js';
import { footprintFindings } from './support.js';
import type { PointEnuM, TypedComponent } from './types.js';
import { isPoint, readHome, readPosition, type PointReading } from './volume.js';

export function layContext(input: AdmissionInput): CheckContext {
  const { parsed, catalog, contract, snapshot, basis, nowUs, openObligation, generation } = input;
  const { components } = parsed.response;
  const alone = components.map((component, index): Candidate => {
    const place = placeOf(index);
    const entry = Object.hasOwn(catalog.kinds, component.kind)
      ? catalog.kinds[component.kind]
      : undefined;
    const params = entry === undefined ? undefined : typeParams(component, entry, place);
    const typed = params?.ok === true ? params.value : undefined;
    const paramFindings = params?.ok === false ? params.findings : [];
    return { index, place, component, entry, typed, paramFindings };
  });
  const named = namesOf(alone);
  const candidates = withMissions(alone, named);
  const graph = buildGraph(components);
  const course = layCourse(graph, (index) => candidates[index]?.entry);
  const home = readHome(snapshot, nowUs);
  const legStarts = layLegs(candidates, graph, course, readPosition(snapshot, nowUs), home);
  return {
    candidates,
    named,
    ids: parsed.componentDigests,
    graph,
    cycles: cyclesOf(graph),
    course,
    catalog,
    contract,
    snapshot,
    nowUs,
    basis,
    home,
    legStart: (index) => legStarts[index],
    openObligation,
    generation,
    footprints: judgeFootprints(candidates, snapshot, nowUs),
  };
}

/** By id, for the few that name another one: nobody pays for it where nobody asks. */
function namesOf(candidates: readonly Candidate[]): CheckContext['named'] {
  let byId: ReadonlyMap<string, Candidate> | undefined;
  return (id) => {
    byId ??= new Map(candidates.map((candidate) => [candidate.component.id, candidate]));
    return byId.get(id);
  };
}

/** A start is judged by the mission that it names, as far as that one can be understood. */
function withMissions(
  candidates: readonly Candidate[],
  named: CheckContext['named'],
): readonly Candidate[] {
  return candidates.map((candidate) => {
    const typed = candidate.typed?.typed;
    if (candidate.typed === undefined || typed?.does !== 'mission_start') return candidate;
    const stored = named(typed.params.of)?.typed?.typed;
    if (stored?.does !== 'mission_upload') return candidate;
    return { ...candidate, typed: { ...candidate.typed, mission: stored.params } };
  });
}

/** Paths of the components that one response may have: made once, for all responses. */
const places: string[] = [];

const placeOf = (index: number): string =>
  index < COMPONENTS_MAX ? (places[index] ??= `components[${index}]`) : `components[${index}]`;

/** Params that the fields of a footprint name: the same for as long as the catalog is. */
const paramsOfEntry = new WeakMap<KindEntry, readonly string[]>();

function paramsOf(entry: KindEntry): readonly string[] {
  const known = paramsOfEntry.get(entry);
  if (known !== undefined) return known;
  const params = [...new Set(entry.footprint.flatMap(({ field }) => paramsIn(field)))];
  paramsOfEntry.set(entry, params);
  return params;
}

interface JudgedKind {
  readonly params: readonly string[];
  /** When there are no params. */
  readonly alike: readonly Finding[] | undefined;
  /** By the values of the params. */
  readonly byValues: Map<string, readonly Finding[]>;
}

/** Of each candidate; judged once for all of one kind whose footprint names the same fields. */
function judgeFootprints(
  candidates: readonly Candidate[],
  snapshot: Snapshot,
  nowUs: number,
): readonly (readonly Finding[])[] {
  const judge = (typed: TypedComponent): readonly Finding[] =>
    footprintFindings(typed, snapshot, nowUs, 'admit');
  const kinds = new Map<KindEntry, JudgedKind>();
  return candidates.map(({ typed }) => {
    if (typed === undefined) return NO_FINDINGS;
    let kind = kinds.get(typed.entry);
    if (kind === undefined) {
      const params = paramsOf(typed.entry);
      const alike = params.length === 0 ? judge(typed) : undefined;
      kind = { params, alike, byValues: new Map<string, readonly Finding[]>() };
      kinds.set(typed.entry, kind);
    }
    if (kind.alike !== undefined) return kind.alike;
    const values = kind.params.map((param) => filledBy(param, typed.component.params));
    const key = values.length > 1 ? JSON.stringify(values) : (values[0] ?? '');
    const known = kind.byValues.get(key);
    if (known !== undefined) return known;
    const findings = judge(typed);
    kind.byValues.set(key, findings);
    return findings;
  });
}

function cyclesOf(graph: Graph): ReadonlyMap<number, readonly number[]> {
  const cycles = new Map<number, number[]>();
  for (let index = 0; index < graph.size; index += 1) {
    if (graph.cyclic[index] === 0) continue;
    const knot = at(graph.knot, index);
    const members = cycles.get(knot);
    if (members === undefined) cycles.set(knot, [index]);
    else members.push(index);
  }
  return cycles;
}

/**
 * Each leg begins where the motion before it ends; the first where the vehicle is now.
 * Undefined: that cannot be told, because the plan before it does not hold together.
 */
function layLegs(
  candidates: readonly Candidate[],
  graph: Graph,
  course: Course,
  current: PointReading,
  home: PointReading,
): readonly (PointReading | undefined)[] {
  const starts = new Array<PointReading | undefined>(graph.size);
  const ends = new Array<PointReading | undefined>(graph.size);
  for (const index of graph.order) {
    if (course.isUnclear(index)) continue;
    const before = course.motionBefore(index);
    const start = before === undefined ? current : ends[before];
    starts[index] = start;
    ends[index] = endOf(candidates[index], start, home);
  }
  return starts;
}

function endOf(
  candidate: Candidate | undefined,
  start: PointReading | undefined,
  home: PointReading,
): PointReading | undefined {
  const typed = candidate?.typed?.typed;
  if (typed === undefined) return undefined;
  const known = start !== undefined && isPoint(start) ? start : undefined;
  const last = pointsOf(typed, known, candidate?.typed?.mission).at(-1);
  if (last !== undefined) return last;
  if (start === undefined || !isPoint(start)) return start;
  const raised = (upM: number): PointEnuM => [start[0], start[1], upM];
  switch (typed.does) {
    case 'takeoff':
      return isPoint(home) ? raised(home[2] + typed.params.altitudeM) : home;
    case 'return':
      return isPoint(home) ? [home[0], home[1], start[2]] : home;
    default:
      return start;
  }
}
