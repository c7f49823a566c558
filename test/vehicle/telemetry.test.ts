import { describe, expect, it } from 'vitest';
import type { WireMessage } from '../../src/contract/index.js';
import { EvidenceStore } from '../../src/evidence/index.js';
import { eventId } from '../../src/vehicle/autopilot-events.js';
import {
  type CommandAck,
  customFromMode,
  Housekeeping,
  Telemetry,
  type TelemetryBatch,
} from '../../src/vehicle/index.js';

type Fields = Record<string, number | bigint | string | readonly number[]>;

const OWN = { vehicleSystem: 1, ownSystem: 1, ownComponent: 191 };

function hear(name: string, fields: Fields, from = { system: 1, component: 1 }): TelemetryBatch {
  return talk([[name, fields]], from);
}

function talk(
  messages: readonly (readonly [string, Fields])[],
  from = { system: 1, component: 1 },
): TelemetryBatch {
  const telemetry = new Telemetry(OWN);
  for (const [name, fields] of messages) {
    telemetry.ingest({
      message: { name, fields },
      systemId: from.system,
      componentId: from.component,
      receivedUs: 1_000_000,
    });
  }
  return telemetry.drain();
}

const valuesOf = (batch: TelemetryBatch) =>
  Object.fromEntries(batch.values.map(({ field, value }) => [field, value]));

const position = { time_boot_ms: 5000, x: 1, y: 2, z: -3, vx: 4, vy: 5, vz: -6 };

