/**
 * One life of the vehicle, from boot to reboot: body, estimate, commander, services, telemetry.
 * In: messages and steps of fixed length. Out: what it says, in its outbox.
 * Never reads a clock; never survives a reboot, except for the parameters it is given.
 */
import { Battery } from './battery.js';
import { CommandHandler } from './commands.js';
import type { BatteryWarning, Conditions } from './commander/checks.js';
import { Commander } from './commander/commander.js';
import { PositionController, type Demand, type Target } from './controller.js';
import type { DeviceView } from './devices/device.js';
import { Devices } from './devices/index.js';
import { Dynamics, type Drive } from './dynamics.js';
import { Estimator } from './estimator.js';
import { FlightPhase } from './flight-phase.js';
import { Mission, type MissionView } from './mission/mission.js';
import { Navigator } from './navigator.js';
import type { NavState } from './modes.js';
import { add, scale, subtract, toNed, ZERO, type GeoPoint, type Ned } from './ned.js';
import { Outbox } from './outbox.js';
import type { ParameterStore } from './parameters.js';
import { Peers } from './peers.js';
import { handleService } from './services.js';
import { SetpointReceiver } from './setpoints.js';
import { FIRST_PACKET_US, Telemetry } from './telemetry.js';
import type { TelemetryView } from './telemetry-view.js';
import type { AutopilotOptions, IncomingMessage, OutgoingMessage } from './types.js';

/** The day on which every simulated GPS begins: 2026-01-01T00:00:00Z. */
const FIRST_DAY_UNIX_US = 1_767_225_600_000_000;
/** Four satellites make a position. */
const ENOUGH_SATELLITES = 4;
/** PX4's least distances at which home follows a vehicle that stands disarmed, m. */
const HOME_FOLLOWS_M = 1;
const HOME_FOLLOWS_UP_M = 1.5;

export class Vehicle {
  readonly outbox = new Outbox();
  readonly telemetry = new Telemetry();
  readonly battery = new Battery();
  readonly dynamics = new Dynamics();
  readonly estimator: Estimator;
  readonly commander: Commander;
  readonly navigator: Navigator;
  readonly mission: Mission;
  readonly phase: FlightPhase;
  readonly systemId: number;
  readonly devices: Devices | undefined;
  bootUs = 0;
  manualControl = false;
  gpsLossUntilUs = 0;
  armingRefusedUntilUs = 0;
  windNedMS: Ned = ZERO;
  private readonly setpoints = new SetpointReceiver();
  private readonly commands: CommandHandler;
  private readonly controller: PositionController;
  private readonly peers: Peers;
  private target: Target | undefined;
  private demand: Demand | undefined;
  private homeGeo: GeoPoint | undefined;
  private lastNavState: NavState = 'AUTO.LOITER';
  private wasLanded = true;
  private pingSequence = 0;
  private worstBattery: BatteryWarning = 'none';

  constructor(
    private readonly options: AutopilotOptions,
    readonly parameters: ParameterStore,
  ) {
    this.systemId = options.systemId;
    const timeMs = (): number => this.timeMs;
    this.estimator = new Estimator(options.home, options.random, options.noise ?? 1);
    this.commander = new Commander(parameters, this.outbox, timeMs);
    this.navigator = new Navigator(parameters);
    this.mission = new Mission(this.outbox, parameters, options.systemId);
    this.phase = new FlightPhase(parameters, options.random);
    this.controller = new PositionController(parameters);
    this.peers = new Peers(parameters, this.outbox, options.systemId, timeMs);
    this.commands = new CommandHandler(this);
    if (options.devices === true) this.devices = new Devices(options.systemId, this.outbox);
  }

  get timeMs(): number {
    return Math.floor(this.bootUs / 1000);
  }

  get homeAltitudeM(): number {
    return (this.homeGeo ?? this.options.home).altitudeM;
  }

  handle(message: IncomingMessage): void {
    if (this.bootUs < FIRST_PACKET_US) return;
    if (this.peers.handle(message) || this.parameters.handle(message)) return;
    if (this.devices?.handle(message, this.deviceView()) === true) return;
    if (this.mission.handle(message, this.bootUs) || this.commands.handle(message)) return;
    if (handleService(message, this.outbox, this.bootUs, this.systemId)) return;
    this.setpoints.handle(message, {
      systemId: this.systemId,
      nowUs: this.bootUs,
      yawRad: this.dynamics.yawRad,
      inOffboard: this.commander.navState === 'OFFBOARD',
      localOrigin: this.estimator.localOrigin(),
      homeAltitudeM: this.homeAltitudeM,
      event: (name, args) => this.outbox.event(this.timeMs, name, args),
    });
  }

