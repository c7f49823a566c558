import { afterEach, describe, expect, it } from 'vitest';
import { eventId } from '../../sim/autopilot/index.js';
import { freePort, startPeer, startSim, type Line, type Started } from './sim-process.js';

const running: Started[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.end()));
});

/** Flies one flight of the pymavlink pilot and returns what it printed. */
async function fly(flight: string, simOptions: readonly string[]): Promise<readonly Line[]> {
  const [local, remote] = [await freePort(), await freePort()];
  const ports = ['--port-base', String(local), '--remote-base', String(remote)];
  const sim = startSim([...ports, '--json', '--with-parent', ...simOptions]);
  const pilot = startPeer('pymavlink_pilot.py', [String(remote), flight]);
  running.push(sim, pilot);
  const code = await pilot.exited;
  const said = `${JSON.stringify(pilot.lines.slice(-8))} ${pilot.errors} ${sim.errors}`;
  expect(code, said).toBe(0);
  expect(pilot.lines.at(-1), said).toEqual({ done: true });
  return pilot.lines;
}

const acks = (lines: readonly Line[], command: number): unknown[] =>
  lines.filter((line) => line['ack'] === command).map((line) => line['result']);
const at = (lines: readonly Line[], what: string): number =>
  Number(lines.find((line) => line['reached'] === what)?.['at']);

describe('pymavlink, a peer of other origin, over UDP', () => {
  it('takes off in OFFBOARD, flies two waypoints, lands and sees it disarm', async () => {
    const lines = await fly('waypoints', ['--speed', '2', '--seed', '4']);
    expect(acks(lines, 176)).toEqual([0, 0, 0, 0]);
    expect(acks(lines, 400)).toEqual([0]);
    expect(acks(lines, 512)).toEqual([0]);
    expect(lines.find((line) => 'version' in line)).toMatchObject({
      version: 0x01110040,
      mode: '0x60000',
    });
    expect(lines.find((line) => 'param' in line)).toMatchObject({
      param: 'NAV_RCL_ACT',
      bits: 2,
      type: 6,
    });
    // Two simulated seconds a second: landed, then disarmed one second of wall time later.
    expect(at(lines, 'disarmed') - at(lines, 'landed')).toBeLessThan(2.2);
  }, 60_000);

  it('stops its stream and sees the failsafe a second later, then the landing', async () => {
    const lines = await fly('stream-stops', ['--seed', '3', '--param', 'COM_OBL_RC_ACT=4']);
    const silent = Number(lines.find((line) => 'silent' in line)?.['silent']);
    const failsafe = eventId('commander_failsafe_enter_generic');
    const event = lines.find((line) => line['event'] === failsafe);
    // The last setpoint left at most 0.05 s before; the rest is scheduling of two processes.
    expect(Number(event?.['at']) - silent).toBeGreaterThan(0.85);
    expect(Number(event?.['at']) - silent).toBeLessThan(1.4);
    expect(lines.find((line) => 'mode' in line)?.['mode']).toBe('0x6040000');
  }, 60_000);

  it('is refused as PX4 refuses, and decodes all that its dialect has', async () => {
    const lines = await fly('refusals', ['--seed', '3']);
    expect(acks(lines, 400)).toEqual([1, 1]);
    expect(acks(lines, 176)).toEqual([0, 0, 0, 1]);
    expect(acks(lines, 31000)).toEqual([3]);
    expect(acks(lines, 246)).toEqual([2]);
    const denied = eventId('commander_arm_denied_resolve_failures');
    expect(lines.filter((line) => line['event'] === denied)).toHaveLength(2);
    const seen = lines.find((line) => 'systems' in line);
    expect(seen?.['systems']).toEqual([1]);
    const unknown = [seen?.['kinds']].flat().filter((kind) => String(kind).startsWith('UNKNOWN'));
    expect(unknown.sort()).toEqual([
      'UNKNOWN_380',
      'UNKNOWN_410',
      'UNKNOWN_411',
      'UNKNOWN_436',
      'UNKNOWN_8',
    ]);
    expect([seen?.['kinds']].flat()).not.toContain('BAD_DATA');
  }, 60_000);
});
