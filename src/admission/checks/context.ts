/**
 * What every check is given. Enters: nothing. Leaves: types.
 * Never: the mutable state of a check: each reads, and answers with findings.
 */
import type {
  Catalog,
  Component,
  Epochs,
  Finding,
  KindEntry,
  LocalizedObligation,
  Snapshot,
  TaskContract,
} from '../../contract/index.js';
import type { Course } from '../course.js';
import type { Graph } from '../graph.js';
import type { TypedComponent } from '../types.js';
import type { PointReading } from '../volume.js';

/** One component on its way through the checks. */
export interface Candidate {
  /** Place in the document. */
  readonly index: number;
  /** `components[3]`, for paths. */
  readonly place: string;
  readonly component: Component;
  /** Absent when the catalog does not know the kind. */
  readonly entry: KindEntry | undefined;
  /** Absent when the kind is unknown or the params do not fit. */
  readonly typed: TypedComponent | undefined;
  readonly paramFindings: readonly Finding[];
}

/** Epochs that the response was made on; why there are none; or that it named no basis. */
export type Basis = { readonly epochs: Epochs } | 'unknown' | undefined;

export interface CheckContext {
  readonly candidates: readonly Candidate[];
  /** The candidate of this id. */
  readonly named: (id: string) => Candidate | undefined;
  readonly ids: { has(id: string): boolean };
  readonly graph: Graph;
  /** Members of each cycle in document order, by the number of their knot. */
  readonly cycles: ReadonlyMap<number, readonly number[]>;
  readonly course: Course;
  readonly catalog: Catalog;
  readonly contract: TaskContract;
  readonly snapshot: Snapshot;
  readonly nowUs: number;
  readonly basis: Basis;
  readonly home: PointReading;
  /** Where the leg of this component begins; undefined when that cannot be told. */
  readonly legStart: (index: number) => PointReading | undefined;
  readonly openObligation: LocalizedObligation | undefined;
  /** Of this admission. */
  readonly generation: number;
  /** Findings of the footprint of each candidate, by index; none for what has no types. */
  readonly footprints: readonly (readonly Finding[])[];
}

export type Check = (context: CheckContext, candidate: Candidate) => readonly Finding[];
