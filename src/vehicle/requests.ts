/**
 * What the bridge asks of the autopilot beside actuation: how often which message comes, who it
 * is, and what time it has. Enters: the clock and acknowledgements. Leaves: service messages.
 * Never: a command that changes what the vehicle does, or a request that is sent without end.
 */
import type { WireMessage } from '../contract/index.js';
import { AUTOPILOT, CMD, commandLong } from './messages.js';
import type { CommandAck } from './telemetry.js';
import { timesyncRequest } from './vehicle-clock.js';

/**
 * Rates, so that three lost packets in a row still leave evidence within the ages that effects
 * and catalogs ask for. HEARTBEAT stays at 1 Hz: PX4 refuses to change it. Messages that come
 * faster by default and cost nothing to have (ATTITUDE, ODOMETRY) are asked for all the same:
 * on a narrow link's profile they do not come at all.
 */
const RATES: readonly (readonly [name: string, id: number, rateHz: number])[] = [
  // Where, how fast: the carrot and every arrival are judged by it.
  ['LOCAL_POSITION_NED', 32, 30],
  ['ATTITUDE', 30, 50],
  // Touch-down and take-off: 5 Hz by default.
  ['EXTENDED_SYS_STATE', 245, 10],
  // Between heartbeats; PX4 gives 2 Hz whatever is asked.
  ['CURRENT_MODE', 436, 2],
  // Pre-arm result and battery: only 1 Hz on some links.
  ['SYS_STATUS', 1, 5],
  ['BATTERY_STATUS', 147, 2],
  // Counter of estimator resets.
  ['ODOMETRY', 331, 10],
  ['ESTIMATOR_STATUS', 230, 5],
  ['GLOBAL_POSITION_INT', 33, 10],
  ['GPS_RAW_INT', 24, 5],
  // 0.5 Hz by default: two lost packets would make home 6 s old.
  ['HOME_POSITION', 242, 1],
];

/** Who it is (uid), and home at once instead of within a second. */
const ONCE: readonly (readonly [name: string, id: number])[] = [
  ['AUTOPILOT_VERSION', 148],
  ['HOME_POSITION', 242],
];

/** PX4 answers within 18 ms; a radio within half a second, or not at all. */
const ANSWER_WITHIN_US = 500_000;
const TRIES_MAX = 3;

const TIMESYNC_EVERY_US = 1_000_000;

interface Request {
  readonly command: number;
  readonly message: WireMessage;
}

const answers = (ack: CommandAck, request: Request): boolean =>
  ack.command === request.command && ack.componentId === AUTOPILOT;

export interface HousekeepingOptions {
  readonly targetSystem: number;
}

export class Housekeeping {
  readonly #target: number;
  #waiting: Request[] = [];
  #sentUs: number | undefined;
  #tries = 0;
  #timesyncUs: number | undefined;

  constructor(options: HousekeepingOptions) {
    this.#target = options.targetSystem;
    this.restart();
  }

  /** After a reboot or a lost link: asks for everything again. */
  restart(): void {
    this.#waiting = [
      ...ONCE.map(([, id]) => this.#once(id)),
      this.#checks(),
      ...RATES.map((r) => this.#rate(r)),
    ];
    this.#sentUs = undefined;
    this.#tries = 0;
    this.#timesyncUs = undefined;
  }

  /** True once every request was answered or given up. */
  get settled(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Messages for this tick. One request is under way at a time: an acknowledgement names the
   * command only, not which of its requests it answers.
   */
  step(nowUs: number, acks: readonly CommandAck[]): readonly WireMessage[] {
    const messages: WireMessage[] = [];
    if (this.#timesyncUs === undefined || nowUs - this.#timesyncUs >= TIMESYNC_EVERY_US) {
      this.#timesyncUs = nowUs;
      messages.push(timesyncRequest(this.#target, nowUs));
    }
    const request = this.#current(nowUs, acks);
    if (request !== undefined && this.#sentUs === undefined) {
      this.#sentUs = nowUs;
      this.#tries += 1;
      messages.push(request.message);
    }
    return messages;
  }

  #current(nowUs: number, acks: readonly CommandAck[]): Request | undefined {
    const request = this.#waiting[0];
    const sentUs = this.#sentUs;
    if (request === undefined || sentUs === undefined) return request;
    const answered = acks.some((a) => answers(a, request) && a.receivedUs >= sentUs);
    const late = nowUs - sentUs >= ANSWER_WITHIN_US;
    if (!answered && !late) return request;
    this.#sentUs = undefined;
    if (answered || this.#tries >= TRIES_MAX) {
      this.#waiting.shift();
      this.#tries = 0;
    }
    return this.#waiting[0];
  }

  #rate([, id, rateHz]: (typeof RATES)[number]): Request {
    const params = [id, Math.round(1e6 / rateHz), 0, 0, 0, 0, 0] as const;
    const command = CMD.SET_MESSAGE_INTERVAL;
    return { command, message: commandLong(this.#target, command, params) };
  }

  /** The autopilot tells its pre-arm checks when they change; we may have come after that. */
  #checks(): Request {
    const command = CMD.RUN_PREARM_CHECKS;
    return { command, message: commandLong(this.#target, command, [0, 0, 0, 0, 0, 0, 0]) };
  }

  #once(id: number): Request {
    const command = CMD.REQUEST_MESSAGE;
    const params = [id, 0, 0, 0, 0, 0, 0] as const;
    return { command, message: commandLong(this.#target, command, params) };
  }
}
