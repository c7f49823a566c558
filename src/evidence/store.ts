/**
 * The newest value of every evidence field, the epochs, and the snapshots taken of both.
 * Enters: values and raised epochs. Leaves: immutable snapshots, named so that a response can say
 * on which of them it rests. Never: a number that is not finite, or a value of another type than
 * its field has.
 */
import {
  VEHICLE_FIELDS,
  type Agreement,
  type EpochKind,
  type Epochs,
  type EvidenceDatum,
  type EvidenceValue,
  type Snapshot,
} from '../contract/index.js';
import { assert } from '../platform/index.js';
import { markDisagreements } from './agreement.js';

/** A basis older than a minute is no basis: a model that thinks longer asks for the state again. */
export const BASIS_LIFE_US = 60_000_000;

/** One minute at 100 Hz, twice the usual tick rate: about 0.5 MB. */
const RING_SIZE = 6000;

/** A field that nobody asked for must not fill the memory. The vehicle side has 15. */
const FIELDS_MAX = 256;

/** Positions, quaternions, covariances of a pose: nothing longer is evidence. */
const VECTOR_MAX = 36;
const TEXT_MAX = 256;

export interface Basis {
  readonly epochs: Epochs;
  readonly takenUs: number;
}

export interface StoreCounters {
  readonly accepted: number;
  readonly refused: number;
  readonly snapshots: number;
}

/** Any value on its way in: what its type is, the store finds out. */
export type Incoming = Omit<EvidenceValue, 'value'> & { readonly value: unknown };

export class EvidenceStore {
  readonly #values = new Map<string, EvidenceValue>();
  readonly #ring = new Array<Basis | undefined>(RING_SIZE).fill(undefined);
  readonly #firstId: number;
  readonly #reasons = new Map<EpochKind, string>();
  /** Another map at each change, so that a snapshot can keep the one it was taken with. */
  #silences: ReadonlyMap<string, string> = new Map();
  #epochs: Epochs = Object.freeze({
    vehicle: 0,
    estimator: 0,
    arming: 0,
    home: 0,
    link: 0,
    mode: 0,
  });
  #nextId: number;
  #takenUs = 0;
  #accepted = 0;
  #refused = 0;

  readonly #agreements: readonly Agreement[];

  /** @param firstId number of the first snapshot; another for each life, so no id comes twice. */
  constructor(firstId = 1, agreements: readonly Agreement[] = []) {
    this.#agreements = agreements;
    this.#firstId = firstId;
    this.#nextId = firstId;
  }

  /** False when the value was refused: not finite, of the wrong type, or one field too many. */
  put(incoming: Incoming): boolean {
    const value = datumOf(incoming.field, incoming.value);
    const full = this.#values.size >= FIELDS_MAX && !this.#values.has(incoming.field);
    const times = [incoming.receivedUs, incoming.stampUs ?? 0];
    if (value === undefined || full || !times.every(Number.isFinite)) {
      this.#refused += 1;
      return false;
    }
    this.#accepted += 1;
    this.#values.set(incoming.field, Object.freeze({ ...incoming, value }));
    return true;
  }

  /** Why a field has no fresh value, for the finding that refuses it; undefined: no reason. */
  explain(field: string, silence: string | undefined): void {
    if (this.#silences.get(field) === silence) return;
    const silences = new Map(this.#silences);
    if (silence === undefined) silences.delete(field);
    else if (silences.size < FIELDS_MAX) silences.set(field, silence.slice(0, TEXT_MAX));
    this.#silences = silences;
  }

  /** What was measured in a frame that is no more: missing until its source speaks again. */
  forget(field: string): void {
    this.#values.delete(field);
  }

  /** Something discontinuous happened; `reason` is the sentence that explains it later. */
  raise(kind: EpochKind, reason: string): void {
    this.#epochs = Object.freeze({ ...this.#epochs, [kind]: this.#epochs[kind] + 1 });
    this.#reasons.set(kind, reason);
  }

  /** Why an epoch moved the last time; undefined when it never did. */
  lastReason(kind: EpochKind): string | undefined {
    return this.#reasons.get(kind);
  }

  get epochs(): Epochs {
    return this.#epochs;
  }

  /** Costs one shallow copy of a few dozen entries: cheap enough for every tick. */
  snapshot(nowUs: number): Snapshot {
    const number = this.#nextId;
    this.#nextId += 1;
    this.#takenUs = nowUs;
    this.#ring[number % RING_SIZE] = { epochs: this.#epochs, takenUs: nowUs };
    const values = new Map(this.#values);
    markDisagreements(values, this.#agreements, nowUs);
    const silences = this.#silences;
    return { id: `s-${number}`, takenUs: nowUs, values, epochs: this.#epochs, silences };
  }

  /** What a snapshot of the last minute rested on; undefined for any other id. */
  recent(id: string): Basis | undefined {
    const digits = /^s-([1-9][0-9]{0,15})$/.exec(id)?.[1];
    const number = digits === undefined ? 0 : Number(digits);
    const known = number >= this.#firstId && number < this.#nextId;
    if (!known || number < this.#nextId - RING_SIZE) return undefined;
    const basis = this.#ring[number % RING_SIZE];
    assert(basis !== undefined, 'every snapshot of the last minute is in the ring');
    return this.#takenUs - basis.takenUs <= BASIS_LIFE_US ? basis : undefined;
  }

  get counters(): StoreCounters {
    return {
      accepted: this.#accepted,
      refused: this.#refused,
      snapshots: this.#nextId - this.#firstId,
    };
  }
}

/** VEHICLE_FIELDS says the type of each field before its colon. */
const VEHICLE_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(VEHICLE_FIELDS).map(([field, text]) => [field, text.slice(0, text.indexOf(':'))]),
);

function datumOf(field: string, value: unknown): EvidenceDatum | undefined {
  const wanted = VEHICLE_TYPES.get(field);
  const is = (type: string): boolean => wanted === undefined || wanted === type;
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) && is('number') ? value : undefined;
    case 'boolean':
      return is('boolean') ? value : undefined;
    case 'string':
      return value.length <= TEXT_MAX && is('string') ? value : undefined;
    default:
      return is('vector') ? vectorOf(value, wanted === 'vector') : undefined;
  }
}

function vectorOf(value: unknown, threeOnly: boolean): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > VECTOR_MAX) return undefined;
  if (threeOnly && value.length !== 3) return undefined;
  const numbers: number[] = [];
  for (const item of value as unknown[]) {
    if (typeof item !== 'number' || !Number.isFinite(item)) return undefined;
    numbers.push(item);
  }
  return Object.freeze(numbers);
}
