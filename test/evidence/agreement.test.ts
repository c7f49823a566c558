/** Two sources of one thing: what one says supports only while the other confirms it. */
import { describe, expect, it } from 'vitest';
import { EvidenceStore } from '../../src/evidence/index.js';

const PAIR = { field: 'vehicle.battery', with: 'pack.fraction', tolerance: 0.1, maxAgeMs: 1000 };
const PLACES = { field: 'vehicle.position', with: 'vio.position', tolerance: 2, maxAgeMs: 500 };

function conflicts(values: readonly (readonly [string, unknown, number])[], nowUs = 1_000_000) {
  const store = new EvidenceStore(1, [PAIR, PLACES]);
  for (const [field, value, receivedUs] of values) {
    store.put({ field, value, source: `from:${field}`, receivedUs });
  }
  const { values: seen } = store.snapshot(nowUs);
  return Object.fromEntries([...seen].map(([field, { conflict }]) => [field, conflict]));
}

describe('a declared agreement', () => {
  it('leaves both alone while they agree', () => {
    const found = conflicts([
      ['vehicle.battery', 0.8, 900_000],
      ['pack.fraction', 0.72, 900_000],
      ['vehicle.position', [1, 2, 3], 900_000],
      ['vio.position', [2, 3, 3], 900_000],
    ]);
    expect(Object.values(found)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('marks both when they disagree, and says what each says', () => {
    const found = conflicts([
      ['vehicle.battery', 0.8, 900_000],
      ['pack.fraction', 0.4, 900_000],
      ['vehicle.position', [1, 2, 3], 900_000],
      ['vio.position', [4, 2, 3], 900_000],
    ]);
    const battery = 'from:vehicle.battery says 0.8, from:pack.fraction says 0.4';
    expect(found).toMatchObject({ 'vehicle.battery': battery, 'pack.fraction': battery });
    expect(found['vio.position']).toContain('4,2,3');
  });

  it('counts a witness that is missing, old, or of another type as no confirmation', () => {
    const alone = [['vehicle.battery', 0.8, 900_000]] as const;
    expect(conflicts(alone)['vehicle.battery']).toContain('it is missing');
    const old = conflicts([...alone, ['pack.fraction', 0.8, -200_000]]);
    expect(old['vehicle.battery']).toContain('it is 1200 ms old');
    const text = conflicts([...alone, ['pack.fraction', 'full', 900_000]]);
    expect(text['vehicle.battery']).toContain('says full');
  });

  it('does not change what the store has: agreement later is agreement', () => {
    const store = new EvidenceStore(1, [PAIR]);
    store.put({ field: 'vehicle.battery', value: 0.8, source: 'a', receivedUs: 1 });
    expect(store.snapshot(2).values.get('vehicle.battery')?.conflict).toBeDefined();
    store.put({ field: 'pack.fraction', value: 0.8, source: 'b', receivedUs: 3 });
    expect(store.snapshot(4).values.get('vehicle.battery')?.conflict).toBeUndefined();
  });
});