  /** Moves the world on by `dtUs` and returns what the vehicle says about it. */
  step(dtUs: number): OutgoingMessage[] {
    const dtS = dtUs / 1_000_000;
    this.bootUs += dtUs;
    this.commands.runLater();
    this.peers.step(dtS);
    this.senseGps();
    this.commander.update(dtS, this.conditions());
    this.fly(dtS);
    this.estimator.step(dtS, this.dynamics.truth());
    this.battery.step(dtS, this.phase.motorsPush);
    this.noticeLanding();
    this.devices?.step(this.deviceView(), dtS);
    // Until the link is up, what there is to say waits; what is said to the vehicle is lost.
    if (this.bootUs < FIRST_PACKET_US) return [];
    const due = this.telemetry.due(this.bootUs);
    const said = [...this.outbox.drain(), ...this.parameters.drain()];
    if (due.length === 0) return said;
    if (due.includes('PING')) this.pingSequence += 1;
    return [...said, ...this.telemetry.build(due, this.view())];
  }

  private deviceView(): DeviceView {
    return { bootUs: this.bootUs, geo: this.estimator.geo(this.dynamics.truth()) };
  }

  private senseGps(): void {
    const satellites = this.parameters.get('SIM_GPS_USED');
    this.estimator.gpsPresent =
      satellites >= ENOUGH_SATELLITES && this.bootUs >= this.gpsLossUntilUs;
    if (this.homeGeo === undefined || this.awayFromHome()) this.setHomeHere();
  }

  /** As PX4: while it stands disarmed, home follows it as soon as it is clearly elsewhere. */
  private awayFromHome(): boolean {
    if (this.commander.armed || !this.phase.landed) return false;
    const { n, e, d } = subtract(
      this.estimator.estimate(this.dynamics.truth()).positionNedM,
      this.homeLocal(),
    );
    return Math.hypot(n, e) > HOME_FOLLOWS_M || Math.abs(d) > HOME_FOLLOWS_UP_M;
  }

  conditions(): Conditions {
    const { estimator, parameters } = this;
    const lossS = parameters.get('COM_OF_LOSS_T');
    return {
      armed: this.commander.armed,
      aligned: estimator.aligned,
      positionValid: estimator.positionValid,
      homeSet: this.homeGeo !== undefined,
      manualControl: this.manualControl,
      offboardSignal: this.setpoints.alive(this.bootUs, lossS, estimator.positionValid),
      battery: this.batteryWarning(),
      batteryPresent: true,
      groundStation: this.peers.groundStation,
      landed: this.phase.landed,
      armingRefused: this.bootUs < this.armingRefusedUntilUs,
      missionValid: this.mission.valid,
    };
  }

  /** In flight the warning only ever gets worse. */
  private batteryWarning(): BatteryWarning {
    const now = this.batteryLevel();
    const kept = this.commander.armed ? this.worstBattery : 'none';
    this.worstBattery = WARNING_NUMBERS[now] > WARNING_NUMBERS[kept] ? now : kept;
    return this.worstBattery;
  }

  private batteryLevel(): BatteryWarning {
    const left = this.battery.fraction;
    if (left < this.parameters.get('BAT_EMERGEN_THR')) return 'emergency';
    if (left < this.parameters.get('BAT_CRIT_THR')) return 'critical';
    return left < this.parameters.get('BAT_LOW_THR') ? 'low' : 'none';
  }

  private fly(dtS: number): void {
    const { commander, dynamics, phase } = this;
    const truth = dynamics.truth();
    const motion = this.estimator.estimate(truth);
    if (commander.navState !== this.lastNavState) {
      if (commander.navState === 'OFFBOARD') this.setpoints.forget();
      this.lastNavState = commander.navState;
    }
    this.mission.step(dtS, this.bootUs, commander.armed && commander.navState === 'AUTO.MISSION');
    const plan = this.navigator.step(dtS, {
      state: commander.navState,
      motion,
      homeNedM: this.homeLocal(),
      setpoint: this.setpoints.setpoint,
      landed: phase.landed,
      sticks: this.manualControl,
      missionLeg: () => this.mission.fly(dtS, this.missionView(motion.positionNedM)),
    });
    if (plan.takeoffDone && commander.armed) {
      commander.requestMode('AUTO.LOITER', this.conditions());
    }
    phase.step(dtS, {
      armed: commander.armed,
      wantsClimb: plan.wantsClimb,
      onGround: truth.onGround,
      heightM: -truth.positionNedM.d,
      lying: dynamics.lying,
    });
    const reason = phase.autoDisarm();
    if (reason !== undefined) commander.disarm(reason, true, true);
    this.target = commander.armed ? plan.target : undefined;
    dynamics.step(dtS, this.drive(dtS, motion, plan.target), this.wind());
  }

  private drive(
    dtS: number,
    motion: Parameters<PositionController['step']>[1],
    target: Target,
  ): Drive {
    const stopped = !this.commander.armed || this.commander.navState === 'TERMINATION';
    if (stopped || !this.phase.motorsPush) {
      this.controller.reset(motion.velocityNedMS);
      this.demand = undefined;
      return { kind: stopped ? 'off' : 'idle' };
    }
    const maxUpMS = Math.min(target.maxUpMS, this.phase.climbLimitMS);
    this.demand = this.controller.step(dtS, motion, { ...target, maxUpMS });
    return { kind: 'fly', ...this.demand };
  }

