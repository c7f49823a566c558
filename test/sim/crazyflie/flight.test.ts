/** The simulated Crazyflie flies, and fails, as the firmware was measured to. */
import { describe, expect, it } from 'vitest';
import { PORT } from '../../../src/link/index.js';
import { CrazyflieRig, packed } from './rig.js';

const DEG = 180 / Math.PI;

describe('in high-level flight', () => {
  it('takes off, goes and lands, and disarms itself where arming is by command', () => {
    const rig = new CrazyflieRig({ model: 'brushless' });
    rig.pass(0.5);
    expect(rig.vehicle.truth().bits).toBe(0x201);
    expect(rig.takeoff(1, 2)).toBe(16);
    expect(rig.arm()).toEqual(Uint8Array.of(0x81, 1, 1));
    rig.pass(0.1);
    expect(rig.vehicle.truth().bits).toBe(0x20a);
    expect(rig.takeoff(1, 2)).toBe(0);
    rig.pass(1);
    expect(rig.takeoff(1, 2)).toBe(1);
    rig.pass(2);
    expect(rig.vehicle.truth().positionM.z).toBeCloseTo(1, 1);
    expect(rig.goTo(0.5, -0.4, 1.2, Math.PI / 2, 3)).toBe(0);
    rig.pass(4);
    const { positionM, yawRad } = rig.vehicle.truth();
    expect([positionM.x, positionM.y, positionM.z].map((m) => Math.round(m * 10) / 10)).toEqual([
      0.5, -0.4, 1.2,
    ]);
    expect(yawRad * DEG).toBeCloseTo(90, 0);
    expect(rig.land(2)).toBe(0);
    rig.pass(5);
    expect(rig.vehicle.truth().onGround).toBe(true);
    expect(rig.has('flying')).toBe(false);
    rig.pass(3.5);
    expect(rig.vehicle.truth().bits).toBe(0x201);
  });

  it('tells the words of bits that were seen on the firmware', () => {
    const rig = new CrazyflieRig();
    rig.pass(0.5);
    expect(rig.vehicle.truth().bits).toBe(0x20e);
    rig.takeoff(1, 2);
    rig.pass(1);
    expect(rig.vehicle.truth().bits).toBe(0x11e);
    rig.pass(2);
    expect(rig.vehicle.truth().bits).toBe(0x31e);
    rig.pass(0.1, () => rig.stream(10, 0, 0, 0, 1));
    expect(rig.vehicle.truth().bits).toBe(0x21e);
  });

  it('hovers on for ever when its client is gone', () => {
    const rig = new CrazyflieRig();
    rig.airborne();
    rig.pass(60);
    expect(rig.vehicle.truth().positionM.z).toBeCloseTo(1, 1);
    expect(rig.has('flying')).toBe(true);
  });

  it('flies on and says nothing when the battery is low or the position is lost', () => {
    const rig = new CrazyflieRig({ positioning: 'external' });
    const pose = packed(
      ['B', 8],
      ['f', 0],
      ['f', 0],
      ['f', 0],
      ['f', 0],
      ['f', 0],
      ['f', 0],
      ['f', 1],
    );
    rig.pass(3, () => rig.ask(PORT.localization, 1, pose));
    rig.takeoff(1, 2);
    rig.pass(3, () => rig.ask(PORT.localization, 1, pose));
    const before = rig.vehicle.truth().bits;
    rig.vehicle.setVoltage(3.1);
    rig.pass(12);
    expect(rig.vehicle.truth().bits).toBe(before);
    expect(rig.has('flying')).toBe(true);
  });
});

