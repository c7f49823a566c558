/**
 * What admission says. Enters: nothing. Leaves: Finding, Verdict, LocalizedObligation.
 * Never: a refusal without rule, code, sentence and remedy.
 */
import type { Code } from './codes.js';

/** One reason. `observed`, `limit` and `ageMs` are there whenever evidence was read. */
export interface Finding {
  /** Name of the check: `evidence`, `limits`, `epochs`, `prerequisites`, … */
  readonly rule: string;
  readonly code: Code;
  readonly message: string;
  readonly remedy: string;
  readonly field?: string;
  readonly observed?: string;
  readonly limit?: string;
  readonly source?: string;
  readonly ageMs?: number;
  /** JSON path of the offending place in the response. */
  readonly path?: string;
}

export interface ComponentVerdict {
  readonly id: string;
  readonly kind: string;
  readonly admitted: boolean;
  /** Own findings first; a component withheld only for a prerequisite has one HALO-206. */
  readonly findings: readonly Finding[];
  /** Ids of the components at the root of the withholding; itself when it has own findings. */
  readonly rootCauses: readonly string[];
}

export interface Verdict {
  readonly responseId: string;
  readonly responseDigest: string;
  readonly generation: number;
  readonly snapshotId: string;
  readonly outcome: 'admitted' | 'partial' | 'refused';
  readonly components: readonly ComponentVerdict[];
  /** Findings about the response as a whole: then nothing is admitted. */
  readonly findings: readonly Finding[];
}

export type LocalizedState = 'open' | 'candidate' | 'discharged' | 'expired' | 'abandoned';

/** HALO's record o_e of a denial: the reason, and the scope S(o_e) that may be replaced. */
export interface LocalizedObligation {
  readonly id: string;
  readonly state: LocalizedState;
  readonly responseId: string;
  readonly generation: number;
  /** The component at the root of the denial. */
  readonly componentId: string;
  readonly reason: string;
  readonly findings: readonly Finding[];
  readonly scope: { readonly componentIds: readonly string[]; readonly kinds: readonly string[] };
  /** Candidates that may still be taken up for it, the one under way included. */
  readonly triesLeft: number;
  /** Of its last opening: it opens again when a candidate fails. */
  readonly openedUs: number;
  readonly expiresUs: number;
}