  private wind(): Ned {
    const fromParameters: Ned = {
      n: this.parameters.get('SIH_WIND_N'),
      e: this.parameters.get('SIH_WIND_E'),
      d: 0,
    };
    return add(fromParameters, this.windNedMS);
  }

  private noticeLanding(): void {
    if (this.phase.landed === this.wasLanded) return;
    this.wasLanded = this.phase.landed;
    const name = this.wasLanded ? 'commander_landing_detected' : 'commander_takeoff_detected';
    this.outbox.event(this.timeMs, name);
  }

  arm(): boolean {
    const already = this.commander.armed;
    const done = this.commander.arm(this.conditions());
    if (done && !already && this.phase.landed) this.setHomeHere();
    return done;
  }

  /** Home becomes where the estimate is now; false while there is no position. */
  setHomeHere(): boolean {
    if (!this.estimator.positionValid) return false;
    this.homeGeo = this.estimator.geo(this.dynamics.truth());
    return true;
  }

  private homeLocal(): Ned {
    const home = this.homeGeo;
    return this.estimator.toLocal(home === undefined ? ZERO : toNed(this.options.home, home));
  }

  private missionView(atNedM: Ned): MissionView {
    const toLocal = (place: GeoPoint): Ned =>
      this.estimator.toLocal(toNed(this.options.home, place));
    const { homeAltitudeM } = this;
    return { atNedM, landed: this.phase.landed, homeAltitudeM, toLocal };
  }

  /** Local down coordinate of an altitude above mean sea level. */
  downOfAltitude(altitudeM: number): number {
    return this.estimator.toLocal(
      scale({ n: 0, e: 0, d: altitudeM - this.options.home.altitudeM }, -1),
    ).d;
  }

  /** A reposition; a coordinate that is not finite means "as now". */
  repositionTo(place: GeoPoint, yawRad: number | undefined): void {
    const now = this.estimator.geo(this.dynamics.truth());
    const or = (value: number, other: number): number => (Number.isFinite(value) ? value : other);
    const geo = {
      latitudeDeg: or(place.latitudeDeg, now.latitudeDeg),
      longitudeDeg: or(place.longitudeDeg, now.longitudeDeg),
      altitudeM: or(place.altitudeM, now.altitudeM),
    };
    const local = this.estimator.toLocal(toNed(this.options.home, geo));
    this.navigator.reposition(local, yawRad);
  }

  resetEstimator(jumpNedM: Ned): void {
    this.estimator.reset(jumpNedM);
    this.navigator.shift(jumpNedM);
  }

  failMotor(failed: boolean): void {
    this.dynamics.motorFailed = failed;
  }

  /** As a pilot does who flips the mode switch of a transmitter that was there all along. */
  takeOver(): void {
    this.manualControl = true;
    this.commander.requestMode('POSCTL', this.conditions());
  }

  /** Sends a message outside its turn; false for one that this vehicle does not have. */
  sendNow(name: string | undefined): boolean {
    if (!Telemetry.known(name)) return false;
    const [message] = this.telemetry.build([name], this.view());
    if (message === undefined) return false;
    this.outbox.send(message.name, message.fields);
    return true;
  }

  private view(): TelemetryView {
    const { commander, dynamics, estimator, battery } = this;
    const truth = dynamics.truth();
    const motion = estimator.estimate(truth);
    const lift = this.demand?.accelerationNedMS2.d ?? 0;
    return {
      bootUs: this.bootUs,
      timeMs: this.timeMs,
      unixUs: FIRST_DAY_UNIX_US + this.bootUs,
      motion,
      rollRad: dynamics.rollRad,
      pitchRad: dynamics.pitchRad,
      yawRateRadS: dynamics.yawRateRadS,
      accelerationNedMS2: dynamics.leanAcceleration,
      geo: estimator.geo(truth),
      localOrigin: estimator.localOrigin(),
      home: this.homeGeo && { geo: this.homeGeo, localNedM: this.homeLocal() },
      heightAboveGroundM: Math.max(0, -truth.positionNedM.d),
      positionValid: estimator.positionValid,
      aligned: estimator.aligned,
      gpsFix: estimator.gpsPresent && estimator.aligned,
      resetCounter: estimator.resetCounter,
      armed: commander.armed,
      navState: commander.navState,
      intendedMode: commander.intendedMode,
      ready: commander.ready,
      inFailsafe: commander.inFailsafe,
      inTermination: commander.inTermination,
      landed: this.phase.landed,
      manualControl: this.manualControl,
      thrustFraction: this.demand === undefined ? 0 : Math.min(1, 0.5 * (1 - lift / 9.80665)),
      batteryFraction: battery.fraction,
      batteryVoltageV: battery.voltageV,
      batteryCurrentA: battery.amperes,
      batteryUsedMah: battery.usedMah,
      batteryWarning: WARNING_NUMBERS[this.batteryWarning()],
      target: this.target,
      demand: this.demand,
      eventSequence: this.outbox.eventSequence,
      mission: this.mission.view(),
      systemId: this.systemId,
      pingSequence: this.pingSequence,
    };
  }
}

const WARNING_NUMBERS = { none: 0, low: 1, critical: 2, emergency: 3 } as const;
