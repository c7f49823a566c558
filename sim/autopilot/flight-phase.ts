/**
 * From spinning up to standing again: take-off ramp, land detection, automatic disarming.
 * In: armed, the wish to take off, contact with the ground. Out: phase, landed, when to disarm.
 * Never chooses a mode.
 */
import type { ParameterStore } from './parameters.js';

export type Phase = 'disarmed' | 'spool-up' | 'ready' | 'ramp' | 'flight';

/** The ramp begins below zero: for its first moments the rotors do not yet carry the weight. */
const RAMP_START_MS = -0.2;
/** Contact, then standing still, then landed: PX4's three detector stages together. */
const LAND_DETECT_S = 0.9;
/** Above this height a take-off has happened. */
const AIRBORNE_M = 0.08;
/** Measured from ARM to IN_AIR: 1.2 to 2.1 s; the spread is put on the spool-up. */
const SPOOL_SPREAD_S = 0.8;

export interface PhaseInput {
  readonly armed: boolean;
  readonly wantsClimb: boolean;
  readonly onGround: boolean;
  readonly heightM: number;
  /** Crashed: it lies on the ground, but PX4's land detector believes that it still flies. */
  readonly lying: boolean;
}

export class FlightPhase {
  phase: Phase = 'disarmed';
  landed = true;
  /** Has the vehicle left the ground since it was armed? */
  flown = false;
  private inPhaseS = 0;
  private contactS = 0;
  private groundS = 0;
  private spoolS = 0;

  constructor(
    private readonly parameters: ParameterStore,
    private readonly random: () => number,
  ) {}

  step(dtS: number, input: PhaseInput): void {
    this.inPhaseS += dtS;
    this.detectGround(dtS, input);
    if (!input.armed) {
      this.enter('disarmed');
      this.flown = false;
      return;
    }
    switch (this.phase) {
      case 'disarmed': {
        const spread = SPOOL_SPREAD_S * (this.random() - 0.5);
        this.spoolS = Math.max(0.2, this.parameters.get('COM_SPOOLUP_TIME') + spread);
        this.groundS = 0;
        // Arming in the air happens after a forced disarm only; the motors catch at once.
        this.enter(input.onGround ? 'spool-up' : 'flight');
        break;
      }
      case 'spool-up':
        if (this.inPhaseS >= this.spoolS) this.enter('ready');
        break;
      case 'ready':
        if (input.wantsClimb) this.enter('ramp');
        break;
      case 'ramp':
        if (this.inPhaseS >= this.parameters.get('MPC_TKO_RAMP_T')) this.enter('flight');
        if (!input.wantsClimb && input.onGround) this.enter('ready');
        break;
      case 'flight':
        if (this.landed) this.enter('ready');
        break;
    }
  }

  private detectGround(dtS: number, input: PhaseInput): void {
    if (input.lying) return;
    if (!input.onGround && input.heightM > AIRBORNE_M) {
      this.contactS = 0;
      this.groundS = 0;
      this.landed = false;
      this.flown = input.armed;
      return;
    }
    const resting = input.onGround && (!input.armed || !input.wantsClimb);
    this.contactS = resting ? this.contactS + dtS : 0;
    if (this.contactS >= LAND_DETECT_S) this.landed = true;
    if (this.landed) this.groundS += dtS;
  }

  private enter(phase: Phase): void {
    if (this.phase === phase) return;
    this.phase = phase;
    this.inPhaseS = 0;
  }

  /** The fastest climb that the take-off ramp allows now; infinite once it is over. */
  get climbLimitMS(): number {
    if (this.phase === 'flight') return Infinity;
    if (this.phase !== 'ramp') return 0;
    const full = this.parameters.get('MPC_TKO_SPEED');
    const progress = Math.min(1, this.inPhaseS / this.parameters.get('MPC_TKO_RAMP_T'));
    return RAMP_START_MS + progress * (full - RAMP_START_MS);
  }

  get motorsPush(): boolean {
    return this.phase === 'flight' || (this.phase === 'ramp' && this.climbLimitMS > 0);
  }

  /** Why the vehicle should disarm by itself now, if it should. */
  autoDisarm(): 'landing' | 'inaction' | undefined {
    if (this.phase === 'disarmed' || !this.landed) return undefined;
    const limit = this.parameters.get(this.flown ? 'COM_DISARM_LAND' : 'COM_DISARM_PRFLT');
    if (limit <= 0 || this.groundS < limit) return undefined;
    return this.flown ? 'landing' : 'inaction';
  }
}
