/**
 * The embedded autopilot: a stepped stand-in for PX4's quadrotor.
 * In: frames or messages with the time they came, steps, faults. Out: messages.
 * Never reads a clock, opens a socket or keeps a timer. It simulates in steps of 4 ms.
 */
import { Vehicle } from './vehicle.js';
import { ParameterStore } from './parameters.js';
import { ZERO, type Ned } from './ned.js';
import { FrameReader } from './wire.js';
import type {
  AutopilotOptions,
  AutopilotStatus,
  Fault,
  IncomingMessage,
  OutgoingMessage,
  Truth,
} from './types.js';

/** 250 Hz: PX4's own rate of the position loop's inputs, and fine enough for a 4 ms reply. */
export const STEP_US = 4_000;
/** What may wait for the next step; a flood beyond this is dropped, as a full UDP buffer would. */
const INBOX_LIMIT = 1_000;

export class Autopilot {
  private readonly parameters: ParameterStore;
  private reader = new FrameReader();
  private vehicle: Vehicle;
  private inbox: IncomingMessage[] = [];
  private simulatedUs: number | undefined;
  private gustNedMS: Ned = ZERO;
  private gustUntilUs = 0;
  private linkLostUntilUs = 0;
  private rangeSilentUntilUs = 0;
  private lastNowUs = 0;

  constructor(private readonly options: AutopilotOptions) {
    this.parameters = new ParameterStore({
      ...options.parameters,
      MAV_SYS_ID: options.systemId,
    });
    this.vehicle = new Vehicle(options, this.parameters);
  }

  get systemId(): number {
    return this.options.systemId;
  }

  /** Takes what came in; it is worked on in the next step. */
  receive(input: Uint8Array | IncomingMessage, nowUs: number): void {
    if (nowUs < this.linkLostUntilUs) return;
    const messages = input instanceof Uint8Array ? this.reader.read(input) : [input];
    for (const message of messages) {
      if (this.inbox.length < INBOX_LIMIT) this.inbox.push(message);
    }
  }

  /** Simulates up to `nowUs` and returns what the vehicle says on the way. */
  step(nowUs: number): readonly OutgoingMessage[] {
    this.lastNowUs = nowUs;
    this.simulatedUs ??= nowUs;
    const said: OutgoingMessage[] = [];
    while (this.simulatedUs + STEP_US <= nowUs) {
      this.simulatedUs += STEP_US;
      this.deliver();
      this.vehicle.windNedMS = this.windAt(this.simulatedUs);
      const messages = this.vehicle.step(STEP_US);
      if (this.simulatedUs >= this.linkLostUntilUs) said.push(...messages);
    }
    return said;
  }

  private deliver(): void {
    const messages = this.inbox;
    this.inbox = [];
    for (const message of messages) this.vehicle.handle(message);
  }

  private windAt(nowUs: number): Ned {
    const steady = this.options.windNedMS ?? ZERO;
    if (nowUs >= this.gustUntilUs) return steady;
    return {
      n: steady.n + this.gustNedMS.n,
      e: steady.e + this.gustNedMS.e,
      d: steady.d + this.gustNedMS.d,
    };
  }

  /** Makes a fault happen now. */
  inject(fault: Fault): void {
    const { vehicle, lastNowUs: nowUs } = this;
    const laterUs = (seconds: number): number => seconds * 1_000_000;
    switch (fault.name) {
      case 'battery-drop':
        vehicle.battery.drop(fault.fraction);
        break;
      case 'estimator-reset':
        vehicle.resetEstimator(fault.jumpNedM);
        break;
      case 'pilot-takeover':
        vehicle.takeOver();
        break;
      case 'gps-loss':
        vehicle.gpsLossUntilUs = vehicle.bootUs + laterUs(fault.seconds);
        break;
      case 'vehicle-reboot':
        this.reboot();
        break;
      case 'link-loss':
        this.linkLostUntilUs = nowUs + laterUs(fault.seconds);
        break;
      case 'range-silent':
        this.rangeSilentUntilUs = nowUs + laterUs(fault.seconds);
        break;
      case 'wind-gust':
        this.gustNedMS = fault.windNedMS;
        this.gustUntilUs = nowUs + laterUs(fault.seconds);
        break;
      case 'arming-refused':
        vehicle.armingRefusedUntilUs = vehicle.bootUs + laterUs(fault.seconds);
        break;
      case 'motor-failure':
        vehicle.failMotor(true);
        break;
    }
  }

  /** Time starts again at zero, on the ground where the vehicle first stood, as PX4's SIH does. */
  private reboot(): void {
    this.inbox = [];
    this.reader = new FrameReader();
    this.vehicle = new Vehicle(this.options, this.parameters);
  }

  /** From now on what it stores of a mission is not what was sent. */
  storeMissionsWrongly(): void {
    this.vehicle.mission.storesWrongly = true;
  }

  /** The load hangs on, though the gripper opens. */
  jamGripper(): void {
    if (this.vehicle.devices) this.vehicle.devices.gripper.stuck = true;
  }

  /** The true state of the body, relative to where it stood at boot. */
  truth(): Truth {
    return this.vehicle.dynamics.truth();
  }

  status(): AutopilotStatus {
    const { commander, phase, battery, bootUs } = this.vehicle;
    return {
      booted: bootUs >= 1_300_000,
      ready: commander.ready,
      armed: commander.armed,
      mode: commander.navState,
      landed: phase.landed,
      failsafe: commander.inFailsafe,
      batteryFraction: battery.fraction,
      released: this.vehicle.devices?.gripper.released === true,
      rangeSilent: this.lastNowUs < this.rangeSilentUntilUs,
    };
  }
}