describe('telemetry as evidence', () => {
  it('turns north, east, down into east, north, up', () => {
    expect(valuesOf(hear('LOCAL_POSITION_NED', position))).toEqual({
      'vehicle.position': [2, 1, 3],
      'vehicle.velocity': [5, 4, 6],
    });
  });

  it('turns a heading of east into a yaw of zero, from angles and from a quaternion alike', () => {
    const angles = hear('ATTITUDE', { time_boot_ms: 1, yaw: Math.PI / 2 });
    const half = Math.SQRT1_2;
    const q = { time_boot_ms: 1, q1: half, q2: 0, q3: 0, q4: half };
    for (const batch of [angles, hear('ATTITUDE_QUATERNION', q)]) {
      expect(valuesOf(batch)['vehicle.yaw']).toBeCloseTo(0, 9);
    }
  });

  it('reads armed bit, mode and failsafe from the heartbeat', () => {
    const armed = { base_mode: 0x9d, custom_mode: customFromMode('OFFBOARD'), system_status: 4 };
    expect(valuesOf(hear('HEARTBEAT', armed))).toEqual({
      'vehicle.armed': true,
      'vehicle.mode': 'OFFBOARD',
      'vehicle.failsafe': false,
    });
    const critical = { ...armed, base_mode: 0x1d, system_status: 5 };
    expect(valuesOf(hear('HEARTBEAT', critical))).toMatchObject({
      'vehicle.armed': false,
      'vehicle.failsafe': true,
    });
  });

  it('sees a failsafe in a mode that nobody asked for, and none in one that somebody did', () => {
    const current = (shown: 'OFFBOARD' | 'AUTO.RTL', intended: number) =>
      hear('CURRENT_MODE', {
        custom_mode: customFromMode(shown),
        intended_custom_mode: intended,
      });
    const imposed = current('AUTO.RTL', customFromMode('OFFBOARD'));
    expect(valuesOf(imposed)).toEqual({ 'vehicle.mode': 'AUTO.RTL', 'vehicle.failsafe': true });
    expect(imposed.signs.map((sign) => sign.type)).toEqual(['failsafe', 'mode']);
    for (const asked of [customFromMode('AUTO.RTL'), 0]) {
      const { signs } = current('AUTO.RTL', asked);
      expect(signs.map((sign) => sign.type)).toEqual(['mode']);
    }
  });

  it('takes the lowest battery of all, and nothing for one that does not know', () => {
    const sys = {
      onboard_control_sensors_health: 0x10000000,
      voltage_battery: 15_800,
      battery_remaining: 80,
    };
    expect(valuesOf(hear('SYS_STATUS', sys))).toEqual({
      'vehicle.prearm_ok': true,
      'vehicle.battery': 0.8,
      'vehicle.battery_v': 15.8,
    });
    const batch = talk([
      ['SYS_STATUS', sys],
      ['BATTERY_STATUS', { id: 1, battery_remaining: 40 }],
      ['SYS_STATUS', sys],
    ]);
    expect(valuesOf(batch)['vehicle.battery']).toBe(0.4);
    const unknown = { ...sys, voltage_battery: 65_535, battery_remaining: -1 };
    const silent = valuesOf(hear('SYS_STATUS', unknown));
    expect(silent).toEqual({ 'vehicle.prearm_ok': true });
    expect(valuesOf(hear('BATTERY_STATUS', { id: 0, battery_remaining: -1 }))).toEqual({});
  });

  it.each([
    [1, 'on_ground'],
    [2, 'in_air'],
    [3, 'takeoff'],
    [4, 'landing'],
  ])('landed state %i is %s, and an undefined one is no evidence', (landed_state, word) => {
    expect(valuesOf(hear('EXTENDED_SYS_STATE', { landed_state }))).toEqual({
      'vehicle.landed': word,
    });
    expect(valuesOf(hear('EXTENDED_SYS_STATE', { landed_state: 0 }))).toEqual({});
  });

  it('reads global positions in degrees and metres, and home in both frames', () => {
    const at = { time_boot_ms: 1, lat: 473977420, lon: 85455940, alt: 490_500 };
    expect(valuesOf(hear('GLOBAL_POSITION_INT', at))).toEqual({
      'vehicle.global': [47.397742, 8.545594, 490.5],
    });
    const home = { latitude: 473977420, longitude: 85455940, altitude: 488_000, x: 1, y: 2, z: -3 };
    expect(valuesOf(hear('HOME_POSITION', home))).toEqual({
      'vehicle.home': [2, 1, 3],
      'vehicle.home_global': [47.397742, 8.545594, 488],
    });
  });

  it('calls the position of a vehicle at rest an estimate, and an assumed one not', () => {
    const ok = (flags: number) =>
      valuesOf(hear('ESTIMATOR_STATUS', { flags }))['vehicle.estimator_ok'];
    expect(ok(831)).toBe(true);
    expect(ok(7)).toBe(false);
    // PX4 on the ground with satellites, disarmed: at rest counts as "constant position" there.
    expect(ok(0x3ff)).toBe(true);
    expect(ok(0x0bf)).toBe(false);
  });

  it('reads where a mission is, and that there is none', () => {
    expect(valuesOf(hear('MISSION_CURRENT', { seq: 3, total: 8 }))).toEqual({
      'vehicle.mission_current': 3,
      'vehicle.mission_total': 8,
    });
    expect(valuesOf(hear('MISSION_CURRENT', { seq: 0, total: 65_535 }))).toMatchObject({
      'vehicle.mission_total': 0,
    });
    expect(valuesOf(hear('MISSION_ITEM_REACHED', { seq: 2 }))).toEqual({
      'vehicle.mission_reached': 2,
    });
  });

  it('hears the turns of a mission transfer that are meant for us, not those for another peer', () => {
    const turn = (system: number, component: number) =>
      hear('MISSION_REQUEST_INT', { seq: 0, target_system: system, target_component: component });
    expect(turn(1, 191).heard).toHaveLength(1);
    expect(turn(0, 0).heard).toHaveLength(1);
    expect(turn(255, 190).heard).toEqual([]);
    expect(turn(1, 190).heard).toEqual([]);
  });

  it('hears only the autopilot that it flies', () => {
    expect(hear('LOCAL_POSITION_NED', position, { system: 2, component: 1 }).values).toEqual([]);
    expect(hear('LOCAL_POSITION_NED', position, { system: 1, component: 191 }).values).toEqual([]);
  });

  it('a position that is not a number never becomes evidence', () => {
    const store = new EvidenceStore();
    const { values } = hear('LOCAL_POSITION_NED', { ...position, x: NaN });
    expect(values.map((value) => store.put(value))).toEqual([false, true]);
    expect(store.snapshot(2).values.has('vehicle.position')).toBe(false);
    expect(store.counters.refused).toBe(1);
  });
});

describe('acknowledgements', () => {
  const ack = { command: 400, result: 1 };

  it('are ours when they name us or nobody, and not when they name somebody else', () => {
    const to = (target_system: number, target_component: number) =>
      hear('COMMAND_ACK', { ...ack, target_system, target_component }).acks.length;
    expect([to(1, 191), to(0, 0), to(255, 190), to(1, 192)]).toEqual([1, 1, 0, 0]);
  });

  it('of another vehicle are not heard', () => {
    const fields = { ...ack, target_system: 0, target_component: 0 };
    expect(hear('COMMAND_ACK', fields, { system: 2, component: 1 }).acks).toEqual([]);
  });
});

