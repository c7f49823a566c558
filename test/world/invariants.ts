/**
 * What must hold of every flight, whatever happened in it, found out from the ledger and the wire
 * alone. Enters: a flight that has come to an end. Leaves: a sentence for each violation.
 * Never: the engine's own counters.
 */
import { expect } from 'vitest';
import type { LedgerRecord } from '../../src/contract/index.js';
import { FrameParser } from '../../src/link/index.js';
import type { Flight } from './flight.js';
import { MESSAGE, SETPOINT, type Actuation } from './wire.js';

interface LeaseStory {
  readonly id: string;
  readonly kind: string;
  readonly authority: string;
  readonly generation: number;
  readonly componentDigest: string;
  readonly boundEpochs: readonly string[];
  readonly grantedSeq: number;
  readonly grantedUs: number;
  readonly framesAllowed: number;
  endedSeq: number;
  endedUs: number;
  frames: number;
}

/** A frame that left, with the lease that the ledger says it was drawn from. */
interface Told {
  readonly frame: Actuation;
  readonly lease: LeaseStory;
}

/** Longest ages of the shipped catalog for a leg in flight, and of its own reading of position. */
const LEG_AGES_MS: readonly (readonly [string, number, number])[] = [
  ['position', MESSAGE.position, 1000],
  ['landed state', MESSAGE.landed, 2000],
  ['GPS fix', MESSAGE.gps, 2000],
  ['heartbeat', MESSAGE.heartbeat, 3000],
  ['estimator', MESSAGE.estimator, 3000],
];

/** At most this many frames are on the wire and not in the ledger yet, while a lease lives. */
const BATCH = 50;

const bodyOf = <T>(record: LedgerRecord): T => record.body as T;

export function violations(flight: Flight): readonly string[] {
  const leases = leasesOf(flight.ledger.records);
  const { told, trouble } = tell(flight, leases);
  return [
    ...trouble,
    ...oneAtATime(leases),
    ...insideTheirLeases(told),
    ...admitted(flight, leases),
    ...endedByEpochs(flight, told),
    ...pilotWins(flight, leases),
    ...fresh(told),
    ...delivered(flight),
    ...sameFromTheLedger(flight),
  ];
}

export const expectNoViolations = (flight: Flight, what = ''): void => {
  expect(violations(flight), what).toEqual([]);
};

function leasesOf(records: readonly LedgerRecord[]): readonly LeaseStory[] {
  const leases = new Map<string, LeaseStory>();
  for (const record of records) {
    if (record.kind === 'lease-granted') {
      const body = bodyOf<LeaseStory & { leaseId: string }>(record);
      leases.set(body.leaseId, {
        ...body,
        id: body.leaseId,
        grantedSeq: record.seq,
        grantedUs: record.tUs,
        endedSeq: Infinity,
        endedUs: Infinity,
        frames: 0,
      });
    }
    if (record.kind === 'epoch-opened') {
      // With the process all leases ended, and what was not in a record by then is not told.
      for (const lease of leases.values()) {
        if (lease.endedSeq === Infinity) [lease.endedSeq, lease.endedUs] = [record.seq, record.tUs];
      }
    }
    if (record.kind === 'lease-ended') {
      const lease = leases.get(bodyOf<{ leaseId: string }>(record).leaseId);
      if (lease !== undefined) [lease.endedSeq, lease.endedUs] = [record.seq, record.tUs];
    }
  }
  return [...leases.values()];
}

/**
 * Pairs the frames of the wire with those of the ledger: same content, same order, each once.
 * What a process had not written down when it died is skipped, and is at most one batch.
 */
function tell(flight: Flight, leases: readonly LeaseStory[]) {
  const told: Told[] = [];
  const trouble: string[] = [];
  const { sent } = flight.wire;
  let at = 0;
  let last = 0;
  for (const record of flight.ledger.records) {
    if (record.kind === 'epoch-opened') {
      const died = sent.findIndex(({ atUs }, n) => n >= at && atUs > record.tUs);
      const lost = (died < 0 ? sent.length : died) - at;
      if (lost > BATCH) trouble.push(`${lost} frames died with their process`);
      [at, last] = [at + lost, 0];
    }
    if (record.kind !== 'frames') continue;
    const { leaseId, first, last: end, digests } = bodyOf<FramesBody>(record);
    const lease = leases.find(({ id }) => id === leaseId);
    if (first <= last || end < first + digests.length - 1) {
      trouble.push(`frames ${first} to ${end} of ${leaseId} follow ${last}: a sequence twice`);
    }
    last = end;
    for (const digest of digests) {
      const frame = sent[at];
      if (lease === undefined || frame?.digest !== digest) {
        trouble.push(`frame ${at} of the wire is not the one in the ledger (${leaseId})`);
        return { told, trouble };
      }
      lease.frames += 1;
      told.push({ frame, lease });
      at += 1;
    }
  }
  const alive = leases.some(({ endedSeq }) => endedSeq === Infinity);
  const untold = sent.length - at;
  if (untold > (alive ? BATCH : 0)) trouble.push(`${untold} frames are in no record`);
  return { told, trouble };
}

