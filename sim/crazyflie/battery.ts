/**
 * The battery. Enters: time, whether motors turn. Leaves: volts, percent, state. Never: a landing:
 * the firmware does nothing about a low battery but light and sound.
 */

const FULL_V = 4.1;
const EMPTY_V = 3.0;
const LOW_V = 3.2;
/** So long below the low voltage before the state says so. */
const LOW_AFTER_S = 5;
/** Seven minutes of flight, as Bitcraze promises. */
const FLIGHT_S = 420;

export class Battery {
  #volts = FULL_V;
  #lowS = 0;

  set(volts: number): void {
    this.#volts = volts;
  }

  step(dtS: number, flying: boolean): void {
    if (flying) this.#volts -= ((FULL_V - EMPTY_V) / FLIGHT_S) * dtS;
    this.#lowS = this.#volts < LOW_V ? this.#lowS + dtS : 0;
  }

  /** An item of the log group `pm`. */
  value(item: string): number {
    if (item === 'vbat') return this.#volts;
    if (item === 'state') return this.#lowS >= LOW_AFTER_S ? 3 : 0;
    const percent = (100 * (this.#volts - EMPTY_V)) / (FULL_V - EMPTY_V);
    return Math.max(0, Math.min(100, percent));
  }
}
