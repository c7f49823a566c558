/**
 * What each navigation state wants of the position controller.
 * In: the state, the estimate, what was commanded. Out: a target and whether it means to climb.
 * Never changes a mode, except by saying that a take-off is done.
 */
import { add, clamp, horizontal, scale, subtract, ZERO, type Ned } from './ned.js';
import type { AxisTarget, Motion, Target } from './controller.js';
import type { MissionLeg } from './mission/mission.js';
import type { NavState } from './modes.js';
import type { ParameterStore } from './parameters.js';
import type { Setpoint } from './setpoints.js';

export interface NavigatorInput {
  readonly state: NavState;
  readonly motion: Motion;
  /** Home in local coordinates of now. */
  readonly homeNedM: Ned;
  readonly setpoint: Setpoint | undefined;
  readonly landed: boolean;
  readonly sticks: boolean;
  /** The leg of the stored mission; asked for while that is flown. */
  readonly missionLeg: () => MissionLeg | undefined;
}

export interface NavigatorOutput {
  readonly target: Target;
  readonly wantsClimb: boolean;
  readonly takeoffDone: boolean;
}

type ReturnPhase = 'climb' | 'return' | 'descend' | 'wait' | 'land';

/** Within this of a height or a place, a phase of the return is over. */
const REACHED_M = 0.5;
/** A setpoint at least this far above asks for a take-off; less is noise of the estimate. */
const CLIMB_M = 0.3;
/** Nearer than this the heading stays as it is. */
const HEADING_FROM_M = 1.5;
const FREE: AxisTarget = { acceleration: 0 };

export class Navigator {
  private state: NavState | undefined;
  private holdNedM: Ned = ZERO;
  private holdYawRad = 0;
  private cruiseMS: number | undefined;
  private takeoffD: number | undefined;
  private requestedTakeoffD: number | undefined;
  private returnPhase: ReturnPhase = 'climb';
  private returnD = 0;
  private waitedS = 0;
  private repositionNedM: Ned | undefined;
  private pendingYawRad: number | undefined;

  constructor(private readonly parameters: ParameterStore) {}

  /** The height (local, down) that the next take-off climbs to; undefined: MIS_TAKEOFF_ALT. */
  setTakeoffTarget(downM: number | undefined): void {
    this.requestedTakeoffD = downM;
    // Already in take-off, usually still on the ground: the new height holds at once.
    if (this.state === 'AUTO.TAKEOFF') this.takeoffD = downM ?? this.takeoffD;
  }

  /** A place to go to in AUTO.LOITER; taken up when that state is entered or held. */
  reposition(targetNedM: Ned, yawRad: number | undefined): void {
    if (this.state === 'AUTO.LOITER') {
      this.holdNedM = targetNedM;
      this.holdYawRad = yawRad ?? this.holdYawRad;
      return;
    }
    this.repositionNedM = targetNedM;
    this.pendingYawRad = yawRad;
  }

  /** Speed over ground of the planned modes; undefined: MPC_XY_CRUISE. */
  setCruiseSpeed(speedMS: number | undefined): void {
    this.cruiseMS = speedMS;
  }

  /** The local frame jumped: planned places move with it, a setpoint from outside does not. */
  shift(jumpNedM: Ned): void {
    this.holdNedM = add(this.holdNedM, jumpNedM);
    this.returnD += jumpNedM.d;
    if (this.takeoffD !== undefined) this.takeoffD += jumpNedM.d;
  }

  step(dtS: number, input: NavigatorInput): NavigatorOutput {
    if (input.state !== this.state) this.enter(input);
    switch (input.state) {
      case 'OFFBOARD':
        return this.offboard(input);
      case 'AUTO.TAKEOFF':
        return this.takeoff(input);
      case 'AUTO.RTL':
        return this.goHome(dtS, input);
      case 'AUTO.MISSION':
        return this.mission(input);
      case 'AUTO.LAND':
      case 'AUTO.PRECLAND':
        return this.plain(this.landing(input));
      case 'DESCEND':
        return this.plain(this.blind(true));
      case 'ALTCTL':
      case 'STABILIZED':
      case 'MANUAL':
      case 'ACRO':
        return this.plain(this.blind(!input.sticks));
      case 'TERMINATION':
      case 'AUTO.LOITER':
      case 'AUTO.FOLLOW_TARGET':
      case 'POSCTL':
        return this.plain(this.hold());
    }
  }

