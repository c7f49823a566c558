/**
 * What must hold of every schedule, from the wire, the ledger and the truth alone.
 * Enters: a schedule that is over. Leaves: a sentence for each violation.
 * Never: a counter or a belief of the engine.
 */
import type { TaskStateView } from '../../../src/contract/index.js';
import { SPEED_MS } from './errand.js';
import type { Schedule } from './run.js';
import { bodyOf, leasesOf, tell, type Case, type CheckOf, type LeaseStory } from './story.js';
import { HARMLESS_COMMANDS, ID } from './tap.js';
import { TRUTH_CHECKS } from './truth-checks.js';

/** By name, so that a report can say what was looked for. */
export const CHECKS: Readonly<Record<string, CheckOf>> = {
  'one motion at a time': oneAtATime,
  'frames within their lease': withinLeases,
  'leases rest on a verdict': onVerdicts,
  'no frame after a bound epoch moved': endedByEpochs,
  'no setpoint on stale evidence': onFreshEvidence,
  'nothing against a pilot': pilotWins,
  'no faster than admitted': withinSpeed,
  'what arrives has left before': arrivesAsSent,
  'receipts are true': ({ schedule }) => schedule.troubles,
  'the ledger alone gives the state': sameFromLedger,
  ...TRUTH_CHECKS,
};

export function violations(schedule: Schedule): readonly string[] {
  const leases = leasesOf(schedule.rig.ledger.records);
  const { told, trouble } = tell(schedule, leases);
  const found = Object.entries(CHECKS).flatMap(([name, check]) =>
    check({ schedule, leases, told }).map((sentence) => `${name}: ${sentence}`),
  );
  return [...trouble.map((sentence) => `each frame once, in order: ${sentence}`), ...found];
}

function oneAtATime({ leases }: Case): readonly string[] {
  return leases.flatMap((lease, index) => {
    const next = leases[index + 1];
    return next === undefined || next.grantedSeq > lease.endedSeq
      ? []
      : [`${next.kind} (${next.id}) was granted while ${lease.kind} (${lease.id}) was active`];
  });
}

function withinLeases({ told }: Case): readonly string[] {
  const drawn = new Map<LeaseStory, number>();
  for (const { lease } of told) drawn.set(lease, (drawn.get(lease) ?? 0) + 1);
  return [
    ...told
      .filter(({ frame, lease: l }) => frame.atUs < l.grantedUs || frame.atUs > l.endedUs)
      .map(({ frame, lease }) => `a frame at ${frame.atUs} is outside of lease ${lease.id}`),
    ...told
      .filter(({ frame, lease }) => frame.atUs > lease.deadlineUs)
      .map(({ frame, lease }) => `a frame at ${frame.atUs} is after the deadline of ${lease.id}`),
    ...[...drawn]
      .filter(([lease, frames]) => frames > lease.framesAllowed)
      .map(([lease, frames]) => `lease ${lease.id} drew ${frames} frames`),
  ];
}

/** An agent's lease is of a component that a verdict before it admitted, in its generation. */
function onVerdicts({ schedule, leases }: Case): readonly string[] {
  const keys = new Map<string, number>();
  for (const record of schedule.rig.ledger.of('verdict')) {
    const body = bodyOf<{ generation: number; admitted: { componentDigest: string }[] }>(record);
    for (const { componentDigest } of body.admitted) {
      keys.set(`${body.generation}/${componentDigest}`, record.seq);
    }
  }
  return leases
    .filter(({ authority }) => authority === 'agent')
    .filter((l) => !((keys.get(`${l.generation}/${l.componentDigest}`) ?? Infinity) < l.grantedSeq))
    .map(({ id, kind }) => `lease ${id} (${kind}) rests on no verdict`);
}

function endedByEpochs({ schedule, told }: Case): readonly string[] {
  return schedule.rig.ledger.of('vehicle-epoch').flatMap((record) => {
    const { moved } = bodyOf<{ moved: readonly string[] }>(record);
    return told
      .filter(({ frame, lease }) => frame.atUs >= record.tUs && lease.grantedSeq < record.seq)
      .filter(({ lease }) => lease.boundEpochs.some((kind) => moved.includes(kind)))
      .map(({ lease }) => `${lease.kind} (${lease.id}) sent after ${moved.join()} had moved`);
  });
}

/** The catalog's longest ages for all that sends setpoints, in ms; by arrival where no stamp is. */
const AGES_MS = { heartbeat: 3000, gps: 2000, landed: 2000, estimator: 3000 } as const;
/** 1000 ms of the catalog, and what time synchronisation may be off by. */
const POSITION_AGE_MS = 1060;

