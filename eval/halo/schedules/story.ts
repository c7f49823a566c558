/**
 * A schedule that is over, told from its ledger and its wire. Enters: both. Leaves: its leases, and
 * each frame with the lease that the ledger says it was drawn from. Never: what the engine believes.
 */
import type { LedgerRecord } from '../../../src/contract/index.js';
import type { Schedule } from './run.js';
import type { Sent } from './tap.js';

export interface LeaseStory {
  readonly id: string;
  readonly componentId: string;
  readonly kind: string;
  readonly authority: string;
  readonly generation: number;
  readonly componentDigest: string;
  readonly boundEpochs: readonly string[];
  readonly framesAllowed: number;
  readonly deadlineUs: number;
  readonly grantedSeq: number;
  readonly grantedUs: number;
  endedSeq: number;
  endedUs: number;
}

export interface Told {
  readonly frame: Sent;
  readonly lease: LeaseStory;
}

export interface Case {
  readonly schedule: Schedule;
  readonly leases: readonly LeaseStory[];
  readonly told: readonly Told[];
}

export type CheckOf = (c: Case) => readonly string[];

export const bodyOf = <T>(record: LedgerRecord): T => record.body as T; // Our own recorder's.

export function leasesOf(records: readonly LedgerRecord[]): readonly LeaseStory[] {
  const leases = new Map<string, LeaseStory>();
  let lastOfLife: string[] = [];
  for (const record of records) {
    if (record.kind === 'lease-granted') {
      const body = bodyOf<LeaseStory & { leaseId: string }>(record);
      const story = { grantedSeq: record.seq, grantedUs: record.tUs };
      const open = { endedSeq: Infinity, endedUs: Infinity };
      leases.set(body.leaseId, { ...body, id: body.leaseId, ...story, ...open });
      lastOfLife.push(body.leaseId);
    }
    if (record.kind === 'lease-ended') end(record, [bodyOf<{ leaseId: string }>(record).leaseId]);
    if (record.kind === 'epoch-opened') {
      end(record, lastOfLife); // With the process its leases are gone.
      lastOfLife = [];
    }
  }
  return [...leases.values()];

  function end(record: LedgerRecord, ids: readonly string[]): void {
    for (const id of ids) {
      const lease = leases.get(id);
      if (lease === undefined || lease.endedSeq !== Infinity) continue;
      [lease.endedSeq, lease.endedUs] = [record.seq, record.tUs];
    }
  }
}

interface FramesBody {
  readonly leaseId: string;
  readonly first: number;
  readonly last: number;
  readonly digests: readonly string[];
}

/** A batch that a dying process had not written yet: at most this many frames are in no record. */
const BATCH = 50;

/** Pairs the frames of the wire with those of the ledger: same content, same order, each once. */
export function tell(schedule: Schedule, leases: readonly LeaseStory[]) {
  const told: Told[] = [];
  const trouble: string[] = [];
  const { sent } = schedule.rig.tap;
  const byId = new Map(leases.map((lease) => [lease.id, lease]));
  let next = 0;
  let life = 0;
  let last = 0;
  for (const record of schedule.rig.ledger.of('frames')) {
    const body = bodyOf<FramesBody>(record);
    if (record.epoch !== life) {
      const from = firstOfLife(schedule, record.epoch);
      // What the life before sent and did not get to write.
      if (from - next > BATCH) trouble.push(`${from - next} frames are in no record`);
      next = Math.max(next, from);
      [life, last] = [record.epoch, 0];
    }
    if (body.first <= last) trouble.push(`sequence ${body.first} follows ${last}`);
    last = body.last;
    const lease = byId.get(body.leaseId);
    for (const digest of body.digests) {
      const frame = sent[next];
      if (lease === undefined || frame?.digest !== digest) {
        trouble.push(`frame ${next} of the ledger (${body.leaseId}) is not the one on the wire`);
        return { told, trouble };
      }
      told.push({ frame, lease });
      next += 1;
    }
  }
  if (sent.length - next > BATCH) trouble.push(`${sent.length - next} frames are in no record`);
  return { told, trouble };
}

/** Index of the first frame that was sent after this life had begun. */
function firstOfLife({ rig }: Schedule, epoch: number): number {
  const opened = rig.ledger.of('epoch-opened').find((record) => record.epoch === epoch);
  if (opened === undefined) return 0;
  const index = rig.tap.sent.findIndex(({ atUs }) => atUs > opened.tUs);
  return index === -1 ? rig.tap.sent.length : index;
}