  private enter(input: NavigatorInput): void {
    const { motion } = input;
    const from = this.state;
    this.state = input.state;
    // Where a smooth stop from here ends: the place from which position control asks this speed.
    const stop = scale(motion.velocityNedMS, 1 / this.parameters.get('MPC_XY_P'));
    this.holdNedM = add(motion.positionNedM, { ...stop, d: stop.d * 0.5 });
    this.holdYawRad = motion.yawRad;
    if (input.state === 'AUTO.LOITER') {
      // Coming from a take-off, the vehicle holds the height that it was asked to reach.
      if (from === 'AUTO.TAKEOFF' && this.takeoffD !== undefined) {
        this.holdNedM = { ...this.holdNedM, d: this.takeoffD };
      }
      this.holdNedM = this.repositionNedM ?? this.holdNedM;
      this.holdYawRad = this.pendingYawRad ?? this.holdYawRad;
    }
    this.repositionNedM = undefined;
    this.pendingYawRad = undefined;
    if (input.state === 'AUTO.TAKEOFF') {
      const usual = motion.positionNedM.d - this.parameters.get('MIS_TAKEOFF_ALT');
      this.takeoffD = this.requestedTakeoffD ?? usual;
      this.requestedTakeoffD = undefined;
    }
    if (input.state === 'AUTO.RTL') this.beginReturn(input);
  }

  private cruise(): number {
    return this.cruiseMS ?? this.parameters.get('MPC_XY_CRUISE');
  }

  // Built in one piece: spreading it together was an eighth of the time of a simulated flight.
  private at(place: Ned, maxUpMS = this.parameters.get('MPC_Z_VEL_MAX_UP')): Target {
    return {
      maxHorizontalMS: this.cruise(),
      maxUpMS,
      maxDownMS: this.parameters.get('MPC_Z_VEL_MAX_DN'),
      smooth: true,
      n: { position: place.n },
      e: { position: place.e },
      d: { position: place.d },
      yawRad: this.holdYawRad,
    };
  }

  private hold(): Target {
    return this.at(this.holdNedM);
  }

  private plain(target: Target): NavigatorOutput {
    return { target, wantsClimb: false, takeoffDone: false };
  }

  /** No position to rely on: level, drifting, and sinking when nobody holds the height. */
  private blind(sinking: boolean): Target {
    const down = this.parameters.get('MPC_LAND_SPEED');
    const vertical = sinking ? { velocity: down } : { position: this.holdNedM.d };
    return {
      maxHorizontalMS: this.cruise(),
      maxUpMS: this.parameters.get('MPC_Z_VEL_MAX_UP'),
      maxDownMS: this.parameters.get('MPC_Z_VEL_MAX_DN'),
      smooth: false,
      n: FREE,
      e: FREE,
      d: vertical,
    };
  }

  private offboard(input: NavigatorInput): NavigatorOutput {
    const { setpoint, motion } = input;
    if (setpoint === undefined) return this.plain(this.hold());
    const still: AxisTarget = { velocity: 0 };
    const used = (axis: AxisTarget): boolean =>
      axis.position !== undefined || axis.velocity !== undefined || axis.acceleration !== undefined;
    // North and east only count as a pair; without a height the vehicle sinks, as after an
    // invalid setpoint.
    const lateral = used(setpoint.n) && used(setpoint.e);
    const down: AxisTarget = used(setpoint.d)
      ? setpoint.d
      : { velocity: this.parameters.get('MPC_LAND_SPEED') };
    const target: Target = {
      maxHorizontalMS: this.parameters.get('MPC_XY_VEL_MAX'),
      maxUpMS: this.parameters.get('MPC_Z_VEL_MAX_UP'),
      maxDownMS: this.parameters.get('MPC_Z_VEL_MAX_DN'),
      smooth: false,
      n: lateral ? setpoint.n : still,
      e: lateral ? setpoint.e : still,
      d: down,
      // With neither yaw nor yaw rate given, the heading stays as it is.
      yawRad: setpoint.yawRad,
      yawRateRadS: setpoint.yawRateRadS,
    };
    const above = down.position !== undefined && down.position < motion.positionNedM.d - CLIMB_M;
    const upward = down.position === undefined && (down.velocity ?? down.acceleration ?? 0) < 0;
    return { target, wantsClimb: above || upward, takeoffDone: false };
  }