function onFreshEvidence({ told }: Case): readonly string[] {
  return told.flatMap(({ frame, lease }) => {
    if (frame.id !== ID.setpoint || !(lease.kind in SPEED_MS)) return [];
    const bornMs = (frame.atUs - frame.positionBornUs) / 1000;
    const old = Object.entries(AGES_MS).filter(([name, limitMs]) => {
      const heardUs = Object.entries(frame.heardUs).find(([n]) => n === name)?.[1] ?? -Infinity;
      return (frame.atUs - heardUs) / 1000 > limitMs;
    });
    return [
      ...(bornMs > POSITION_AGE_MS ? [`a setpoint on a position measured ${bornMs} ms ago`] : []),
      ...old.map(([name]) => `a setpoint on an old ${name}`),
    ];
  });
}

/** PX4's main modes that a pilot flies by hand, in the third byte of custom_mode. */
const BY_HAND: ReadonlySet<number> = new Set([1, 2, 3, 5, 7]);

/** From the heartbeat that shows a pilot's mode on: nothing, until a mode or a response follows. */
function pilotWins({ schedule }: Case): readonly string[] {
  const { told, sent } = schedule.rig.tap;
  return told.flatMap((state, k) => {
    // Landed and disarmed, PX4 goes back to whatever the switch of the remote control says.
    if (!state.armed || !BY_HAND.has((state.customMode >>> 16) & 0xff)) return [];
    const before = told[k - 1];
    if (before === undefined || BY_HAND.has((before.customMode >>> 16) & 0xff)) return [];
    const fresh = schedule.acceptedUs.find((atUs) => atUs > state.atUs) ?? Infinity;
    const untilUs = Math.min(told[k + 1]?.atUs ?? Infinity, fresh);
    const against = sent.filter((f) => f.atUs >= state.atUs && f.atUs < untilUs);
    return against.slice(0, 1).map((f) => `command ${f.command ?? f.id} at ${f.atUs}`);
  });
}

/** 5 cm of the segment's own tolerance, and one period of the slowest setpoints, of 20 Hz. */
const slackM = (speedMS: number): number => 0.05 + speedMS * 0.055;

function withinSpeed({ told }: Case): readonly string[] {
  const moving = told.filter(
    ({ frame, lease }) => frame.id === ID.setpoint && SPEED_MS[lease.kind],
  );
  return moving.flatMap(({ frame, lease }, k) => {
    const speedMS = SPEED_MS[lease.kind] ?? 0;
    if (frame.speedMS !== undefined && frame.speedMS > speedMS * 1.001) {
      return [`${frame.speedMS.toFixed(2)} m/s where ${speedMS} may be`];
    }
    const before = moving[k - 1];
    if (before?.lease !== lease || !frame.nedM || !before.frame.nedM) return [];
    const from = before.frame.nedM;
    const wentM = Math.hypot(...frame.nedM.map((x, i) => x - (from[i] ?? NaN)));
    const allowedM = (speedMS * (frame.atUs - before.frame.atUs)) / 1e6 + slackM(speedMS);
    return wentM <= allowedM ? [] : [`${wentM.toFixed(2)} m where ${allowedM.toFixed(2)} may be`];
  });
}

function arrivesAsSent({ schedule }: Case): readonly string[] {
  const left = new Map<string, number>();
  for (const { hex, atUs } of schedule.rig.tap.sent) if (!left.has(hex)) left.set(hex, atUs);
  const corrupt = schedule.rig.link.toVehicle.counts.corrupted > 0;
  if (corrupt) return []; // Told apart by the vehicle's own checksum; see the link's tests.
  return schedule.rig.tap.arrivedHex
    .filter(({ hex, atUs }) => !isService(hex) && !((left.get(hex) ?? Infinity) <= atUs))
    .map(({ atUs }) => `a frame that nobody sent reached the vehicle at ${atUs}`);
}

/** Commands that only ask for reports are not among what was sent as actuation. */
function isService(hex: string): boolean {
  const bytes = Buffer.from(hex, 'hex');
  const command = bytes[7] === ID.command ? bytes.readUInt16LE(38) : 0;
  return HARMLESS_COMMANDS.has(command);
}

function sameFromLedger({ schedule }: Case): readonly string[] {
  const { engine, nowUs } = schedule.rig;
  const again = schedule.rig.replayed();
  if (!again.ok) return [`the ledger does not replay: ${again.error.message}`];
  const show = ({ obligations, frontier, generation }: TaskStateView): string =>
    JSON.stringify([obligations, frontier, generation]);
  const [live, replayed] = [show(engine.state().task), show(again.value.view(nowUs))];
  return live === replayed ? [] : [`${live} is ${replayed}`];
}
