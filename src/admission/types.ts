/**
 * Words of the admission room. Enters: nothing. Leaves: types.
 * Never: a type that lets an unchecked param pass for a checked one.
 */
import type {
  Component,
  Epochs,
  KindEntry,
  LocalizedObligation,
  Mission,
  Response,
  ROLES,
  Typed,
} from '../contract/index.js';

export type Role = (typeof ROLES)[number];

/** East, north, up in metres, local ENU. */
export type PointEnuM = readonly [number, number, number];

/** A component whose kind is in the catalog and whose params fit it. */
export interface TypedComponent {
  readonly component: Component;
  readonly entry: KindEntry;
  readonly typed: Typed;
  /** What a mission.start flies: the upload of the same response that it names. */
  readonly mission?: Mission;
}

/** A retained component. Retention is not authorization: the gate decides at the last moment. */
export interface AdmittedComponent extends TypedComponent {
  readonly digest: string;
  /** Ids of its prerequisites, each once. */
  readonly requires: readonly string[];
  readonly needsApproval: boolean;
  /** Epochs that it was judged against: of its basis, or of its arrival when it named none. */
  readonly basisEpochs: Epochs;
}

/** What admission says of a denial; whoever keeps the obligations adds id, time and state. */
export type ObligationDraft = Omit<
  LocalizedObligation,
  'id' | 'state' | 'openedUs' | 'expiresUs' | 'triesLeft' | 'responseId' | 'generation'
>;

/** What intake hands over. */
export interface DigestedResponse {
  readonly response: Response;
  readonly digest: string;
  readonly componentDigests: ReadonlyMap<string, string>;
}