describe('the autopilot’s reasons', () => {
  const chunk = (text: string, id: number, chunk_seq: number): [string, Fields] => [
    'STATUSTEXT',
    { severity: 2, text, id, chunk_seq },
  ];

  it('come together again from chunks, without the tab at the end', () => {
    const whole = 'Arming denied: Resolve system health failures first\t';
    const batch = talk([chunk(whole.slice(0, 50), 7, 0), chunk(whole.slice(50), 7, 1)]);
    expect(batch.reasons).toEqual(['Arming denied: Resolve system health failures first']);
  });

  it('show the gap when a chunk was lost', () => {
    const text = 'x'.repeat(50);
    expect(talk([chunk(text, 3, 0), chunk('end', 3, 2)]).reasons).toEqual([`${text} … end`]);
  });

  it('leave out what is only said in passing', () => {
    const batch = hear('STATUSTEXT', {
      severity: 6,
      text: 'Takeoff detected\t',
      id: 0,
      chunk_seq: 0,
    });
    expect(batch.reasons).toEqual([]);
  });

  const event = (name: string, bytes: readonly number[] = [], level = 3): [string, Fields] => {
    const args = [...bytes, ...new Array<number>(40 - bytes.length).fill(0)];
    return ['EVENT', { id: eventId(name), log_levels: level, arguments: args }];
  };
  const heartbeat: [string, Fields] = [
    'HEARTBEAT',
    { base_mode: 1, custom_mode: customFromMode('OFFBOARD'), system_status: 3 },
  ];
  /** Bit 14 is OFFBOARD, bit 3 is a mission. */
  const [offboard, mission] = [
    [0, 0x40],
    [8, 0],
  ];

  it('of a refused arming name the failing checks of the current mode only', () => {
    const batch = talk([
      heartbeat,
      event('commander_arming_check_summary', [], 8),
      event('check_modes_offboard_signal', offboard),
      event('check_modes_mission', mission),
      event('check_modes_manual_control', [0xff, 0xff, 0xff, 0xff], 4),
      event('commander_health_summary', [], 8),
      event('commander_arm_denied_resolve_failures', [], 2),
    ]);
    expect(batch.reasons).toEqual([
      'arming refused: health checks fail; no offboard setpoints arrive',
    ]);
  });

  it('of a refused arming are those of the mode in force, also when it came after the checks', () => {
    const batch = talk([
      event('commander_arming_check_summary', [], 8),
      event('check_modes_offboard_signal', offboard),
      event('check_modes_mission', mission),
      event('commander_health_summary', [], 8),
      heartbeat,
      event('commander_arm_denied_resolve_failures', [], 2),
    ]);
    expect(batch.reasons).toEqual([
      'arming refused: health checks fail; no offboard setpoints arrive',
    ]);
  });

  it('tell whether it could be armed after leaving OFFBOARD, where it came down', () => {
    const failing: [string, Fields] = [
      'SYS_STATUS',
      { onboard_control_sensors_health: 0, voltage_battery: 0xffff, battery_remaining: -1 },
    ];
    // As PX4 sent it: the modes to arm in are the last four bytes here.
    const summary = (canArm: readonly number[]) =>
      event('commander_arming_check_summary', [0, 0, 0, 0x10, 0, 0x80, 0, 0, 0, ...canArm], 8);
    const ok = (...before: readonly (readonly [string, Fields])[]) =>
      valuesOf(talk([...before, failing]))['vehicle.prearm_ok'];
    const healthy = summary([0xb0, 0x3a, 0x7f, 0x80]);
    expect(ok(heartbeat)).toBe(false);
    expect(ok(heartbeat, healthy)).toBe(true);
    expect(ok(heartbeat, summary([0x80, 0x3a, 0x01, 0x80]))).toBe(false);
    const holding: [string, Fields] = [
      'HEARTBEAT',
      { base_mode: 1, custom_mode: customFromMode('AUTO.LOITER'), system_status: 3 },
    ];
    expect(ok(holding, healthy)).toBe(false);
  });

  it('of a failsafe come at once, as evidence and as a sign', () => {
    const batch = talk([event('commander_failsafe_enter_generic', [0, 0, 6, 0, 6], 2)]);
    expect(batch.reasons).toEqual(['failsafe: return']);
    expect(valuesOf(batch)).toEqual({ 'vehicle.failsafe': true });
    expect(batch.signs).toMatchObject([{ type: 'failsafe', reason: 'failsafe: return' }]);
  });

  it('show the number of an error that is not in the table, and nothing of a debug event', () => {
    expect(talk([event('some_new_error', [], 3)]).reasons[0]).toContain('autopilot event');
    expect(talk([event('some_new_chatter', [], 6)]).reasons).toEqual([]);
  });
});

