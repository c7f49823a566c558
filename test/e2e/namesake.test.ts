/** Two bridges of one name in one ROS domain, as processes: never do both of them stay. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Started } from '../px4/sim-process.js';
import { exitOf, freePort, holdsWithin, lastWords, Stage } from './support/stage.js';
import { errorsOf } from './support/summary.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());

const bridge = async (ledger: string): Promise<Started> =>
  stage.bridge({ url: `udpin://127.0.0.1:${await freePort()}`, ledger: join(stage.dir, ledger) });

async function refused(which: Started): Promise<void> {
  // At once on an idle machine; within its first ten seconds on a busy one.
  expect(await exitOf(which, 40_000), lastWords(which)).toBe(3);
  expect(errorsOf(which)).toMatchObject([
    { code: 'HALO-806', message: 'Another node in this ROS domain is called /halo_bridge.' },
  ]);
}

describe('a second bridge of the same name', () => {
  it('does not start, and the first one goes on', async () => {
    const first = await bridge('first');
    await first.line((line) => line['type'] === 'active', 20_000);
    // Old enough to be the one that stays.
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    await refused(await bridge('second'));
    const said = first.lines.length;
    expect(await holdsWithin(3_000, () => first.lines.length > said)).toBe(true);
    expect(errorsOf(first)).toEqual([]);
  }, 80_000);

  it('that starts at the same moment: whoever sees the other goes, so that one stays at most', async () => {
    const both = await Promise.all([bridge('first'), bridge('second')]);
    const gone = both.map(({ exited }, index) => exited.then(() => index));
    await refused(both[await Promise.race(gone)] ?? both[0]);
  }, 60_000);
});
