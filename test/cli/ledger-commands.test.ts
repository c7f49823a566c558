/** `halo keygen` and `halo verify`, by what they answer and print. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runKeygen } from '../../src/cli/keygen-command.js';
import { runVerify } from '../../src/cli/verify-command.js';
import { fly, note, openFlight, UP } from '../ledger/flight.js';
import { clock, freshDir } from '../ledger/support.js';

afterEach(() => vi.restoreAllMocks());

/** What a command prints, and its exit code. */
async function printed(work: () => Promise<number>): Promise<{ code: number; text: string }> {
  let text = '';
  const take = (part: unknown): boolean => {
    text += String(part);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(take);
  vi.spyOn(process.stderr, 'write').mockImplementation(take);
  const code = await work();
  vi.restoreAllMocks();
  return { code, text };
}

describe('halo keygen', () => {
  it('prints the id of the key that it made, makes no second one, and rotates on demand', async () => {
    const dir = join(freshDir(), 'ledger');
    const key = join(dir, 'keys', 'ledger-ed25519.pem');
    expect((await printed(() => runKeygen(dir, true))).text).toContain('HALO-605');
    const made = await printed(() => runKeygen(dir, false));
    expect([made.code, statSync(key).mode & 0o777]).toEqual([0, 0o600]);
    expect(made.text).toMatch(/^[0-9a-f]{16}\n$/);
    const before = readFileSync(key);
    const again = await printed(() => runKeygen(dir, false));
    expect([again.code, readFileSync(key)]).toEqual([4, before]);
    expect(again.text).toContain('--rotate');
    const rotated = await printed(() => runKeygen(dir, true));
    expect(rotated.code).toBe(0);
    const review = await printed(() => runVerify(dir, false));
    expect(review.code).toBe(0);
    expect(review.text).toContain(`keys: ${made.text.trim()}, then ${rotated.text.trim()}`);
  });
});

describe('halo verify', () => {
  it('judges the task again: an advance that no receipt earns does not hold, with its place', async () => {
    const dir = freshDir();
    const flight = await openFlight(dir, clock);
    fly(flight, UP, clock.nowUs());
    await flight.ledger.flush(5000);
    expect((await printed(() => runVerify(dir, false))).code).toBe(0);
    const { seq } = note(flight, 'vehicle-epoch', { moved: ['arming'] });
    flight.ledger.append('state-advanced', { receiptId: 'rc-9-9', obligationId: 'north' });
    await flight.ledger.close();
    const { code, text } = await printed(() => runVerify(dir, true));
    expect(code).toBe(4);
    expect(text).toContain(`segment-000001.jsonl:${seq + 1}`);
    expect(text).toContain('no receipt before it earns the advance');
  });

  it('compares the snapshot with what the records before it come to', async () => {
    const dir = freshDir();
    const flight = await openFlight(dir, clock);
    fly(flight, UP, clock.nowUs());
    const state = flight.tracker.exported();
    const other = { ...state, attempts: state.attempts + 1 };
    await flight.ledger.compact(other);
    await flight.ledger.close();
    const { code, text } = await printed(() => runVerify(dir, false));
    expect(code).toBe(4);
    expect(text).toContain('HALO-609');
  });
});
