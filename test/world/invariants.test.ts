/** The invariants of every flight, each shown to bite: a flight that kept them, then one lie. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { LedgerRecord } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import { newHop, onTheWay, sendHop } from './hop.js';
import { violations } from './invariants.js';
import type { Actuation } from './wire.js';

let flight: Flight;

beforeAll(() => {
  flight = sendHop(newHop());
  flight.until('landing', () => flight.stateOf('down') === 'done', 60);
});

/** Tells a lie, takes what is found, and takes the lie back. */
function lie(tell: (sent: Actuation[], records: LedgerRecord[]) => void): string {
  const { wire, ledger } = flight;
  const before = { sent: [...wire.sent], arrived: [...wire.arrived], records: [...ledger.records] };
  tell(wire.sent, ledger.records);
  const found = violations(flight).join('\n');
  for (const [list, items] of [
    [wire.sent, before.sent],
    [wire.arrived, before.arrived],
    [ledger.records, before.records],
  ] as const) {
    list.splice(0, list.length, ...(items as never[]));
  }
  return found;
}

const indexOf = (records: readonly LedgerRecord[], kind: string): number =>
  records.findIndex((record) => record.kind === kind);

function change(records: LedgerRecord[], at: number, body: object): void {
  const record = records[at];
  if (record !== undefined)
    records[at] = { ...record, body: { ...(record.body as object), ...body } };
}

const changeAt =
  (kind: string, body: object) =>
  (_sent: Actuation[], records: LedgerRecord[]): void =>
    change(records, indexOf(records, kind), body);

const LIES: readonly (readonly [string, Parameters<typeof lie>[0], RegExp])[] = [
  [
    'a frame sent twice',
    (sent) => void sent.splice(9, 0, ...sent.slice(9, 10)),
    /frames are in no record|is not the one in the ledger/,
  ],
  [
    'a frame that the ledger does not know',
    (sent) => void sent.push(...sent.slice(0, 1)),
    /1 frames are in no record/,
  ],
  [
    'a frame with another content',
    (sent) => void sent.splice(9, 1, { ...(sent[9] as Actuation), digest: 'f' }),
    /is not the one in the ledger/,
  ],
  ['a sequence used twice', changeAt('frames', { first: 0 }), /a sequence twice/],
  [
    'a frame before its intent',
    (sent) => void sent.splice(0, 1, { ...(sent[0] as Actuation), atUs: 1 }),
    /is outside of lease/,
  ],
  ['more frames than allowed', changeAt('lease-granted', { framesAllowed: 0 }), /drew 1 frames/],
  [
    'two motions at once',
    (_sent, records) => void records.splice(indexOf(records, 'lease-ended'), 1),
    /was granted while flight.arm/,
  ],
  [
    'a lease that no verdict admits',
    changeAt('lease-granted', { generation: 7 }),
    /rests on no verdict/,
  ],
  [
    'a stale position',
    (sent) => sent.forEach((frame, n) => (sent[n] = { ...frame, ageMs: () => 1500 })),
    /rests on a position 1500 ms old/,
  ],
  [
    'a state that the ledger does not give',
    (_sent, records) => void records.splice(indexOf(records, 'state-advanced')),
    /from the ledger/,
  ],
  ['a frame at the vehicle that nobody sent', (sent) => void sent.splice(0), /that nobody sent/],
];

describe('the invariants', () => {
  it('hold of a flight that kept them', () => {
    expect(violations(flight)).toEqual([]);
  });

  it.each(LIES)('tell of %s', (_what, tell, found) => {
    expect(lie(tell)).toMatch(found);
    expect(violations(flight)).toEqual([]);
  });

  it('tell of a lease that outlives an epoch, and of one against a pilot', () => {
    const other = onTheWay(sendHop(newHop()));
    other.ledger.append('vehicle-epoch', {
      moved: ['mode'],
      modeBy: 'foreign',
    });
    // It flies on, since only the ledger was told.
    other.until('the next leg', () => other.stateOf('back') === 'active', 20);
    other.seconds(4);
    const found = violations(other).join('\n');
    expect(found).toMatch(/flight\.goto \(.*\) sent after mode had moved/);
    expect(found).toMatch(/flight\.goto \(.*\) was granted against a pilot/);
  });
});