describe('with streamed setpoints', () => {
  it.each([
    { type: 5, protocol: 12, turns: -1 },
    { type: 10, protocol: 12, turns: 1 },
    { type: 5, protocol: 8, turns: -1 },
  ])(
    'hover type $type of protocol $protocol turns $turns times counter-clockwise',
    ({ type, protocol, turns }) => {
      const rig = new CrazyflieRig({ protocol });
      rig.pass(0.5);
      rig.pass(2, () => rig.stream(type, 0, 0, 0, 0.5));
      const before = rig.vehicle.truth().yawRad;
      rig.pass(2, () => rig.stream(type, 0, 0, 20, 0.5));
      expect((rig.vehicle.truth().yawRad - before) * DEG).toBeCloseTo(turns * 40, -1);
    },
  );

  it('leans right with roll and back with pitch', () => {
    const rig = new CrazyflieRig();
    rig.airborne();
    rig.pass(1, () => rig.stream(9, 5, 0, 0, 1));
    expect(rig.vehicle.truth().velocityMS.y).toBeLessThan(-0.3);
    rig.pass(2, () => rig.stream(7, 0, 0, 1, 0));
    rig.pass(1, () => rig.stream(9, 0, 5, 0, 1));
    expect(rig.vehicle.truth().velocityMS.x).toBeLessThan(-0.3);
  });

  it('levels out after 0.5 s without one, and after 2 s falls and stays locked', () => {
    const rig = new CrazyflieRig();
    rig.airborne();
    rig.pass(2, () => rig.stream(8, 0.5, 0, 0, 0));
    rig.pass(1.8);
    expect(rig.has('flying')).toBe(true);
    expect(rig.vehicle.truth().positionM.z).toBeCloseTo(1, 1);
    expect(rig.vehicle.truth().velocityMS.x).toBeGreaterThan(0.1);
    rig.pass(2);
    expect(rig.has('locked')).toBe(true);
    expect(rig.vehicle.truth().onGround).toBe(true);
    expect(rig.arm()).toEqual(Uint8Array.of(0x81, 0, 0));
  });

  it('answers a high-level command with success and does not fly it until they are said to stop', () => {
    const rig = new CrazyflieRig();
    rig.airborne();
    const feed = (): void => rig.stream(7, 0, 0, 1, 0);
    rig.pass(1, feed);
    expect(rig.goTo(1, 0, 1, 0, 1)).toBe(0);
    rig.pass(1.5);
    expect(rig.vehicle.truth().positionM.x).toBeCloseTo(0, 1);
    rig.notifyStop();
    rig.goTo(1, 0, 1, 0, 1);
    rig.pass(2);
    expect(rig.vehicle.truth().positionM.x).toBeCloseTo(1, 1);
  });

  it('cuts the motors at a notify-stop that no high-level command follows', () => {
    const rig = new CrazyflieRig();
    rig.airborne();
    rig.pass(0.5, () => rig.stream(7, 0, 0, 1, 0));
    rig.notifyStop();
    rig.pass(1.5);
    expect(rig.vehicle.truth().onGround).toBe(true);
  });

  it('flies at once when it is armed with a setpoint pending', () => {
    const rig = new CrazyflieRig({ model: 'brushless' });
    rig.pass(0.5, () => rig.stream(10, 0, 0, 0, 0.5));
    rig.arm();
    rig.pass(1, () => rig.stream(10, 0, 0, 0, 0.5));
    expect(rig.has('flying')).toBe(true);
    expect(rig.vehicle.truth().positionM.z).toBeGreaterThan(0.2);
  });

  it('keeps the sticks’ thrust at zero until it was zero once', () => {
    const rig = new CrazyflieRig();
    const sticks = (thrust: number): unknown =>
      rig.ask(PORT.commanderRpyt, 0, packed(['f', 0], ['f', 0], ['f', 0], ['H', thrust]));
    rig.pass(0.5);
    rig.pass(0.5, () => sticks(50_000));
    expect(rig.vehicle.truth().onGround).toBe(true);
    sticks(0);
    rig.pass(0.5, () => sticks(50_000));
    expect(rig.vehicle.truth().onGround).toBe(false);
  });

  it('takes a full state in millimetres and a packed quaternion', () => {
    const rig = new CrazyflieRig();
    rig.airborne();
    // Yaw 90 degrees: z and w are equal; w (index 3) is called the largest, z is the lowest part.
    const quaternion = ((3 << 30) | 0x1ff) >>> 0;
    const data = packed(
      ['B', 6],
      ['h', 500],
      ['h', 0],
      ['h', 1000],
      ['h', 0],
      ['h', 0],
      ['h', 0],
      ['h', 0],
      ['h', 0],
      ['h', 0],
      ['I', quaternion],
      ['h', 0],
      ['h', 0],
      ['h', 0],
    );
    rig.pass(3, () => rig.ask(PORT.setpoint, 0, data));
    expect(rig.vehicle.truth().positionM.x).toBeCloseTo(0.5, 1);
    expect(rig.vehicle.truth().yawRad * DEG).toBeCloseTo(90, 0);
  });
});

