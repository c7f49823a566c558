/**
 * Telemetry to evidence. Enters: messages of the link, as they arrive. Leaves: evidence values,
 * acknowledgements meant for us, the autopilot's reasons, and signs of continuity.
 * Never: a word of another system or component than the autopilot that we fly, or a judgement.
 */
import type { EvidenceDatum, EvidenceValue, VehicleField, VehicleSign } from '../contract/index.js';
import { BoundedQueue } from '../platform/index.js';
import { autopilotEvent, type AutopilotEvent } from './autopilot-events.js';
import { AUTOPILOT } from './messages.js';
import { ARMING_MODE, ARMS_SAFELY, modeBit, modeNumbers } from './modes.js';
import { READERS, type Reading } from './readings.js';
import { big, num, nums, text, type Received } from './received.js';
import { StatusTexts } from './status-text.js';
import { VehicleClock } from './vehicle-clock.js';

/** COMMAND_ACK of the autopilot, meant for us or for everybody. */
export interface CommandAck {
  /** MAV_CMD */
  readonly command: number;
  /** MAV_RESULT: 0 accepted, 1 temporarily rejected, 2 denied, 3 unsupported, 4 failed, … */
  readonly result: number;
  /** Who answers: the autopilot, or a device that was commanded itself. */
  readonly componentId: number;
  readonly receivedUs: number;
}

export interface TelemetryOptions {
  readonly vehicleSystem: number;
  /** Our own ids: an acknowledgement for somebody else is not ours. */
  readonly ownSystem: number;
  readonly ownComponent: number;
}

export interface TelemetryBatch {
  readonly values: readonly EvidenceValue[];
  readonly acks: readonly CommandAck[];
  readonly reasons: readonly string[];
  readonly signs: readonly VehicleSign[];
  /** Answers of services, as they came: parameters, missions, images. */
  readonly heard: readonly Received[];
}

/** Two seconds without a tick bring 800 messages with up to three values each. */
const QUEUE = 4096;

/** A battery that has been silent for longer takes no part in "the lowest of all" any more. */
const BATTERY_LIFE_US = 10_000_000;

/** A falling boot clock is a new life; less than this is the network's reordering. */
const BOOT_TIME_FALL_MS = 1000;

/** STATUSTEXT severities: up to warning. What is only said in passing is not a reason. */
const WARNING = 4;

const CHECKS_MAX = 32;

/** What camera, gimbal and winch say themselves; else only the autopilot's word counts. */
const DEVICE_MESSAGES: ReadonlySet<string> = new Set([
  'COMMAND_ACK',
  'CAMERA_IMAGE_CAPTURED',
  'GIMBAL_DEVICE_ATTITUDE_STATUS',
  'WINCH_STATUS',
]);

/** Turns of a mission transfer: they are told to one peer, and a router passes them to all. */
const MISSION_TURNS: ReadonlySet<string> = new Set([
  'MISSION_COUNT',
  'MISSION_REQUEST',
  'MISSION_REQUEST_INT',
  'MISSION_ITEM_INT',
  'MISSION_ACK',
]);

/** Answers that an effect waits for and that are no state to be kept. */
const ANSWERS: ReadonlySet<string> = new Set([
  'PARAM_VALUE',
  'PARAM_ERROR',
  'CAMERA_IMAGE_CAPTURED',
]);

type Fields = Received['message']['fields'];
type Check = Extract<AutopilotEvent, { type: 'check' }>;

export class Telemetry {
  readonly #options: TelemetryOptions;
  readonly #clock = new VehicleClock();
  readonly #texts = new StatusTexts();
  readonly #values = new BoundedQueue<EvidenceValue>(QUEUE);
  readonly #signs = new BoundedQueue<VehicleSign>(QUEUE);
  readonly #acks = new BoundedQueue<CommandAck>(256);
  readonly #heard = new BoundedQueue<Received>(256);
  readonly #reasons = new BoundedQueue<string>(64);
  readonly #batteries = new Map<string, { fraction: number; receivedUs: number }>();
  #bootMs = 0;
  #mode = '';
  #checks: readonly Check[] = [];
  /** Modes that can be armed in, as bits; undefined until the autopilot has told. */
  #canArm: number | undefined;
  #checksNext: Check[] | undefined;
  #ignored = 0;

  constructor(options: TelemetryOptions) {
    this.#options = options;
  }

  /** Messages of other systems or components, since the start. */
  get ignored(): number {
    return this.#ignored;
  }

