/** The figures of one evaluation, as they are printed. Enters: nothing. Leaves: types. */
import type { VariantCounts, VariantName } from './replay/index.js';

export interface Outcome {
  readonly variants: Readonly<Record<VariantName, VariantCounts>>;
  readonly expectations: { readonly met: number; readonly total: number };
  readonly protocolTests: { readonly passed: number; readonly total: number };
  readonly conformance: {
    readonly graphs: number;
    readonly cases: number;
    readonly mismatches: number;
  };
  readonly schedules: {
    readonly runs: number;
    readonly violations: number;
    /** By kind: schedules in which it had an effect. */
    readonly faults: Readonly<Record<string, number>>;
  };
  readonly coldStarts: {
    readonly runs: number;
    readonly staleSetpoints: number;
    readonly recovered: number;
  };
  readonly witnesses: { readonly removed: number; readonly shown: number };
}
