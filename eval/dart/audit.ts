/**
 * The safety audit of the simulated domains: every kind of failure, the hard ones too, and what
 * happens with a condition left out. Enters: chance. Leaves: cases, rows.
 * Never: a case that the other part of the evaluation needs: its kinds stay apart.
 */
import { decideWithout } from '../../src/recovery/dart/testing.js';
import {
  ambiguousCases,
  beyondFinalCase,
  busyCases,
  hasFinal,
  lateCase,
  plainCase,
  sensitiveCase,
  unknownFinalCases,
  usedLateCase,
} from './cases.js';
import { diagnosis } from './domains/diagnosis.js';
import { form } from './domains/form.js';
import { parcel } from './domains/parcel.js';
import { pipeline } from './domains/pipeline.js';
import type { Domain } from './domains/types.js';
import type { Case, Decider } from './simulate.js';
import { rowOf } from './simulated.js';

/** Of the evaluation, beside the flight. */
export const COMPARED: readonly Domain[] = [form, diagnosis];
const AUDITED: readonly Domain[] = [form, diagnosis, parcel, pipeline];

const times = <T>(count: number, make: () => T): readonly T[] =>
  Array.from({ length: count }, make);

export const auditCases = (random: () => number): readonly Case[] =>
  AUDITED.flatMap((domain) => [
    ...times(5, () => sensitiveCase(domain, random)),
    ...times(5, () => plainCase(domain, random)),
    ...times(3, () => lateCase(domain, random)),
    ...times(2, () => usedLateCase(domain, random, false)),
    ...times(2, () => usedLateCase(domain, random, true)),
    ...ambiguousCases(domain, random),
    ...busyCases(domain, random),
    ...(hasFinal(domain)
      ? [...times(3, () => beyondFinalCase(domain, random)), ...unknownFinalCases(domain, random)]
      : []),
  ]);

export const comparedCases = (random: () => number, each: number): readonly Case[] =>
  COMPARED.flatMap((domain) => [
    ...times(each, () => sensitiveCase(domain, random)),
    ...times(each, () => plainCase(domain, random)),
  ]);

const REMOVABLE = ['noCommittedConflict', 'effectAllowed'] as const;

/** Unsafe rollbacks over the same cases with one condition left out. */
export const witnesses = (cases: readonly Case[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    REMOVABLE.map((name) => {
      const without: Decider = ({ trace }, failure) =>
        decideWithout(trace, failure, 'dart', new Set([name]));
      return [name, cases.filter((of) => rowOf(of, without).judged.dart.unsafe).length];
    }),
  );
