/**
 * Commands and their acknowledgements, with the results that PX4 gives.
 * In: COMMAND_LONG, COMMAND_INT, SET_MODE. Out: effects on the vehicle, COMMAND_ACK.
 * A command for somebody else gets no answer at all.
 */
import { messageInfo } from '../../src/link/index.js';
import { modeFromNumbers, type NavState } from './modes.js';
import { Telemetry } from './telemetry.js';
import type { IncomingMessage } from './types.js';
import type { Vehicle } from './vehicle.js';

/** MAV_RESULT. */
export const RESULT = {
  accepted: 0,
  temporarilyRejected: 1,
  denied: 2,
  unsupported: 3,
  failed: 4,
} as const;

const COMMAND = {
  land: 21,
  loiterUnlimited: 17,
  returnToLaunch: 20,
  takeoff: 22,
  setMode: 176,
  changeSpeed: 178,
  setHome: 179,
  flightTermination: 185,
  reposition: 192,
  calibrate: 241,
  reboot: 246,
  missionStart: 300,
  armDisarm: 400,
  runPrearmChecks: 401,
  getHome: 410,
  injectFailure: 420,
  getMessageInterval: 510,
  setMessageInterval: 511,
  requestMessage: 512,
  requestProtocolVersion: 519,
  requestCapabilities: 520,
} as const;

/** The magic number by which MAVLink forces a disarm. */
const FORCE = 21196;
const CUSTOM_MODE_ENABLED = 1;

interface Command {
  readonly id: number;
  /** The seven parameters, from 1; latitude and longitude in degrees, altitude AMSL. */
  readonly p: readonly [number, number, number, number, number, number, number, number];
  readonly from: IncomingMessage;
}

/** A result to acknowledge, or undefined: PX4 stays silent. */
type Answer = number | undefined;

export class CommandHandler {
  /** Work for the next step: the commander answers one cycle after the MAVLink receiver. */
  private later: (() => void)[] = [];

  constructor(private readonly vehicle: Vehicle) {}

  handle(message: IncomingMessage): boolean {
    if (message.name === 'SET_MODE') {
      this.setModeMessage(message);
      return true;
    }
    if (message.name !== 'COMMAND_LONG' && message.name !== 'COMMAND_INT') return false;
    const { fields } = message;
    const component = fields['target_component'];
    const mine = fields['target_system'] === this.vehicle.systemId;
    if (!mine || (component !== 0 && component !== 1)) return true;
    const command = this.read(message);
    if (command.id === COMMAND.setMode) {
      // The receiver acknowledges at once and always; the commander's own answer follows.
      this.acknowledge(command, RESULT.accepted);
      this.later.push(() => {
        const [, base, main, sub] = command.p;
        this.acknowledge(command, this.setMode(base, main, sub));
      });
      return true;
    }
    const answer = this.execute(command);
    if (answer !== undefined) this.acknowledge(command, answer);
    return true;
  }

  runLater(): void {
    const work = this.later;
    this.later = [];
    for (const task of work) task();
  }

  private read(message: IncomingMessage): Command {
    const value = (name: string): number => {
      const field = message.fields[name];
      return typeof field === 'number' ? field : NaN;
    };
    const id = value('command');
    const first = [1, 2, 3, 4].map((i) => value(`param${i}`));
    const [a = NaN, b = NaN, c = NaN, d = NaN] = first;
    if (message.name === 'COMMAND_LONG') {
      const p = [NaN, a, b, c, d, value('param5'), value('param6'), value('param7')] as const;
      return { id, p, from: message };
    }
    const frame = value('frame');
    const relative = frame === 3 || frame === 6;
    const altitude = value('z') + (relative ? this.vehicle.homeAltitudeM : 0);
    // INT32_MAX stands for "not given" where a float would be NaN.
    const degrees = (name: string): number =>
      value(name) === 0x7fffffff ? NaN : value(name) / 1e7;
    return { id, p: [NaN, a, b, c, d, degrees('x'), degrees('y'), altitude], from: message };
  }

  private acknowledge(command: Command, result: number): void {
    const broadcast = command.id === COMMAND.injectFailure;
    this.vehicle.outbox.send('COMMAND_ACK', {
      command: command.id,
      result,
      progress: 0,
      result_param2: 0,
      target_system: broadcast ? 0 : command.from.systemId,
      target_component: broadcast ? 0 : command.from.componentId,
    });
  }

  private execute(command: Command): Answer {
    const { vehicle } = this;
    const { p } = command;
    switch (command.id) {
      case COMMAND.armDisarm:
        return this.armDisarm(p[1], p[2]);
      case COMMAND.takeoff:
        return this.takeoff(p[7]);
      case COMMAND.land:
        return this.change('AUTO.LAND');
      case COMMAND.returnToLaunch:
        return this.change('AUTO.RTL');
      case COMMAND.loiterUnlimited:
        return this.change('AUTO.LOITER');
      case COMMAND.reposition:
        return this.reposition(p);
      case COMMAND.changeSpeed:
        vehicle.navigator.setCruiseSpeed(p[2] > 0 ? p[2] : undefined);
        return RESULT.accepted;
      case COMMAND.setHome:
        return p[1] === 1 && vehicle.setHomeHere() ? RESULT.accepted : RESULT.denied;
      case COMMAND.flightTermination:
        if (p[1] < 0.5) return RESULT.denied;
        vehicle.commander.terminate();
        return RESULT.accepted;
      case COMMAND.missionStart:
        return this.missionStart(p[1]);
      // A restart by message never works in SITL; calibration moves nothing that exists here.
      case COMMAND.reboot:
        return RESULT.denied;
      case COMMAND.calibrate:
        return vehicle.commander.armed ? RESULT.temporarilyRejected : RESULT.failed;
      case COMMAND.runPrearmChecks:
        vehicle.commander.reportChecks(vehicle.conditions());
        return RESULT.accepted;
      case COMMAND.injectFailure:
        return this.injectFailure(p[1], p[2]);
      default:
        return this.messageCommand(command);
    }
  }

