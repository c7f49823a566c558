/**
 * One vehicle on the wall clock: its socket, its core, its faults, what it reports.
 * In: datagrams, the time. Out: datagrams, reports. Talks to 127.0.0.1 only.
 */
import { createSocket, type Socket } from 'node:dgram';
import {
  Autopilot,
  FrameWriter,
  STEP_US,
  type AutopilotStatus,
  type Fault,
} from './autopilot/index.js';
import { FaultPlan } from './fault-plan.js';
import { seededRandom } from '../src/platform/index.js';
import type { SimOptions } from './options.js';

const HOST = '127.0.0.1';
/** PX4 gives instances above 9 one shared remote port; the option stops at 10 instances. */
const TRUTH_EVERY_S = 0.5;
/**
 * What one wake-up makes good at most: half of COM_OF_LOSS_T. A busy machine may keep the process
 * from running for that long without the vehicle's clock slipping; after a longer stall time slips
 * instead, since catching up would make silence out of setpoints that could not be read meanwhile.
 */
const CATCH_UP_US = 500_000;

export type Report = Readonly<Record<string, unknown>> & { readonly event: string };

export class VehicleProcess {
  readonly autopilot: Autopilot;
  private readonly socket: Socket = createSocket('udp4');
  private readonly writer: FrameWriter;
  private readonly plan: FaultPlan;
  private remote: { address: string; port: number };
  private heard = false;
  private closed = false;
  private lastWallUs: number | undefined;
  private simulatedUs = 0;
  private slippedUs = 0;
  private nextTruthS = 0;
  private last: AutopilotStatus | undefined;

  constructor(
    private readonly instance: number,
    private readonly options: SimOptions,
    private readonly report: (report: Report) => void,
  ) {
    this.autopilot = new Autopilot({
      systemId: instance + 1,
      home: options.home,
      random: seededRandom(options.seed + instance * 7919),
      parameters: options.parameters,
      windNedMS: options.windNedMS,
      noise: options.noise,
    });
    this.writer = new FrameWriter(instance + 1);
    this.plan = new FaultPlan(instance === 0 ? options.faults : []);
    this.remote = { address: HOST, port: options.remoteBase + instance };
  }

  /** Rejects when the port is taken. */
  async open(): Promise<void> {
    const port = this.options.portBase + this.instance;
    await new Promise<void>((resolve, reject) => {
      this.socket.once('error', reject);
      this.socket.bind(port, HOST, () => {
        this.socket.off('error', reject);
        resolve();
      });
    });
    this.warmUp(this.options.uptimeS);
    // A peer that is not there yet answers with an ICMP error; PX4 goes on sending, and so do we.
    this.socket.on('error', () => undefined);
    this.socket.on('message', (bytes, from) => {
      // The first sender becomes the only listener, for good; others are heard and not answered.
      if (!this.heard) this.remote = { address: from.address, port: from.port };
      this.heard = true;
      this.autopilot.receive(bytes, this.simulatedUs);
    });
  }

  /** The time before the process: nobody was listening yet. */
  private warmUp(uptimeS: number): void {
    while (this.timeS < uptimeS) {
      this.simulatedUs += STEP_US;
      this.autopilot.step(this.simulatedUs);
    }
  }

  /** Lets simulated time follow the wall clock and sends what the vehicle says. */
  tick(wallUs: number): void {
    const elapsedUs = wallUs - (this.lastWallUs ?? wallUs);
    this.lastWallUs = wallUs;
    const takenUs = Math.min(elapsedUs, CATCH_UP_US);
    this.slippedUs += elapsedUs - takenUs;
    this.simulatedUs += takenUs * this.options.speed;
    for (const message of this.autopilot.step(Math.floor(this.simulatedUs))) {
      this.send(this.writer.frame(message));
    }
    const status = this.autopilot.status();
    for (const fault of this.plan.due(this.timeS, this.autopilot.truth(), status)) {
      this.inject(fault);
    }
    this.tell(status);
  }

  private get timeS(): number {
    return this.simulatedUs / 1_000_000;
  }

  private send(frame: Uint8Array): void {
    if (this.closed) return;
    // One packet a datagram; a full buffer drops it, as a radio would.
    this.socket.send(frame, this.remote.port, this.remote.address, () => undefined);
  }

  inject(fault: Fault): void {
    this.autopilot.inject(fault);
    this.say({ event: 'fault', fault: fault.name });
  }

  private tell(status: AutopilotStatus): void {
    const { last } = this;
    this.last = status;
    if (last?.ready !== status.ready) this.say({ event: 'ready', ready: status.ready });
    if (last?.armed !== status.armed) this.say({ event: 'armed', armed: status.armed });
    if (last?.mode !== status.mode || last.failsafe !== status.failsafe) {
      this.say({ event: 'mode', mode: status.mode, failsafe: status.failsafe });
    }
    if (last?.landed !== status.landed) this.say({ event: 'landed', landed: status.landed });
    if (this.timeS < this.nextTruthS) return;
    this.nextTruthS = this.timeS + TRUTH_EVERY_S;
    const { positionNedM: at, velocityNedMS: speed, yawRad } = this.autopilot.truth();
    this.say({
      event: 'truth',
      positionEnuM: [round(at.e), round(at.n), round(-at.d)],
      velocityEnuMS: [round(speed.e), round(speed.n), round(-speed.d)],
      yawNedRad: round(yawRad),
      batteryFraction: round(status.batteryFraction),
      slippedS: round(this.slippedUs / 1e6),
    });
  }

  private say(report: Report): void {
    this.report({ instance: this.instance, timeS: round(this.timeS), ...report });
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.socket.close();
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
