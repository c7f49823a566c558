/**
 * What crosses to the vehicle, read on the wire by pymavlink: every actuation frame is one that
 * the ledger holds, once, in order, and within what was admitted.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestsOf, entriesOf, ofKind, type Entry } from './support/ledger.js';
import { exitOf, lastWords, Stage } from './support/stage.js';
import { summaryOf } from './support/summary.js';
import { isActuation, tapped, type Tapped } from './support/tap.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());

/** Metres a second, of every leg of the example. */
const ADMITTED_MS = 2.5;
/**
 * The point moves by the time of the tick, and the wire is stamped when the frame has left: two
 * ticks of 20 ms may lie between, once on either side. Less than a leap of half a metre.
 */
const STAMP_SLACK_S = 0.08;

interface LeaseOnWire {
  readonly id: string;
  readonly componentId: string;
  readonly grantedUs: number;
  readonly endedUs: number;
  readonly frames: readonly Tapped[];
}

/** Parts the frames by the counts of the ledger: its order is that of the wire. */
function leasesOnWire(entries: readonly Entry[], actuation: readonly Tapped[]): LeaseOnWire[] {
  const ended = new Map(ofKind(entries, 'lease-ended').map((e) => [String(e.body['leaseId']), e]));
  let from = 0;
  return ofKind(entries, 'lease-granted').map((granted) => {
    const id = String(granted.body['leaseId']);
    const end = ended.get(id);
    const count = Number(end?.body['framesDrawn']);
    const frames = actuation.slice(from, from + count);
    from += count;
    const componentId = String(granted.body['componentId']);
    return { id, componentId, grantedUs: granted.tUs, endedUs: end?.tUs ?? NaN, frames };
  });
}

/** Metres that the point went further than its speed explains, between any two frames. */
function hurryM(frames: readonly Tapped[]): number {
  const points = frames.filter((frame) => frame.ned !== undefined);
  const hurries = points.flatMap((to, k) =>
    points.slice(0, k).map((from) => {
      const movedM = Math.hypot(...(to.ned ?? []).map((x, i) => x - (from.ned?.[i] ?? NaN)));
      return movedM - ADMITTED_MS * ((to.atUs - from.atUs) / 1e6 + STAMP_SLACK_S);
    }),
  );
  return Math.max(0, ...hurries);
}

describe('the wire between bridge and vehicle', () => {
  it('carries each frame of the ledger once, in order, and no other', async () => {
    const line = await tapped(stage, ['--speed', '2']);
    const flight = stage.fly(['--connect', line.url]);
    expect(await exitOf(flight, 90_000), lastWords(flight)).toBe(0);
    expect(summaryOf(flight).outcome).toBe('completed');
    const frames = line.frames();
    const actuation = frames.filter(isActuation);
    const entries = entriesOf(stage.ledger);

    expect(actuation.map((frame) => frame.digest)).toEqual(digestsOf(entries));
    expect(actuation).toHaveLength(summaryOf(flight).framesDispatched);
    // Arm, take-off, OFFBOARD, land; each may be asked for twice, and nothing else is commanded.
    const commands = actuation.flatMap((frame) => frame.command ?? []);
    expect([...new Set(commands)].sort()).toEqual([176, 22, 400]);
    expect(new Set(actuation.map((frame) => frame.name))).toEqual(
      new Set(['COMMAND_LONG', 'SET_POSITION_TARGET_LOCAL_NED']),
    );

    // One sender, MAVLink 2, every frame its own sequence number: none twice, none left out.
    expect(new Set(frames.map((frame) => frame.name)).has('BAD_DATA')).toBe(false);
    expect(frames.filter((f) => f.version !== 2 || f.flags !== 0)).toEqual([]);
    expect(frames.filter((f) => f.system !== 1 || f.component !== 191)).toEqual([]);
    const first = frames[0]?.sequence ?? 0;
    expect(frames.map((f) => f.sequence)).toEqual(frames.map((_, k) => (first + k) % 256));

    const leases = leasesOnWire(entries, actuation);
    expect(leases.reduce((sum, lease) => sum + lease.frames.length, 0)).toBe(actuation.length);
    for (const lease of leases) {
      const early = lease.frames.filter((frame) => frame.atUs < lease.grantedUs);
      // The record bears the time of its tick, and the last frame leaves within that tick.
      const late = lease.frames.filter((frame) => frame.atUs > lease.endedUs + 50_000);
      expect({ lease: lease.id, early, late }).toEqual({ lease: lease.id, early: [], late: [] });
      expect(hurryM(lease.frames), lease.componentId).toBe(0);
    }
    const points = leases.filter((l) => l.componentId.startsWith('leg-')).map((l) => l.frames);
    expect(points.map((p) => p.length > 40)).toEqual([true, true, true]);
  }, 100_000);
});
