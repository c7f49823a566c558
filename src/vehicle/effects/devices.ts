/**
 * What the things aboard can be asked for, and by which evidence each is done: a picture, a
 * direction, a release, a length of line. Enters: checked parameters. Leaves: machines.
 * Never: "done" by an acknowledgement.
 */
import { fail, ok, type ParamsOf, type Result } from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { float32, type Vec3 } from '../frames.js';
import { CMD, type Params } from '../messages.js';
import { readField, readNumber, readVector } from '../reading.js';
import { num, text } from '../received.js';
import { DeviceEffect } from './device.js';
import { done, Dwell, ensured, refused, show } from './steps.js';
import type { EffectContext, EffectOptions } from './types.js';

/** A float32 counts to 2^24 without a gap. */
const SEQUENCES = 16_000_000;

/** One picture: done when the camera itself says that it has taken one. */
export function createCapture(options: EffectOptions): DeviceEffect {
  const { nowUs, snapshot, entry } = options;
  const before = snapshot.values.get('vehicle.image_index')?.value;
  // A number of its own, by which the camera knows a command that reaches it twice.
  const sequence = 1 + (Math.floor(nowUs / 1000) % SEQUENCES);
  const params: Params = [0, 0, 1, sequence, 0, 0, 0];
  return new DeviceEffect(
    {
      phase: 'capturing',
      commands: [{ command: CMD.IMAGE_START_CAPTURE, params }],
      watch: ({ heard }, sentUs) => {
        const image = heard.find(
          ({ message, componentId, receivedUs }) =>
            message.name === 'CAMERA_IMAGE_CAPTURED' &&
            componentId === entry.targetComponent &&
            receivedUs >= sentUs &&
            // Told again on request, an image of before is no new one.
            num(message.fields, 'image_index') !== before,
        );
        if (image === undefined) return 'waiting for the camera';
        const { fields } = image.message;
        if (num(fields, 'capture_result') !== 1) {
          return refused('capturing', 'the camera says that it took no picture');
        }
        const imageIndex = num(fields, 'image_index');
        const globalDegM = [
          num(fields, 'lat') / 1e7,
          num(fields, 'lon') / 1e7,
          num(fields, 'alt') / 1000,
        ];
        const fileUrl = text(fields, 'file_url');
        const observed = { completed: true, imageIndex, globalDegM, fileUrl };
        return done(`image ${imageIndex}`, observed);
      },
    },
    options,
  );
}

/** A gimbal settles within a degree; its encoder and our float add less. */
const POINT_WITHIN_DEG = 2;
const POINT_DWELL_S = 0.5;
/** GIMBAL_MANAGER_FLAGS: roll and pitch from the horizon; yaw turns with the vehicle. */
const ROLL_PITCH_LOCK = 4 + 8;

/** A direction from the nose: done when the gimbal shows it, for a dwell. */
export function createPoint(
  { pitchDeg, yawDeg }: ParamsOf<'point'>,
  options: EffectOptions,
): Result<DeviceEffect> {
  if (readVector(options.snapshot, 'vehicle.gimbal', options.nowUs) === undefined) {
    return fail(haloError('HALO-208', 'No gimbal tells its attitude.'));
  }
  const { completion } = options.entry;
  const withinDeg = completion.yawDeg ?? POINT_WITHIN_DEG;
  const dwellS = completion.dwellS ?? POINT_DWELL_S;
  const dwell = new Dwell();
  const target: Vec3 = [0, float32(pitchDeg), float32(yawDeg)];
  const look = ({ snapshot, nowUs }: EffectContext) => {
    const at = readVector(snapshot, 'vehicle.gimbal', nowUs)?.value;
    const errorDeg = at === undefined ? Infinity : apartDeg(at, target);
    return { at, errorDeg, heldS: dwell.held(errorDeg <= withinDeg, nowUs) ?? -1 };
  };
  const seen = (at: Vec3, errorDeg: number, heldS: number) => ({
    completed: true,
    gimbalDeg: at,
    errorDeg,
    dwellS: heldS,
  });
  // Whoever last took control holds it: -2 is whoever sends this. No secondary is changed.
  const control: Params = [-2, -2, -1, -1, 0, 0, 0];
  const point: Params = [target[1], target[2], NaN, NaN, ROLL_PITCH_LOCK, 0, 0];
  const task = {
    phase: 'pointing',
    commands: [
      { command: CMD.GIMBAL_CONFIGURE, params: control },
      { command: CMD.GIMBAL_PITCHYAW, params: point },
    ],
    already: (context: EffectContext) => {
      const { at, errorDeg } = look(context);
      if (at === undefined || errorDeg > withinDeg) return undefined;
      return ensured('points there already', seen(at, errorDeg, 0));
    },
    watch: (context: EffectContext) => {
      const { at, errorDeg, heldS } = look(context);
      if (at === undefined) return 'attitude not known';
      if (heldS >= dwellS) return done(`within ${show(errorDeg)} deg`, seen(at, errorDeg, heldS));
      return `${show(errorDeg)} deg to go`;
    },
  };
  return ok(new DeviceEffect(task, options));
}

