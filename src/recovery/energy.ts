/**
 * How much of a full battery the task has used. Enters: charges as the ledger and the vehicle tell
 * them. Leaves: a fraction, or nothing while no charge was known yet.
 * Never: less than was used. A battery that was changed gives nothing back.
 */
export class EnergyMeter {
  #usedFraction = 0;
  #lastFraction: number | undefined;

  /** For a snapshot of the ledger: what was used, and the last charge if one was known. */
  exported(): number[] {
    return [this.#usedFraction, ...(this.#lastFraction === undefined ? [] : [this.#lastFraction])];
  }

  restore([usedFraction = 0, lastFraction]: readonly number[]): void {
    this.#usedFraction = usedFraction;
    this.#lastFraction = lastFraction;
  }

  /** A charge that a record holds. */
  see(fraction: number): void {
    this.#usedFraction += Math.max(0, (this.#lastFraction ?? fraction) - fraction);
    this.#lastFraction = fraction;
  }

  /** @param nowFraction the charge as it is; undefined when nobody tells it. */
  used(nowFraction?: number): number | undefined {
    if (this.#lastFraction === undefined) return undefined;
    const now = nowFraction ?? this.#lastFraction;
    return this.#usedFraction + Math.max(0, this.#lastFraction - now);
  }
}
