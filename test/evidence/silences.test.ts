/** Why a field is not heard, from the store to the finding that refuses for it. */
import { describe, expect, it } from 'vitest';
import { evaluatePredicate } from '../../src/admission/predicate.js';
import { EvidenceStore } from '../../src/evidence/index.js';

const PREDICATE = { field: 'range.front', maxAgeMs: 500 };
const QOS = '/front: /lidar publishes best effort, and the map asks for reliable';

describe('a field that is not heard', () => {
  const store = new EvidenceStore();
  const found = (nowUs: number) =>
    evaluatePredicate(PREDICATE, undefined, store.snapshot(nowUs), nowUs);

  it('is refused with the reason that its door knows', () => {
    expect(found(0)?.message).toBe('No evidence of range.front.');
    store.explain('range.front', QOS);
    expect(found(0)).toMatchObject({
      code: 'HALO-208',
      message: `No evidence of range.front (${QOS}).`,
    });
  });

  it('is refused for its age with the reason of its silence, and then for the age alone', () => {
    store.put({ field: 'range.front', value: 4, source: 'ros:/front', receivedUs: 0 });
    store.explain('range.front', '/front: nobody publishes');
    expect(found(100_000)).toBeUndefined();
    expect(found(900_000)).toMatchObject({
      code: 'HALO-209',
      message:
        'range.front is 900 ms old, needed is at most 500 ms old (/front: nobody publishes).',
    });
    store.explain('range.front', undefined);
    expect(found(900_000)?.message).toMatch(/500 ms old\.$/);
  });

  it('leaves the snapshots that were taken before as they were', () => {
    const before = store.snapshot(0);
    store.explain('range.front', QOS);
    expect(before.silences?.get('range.front')).toBeUndefined();
  });
});