  private takeoff(input: NavigatorInput): NavigatorOutput {
    const goal = this.takeoffD ?? input.motion.positionNedM.d;
    const place = { n: this.holdNedM.n, e: this.holdNedM.e, d: goal };
    const target = this.at(place, this.parameters.get('MPC_TKO_SPEED'));
    const near =
      Math.abs(input.motion.positionNedM.d - goal) < this.parameters.get('NAV_MC_ALT_RAD');
    return { target, wantsClimb: true, takeoffDone: near && !input.landed };
  }

  /** Heads where it flies to, until it is so near that the bearing says nothing. */
  private mission(input: NavigatorInput): NavigatorOutput {
    const leg = input.missionLeg();
    if (leg === undefined) return this.plain(this.hold());
    const way = subtract(leg.place, input.motion.positionNedM);
    if (horizontal(way) > HEADING_FROM_M) this.holdYawRad = Math.atan2(way.e, way.n);
    this.holdNedM = leg.place;
    const target = this.at(leg.place);
    const maxHorizontalMS = leg.speedMS ?? target.maxHorizontalMS;
    return { target: { ...target, maxHorizontalMS }, wantsClimb: input.landed, takeoffDone: false };
  }

  /** Slower towards the ground: full above ALT1, land speed below ALT2, a crawl below ALT3. */
  private landing(input: NavigatorInput): Target {
    const get = (name: string): number => this.parameters.get(name);
    const heightM = input.homeNedM.d - input.motion.positionNedM.d;
    const fast = get('MPC_Z_VEL_MAX_DN');
    const slow = get('MPC_LAND_SPEED');
    const share = clamp(
      (heightM - get('MPC_LAND_ALT2')) / (get('MPC_LAND_ALT1') - get('MPC_LAND_ALT2')),
      0,
      1,
    );
    const speed =
      heightM < get('MPC_LAND_ALT3') ? get('MPC_LAND_CRWL') : slow + share * (fast - slow);
    return { ...this.hold(), d: { velocity: speed } };
  }

  private beginReturn(input: NavigatorInput): void {
    const { motion, homeNedM } = input;
    const away = horizontal(subtract(motion.positionNedM, homeNedM));
    const full = this.parameters.get('RTL_RETURN_ALT');
    const cone = this.parameters.get('RTL_CONE_ANG');
    const near = away <= this.parameters.get('RTL_MIN_DIST');
    // Close to home the height needed shrinks with the distance: straight above it is none.
    const slope = Math.tan((Math.min(Math.max(cone, 1), 89) * Math.PI) / 180);
    const needed = near && cone > 0 ? Math.min(full, away / slope) : full;
    this.returnD = Math.min(motion.positionNedM.d, homeNedM.d - needed);
    this.returnPhase = 'climb';
    this.waitedS = 0;
  }

  private goHome(dtS: number, input: NavigatorInput): NavigatorOutput {
    const { motion, homeNedM } = input;
    const { positionNedM: at } = motion;
    const over = { n: homeNedM.n, e: homeNedM.e };
    const descendD = homeNedM.d - this.parameters.get('RTL_DESCEND_ALT');
    const climbed = at.d <= this.returnD + REACHED_M;
    const arrived = horizontal(subtract(at, homeNedM)) < REACHED_M * 2;
    if (this.returnPhase === 'climb' && climbed) this.returnPhase = 'return';
    if (this.returnPhase === 'return' && arrived) this.returnPhase = 'descend';
    if (this.returnPhase === 'descend' && at.d >= descendD - REACHED_M) this.returnPhase = 'wait';
    if (this.returnPhase === 'wait') {
      this.waitedS += dtS;
      const delay = this.parameters.get('RTL_LAND_DELAY');
      // A negative delay means to wait there for ever.
      if (delay >= 0 && this.waitedS >= delay) this.returnPhase = 'land';
    }
    switch (this.returnPhase) {
      case 'climb':
        return this.plain(this.at({ ...this.holdNedM, d: this.returnD }));
      case 'return':
        return this.plain(this.at({ ...over, d: this.returnD }));
      case 'descend':
      case 'wait':
        return this.plain(this.at({ ...over, d: Math.max(this.returnD, descendD) }));
      case 'land':
        this.holdNedM = { ...over, d: at.d };
        return this.plain(this.landing(input));
    }
  }
}
