/**
 * The stored mission, and how far it has been flown.
 * In: lists from the transfer, the estimate while AUTO.MISSION flies. Out: where to fly and how
 * fast, MISSION_CURRENT and MISSION_ITEM_REACHED. Never changes a mode.
 */
import { horizontal, subtract, type GeoPoint, type Ned } from '../ned.js';
import type { Outbox } from '../outbox.js';
import type { ParameterStore } from '../parameters.js';
import type { Fields, IncomingMessage } from '../types.js';
import { isAboveHome, isSpeed, MissionTransfer, type StoredItem } from './transfer.js';

/** PX4 repeats what was reached last ten times, once a second. */
const REPEATS = 10;
const REPEAT_S = 1;
/** MISSION_STATE, and MISSION_CURRENT.mission_mode. */
const STATE = { none: 1, notStarted: 2, active: 3, paused: 4, complete: 5 } as const;
const MODE = { flying: 1, suspended: 2 } as const;
/** "No mission" where MISSION_CURRENT tells how many items there are. */
const NO_TOTAL = 0xffff;

export interface MissionLeg {
  readonly place: Ned;
  /** Undefined: MPC_XY_CRUISE. */
  readonly speedMS: number | undefined;
}

/** What a step of the flight needs to know of the vehicle. */
export interface MissionView {
  readonly atNedM: Ned;
  readonly landed: boolean;
  /** Above sea level, of the home of now. */
  readonly homeAltitudeM: number;
  /** From latitude, longitude and height above sea level to the local frame of now. */
  readonly toLocal: (place: GeoPoint) => Ned;
}

export class Mission {
  /** An onlooker's fault: what is stored is not what was sent. */
  storesWrongly = false;
  private items: readonly StoredItem[] = [];
  private id = 0;
  private current = 0;
  private reached = -1;
  private finished = false;
  private flying = false;
  private insideS: number | undefined;
  private speedMS: number | undefined;
  private sinceToldS = 0;
  private repeats = 0;
  private readonly transfer: MissionTransfer;

  constructor(
    private readonly outbox: Outbox,
    private readonly parameters: ParameterStore,
    systemId: number,
  ) {
    this.transfer = new MissionTransfer(outbox, {
      systemId,
      items: () => this.items,
      current: () => this.current,
      stored: (items) => this.store(items),
      setCurrent: (seq) => {
        this.goTo(seq);
      },
    });
  }

  get valid(): boolean {
    return this.items.length > 0;
  }

  handle(message: IncomingMessage, nowUs: number): boolean {
    return this.transfer.handle(message, nowUs);
  }

  /** Every step, whatever is flown. */
  step(dtS: number, nowUs: number, flying: boolean): void {
    this.transfer.step(nowUs);
    if (flying !== this.flying) this.begin(flying);
    this.sinceToldS += dtS;
    if (this.reached < 0 || this.repeats >= REPEATS || this.sinceToldS < REPEAT_S) return;
    this.tellReached();
    this.repeats += 1;
  }

  /** The item to go on with; false when there is no such item. */
  goTo(seq: number): boolean {
    if (!Number.isInteger(seq) || seq < 0 || seq >= this.items.length) return false;
    this.current = seq;
    this.restart();
    return true;
  }

  /** Where AUTO.MISSION flies; undefined: it stays. */
  fly(dtS: number, view: MissionView): MissionLeg | undefined {
    const item = this.items[this.current];
    if (item === undefined) return undefined;
    if (isSpeed(item)) {
      if (item.param2 > 0) this.speedMS = item.param2;
      this.arrive(item);
      return this.fly(dtS, view);
    }
    const place = view.toLocal({
      latitudeDeg: item.x / 1e7,
      longitudeDeg: item.y / 1e7,
      altitudeM: item.z + (isAboveHome(item) ? view.homeAltitudeM : 0),
    });
    if (!this.finished && !view.landed) this.approach(dtS, item, subtract(view.atNedM, place));
    return { place, speedMS: this.speedMS };
  }

  /** MISSION_CURRENT. */
  view(): Fields {
    const total = this.items.length;
    return {
      seq: this.current,
      total: total === 0 ? NO_TOTAL : total,
      mission_state: this.state(),
      mission_mode: this.flying ? MODE.flying : MODE.suspended,
      mission_id: this.id,
      fence_id: 0,
      rally_points_id: 0,
    };
  }

  /** Within its radius for as long as the item says, then the next. */
  private approach(dtS: number, item: StoredItem, off: Ned): void {
    const radiusM = item.param2 > 0 ? item.param2 : this.parameters.get('NAV_ACC_RAD');
    const near =
      horizontal(off) <= radiusM && Math.abs(off.d) <= this.parameters.get('NAV_MC_ALT_RAD');
    if (this.insideS === undefined && !near) return;
    this.insideS = (this.insideS ?? 0) + dtS;
    if (this.insideS >= item.param1) this.arrive(item);
  }

  private arrive({ autocontinue }: StoredItem): void {
    this.reached = this.current;
    this.repeats = 0;
    this.insideS = undefined;
    this.tellReached();
    if (autocontinue === 0) return;
    if (this.current + 1 >= this.items.length) this.finished = true;
    else this.current += 1;
    this.outbox.send('MISSION_CURRENT', this.view());
  }

  private tellReached(): void {
    this.sinceToldS = 0;
    this.outbox.send('MISSION_ITEM_REACHED', { seq: this.reached });
  }

  private begin(flying: boolean): void {
    this.flying = flying;
    this.speedMS = undefined;
    this.restart();
  }

  private restart(): void {
    this.reached = -1;
    this.finished = false;
    this.insideS = undefined;
  }

  /** A list that is the same leaves everything as it is; a new one keeps the place in it. */
  private store(items: readonly StoredItem[]): number {
    const kept = this.storesWrongly
      ? items.map((item, seq) => (seq === items.length - 1 ? { ...item, z: item.z + 5 } : item))
      : items;
    const id = idOf(kept);
    if (id === this.id) return id;
    this.items = kept;
    this.id = id;
    this.current = Math.max(0, Math.min(this.current, kept.length - 1));
    this.restart();
    return id;
  }

  private state(): number {
    if (!this.valid) return STATE.none;
    if (this.finished) return STATE.complete;
    if (this.flying) return STATE.active;
    return this.reached >= 0 || this.current > 0 ? STATE.paused : STATE.notStarted;
  }
}

/** 32 bits that differ for lists that differ (FNV-1a); 0: no list. */
function idOf(items: readonly StoredItem[]): number {
  if (items.length === 0) return 0;
  let hash = 0x811c9dc5;
  for (const letter of JSON.stringify(items)) {
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  }
  return hash;
}
