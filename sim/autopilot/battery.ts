/**
 * A four-cell battery that runs down with the work done, and can be made to fail.
 * In: seconds and whether the motors turn. Out: fraction left, volts, amperes. Never recharges.
 */

/** 5 Ah at a hover current of 15 A: twenty minutes of flight. */
const CAPACITY_AS = 5 * 3600;
const HOVER_A = 15;
const IDLE_A = 0.6;
const CELLS = 4;
const FULL_CELL_V = 4.05;
const EMPTY_CELL_V = 3.5;
/** Measured after switching a battery off: low at 1.8 s, critical at 2.6 s, emergency at 7.7 s. */
const COLLAPSE: readonly (readonly [seconds: number, fraction: number])[] = [
  [1.8, 0.149],
  [2.6, 0.069],
  [7.7, 0.049],
];

export class Battery {
  private left = 1;
  private collapsedForS: number | undefined;
  private beforeCollapse = 1;
  private currentA = IDLE_A;

  step(dtS: number, motorsOn: boolean): void {
    this.currentA = motorsOn ? HOVER_A : IDLE_A;
    this.left = Math.max(0, this.left - (this.currentA * dtS) / CAPACITY_AS);
    if (this.collapsedForS === undefined) return;
    this.collapsedForS += dtS;
    const age = this.collapsedForS;
    for (const [seconds, fraction] of COLLAPSE) {
      if (age >= seconds) this.left = Math.min(this.left, fraction);
    }
  }

  /** Sets what is left; larger than before is allowed, as a fresh battery would be. */
  drop(fraction: number): void {
    this.left = Math.min(Math.max(fraction, 0), 1);
  }

  /** MAV_CMD_INJECT_FAILURE battery off. */
  collapse(): void {
    this.beforeCollapse = this.left;
    this.collapsedForS = 0;
  }

  /** MAV_CMD_INJECT_FAILURE battery ok. */
  restore(): void {
    if (this.collapsedForS === undefined) return;
    this.collapsedForS = undefined;
    this.left = this.beforeCollapse;
  }

  get fraction(): number {
    return this.left;
  }

  get voltageV(): number {
    return CELLS * (EMPTY_CELL_V + (FULL_CELL_V - EMPTY_CELL_V) * this.left);
  }

  get amperes(): number {
    return this.currentA;
  }

  get usedMah(): number {
    return ((1 - this.left) * CAPACITY_AS) / 3.6;
  }
}