/** Angle between the two directions of view: straight down every yaw is the same one. */
function apartDeg(a: Vec3, b: Vec3): number {
  const way = ([, pitchDeg, yawDeg]: Vec3): Vec3 => {
    const [pitch, yaw] = [(pitchDeg * Math.PI) / 180, (yawDeg * Math.PI) / 180];
    return [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch)];
  };
  const [p, q] = [way(a), way(b)];
  const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  return (Math.acos(Math.min(1, Math.max(-1, dot))) * 180) / Math.PI;
}

const RELEASE = 0;

/**
 * Lets go: done only by the evidence that the catalog names, born after the command left; or there
 * already, where the footprint does not ask for the contrary. One that does keeps it from starting.
 */
export function createRelease(options: EffectOptions): Result<DeviceEffect> {
  const { snapshot, nowUs } = options;
  const { shown } = options.entry.completion;
  if (shown === undefined) {
    return fail(haloError('HALO-208', 'No evidence is named by which a release is seen.'));
  }
  const before = readField(snapshot, shown.field, shown.maxAgeMs, nowUs);
  if (before === undefined) {
    return fail(haloError('HALO-208', `${shown.field} is not known: a release could not be seen.`));
  }
  const params: Params = [1, RELEASE, 0, 0, 0, 0, 0];
  const task = {
    phase: 'releasing',
    commands: [{ command: CMD.DO_GRIPPER, params }],
    already: ({ snapshot: now, nowUs: atUs }: EffectContext) => {
      const seen = readField(now, shown.field, shown.maxAgeMs, atUs);
      if (seen?.value !== shown.is) return undefined;
      return ensured('released already', { completed: true, [shown.field]: seen.value });
    },
    watch: (context: EffectContext, sentUs: number) => {
      const now = readField(context.snapshot, shown.field, shown.maxAgeMs, context.nowUs);
      if (now === undefined) return `${shown.field} is not known`;
      if (now.value !== shown.is || now.bornUs <= sentUs) {
        return `${shown.field} is ${String(now.value)}`;
      }
      return done('released', { completed: true, [shown.field]: now.value });
    },
  };
  return ok(new DeviceEffect(task, options));
}

const LENGTH_CONTROL = 1;
/** A drum stops within a few centimetres of line. */
const LINE_WITHIN_M = 0.1;
const LINE_DWELL_S = 0.5;

/** A length of line: done when the winch shows it, for a dwell. */
export function createWinch(
  { lineM, speedMS }: ParamsOf<'winch'>,
  options: EffectOptions,
): Result<DeviceEffect> {
  if (readNumber(options.snapshot, 'vehicle.winch_m', options.nowUs) === undefined) {
    return fail(haloError('HALO-208', 'No winch tells its length of line.'));
  }
  const { verticalM: withinM = LINE_WITHIN_M, dwellS = LINE_DWELL_S } = options.entry.completion;
  const dwell = new Dwell();
  const params: Params = [1, LENGTH_CONTROL, float32(lineM), float32(speedMS), 0, 0, 0];
  const task = {
    phase: 'winding',
    commands: [{ command: CMD.DO_WINCH, params }],
    watch: ({ snapshot, nowUs }: EffectContext) => {
      const outM = readNumber(snapshot, 'vehicle.winch_m', nowUs)?.value;
      if (outM === undefined) return 'length of line not known';
      const heldS = dwell.held(Math.abs(outM - lineM) <= withinM, nowUs);
      if (heldS !== undefined && heldS >= dwellS) {
        return done(`${show(outM)} m out`, { completed: true, lineM: outM, dwellS: heldS });
      }
      return `${show(outM)} m of ${show(lineM)} m out`;
    },
  };
  return ok(new DeviceEffect(task, options));
}
