/**
 * How well the radio hears the vehicle. Enters: each exchange with its time. Leaves: loss, retries,
 * quality, latency, signal. Never: a figure for what was not measured: before the first packet
 * there is none.
 */
import type { RadioAck } from './ack.js';

/** About half a second of full traffic: recent enough to act on, long enough not to flicker. */
const WINDOW = 100;
/** Bitcraze's clients count a packet with 10 retries or more as quality 0. */
const RETRIES_WORST = 10;

export interface RadioStatistics {
  readonly sent: number;
  readonly lost: number;
  /** Of the last 100 packets, 0..1, not acknowledged at all. */
  readonly lossFraction: number | undefined;
  /** Mean over the last 100 of 1 - retries / 10, 0..1, as Bitcraze's clients show in percent. */
  readonly qualityFraction: number | undefined;
  /** 95th percentile of the time from OUT to IN over the last 100, ms. */
  readonly latencyMs: number | undefined;
  /** As the vehicle hears us; from its empty acknowledgements. */
  readonly uplinkRssiDbm: number | undefined;
}

interface Sample {
  readonly acked: boolean;
  readonly retries: number;
  readonly durationUs: number;
}

export class RadioMeter {
  readonly #window: Sample[] = [];
  #next = 0;
  #sent = 0;
  #lost = 0;
  #rssiDbm: number | undefined;

  /** One exchange, of `durationUs` from OUT to IN. */
  record(ack: RadioAck, durationUs: number): void {
    this.#sent += 1;
    if (!ack.acked) this.#lost += 1;
    this.#window[this.#next] = { acked: ack.acked, retries: ack.retries, durationUs };
    this.#next = (this.#next + 1) % WINDOW;
  }

  heardRssi(dbm: number): void {
    this.#rssiDbm = dbm;
  }

  get statistics(): RadioStatistics {
    const window = this.#window;
    const mean = (value: (sample: Sample) => number): number | undefined =>
      window.length === 0
        ? undefined
        : window.reduce((sum, sample) => sum + value(sample), 0) / window.length;
    return {
      sent: this.#sent,
      lost: this.#lost,
      lossFraction: mean(({ acked }) => (acked ? 0 : 1)),
      qualityFraction: mean(({ acked, retries }) =>
        acked ? 1 - Math.min(retries, RETRIES_WORST) / RETRIES_WORST : 0,
      ),
      latencyMs: percentile95(window.map(({ durationUs }) => durationUs / 1000)),
      uplinkRssiDbm: this.#rssiDbm,
    };
  }
}

function percentile95(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1];
}