describe('the vehicle’s clock', () => {
  /** An answer to a request sent at `sentUs`, by a vehicle that booted at 1 s of our time. */
  const answers = (offsets: readonly number[], rate = 1) => {
    const telemetry = new Telemetry(OWN);
    const say = (name: string, fields: Fields, receivedUs: number) =>
      telemetry.ingest({ message: { name, fields }, systemId: 1, componentId: 1, receivedUs });
    offsets.forEach((delayUs, i) => {
      const sentUs = 10_000_000 + i * 1_000_000;
      const bootUs = (sentUs - 1_000_000) * rate + delayUs / 2;
      const ts1 = BigInt(sentUs) * 1000n + 417n;
      const tc1 = BigInt(Math.round(bootUs)) * 1000n;
      say('TIMESYNC', { tc1, ts1, target_system: 1, target_component: 191 }, sentUs + delayUs);
    });
    telemetry.drain();
    return (bootMs: number, receivedUs: number) => {
      say('LOCAL_POSITION_NED', { ...position, time_boot_ms: bootMs }, receivedUs);
      return telemetry.drain().values[0]?.stampUs;
    };
  };

  it('gives no stamp before three answers agree', () => {
    expect(answers([2000, 2000])(11_000, 12_100_000)).toBeUndefined();
    expect(answers([2000, 2000, 2000])(11_000, 12_100_000)).toBe(12_000_000);
  });

  it('rests on the shortest round trip', () => {
    expect(answers([2000, 80_000, 40_000, 90_000])(13_000, 14_200_000)).toBe(14_000_000);
  });

  it('gives none while the vehicle’s clock runs at another speed', () => {
    expect(answers([2000, 2000, 2000, 2000], 2)(20_000, 14_000_000)).toBeUndefined();
  });

  it('takes a stamp within the error of measure as arrival, and leaves a future one', () => {
    const stamp = answers([2000, 2000, 2000]);
    expect(stamp(11_001, 12_000_000)).toBe(12_000_000);
    expect(stamp(12_000, 12_000_000)).toBe(13_000_000);
  });

  it('ignores answers to another station, and forgets all with a reboot', () => {
    const telemetry = new Telemetry(OWN);
    const say = (name: string, fields: Fields, receivedUs: number) =>
      telemetry.ingest({ message: { name, fields }, systemId: 1, componentId: 1, receivedUs });
    for (let i = 1; i <= 5; i += 1) {
      say('TIMESYNC', { tc1: BigInt(i) * 10n ** 9n, ts1: BigInt(i) * 10n ** 9n }, i * 1_000_000);
    }
    say('LOCAL_POSITION_NED', position, 5_000_000);
    expect(telemetry.drain().values[0]?.stampUs).toBeUndefined();
    const stamp = answers([2000, 2000, 2000]);
    expect(stamp(11_000, 12_100_000)).toBe(12_000_000);
    expect(stamp(500, 13_000_000)).toBeUndefined();
  });
});

describe('housekeeping', () => {
  const asked = (messages: readonly WireMessage[]) =>
    messages
      .filter((m) => m.name === 'COMMAND_LONG')
      .map((m) => [m.fields.command, m.fields.param1]);

  it('asks for one thing at a time, and for the next when it is answered', () => {
    const house = new Housekeeping({ targetSystem: 1 });
    const all: unknown[] = [];
    let acks: CommandAck[] = [];
    for (let nowUs = 1_000_000; !house.settled && nowUs < 3_000_000; nowUs += 20_000) {
      const sent = asked(house.step(nowUs, acks));
      expect(sent.length).toBeLessThanOrEqual(1);
      all.push(...sent);
      acks = sent.map(([command]) => ({
        command: Number(command),
        result: 0,
        componentId: 1,
        receivedUs: nowUs + 5000,
      }));
    }
    expect(house.settled).toBe(true);
    expect(all).toContainEqual([512, 148]);
    expect(all).toContainEqual([511, 245]);
    expect(all).toContainEqual([401, 0]);
    expect(new Set(all.map(String)).size).toBe(all.length);
  });

  it('gives a request up after three sends, and never stops asking for the time', () => {
    const house = new Housekeeping({ targetSystem: 1 });
    const sent: WireMessage[] = [];
    for (let nowUs = 0; nowUs < 60_000_000; nowUs += 20_000) {
      sent.push(...house.step(nowUs, []));
    }
    expect(house.settled).toBe(true);
    const version = asked(sent).filter(([command, id]) => command === 512 && id === 148);
    expect(version).toHaveLength(3);
    expect(sent.filter((m) => m.name === 'TIMESYNC')).toHaveLength(60);
  });

  it('asks again after a restart', () => {
    const house = new Housekeeping({ targetSystem: 1 });
    for (let nowUs = 0; nowUs < 60_000_000; nowUs += 20_000) house.step(nowUs, []);
    house.restart();
    expect(house.settled).toBe(false);
  });
});
