/**
 * Packets of the two streamed commanders to setpoints. Enters: data of port 7 and port 3. Leaves:
 * a setpoint, or how the firmware dies of it. Never: a wrong length that is forgiven: the
 * firmware asserts on the length of each type that it knows.
 */
import { OFF, type Setpoint } from './types.js';

const FLOAT = 4;
/** Bytes after the type. Types that a protocol does not have yet count as unknown. */
const TYPES: Readonly<
  Partial<Record<number, { readonly length: number; readonly since: number }>>
> = {
  0: { length: 0, since: 0 },
  1: { length: 4 * FLOAT, since: 0 },
  2: { length: 4 * FLOAT, since: 0 },
  4: { length: 4 * FLOAT, since: 0 },
  5: { length: 4 * FLOAT, since: 0 },
  6: { length: 28, since: 0 },
  7: { length: 4 * FLOAT, since: 0 },
  8: { length: 4 * FLOAT, since: 9 },
  9: { length: 4 * FLOAT, since: 9 },
  10: { length: 4 * FLOAT, since: 9 },
  11: { length: 15, since: 10 },
};

export type Decoded =
  | { readonly ok: true; readonly setpoint: Setpoint }
  | { readonly ok: false; readonly assertion: string };

const decoded = (setpoint: Setpoint): Decoded => ({ ok: true, setpoint });

/** Port 7, channel 0. An unknown type disables everything, which stops the motors. */
export function decodeGeneric(data: Uint8Array, protocol: number): Decoded {
  const type = data[0];
  const known = type === undefined ? undefined : TYPES[type];
  if (type === undefined || known === undefined || protocol < known.since) return decoded(OFF);
  const body = data.subarray(1);
  if (body.length !== known.length) {
    const lengths = `${body.length} bytes, not ${known.length}`;
    return { ok: false, assertion: `setpoint type ${type} has ${lengths}` };
  }
  return decoded(setpointOf(type, new DataView(body.buffer, body.byteOffset, body.byteLength)));
}

function setpointOf(type: number, view: DataView): Setpoint {
  const float = (index: number): number => view.getFloat32(index * FLOAT, true);
  // The older types take the rate of yaw clockwise.
  const yawSign = type < 8 ? -1 : 1;
  switch (type) {
    case 1:
    case 8:
      return {
        kind: 'velocity',
        velocityMS: { x: float(0), y: float(1), z: float(2) },
        yawRateDegS: yawSign * float(3),
      };
    case 2:
    case 9:
      return {
        kind: 'zDistance',
        rollDeg: float(0),
        pitchDeg: float(1),
        yawRateDegS: yawSign * float(2),
        zM: float(3),
      };
    case 5:
    case 10:
      return {
        kind: 'hover',
        forwardMS: float(0),
        leftMS: float(1),
        yawRateDegS: yawSign * float(2),
        zM: float(3),
      };
    case 6:
      return fullState(view);
    case 7:
      return {
        kind: 'position',
        positionM: { x: float(0), y: float(1), z: float(2) },
        velocityMS: { x: 0, y: 0, z: 0 },
        yawDeg: float(3),
      };
    case 11:
      return {
        kind: 'attitude',
        rollDeg: float(0),
        pitchDeg: float(1),
        yawRateDegS: float(2),
        thrust: view.getUint16(3 * FLOAT, true),
      };
    default:
      // Altitude hold flies by sticks alone; nothing here sends it.
      return OFF;
  }
}

/** Millimetres as i16; the quaternion in 32 bits: index of the largest part, then three parts. */
function fullState(view: DataView): Setpoint {
  const milli = (index: number): number => view.getInt16(index * 2, true) / 1000;
  return {
    kind: 'position',
    positionM: { x: milli(0), y: milli(1), z: milli(2) },
    velocityMS: { x: milli(3), y: milli(4), z: milli(5) },
    yawDeg: yawOfQuaternion(view.getUint32(18, true)),
  };
}

function yawOfQuaternion(packed: number): number {
  const largest = packed >>> 30;
  const parts = [0, 0, 0, 0];
  let rest = packed;
  let sum = 0;
  for (let i = 3; i >= 0; i -= 1) {
    if (i === largest) continue;
    const magnitude = ((rest & 0x1ff) / 0x1ff) * Math.SQRT1_2;
    parts[i] = (rest & 0x200) === 0 ? magnitude : -magnitude;
    sum += magnitude * magnitude;
    rest >>>= 10;
  }
  parts[largest] = Math.sqrt(Math.max(0, 1 - sum));
  const [x = 0, y = 0, z = 0, w = 1] = parts;
  return (Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * 180) / Math.PI;
}

/** Port 3: roll, pitch, rate of yaw (clockwise), thrust. */
export function decodeRpyt(data: Uint8Array): Setpoint | undefined {
  if (data.length !== 14) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const thrust = view.getUint16(12, true);
  return {
    kind: 'attitude',
    rollDeg: view.getFloat32(0, true),
    pitchDeg: view.getFloat32(4, true),
    yawRateDegS: -view.getFloat32(8, true),
    thrust: thrust < THRUST_MIN ? 0 : Math.min(thrust, THRUST_MAX),
  };
}

const THRUST_MIN = 1000;
const THRUST_MAX = 60_000;
