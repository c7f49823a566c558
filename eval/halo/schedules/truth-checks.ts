/**
 * What must hold by the simulated vehicle's own truth, and by what the bridge had been told of it.
 * Enters: a schedule that is over. Leaves: sentences. Never: an epoch, a state or a verdict that
 * the engine has made up its mind about.
 */
import { SPEED_MS } from './errand.js';
import type { Case, CheckOf, LeaseStory, Told } from './story.js';
import { ID, type Jump } from './tap.js';

export const TRUTH_CHECKS: Readonly<Record<string, CheckOf>> = {
  'intent on disk before the first frame': intentFirst,
  'nothing before its prerequisite': prerequisitesTrue,
  'nothing decided before the world jumped': endedByJumps,
  'no setpoint once the mode is another': endedByModes,
  'no burst of setpoints': noBurst,
  'what cannot be taken back is done once': onceOnly,
  'no release without a person': approvedFirst,
  'down in the end, or in hands of people': downOrHeld,
};

const isSetpoint = ({ frame, lease }: Told): boolean =>
  frame.id === ID.setpoint && lease.kind in SPEED_MS;

/** The guardian waits for no disk: what it does is safer than what it would wait in. */
function intentFirst({ told }: Case): readonly string[] {
  return told
    .filter(({ lease }) => lease.authority === 'agent')
    .filter(({ frame, lease }) => frame.durableSeq < lease.grantedSeq)
    .map(({ lease }) => `${lease.kind} (${lease.id}) was sent and not yet on disk`);
}

/** Telemetry may be 4 s late unseen, and a heartbeat comes each second; then a route goes on. */
const LATE_US = 8_000_000;
const MAV_CMD_TAKEOFF = 22;

function prerequisitesTrue({ told, schedule }: Case): readonly string[] {
  const first = schedule.firstGeneration;
  return told.flatMap((one) => {
    const { frame, lease } = one;
    const { airborne, armed, there } = frame.truth;
    if (isSetpoint(one) && frame.atUs - airborne > LATE_US) return [`${lease.kind} on the ground`];
    if (frame.command === MAV_CMD_TAKEOFF && frame.atUs - armed > LATE_US) {
      return ['a take-off with motors off'];
    }
    // Of the errand as it was sent, landing comes after the leg; a later candidate may come down.
    const early = lease.componentId === 'down' && lease.generation === first && there === -Infinity;
    return early && lease.authority === 'agent' ? ['a landing before the leg'] : [];
  });
}

/** What must not outlive which jump, by kind: of our own, not the catalog's list. */
const goesSomewhere = (kind: string): boolean =>
  kind in SPEED_MS || kind === 'flight.takeoff' || kind === 'mission.start';
const DECIDED_BEFORE: Readonly<Record<Jump['what'], (kind: string) => boolean>> = {
  'the estimator was reset': goesSomewhere,
  'it was disarmed': goesSomewhere,
  'the vehicle started anew': (kind) => !kind.startsWith('report.'),
};

function endedByJumps({ schedule, told }: Case): readonly string[] {
  return schedule.rig.tap.jumps.flatMap(({ atUs, what }) =>
    told
      .filter(({ frame, lease }) => frame.atUs >= atUs && lease.grantedUs < atUs)
      .filter(({ lease }) => lease.authority === 'agent' && DECIDED_BEFORE[what](lease.kind))
      .slice(0, 1)
      .map(({ lease, frame }) => `${lease.kind} (${lease.id}) at ${frame.atUs} after ${what}`),
  );
}

/** PX4's OFFBOARD, in the third byte of custom_mode. */
const OFFBOARD = 6;

/** From the heartbeat that shows that OFFBOARD was left: no setpoint of the lease that was in it. */
function endedByModes({ schedule, told }: Case): readonly string[] {
  const modes = schedule.rig.tap.told.map(({ atUs, customMode }) => ({
    atUs,
    offboard: ((customMode >>> 16) & 0xff) === OFFBOARD,
  }));
  const leftUs = (lease: LeaseStory): number => {
    const entered = modes.findIndex((m) => m.offboard && m.atUs >= lease.grantedUs);
    if (entered === -1) return Infinity;
    return modes.slice(entered).find((m) => !m.offboard)?.atUs ?? Infinity;
  };
  const left = new Map<LeaseStory, number>();
  return told.filter(isSetpoint).flatMap(({ frame, lease }) => {
    const atUs = left.get(lease) ?? leftUs(lease);
    left.set(lease, atUs);
    return frame.atUs < atUs ? [] : [`${lease.kind} (${lease.id}) at ${frame.atUs}`];
  });
}

/** After a standstill nothing is made up for: one tick, one setpoint. */
function noBurst({ told }: Case): readonly string[] {
  const setpoints = told.filter(isSetpoint);
  return setpoints
    .filter(({ frame }, k) => setpoints[k - 1]?.frame.atUs === frame.atUs)
    .map(({ frame }) => `two setpoints at ${frame.atUs}`);
}

/** IMAGE_START_CAPTURE and DO_GRIPPER: a second one is another picture, another drop. */
const ONCE: Readonly<Record<number, string>> = { 2000: 'a picture', 211: 'a drop' };

function onceOnly({ schedule }: Case): readonly string[] {
  return Object.entries(ONCE).flatMap(([command, what]) => {
    const { length } = schedule.rig.tap.sent.filter((f) => f.command === Number(command));
    return length <= 1 ? [] : [`${what} was commanded ${length} times`];
  });
}

function approvedFirst({ schedule, leases }: Case): readonly string[] {
  return leases
    .filter(({ kind }) => kind === 'payload.release')
    .filter((l) => !((schedule.approvedUs.get(l.componentDigest) ?? Infinity) < l.grantedUs))
    .map(({ id }) => `lease ${id} rests on nobody's word`);
}

/** In the air at the end only where a person has taken the vehicle, or an effect is under way. */
function downOrHeld({ schedule }: Case): readonly string[] {
  const { truth, autopilot } = schedule.rig;
  const taken = ['mode-pilot', 'mode-ground-station'].some((kind) => kind in schedule.bites);
  const { mode } = autopilot.status();
  const underWay = schedule.rig.engine.state().dispatch.leases.length > 0;
  return truth.onGround || taken || underWay ? [] : [`in the air in ${mode}, and nobody has it`];
}
