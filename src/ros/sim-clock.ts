/**
 * The clock topic of a simulation, watched. Enters: its messages, our own clock. Leaves: why
 * stamps cannot be judged by it just now. Never: a guess of the time while it is silent.
 *
 * With use_sim_time a stamp is held against this clock when it arrives; from then on its age, as
 * every age, counts on our own. So this clock must be there, go forward, and not outrun ours.
 */
import type { Clock } from '../platform/index.js';
import { QOS } from './qos.js';
import type { RosNode } from './rcl-port.js';
import { CLOCK_TOPIC } from './topics.js';

/** A simulator publishes at 10 Hz to 1 kHz; one that is paused falls silent. */
const SILENT_US = 1_000_000;

/** Over so long the rate is taken: messages of 10 Hz come 0.1 s early or late. */
const RATE_WINDOW_US = 2_000_000;

/** Faster, and what is half a second old there would be taken for less here. */
const RATE_MAX = 1.2;

const LOOK_MS = 100;

export class SimClock {
  readonly #node: RosNode;
  readonly #clock: Clock;
  readonly #ends: () => void;
  readonly #timer: NodeJS.Timeout;
  #heardUs: number | undefined;
  #lastUs = 0;
  #window = { ourUs: 0, simUs: 0 };
  #rate = 1;
  #publishers = 1;
  #told: string | undefined;
  #listen: (reason: string) => void = () => undefined;

  constructor(node: RosNode, clock: Clock) {
    this.#node = node;
    this.#clock = clock;
    const { name, type } = CLOCK_TOPIC;
    this.#ends = node.subscribe(type, name, QOS.sensor, (message) => this.#take(message));
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Called once when something begins that takes the support of all that was stamped before. */
  onLost(listen: (reason: string) => void): void {
    this.#listen = listen;
  }

  /** Why no stamp can be judged now; undefined while all is well. */
  trouble(): string | undefined {
    const { name } = CLOCK_TOPIC;
    if (this.#heardUs === undefined) return `use_sim_time is set, and ${name} has not been heard`;
    if (this.#publishers > 1) return `${this.#publishers} publishers on ${name}`;
    if (this.#clock.nowUs() - this.#heardUs > SILENT_US) return `${name} has fallen silent`;
    if (this.#rate <= RATE_MAX) return undefined;
    return `${name} runs ${this.#rate.toFixed(1)} times as fast as the bridge's own clock`;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#ends();
  }

  #look(): void {
    this.#publishers = this.#node.publishersOf(CLOCK_TOPIC.name).length;
    const trouble = this.trouble();
    if (trouble !== undefined && trouble !== this.#told) this.#listen(trouble);
    this.#told = trouble;
  }

  #take(message: unknown): void {
    const simUs = microseconds(message);
    const nowUs = this.#clock.nowUs();
    const backUs = this.#lastUs - simUs;
    const first = this.#heardUs === undefined;
    this.#heardUs = nowUs;
    this.#lastUs = simUs;
    if (first || backUs > 0) {
      this.#window = { ourUs: nowUs, simUs };
      this.#rate = 1;
    }
    if (!first && backUs > 0) {
      this.#listen(`${CLOCK_TOPIC.name} jumped back ${(backUs / 1e6).toFixed(1)} s`);
    }
    const passedUs = nowUs - this.#window.ourUs;
    if (passedUs < RATE_WINDOW_US) return;
    this.#rate = (simUs - this.#window.simUs) / passedUs;
    this.#window = { ourUs: nowUs, simUs };
  }
}

/** rosgraph_msgs/msg/Clock has nothing but a time. */
function microseconds(message: unknown): number {
  const { clock } = message as { clock: { sec: number; nanosec: number } };
  return clock.sec * 1e6 + Math.floor(clock.nanosec / 1000);
}