  /** The failing pre-arm checks of the current mode, as the autopilot last told them. */
  get armingChecks(): readonly string[] {
    // Checks of other modes come along (no mission, no sticks): they hold nothing back here.
    const bit = modeBit(this.#mode);
    const here = this.#checks.filter((c) => bit === undefined || ((c.modes >>> bit) & 1) === 1);
    return here.map((c) => c.text);
  }

  /** Everything since the last call. */
  drain(): TelemetryBatch {
    return {
      values: drained(this.#values),
      acks: drained(this.#acks),
      reasons: drained(this.#reasons),
      signs: drained(this.#signs),
      heard: drained(this.#heard),
    };
  }

  ingest(received: Received): void {
    const { message, systemId, componentId, receivedUs } = received;
    const { name, fields } = message;
    const speaks = componentId === AUTOPILOT || DEVICE_MESSAGES.has(name);
    if (systemId !== this.#options.vehicleSystem || !speaks) {
      this.#ignored += 1;
      return;
    }
    const turn = MISSION_TURNS.has(name) && this.#isOurs(fields);
    if (turn || ANSWERS.has(name)) this.#heard.force(received);
    switch (name) {
      case 'COMMAND_ACK':
        return this.#ack(fields, componentId, receivedUs);
      case 'TIMESYNC':
        return this.#clock.take(big(fields, 'tc1') ?? 0n, big(fields, 'ts1') ?? 0n, receivedUs);
      case 'STATUSTEXT':
        return this.#statusText(fields);
      case 'EVENT':
        return this.#event(fields, receivedUs);
      default: {
        const reading = READERS[name]?.(fields, receivedUs);
        if (reading !== undefined) this.#take(reading, `mavlink:${name}`, receivedUs);
      }
    }
  }

  #take(reading: Reading, source: string, receivedUs: number): void {
    const { bootMs, battery } = reading;
    if (bootMs !== undefined) this.#bootTime(bootMs, receivedUs);
    const stampUs = bootMs === undefined ? undefined : this.#clock.stampUs(bootMs, receivedUs);
    for (const [field, value] of reading.values) {
      const told = field === 'vehicle.prearm_ok' ? value === true || this.#armsElsewhere() : value;
      this.#put(field, told, source, receivedUs, stampUs);
    }
    for (const sign of reading.signs ?? []) {
      if (sign.type === 'heartbeat' || sign.type === 'mode') this.#mode = sign.mode;
      this.#signs.force(sign);
    }
    if (battery !== undefined) {
      this.#batteries.set(battery.name, { fraction: battery.fraction, receivedUs });
      this.#put('vehicle.battery', this.#lowestBattery(receivedUs), source, receivedUs);
    }
  }

  #put(
    field: VehicleField,
    value: EvidenceDatum,
    source: string,
    receivedUs: number,
    stampUs?: number,
  ): void {
    const base = { field, value, source, receivedUs };
    this.#values.force(stampUs === undefined ? base : { ...base, stampUs });
  }

  /**
   * SYS_STATUS tells the pre-arm result of the mode in force. A vehicle that came down out of
   * OFFBOARD stands in that mode, and cannot be armed in it; an arming leaves it first.
   */
  #armsElsewhere(): boolean {
    if (this.#canArm === undefined || ARMS_SAFELY.includes(this.#mode)) return false;
    return ((this.#canArm >>> modeNumbers(ARMING_MODE).bit) & 1) === 1;
  }

  /** With several batteries the emptiest one decides how far it is still possible to fly. */
  #lowestBattery(nowUs: number): number {
    let lowest = 1;
    for (const [name, { fraction, receivedUs }] of this.#batteries) {
      if (nowUs - receivedUs > BATTERY_LIFE_US) this.#batteries.delete(name);
      else lowest = Math.min(lowest, fraction);
    }
    return lowest;
  }

  #bootTime(bootMs: number, atUs: number): void {
    if (!Number.isFinite(bootMs)) return;
    if (bootMs < this.#bootMs - BOOT_TIME_FALL_MS) {
      this.#clock.reset();
      this.#batteries.clear();
      this.#checks = [];
      this.#canArm = undefined;
      this.#bootMs = bootMs;
    }
    this.#bootMs = Math.max(this.#bootMs, bootMs);
    this.#signs.force({ type: 'boot-time', atUs, bootMs });
  }

  #ack(fields: Fields, componentId: number, receivedUs: number): void {
    if (!this.#isOurs(fields)) return;
    this.#acks.force({
      command: num(fields, 'command'),
      result: num(fields, 'result'),
      componentId,
      receivedUs,
    });
  }

  /** PX4 leaves some targets at 0; absent extension fields are 0 too. */
  #isOurs(fields: Fields): boolean {
    const [system, component] = [num(fields, 'target_system'), num(fields, 'target_component')];
    const { ownSystem, ownComponent } = this.#options;
    return (
      (system === 0 || system === ownSystem) && (component === 0 || component === ownComponent)
    );
  }

  #statusText(fields: Fields): void {
    const sentence = this.#texts.take(
      text(fields, 'text'),
      num(fields, 'id'),
      num(fields, 'chunk_seq'),
    );
    if (sentence && num(fields, 'severity') <= WARNING) this.#reasons.force(sentence);
  }

  #event(fields: Fields, atUs: number): void {
    const level = num(fields, 'log_levels') & 15;
    const event = autopilotEvent(num(fields, 'id'), level, nums(fields, 'arguments'));
    switch (event?.type) {
      case undefined:
        return;
      case 'checks-begin':
        this.#checksNext = [];
        this.#canArm = event.canArm;
        return;
      case 'checks-end':
        this.#checks = this.#checksNext ?? this.#checks;
        this.#checksNext = undefined;
        return;
      case 'check': {
        const list = this.#checksNext;
        if (list && list.length < CHECKS_MAX) list.push(event);
        return;
      }
      case 'arming-refused':
        this.#reasons.force([event.text, ...this.armingChecks].join('; '));
        return;
      case 'failsafe':
        this.#reasons.force(event.text);
        this.#signs.force({ type: 'failsafe', atUs, reason: event.text });
        // The heartbeat will say so too, up to a second later.
        this.#put('vehicle.failsafe', true, 'mavlink:EVENT', atUs);
        return;
      case 'note':
        this.#reasons.force(event.text);
        return;
    }
  }
}

function drained<T>(queue: BoundedQueue<T>): readonly T[] {
  const items: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}