interface FramesBody {
  readonly leaseId: string;
  readonly first: number;
  readonly last: number;
  readonly digests: readonly string[];
}

function oneAtATime(leases: readonly LeaseStory[]): readonly string[] {
  return leases.flatMap((lease, index) => {
    const next = leases[index + 1];
    return next === undefined || next.grantedSeq > lease.endedSeq
      ? []
      : [`${next.kind} (${next.id}) was granted while ${lease.kind} (${lease.id}) was active`];
  });
}

function insideTheirLeases(told: readonly Told[]): readonly string[] {
  const outside = told
    .filter(({ frame, lease }) => frame.atUs < lease.grantedUs || frame.atUs > lease.endedUs)
    .map(({ frame, lease }) => `a frame at ${frame.atUs} is outside of lease ${lease.id}`);
  const many = new Set(told.map(({ lease }) => lease));
  const over = [...many]
    .filter(({ frames, framesAllowed }) => frames > framesAllowed)
    .map(({ id, frames }) => `lease ${id} drew ${frames} frames`);
  return [...outside, ...over];
}

/** An agent's lease is of a component that a verdict before it admitted, in its generation. */
function admitted(flight: Flight, leases: readonly LeaseStory[]): readonly string[] {
  const keys = new Map<string, number>();
  for (const record of flight.ledger.of('verdict')) {
    const body = bodyOf<{ generation: number; admitted: { componentDigest: string }[] }>(record);
    for (const { componentDigest } of body.admitted) {
      keys.set(`${body.generation}/${componentDigest}`, record.seq);
    }
  }
  return leases
    .filter(({ authority }) => authority === 'agent')
    .filter(({ generation, componentDigest, grantedSeq }) => {
      const seq = keys.get(`${generation}/${componentDigest}`);
      return seq === undefined || seq > grantedSeq;
    })
    .map(({ id, kind }) => `lease ${id} (${kind}) rests on no verdict`);
}

interface EpochBody {
  readonly moved: readonly string[];
  readonly modeBy?: string;
}

/** No frame of a lease after an epoch that it is bound to has moved. */
function endedByEpochs(flight: Flight, told: readonly Told[]): readonly string[] {
  return flight.ledger.of('vehicle-epoch').flatMap((record) => {
    const { moved } = bodyOf<EpochBody>(record);
    return told
      .filter(({ frame, lease }) => frame.atUs >= record.tUs && lease.grantedSeq < record.seq)
      .filter(({ lease }) => lease.boundEpochs.some((kind) => moved.includes(kind)))
      .map(({ lease }) => `${lease.kind} (${lease.id}) sent after ${moved.join()} had moved`);
  });
}

/** After a mode of a pilot nothing leaves before a response that came later is admitted. */
function pilotWins(flight: Flight, leases: readonly LeaseStory[]): readonly string[] {
  const responses = flight.ledger.of('response-received');
  return flight.ledger.of('vehicle-epoch').flatMap((record) => {
    const { moved, modeBy } = bodyOf<EpochBody>(record);
    if (!moved.includes('mode') || modeBy !== 'foreign') return [];
    const fresh = responses.find(({ seq }) => seq > record.seq)?.seq ?? Infinity;
    const early = leases.filter((l) => l.grantedSeq > record.seq && l.grantedSeq < fresh);
    return early.map(({ id, kind }) => `${kind} (${id}) was granted against a pilot`);
  });
}

/** Last moment: no setpoint of an agent rests on evidence that is older than its catalog says. */
function fresh(told: readonly Told[]): readonly string[] {
  return told.flatMap(({ frame, lease }) => {
    if (frame.id !== SETPOINT || lease.kind !== 'flight.goto') return [];
    return LEG_AGES_MS.filter(([, id, limitMs]) => frame.ageMs(id) > limitMs).map(
      ([name, id]) => `a setpoint at ${frame.atUs} rests on a ${name} ${frame.ageMs(id)} ms old`,
    );
  });
}

/** What reaches the vehicle has left the bridge before, byte for byte. */
function delivered(flight: Flight): readonly string[] {
  const left = new Map<string, number>();
  for (const { bytes, atUs } of flight.wire.sent) if (!left.has(bytes)) left.set(bytes, atUs);
  return flight.wire.arrived
    .filter(({ bytes, atUs }) => !((left.get(bytes) ?? Infinity) <= atUs) && isWhole(bytes))
    .map(({ atUs }) => `a frame that nobody sent reached the vehicle at ${atUs}`);
}

/** With a checksum that holds: what the vehicle would act on. */
const isWhole = (hex: string): boolean =>
  new FrameParser().push(Buffer.from(hex, 'hex')).length === 1;

/** The task's state is what the ledger alone gives. */
function sameFromTheLedger(flight: Flight): readonly string[] {
  const live = flight.engine.state().task;
  const again = flight.replayed().view(flight.nowUs);
  const show = (view: typeof live): string =>
    JSON.stringify([view.obligations, view.frontier, view.generation]);
  return show(live) === show(again) ? [] : [`${show(live)} is ${show(again)} from the ledger`];
}
