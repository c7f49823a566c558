/**
 * Which vehicle this link is bound to. Enters: autopilot heartbeats, hardware uids, and what other
 * addresses say in the vehicle's name. Leaves: the system id; why nothing may be sent any more.
 * Never: a second vehicle with the same id taken for the first, or a way back from that but a new
 * start of the bridge.
 */
import type { HaloError } from '../contract/index.js';
import type { MavMessage } from './codec.js';
import { linkError } from './errors.js';

export const MAV_AUTOPILOT_INVALID = 8;
const MAV_AUTOPILOT_PX4 = 12;
/** PX4 beats once a second; three missing are no jitter. */
export const SILENT_US = 3_000_000;
/** A network reorders less than this: two that speak so far apart are both alive. */
const BOTH_ALIVE_US = 500_000;

export class VehicleBinding {
  readonly #wanted: number | undefined;
  #vehicle: number | undefined;
  #uid: string | undefined;
  #heardUs = Number.NEGATIVE_INFINITY;
  #rivalUs: number | undefined;
  #foreign: { readonly systemId: number; readonly text: string } | undefined;
  #otherPx4: { readonly systemId: number; readonly atUs: number } | undefined;
  #stopped: HaloError | undefined;

  /** @param wanted without it the first PX4 that is heard is the vehicle. */
  constructor(wanted: number | undefined) {
    this.#wanted = wanted;
  }

  get vehicle(): number | undefined {
    return this.#vehicle;
  }

  /** The id to speak with before the vehicle is known; 1 is what a single PX4 has. */
  get systemId(): number {
    return this.#vehicle ?? this.#wanted ?? 1;
  }

  /** Two vehicles in one name, HALO-504 or HALO-518: only a new start ends that. */
  get stopped(): HaloError | undefined {
    return this.#stopped;
  }

  /** HALO-504, 508, 511, 518: why no vehicle can be addressed now. */
  trouble(nowUs: number): HaloError | undefined {
    if (this.#stopped !== undefined) return this.#stopped;
    if (this.#foreign !== undefined) return linkError('HALO-504', this.#foreign.text);
    if (this.#vehicle !== undefined && !this.silent(nowUs)) return undefined;
    const other = this.#otherPx4;
    if (other !== undefined && other.atUs > this.#heardUs) {
      const text = `System ${other.systemId} is heard, system ${this.systemId} is not.`;
      return linkError('HALO-511', text);
    }
    if (this.#vehicle === undefined) return linkError('HALO-508', 'No autopilot has been heard.');
    return linkError('HALO-508', `System ${this.#vehicle} has fallen silent.`);
  }

  silent(nowUs: number): boolean {
    return nowUs - this.#heardUs > SILENT_US;
  }

  /** Any frame of the vehicle, from its own address. */
  heard(nowUs: number): void {
    this.#heardUs = nowUs;
    if (this.#rivalUs === undefined || nowUs - this.#rivalUs < BOTH_ALIVE_US) return;
    this.#stop(`System ${this.systemId} speaks from two addresses at once.`);
  }

  /** Another address speaks for the vehicle: no harm yet, unless the vehicle speaks after it. */
  rival(nowUs: number): void {
    this.#rivalUs ??= nowUs;
  }

  /** The vehicle is at another address now, and what spoke in its name there was itself. */
  moved(): void {
    this.#rivalUs = undefined;
  }

  /** An autopilot's heartbeat. True when it bound the link. */
  heartbeat(systemId: number, autopilot: unknown, nowUs: number): boolean {
    if (systemId !== (this.#vehicle ?? this.#wanted ?? systemId)) {
      if (autopilot === MAV_AUTOPILOT_PX4) this.#otherPx4 = { systemId, atUs: nowUs };
      return false;
    }
    // Component 1 with an invalid autopilot is some program that never chose a component id.
    if (autopilot === MAV_AUTOPILOT_INVALID) return false;
    if (autopilot !== MAV_AUTOPILOT_PX4) {
      // Also when a PX4 had this id before: two autopilots with one id must not be flown.
      const text = `System ${systemId} has autopilot type ${String(autopilot)}.`;
      if (this.#vehicle !== undefined) this.#stopped ??= linkError('HALO-504', text);
      this.#foreign = { systemId, text };
      this.#vehicle = undefined;
      return false;
    }
    if (this.#foreign?.systemId === systemId || this.#vehicle !== undefined) return false;
    this.#foreign = undefined;
    this.#vehicle = systemId;
    this.#heardUs = nowUs;
    return true;
  }

  /** AUTOPILOT_VERSION of the vehicle: the first one binds the hardware, too. */
  version({ fields }: MavMessage): void {
    const uid = uidOf(fields);
    if (uid === undefined) return;
    this.#uid ??= uid;
    if (uid === this.#uid) return;
    this.#stop(`System ${this.systemId} is another autopilot now: ${this.#uid} became ${uid}.`);
  }

  #stop(text: string): void {
    this.#stopped ??= linkError('HALO-518', text);
  }
}

/** The long uid where there is one, else the short one; undefined when neither is filled in. */
function uidOf({ uid, uid2 }: MavMessage['fields']): string | undefined {
  if (Array.isArray(uid2) && uid2.some((byte) => byte !== 0))
    return Buffer.from(uid2).toString('hex');
  return typeof uid === 'bigint' && uid !== 0n ? uid.toString(16) : undefined;
}