describe('what brings it down', () => {
  it('a known setpoint type with a wrong length kills the firmware', () => {
    const rig = new CrazyflieRig();
    rig.airborne();
    rig.ask(PORT.setpoint, 0, packed(['B', 10], ['f', 0], ['f', 0], ['f', 0]));
    expect(rig.vehicle.truth().died).toContain('type 10');
    expect(rig.ask(PORT.link, 1, [0])).toEqual([]);
  });

  it('a setpoint type that its protocol does not have stops the motors', () => {
    const rig = new CrazyflieRig({ protocol: 8 });
    rig.pass(0.5);
    rig.pass(2, () => rig.stream(5, 0, 0, 0, 0.5));
    expect(rig.has('flying')).toBe(true);
    rig.pass(1, () => rig.stream(10, 0, 0, 0, 0.5));
    expect(rig.vehicle.truth().onGround).toBe(true);
    expect(rig.vehicle.truth().died).toBeUndefined();
  });

  it('the id of a memory that is not there kills the firmware', () => {
    const rig = new CrazyflieRig();
    rig.ask(PORT.memory, 0, [2, 40]);
    expect(rig.vehicle.truth().died).toContain('memory');
  });

  it.each([
    { how: 'by the supervisor', port: PORT.supervisor, data: [3] },
    { how: 'by the old packet', port: PORT.localization, data: [3] },
  ])('an emergency stop $how drops it and locks it', ({ port, data }) => {
    const rig = new CrazyflieRig();
    rig.airborne();
    rig.ask(port, 1, data);
    rig.pass(2);
    expect(rig.vehicle.truth().onGround).toBe(true);
    expect(rig.vehicle.truth().bits).toBe(0x244);
  });

  it('a watchdog that was kicked once and then no more locks it', () => {
    const rig = new CrazyflieRig();
    rig.airborne();
    rig.pass(2, () => rig.ask(PORT.supervisor, 1, [4]));
    expect(rig.has('locked')).toBe(false);
    rig.pass(1.2);
    expect(rig.has('locked')).toBe(true);
  });

  it('a disarm in flight is obeyed; a flip ends as a crash that a recovery ends', () => {
    const rig = new CrazyflieRig({ model: 'brushless' });
    rig.airborne();
    rig.arm(false);
    rig.pass(2);
    expect(rig.vehicle.truth().onGround).toBe(true);
    expect(rig.has('locked')).toBe(false);
    rig.airborne();
    rig.vehicle.failMotor();
    rig.pass(1.6);
    expect(rig.has('crashed')).toBe(true);
    rig.pass(2);
    expect(rig.ask(PORT.supervisor, 1, [2])[0]?.data).toEqual(Uint8Array.of(0x82, 1, 1));
    rig.pass(0.4);
    expect(rig.has('canBeArmed')).toBe(true);
  });

  it('armed on the ground it disarms after 30 s, and does not arm again within 0.2 s', () => {
    const rig = new CrazyflieRig({ model: 'brushless' });
    rig.pass(0.5);
    rig.arm();
    rig.pass(29.5);
    expect(rig.has('armed')).toBe(true);
    rig.pass(1);
    expect(rig.has('armed')).toBe(false);
    rig.arm();
    rig.arm(false);
    expect(rig.arm()).toEqual(Uint8Array.of(0x81, 0, 0));
    rig.pass(0.3);
    expect(rig.arm()).toEqual(Uint8Array.of(0x81, 1, 1));
  });
});
