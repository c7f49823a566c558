/**
 * A Crazyflie with its stock firmware, as far as a client can tell. Enters: CRTP packets, the time.
 * Leaves: CRTP packets, the truth. Never: a forgiving ear: a packet of which the firmware dies
 * kills this one too, and it stays silent until it is made anew.
 */
import { Buffer } from 'node:buffer';
import { decodeCrtp, PORT, type CrtpPacket } from '../../src/link/index.js';
import { Battery } from './battery.js';
import { Body } from './body.js';
import { Commander, wantsThrust } from './commander.js';
import { RESULT } from './high-level.js';
import { LogService } from './log-service.js';
import { ParamService } from './param-service.js';
import { Positioning } from './positioning.js';
import { STEP_US as SUPERVISOR_STEP_US, Supervisor } from './supervisor.js';
import { answerSupervisor, answerPlatform } from './supervisor-service.js';
import type { CrazyflieOptions, Xyz } from './types.js';

/** Half of the shortest log period. */
export const STEP_US = 5_000;
/** Without a packet for so long the firmware counts its client as gone. */
const CLIENT_GONE_US = 1_000_000;
const RAD = Math.PI / 180;

export interface CrazyflieTruth {
  readonly positionM: Xyz;
  readonly velocityMS: Xyz;
  readonly yawRad: number;
  readonly onGround: boolean;
  readonly bits: number;
  /** The assertion of which the firmware died. */
  readonly died: string | undefined;
}

export class Crazyflie {
  readonly #options: CrazyflieOptions;
  readonly #body = new Body();
  readonly #battery = new Battery();
  readonly #positioning: Positioning;
  readonly #commander: Commander;
  readonly #supervisor: Supervisor;
  readonly #log = new LogService((name) => this.#value(name));
  readonly #params = new ParamService((name, value) => this.#paramChanged(name, value));
  readonly #outgoing: Uint8Array[] = [];
  #nowUs = 0;
  #supervisorDueUs = 0;
  #heardUs = 0;
  #died: string | undefined;

  constructor(options: CrazyflieOptions) {
    this.#options = options;
    this.#commander = new Commander(options.protocol);
    this.#supervisor = new Supervisor(options.model, options.protocol);
    this.#positioning = new Positioning(options.positioning);
  }

