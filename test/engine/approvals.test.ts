/** Approvals: about one exact component, for a time, once; and never without bounds. */
import { describe, expect, it } from 'vitest';
import { Approvals } from '../../src/engine/approvals.js';

const SECOND = 1_000_000;
const digest = (n: number): string => n.toString(16).padStart(64, '0');
const approval = (n: number, more: { approved?: boolean; validS?: number } = {}) => ({
  componentDigest: digest(n),
  approver: 'ada',
  approved: true,
  validS: 10,
  ...more,
});

describe('an approval', () => {
  it('is spent by being asked for', () => {
    const approvals = new Approvals();
    expect(approvals.record(approval(1), 0)).toBeUndefined();
    expect(approvals.spend(digest(2), 1, 60)).toBeUndefined();
    expect(approvals.spend(digest(1), 1, 60)).toMatchObject({ approved: true, approver: 'ada' });
    expect(approvals.spend(digest(1), 1, 60)).toBeUndefined();
  });

  it('holds to the last microsecond of its time and not beyond', () => {
    const approvals = new Approvals();
    approvals.record(approval(1), 0);
    approvals.record(approval(2), 0);
    expect(approvals.spend(digest(1), 10 * SECOND, 60)).toMatchObject({ approved: true });
    expect(approvals.spend(digest(2), 10 * SECOND + 1, 60)).toBeUndefined();
  });

  it('holds no longer than the kind permits, however long it says', () => {
    const approvals = new Approvals();
    approvals.record(approval(1, { validS: 86_400 }), SECOND);
    approvals.record(approval(2, { validS: 86_400 }), SECOND);
    expect(approvals.spend(digest(1), 7 * SECOND, 6)).toMatchObject({ approved: true });
    expect(approvals.spend(digest(2), 7 * SECOND + 1, 6)).toBeUndefined();
  });

  it('is replaced by what was said later, also by a no', () => {
    const approvals = new Approvals();
    approvals.record(approval(1), 0);
    approvals.record(approval(1, { approved: false }), 1);
    expect(approvals.spend(digest(1), 2, 60)).toMatchObject({ approved: false });
  });

  it('that was given before the question can be thrown away', () => {
    const approvals = new Approvals();
    approvals.record(approval(1), 0);
    approvals.discard(digest(1));
    expect(approvals.spend(digest(1), 1, 60)).toBeUndefined();
  });

  it.each([Number.NaN, Infinity, -Infinity, 0, -1])('of %d s is none', (validS) => {
    const approvals = new Approvals();
    expect(approvals.record(approval(1, { validS }), 0)).toMatchObject({
      code: 'HALO-202',
      path: 'validS',
    });
    expect(approvals.spend(digest(1), 0, 60)).toBeUndefined();
  });

  it('finds no place beside 256 that wait, until their time is over', () => {
    const approvals = new Approvals();
    for (let n = 0; n < 256; n += 1) expect(approvals.record(approval(n), 0)).toBeUndefined();
    expect(approvals.record(approval(256), 0)?.code).toBe('HALO-308');
    expect(approvals.record(approval(256), 10 * SECOND + 1)).toBeUndefined();
  });
});
