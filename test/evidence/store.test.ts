import { describe, expect, it } from 'vitest';
import { EvidenceStore } from '../../src/evidence/index.js';

const value = (field: string, x: unknown, receivedUs = 1) => ({
  field,
  value: x,
  source: 'test',
  receivedUs,
});

describe('the evidence store', () => {
  it.each([
    ['vehicle.battery', NaN],
    ['vehicle.battery', Infinity],
    ['vehicle.battery', '0.9'],
    ['vehicle.armed', 1],
    ['vehicle.mode', true],
    ['vehicle.position', [1, 2]],
    ['vehicle.position', [1, 2, NaN]],
    ['vehicle.position', { x: 1, y: 2, z: 3 }],
    ['range.front', null],
    ['range.front', -Infinity],
    ['note', 'x'.repeat(257)],
  ])('refuses %s = %s, and keeps what it had', (field, bad) => {
    const store = new EvidenceStore();
    expect(store.put(value(field, bad))).toBe(false);
    expect(store.snapshot(5).values.size).toBe(0);
    expect(store.counters).toMatchObject({ accepted: 0, refused: 1 });
  });

  it('refuses a value without a time', () => {
    const store = new EvidenceStore();
    expect(store.put(value('range.front', 2, NaN))).toBe(false);
    expect(store.put({ ...value('range.front', 2), stampUs: NaN })).toBe(false);
  });

  it('takes a snapshot that later values and the giver’s own array cannot change', () => {
    const store = new EvidenceStore();
    const position = [1, 2, 3];
    store.put(value('vehicle.position', position));
    const first = store.snapshot(10);
    position[0] = 99;
    store.put(value('vehicle.position', [4, 5, 6], 11));
    store.raise('estimator', 'a jump');
    expect(first.values.get('vehicle.position')?.value).toEqual([1, 2, 3]);
    expect(first.epochs.estimator).toBe(0);
    const second = store.snapshot(12);
    expect(second.values.get('vehicle.position')?.value).toEqual([4, 5, 6]);
    expect(second.epochs.estimator).toBe(1);
    expect(store.lastReason('estimator')).toBe('a jump');
  });

  it('knows the basis of the last minute, and of nothing else', () => {
    const store = new EvidenceStore(1000);
    const old = store.snapshot(0);
    store.raise('home', 'moved');
    const young = store.snapshot(1_000_000);
    expect(old.id).toBe('s-1000');
    expect(store.recent(old.id)).toEqual({ epochs: old.epochs, takenUs: 0 });
    store.snapshot(60_500_000);
    expect(store.recent(old.id)).toBeUndefined();
    expect(store.recent(young.id)?.epochs.home).toBe(1);
    for (const id of ['s-999', 's-1003', 's-01001', 's--1', 's-1e3', '1001', '', 's-']) {
      expect(store.recent(id)).toBeUndefined();
    }
  });

  it('keeps its size under a flood of snapshots and of fields', () => {
    const store = new EvidenceStore();
    const first = store.snapshot(0);
    for (let i = 1; i <= 10_000; i += 1) store.snapshot(i);
    expect(store.recent(first.id)).toBeUndefined();
    expect(store.recent('s-10001')).toBeDefined();
    for (let i = 0; i < 1000; i += 1) store.put(value(`flood.f${i}`, i));
    expect(store.snapshot(20_000).values.size).toBe(256);
    expect(store.put(value('flood.f0', 7))).toBe(true);
  });
});