  /** Takes one packet at the vehicle's present time. */
  receive(bytes: Uint8Array): void {
    const packet = decodeCrtp(bytes);
    if (packet === undefined || this.#died !== undefined) return;
    this.#heardUs = this.#nowUs;
    this.#handle(packet);
  }

  /** Lets time go on to `nowUs`. */
  step(nowUs: number): void {
    while (this.#nowUs + STEP_US <= nowUs) {
      this.#nowUs += STEP_US;
      if (this.#died === undefined) this.#stepOnce();
    }
  }

  /** The packets that wait for the client, oldest first; they are handed out once. */
  drain(most = Infinity): Uint8Array[] {
    return this.#outgoing.splice(0, most);
  }

  truth(): CrazyflieTruth {
    return {
      positionM: this.#body.positionM,
      velocityMS: this.#body.velocityMS,
      yawRad: this.#body.yawRad,
      onGround: this.#body.onGround,
      bits: this.#bits(),
      died: this.#died,
    };
  }

  setVoltage(volts: number): void {
    this.#battery.set(volts);
  }

  failMotor(): void {
    this.#body.failMotor();
  }

  #stepOnce(): void {
    const nowUs = this.#nowUs;
    const { setpoint, ageUs } = this.#commander.now(nowUs);
    if (nowUs >= this.#supervisorDueUs) {
      this.#supervisorDueUs = nowUs + SUPERVISOR_STEP_US;
      const uprightness = Math.cos(this.#body.rollRad) * Math.cos(this.#body.pitchRad);
      const thrustWanted = wantsThrust(setpoint);
      this.#supervisor.step(nowUs, { setpointAgeUs: ageUs, thrustWanted, uprightness });
      if (!this.#supervisor.armed) this.#commander.highLevel.stop();
    }
    const turning = this.#supervisor.armed && wantsThrust(setpoint);
    this.#body.step(STEP_US / 1e6, turning ? setpoint : undefined, this.#supervisor.levelOut);
    this.#battery.step(STEP_US / 1e6, turning);
    this.#positioning.step(STEP_US / 1e6, nowUs);
    // Over the radio the firmware drops what a client that is gone had asked for.
    if (nowUs - this.#heardUs > CLIENT_GONE_US) {
      this.#log.forget();
      this.#outgoing.length = 0;
    }
    for (const data of this.#log.due(nowUs)) this.#reply(PORT.log, 2, data);
  }

  #handle({ port, channel, data }: CrtpPacket): void {
    switch (port) {
      case PORT.link:
        return this.#link(channel, data);
      case PORT.platform:
        return this.#reply(port, channel, this.#platform(channel, data));
      case PORT.log:
        return this.#reply(port, channel, this.#log.receive(channel, data, this.#nowUs));
      case PORT.param:
        return this.#reply(port, channel, this.#params.receive(channel, data));
      case PORT.memory:
        return this.#memory(channel, data);
      case PORT.setpoint:
        this.#died = this.#commander.generic(channel, data, this.#nowUs);
        return;
      case PORT.commanderRpyt:
        if (channel === 0) this.#commander.rpyt(data, this.#nowUs);
        return;
      case PORT.highLevel:
        if (channel === 0) this.#highLevel(data);
        return;
      case PORT.supervisor:
        return this.#reply(port, channel, this.#supervise(channel, data));
      case PORT.localization:
        return this.#localize(channel, data);
      default:
    }
  }

  #link(channel: number, data: Uint8Array): void {
    if (channel === 0) this.#reply(PORT.link, 0, data);
    if (channel !== 1) return;
    const source = Buffer.alloc(30);
    source.write('Bitcraze Crazyflie', 'latin1');
    this.#reply(PORT.link, 1, source);
  }

  #platform(channel: number, data: Uint8Array): Uint8Array | undefined {
    return answerPlatform(channel, data, this.#options.protocol, this.#supervisor, this.#nowUs);
  }

  #supervise(channel: number, data: Uint8Array): Uint8Array | undefined {
    if (this.#options.protocol < 12) return undefined;
    return answerSupervisor(channel, data, this.#supervisor, this.#bits(), this.#nowUs);
  }

  /** No memories here; the firmware asserts on the id of one that it does not have. */
  #memory(channel: number, data: Uint8Array): void {
    if (channel === 0 && data[0] === 1) return this.#reply(PORT.memory, 0, Uint8Array.of(1, 0));
    if (data.length > 0) this.#died = 'memory id beyond the number of memories';
  }

  #highLevel(data: Uint8Array): void {
    const { x, y, z } = this.#body.positionM;
    const at = { x, y, z, yawRad: this.#body.yawRad };
    const nowUs = this.#nowUs;
    const mask = data[1] ?? 0;
    let result: number = RESULT.ok;
    if (!this.#supervisor.armed && data[0] !== 3) result = RESULT.blocked;
    else if (mask === 0 || (mask & this.#params.get('hlCommander.groupmask')) !== 0) {
      result = this.#commander.command({ data, nowUs, at, protocol: this.#options.protocol });
    }
    const reply = Uint8Array.of(data[0] ?? 0, data[1] ?? 0, data[2] ?? 0, result);
    this.#reply(PORT.highLevel, 0, reply);
  }

  #localize(channel: number, data: Uint8Array): void {
    // The old place of emergency stop and watchdog; obeyed to this day.
    if (channel === 1 && data[0] === 3) this.#supervisor.lock(this.#nowUs);
    if (channel === 1 && data[0] === 4) this.#supervisor.kick(this.#nowUs);
    const isPose = channel === 1 && data[0] === 8 && data.length === 29;
    if (isPose || (channel === 0 && data.length === 12)) this.#positioning.hearPose(this.#nowUs);
  }

  #paramChanged(name: string, value: number): void {
    if (name === 'stabilizer.stop' && value !== 0) this.#supervisor.lock(this.#nowUs);
    if (name === 'kalman.resetEstimation' && value === 1) this.#positioning.reset();
  }

  #bits(): number {
    const { highLevel } = this.#commander;
    const finished = highLevel.finished(this.#nowUs);
    return this.#supervisor.bits(this.#nowUs, { active: highLevel.active, finished });
  }

  #reply(port: number, channel: number, data: Uint8Array | undefined): void {
    if (data === undefined) return;
    this.#outgoing.push(Uint8Array.of((port << 4) | channel, ...data));
  }

  #value(name: string): number {
    const [group, item = ''] = name.split('.');
    switch (group) {
      case 'stateEstimate':
        return this.#estimate(item);
      case 'stateEstimateZ':
        return Math.max(-32_768, Math.min(32_767, 1000 * this.#estimate(item)));
      case 'kalman':
        return this.#positioning.varianceM2;
      case 'pm':
        return this.#battery.value(item);
      case 'supervisor':
        return this.#bits();
      case 'range':
        return Math.min(32_766, 1000 * this.#body.positionM.z);
      case 'radio':
        return 40;
      default:
        return 0;
    }
  }

  #estimate(item: string): number {
    const { positionM, velocityMS, rollRad, pitchRad, yawRad } = this.#body;
    const drift = this.#positioning.driftM;
    switch (item) {
      case 'x':
        return positionM.x + drift;
      case 'y':
        return positionM.y;
      case 'z':
        return positionM.z;
      case 'vx':
        return velocityMS.x;
      case 'vy':
        return velocityMS.y;
      case 'vz':
        return velocityMS.z;
      case 'roll':
        return rollRad / RAD;
      case 'pitch':
        // The firmware tells the pitch inverted: nose down is positive.
        return -pitchRad / RAD;
      case 'yaw':
        return yawRad / RAD;
      case 'qz':
        return Math.sin(yawRad / 2);
      case 'qw':
        return Math.cos(yawRad / 2);
      default:
        return 0;
    }
  }
}