  private messageCommand(command: Command): Answer {
    const { vehicle } = this;
    const { p } = command;
    const name = messageInfo(p[1])?.name;
    switch (command.id) {
      case COMMAND.requestMessage:
        return vehicle.sendNow(name) ? RESULT.accepted : RESULT.denied;
      case COMMAND.getHome:
        return vehicle.sendNow('HOME_POSITION') ? RESULT.accepted : RESULT.denied;
      case COMMAND.requestCapabilities:
        return vehicle.sendNow('AUTOPILOT_VERSION') ? RESULT.accepted : RESULT.denied;
      case COMMAND.requestProtocolVersion:
        return vehicle.sendNow('PROTOCOL_VERSION') ? RESULT.accepted : RESULT.denied;
      case COMMAND.setMessageInterval:
        return vehicle.telemetry.setInterval(name, p[2], vehicle.bootUs)
          ? RESULT.accepted
          : RESULT.failed;
      case COMMAND.getMessageInterval: {
        const interval = vehicle.telemetry.interval(name);
        if (interval === undefined || !Telemetry.known(name)) return RESULT.failed;
        vehicle.outbox.send('MESSAGE_INTERVAL', {
          message_id: p[1],
          interval_us: Math.round(interval),
        });
        return RESULT.accepted;
      }
      default:
        return RESULT.unsupported;
    }
  }

  private change(mode: NavState): number {
    const { commander } = this.vehicle;
    return commander.requestMode(mode, this.vehicle.conditions())
      ? RESULT.accepted
      : RESULT.temporarilyRejected;
  }

  private setMode(base: number, main: number, sub: number): number {
    const mode = modeFromNumbers(main, sub);
    if ((base & CUSTOM_MODE_ENABLED) === 0 || mode === undefined) return RESULT.temporarilyRejected;
    return this.change(mode);
  }

  /** The old message has no acknowledgement of the receiver; the commander's comes all the same. */
  private setModeMessage(message: IncomingMessage): void {
    if (message.fields['target_system'] !== this.vehicle.systemId) return;
    const custom = Number(message.fields['custom_mode']);
    const base = Number(message.fields['base_mode']);
    const result = this.setMode(base, (custom >>> 16) & 0xff, custom >>> 24);
    const p = [NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN] as const;
    this.acknowledge({ id: COMMAND.setMode, p, from: message }, result);
  }

  private armDisarm(arm: number, force: number): Answer {
    const { vehicle } = this;
    const { commander } = vehicle;
    let done: boolean;
    if (arm === 1) done = vehicle.arm();
    else if (arm === 0) done = commander.disarm('external', force === FORCE, vehicle.phase.landed);
    else {
      vehicle.outbox.event(vehicle.timeMs, 'commander_unsupported_arm_disarm_param');
      return undefined;
    }
    return done ? RESULT.accepted : RESULT.temporarilyRejected;
  }

  /** As PX4: it changes the mode and arms; whoever asks for it may find a vehicle taking off. */
  private missionStart(first: number): number {
    const { mission } = this.vehicle;
    if (!mission.valid || !(first === -1 || mission.goTo(first))) return RESULT.denied;
    const changed = this.change('AUTO.MISSION');
    if (changed !== RESULT.accepted) return changed;
    return this.vehicle.arm() ? RESULT.accepted : RESULT.temporarilyRejected;
  }

  private takeoff(altitudeM: number): number {
    const down = Number.isFinite(altitudeM) ? this.vehicle.downOfAltitude(altitudeM) : undefined;
    this.vehicle.navigator.setTakeoffTarget(down);
    return this.change('AUTO.TAKEOFF');
  }

  private reposition(p: Command['p']): number {
    const CHANGE_MODE = 1;
    // Without the wish to change mode, or with flags unknown to it, PX4 does not take the command.
    if (p[2] !== CHANGE_MODE) return RESULT.unsupported;
    const result = this.change('AUTO.LOITER');
    if (result !== RESULT.accepted) return result;
    const yaw = Number.isFinite(p[4]) ? p[4] : undefined;
    this.vehicle.repositionTo({ latitudeDeg: p[5], longitudeDeg: p[6], altitudeM: p[7] }, yaw);
    this.vehicle.navigator.setCruiseSpeed(p[1] > 0 ? p[1] : undefined);
    return result;
  }

  private injectFailure(unit: number, type: number): Answer {
    const { vehicle } = this;
    const [BATTERY, MOTOR] = [100, 101];
    const [OK, OFF, STUCK, WRONG, SLOW] = [0, 1, 2, 4, 5];
    if (vehicle.parameters.get('SYS_FAILURE_EN') === 0) return RESULT.denied;
    if (unit === BATTERY && (type === OFF || type === OK)) {
      if (type === OFF) vehicle.battery.collapse();
      else vehicle.battery.restore();
      return RESULT.accepted;
    }
    if (unit !== MOTOR) return undefined;
    if (type === SLOW) return RESULT.unsupported;
    // With CA_FAILURE_MODE 0 PX4 accepts and nothing happens.
    if (vehicle.parameters.get('CA_FAILURE_MODE') !== 0 && type === OFF) vehicle.failMotor(true);
    if (type === OK) vehicle.failMotor(false);
    return [OK, OFF, STUCK, WRONG].includes(type) ? RESULT.accepted : undefined;
  }
}
