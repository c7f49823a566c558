/**
 * QGroundControl plans as task contracts, and what is left of a contract as a plan.
 * Enters: a .plan file's content, or obligations. Leaves: a contract to be read over by an
 * operator, or a plan that QGroundControl opens; and what had to be left out, with the reason.
 * Never: an item whose meaning would be guessed: terrain, surveys and unknown commands are refused.
 *
 * A plan says degrees and metres above home; a contract says metres east, north and up from the
 * local origin. The planned home stands for that origin: where the vehicle is switched on.
 */
import { z } from 'zod';
import type { taskContractSchema } from '../contract/index.js';
import {
  enuFromGlobal,
  fail,
  globalFromEnu,
  ok,
  type HaloError,
  type Result,
  type TaskObligation,
} from '../contract/index.js';
import { haloError } from '../platform/index.js';

/** MAV_CMD of the items that have a duty for counterpart. */
const CMD = {
  waypoint: 16,
  loiterTime: 19,
  returnHome: 20,
  land: 21,
  takeoff: 22,
  gripper: 211,
  image: 2000,
} as const;

/** Speed, region of interest, mount, camera trigger and mode: they are no duties of their own. */
const NO_DUTY: ReadonlySet<number> = new Set([178, 195, 197, 201, 205, 206, 530, 531, 532]);

const GLOBAL = 0;
const NO_PLACE = 2;
const RELATIVE = 3;
const RELEASE = 0;

const paramSchema = z.number().nullable();
const simpleItemSchema = z.object({
  type: z.literal('SimpleItem'),
  command: z.int(),
  frame: z.int(),
  params: z.array(paramSchema).length(7),
  doJumpId: z.int().optional(),
});
const itemSchema = z.union([simpleItemSchema, z.object({ type: z.string() })]);

/** [latitude deg, longitude deg, altitude above sea level m] */
const geoSchema = z.tuple([
  z.number().min(-89).max(89),
  z.number().min(-180).max(180),
  z.number().min(-500).max(9000),
]);
export type PlannedHome = z.infer<typeof geoSchema>;

/** More members than these are QGroundControl's own affair. */
export const qgcPlanSchema = z.object({
  fileType: z.literal('Plan'),
  version: z.literal(1),
  mission: z.object({
    version: z.literal(2),
    plannedHomePosition: geoSchema,
    items: z.array(itemSchema).min(1).max(256),
  }),
});
export type QgcPlan = z.infer<typeof qgcPlanSchema>;

type SimpleItem = z.infer<typeof simpleItemSchema>;
type Vec3 = [number, number, number];
export type ContractDraft = z.input<typeof taskContractSchema>;
type Duty = ContractDraft['obligations'][number];

export interface Imported {
  readonly contract: ContractDraft;
  /** Items that are no duties, each with what becomes of it. */
  readonly leftOut: readonly string[];
}

/** What a plan does not say and an operator decides. */
export type PlanTerms = Pick<ContractDraft, 'task' | 'contingency' | 'budget'>;

/** As the example asks of a GPS hover, which strays up to 0.85 m from its mean. */
const WITHIN = { of: 'target', horizontalM: 0.8, verticalM: 0.6, dwellS: 1 } as const;
/** Two places this near are one. */
const SAME_PLACE_M = 0.5;

/** Errors: HALO-709, with the place inside the file. */
export function contractFromPlan({ mission }: QgcPlan, terms: PlanTerms): Result<Imported> {
  const reader = new PlanReader(mission.plannedHomePosition);
  for (const [index, item] of mission.items.entries()) {
    const refused = reader.take(item, index);
    if (refused !== undefined) return fail(refused);
  }
  if (reader.duties.length === 0) return fail(unusable('has no item that is a duty', 'items'));
  return ok({ contract: { ...terms, obligations: reader.duties }, leftOut: reader.leftOut });
}

const unusable = (why: string, at: string): HaloError =>
  haloError('HALO-709', `The plan ${why}.`, `mission.${at}`);

class PlanReader {
  readonly duties: Duty[] = [];
  readonly leftOut: string[] = [];
  readonly #home: PlannedHome;
  #at: Vec3 | undefined;

  constructor(home: PlannedHome) {
    this.#home = home;
  }

  take(item: QgcPlan['mission']['items'][number], index: number): HaloError | undefined {
    const at = `items[${index}]`;
    if (!('command' in item)) return unusable(`has an item of the type ${item.type}`, at);
    const number = item.doJumpId ?? index + 1;
    switch (item.command) {
      case CMD.takeoff:
        return this.#takeOff(item, number, at);
      case CMD.waypoint:
      case CMD.loiterTime:
        return this.#visit(item, number, at);
      case CMD.land:
        return this.#land(item, number, at);
      case CMD.returnHome:
        return this.#comeDown(`return-${number}`, 'flight.return');
      case CMD.image:
        if (item.params[2] !== 1) return unusable('takes pictures without a number of one', at);
        return this.#add(`image-${number}`, { kind: 'camera.capture' }, { completed: true });
      case CMD.gripper:
        if (item.params[1] !== RELEASE) return unusable('uses a gripper for more than release', at);
        this.#add(`release-${number}`, { kind: 'payload.release' }, { completed: true });
        this.duties[this.duties.length - 1] = { ...this.#last, irreversible: true } as Duty;
        return undefined;
    }
    if (!NO_DUTY.has(item.command)) return unusable(`has the command ${item.command}`, at);
    this.leftOut.push(`${at}: command ${item.command} is no duty; the agent decides about it`);
    return undefined;
  }

  #takeOff(item: SimpleItem, number: number, at: string): HaloError | undefined {
    const place = this.#placeOf(item);
    if (place === undefined) return unusable('climbs to a height that is not above home', at);
    // It climbs where it stands, whatever coordinates the item has.
    this.#at = [0, 0, place[2]];
    return this.#add(`takeoff-${number}`, { kind: 'flight.takeoff' }, { airborne: true });
  }

  #visit(item: SimpleItem, number: number, at: string): HaloError | undefined {
    const place = this.#placeOf(item);
    if (place === undefined) return unusable('has a place that is neither above home nor sea', at);
    const [holdS] = item.params;
    const loiters = item.command === CMD.loiterTime;
    if (!(loiters && this.#isHere(place))) this.#goTo(`waypoint-${number}`, place);
    if (holdS === null || holdS === undefined || holdS <= 0) return undefined;
    const target = { kind: 'flight.hold', frame: 'local_enu', positionM: place } as const;
    return this.#add(`hold-${number}`, target, { within: { ...WITHIN, dwellS: holdS } });
  }

  #land(item: SimpleItem, number: number, at: string): HaloError | undefined {
    const [, , , , latitude, longitude] = item.params;
    const here = latitude === null || longitude === null || (latitude === 0 && longitude === 0);
    const place = here ? this.#at : this.#placeOf(item);
    if (place === undefined) return unusable('lands at a place that is not known', at);
    const above: Vec3 = [place[0], place[1], this.#at?.[2] ?? place[2]];
    if (!this.#isHere(above)) this.#goTo(`above-${number}`, above);
    return this.#comeDown(`land-${number}`, 'flight.land');
  }

  #goTo(id: string, place: Vec3): void {
    const target = { kind: 'flight.goto', frame: 'local_enu', positionM: place } as const;
    this.#add(id, target, { within: WITHIN });
    this.#at = place;
  }

  /** After the take-off alone: coming down safely counts whatever was left undone. */
  #comeDown(id: string, kind: string): undefined {
    const up = this.duties.findLast(({ target }) => target.kind === 'flight.takeoff')?.id;
    const after = up === undefined ? [] : [up];
    this.duties.push({ id, after, target: { kind }, evidence: { landed: true, disarmed: true } });
    return undefined;
  }

  #add(id: string, target: Duty['target'], evidence: Duty['evidence']): undefined {
    const before = this.#last?.id;
    const after = before === undefined ? [] : [before];
    this.duties.push({ id, after, target, evidence });
    return undefined;
  }

  get #last(): Duty | undefined {
    return this.duties.at(-1);
  }

  #isHere(place: Vec3): boolean {
    const at = this.#at;
    return at !== undefined && Math.hypot(...at.map((x, n) => x - place[n]!)) <= SAME_PLACE_M;
  }

  #placeOf({ frame, params }: SimpleItem): Vec3 | undefined {
    const [, , , , latitude, longitude, z] = params;
    if (frame !== RELATIVE && frame !== GLOBAL) return undefined;
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
    if (typeof z !== 'number') return undefined;
    const aboveSeaM = frame === GLOBAL ? z : this.#home[2] + z;
    return enuOf([latitude, longitude, aboveSeaM], this.#home);
  }
}

/** Centimetres: a GPS is not better, and a contract is read by people. */
const cm = (metres: number): number => Math.round(metres * 100) / 100 + 0;

const enuOf = (place: PlannedHome, home: PlannedHome): Vec3 => {
  const [eastM, northM, upM] = enuFromGlobal(place, home);
  return [cm(eastM), cm(northM), cm(upM)];
};

/** 1e-7 deg is a centimetre, and what MAVLink carries. */
const degree7 = (deg: number): number => Math.round(deg * 1e7) / 1e7;

const degreesOf = (place: Vec3, home: PlannedHome): [number, number] => {
  const [latitudeDeg, longitudeDeg] = globalFromEnu(place, home);
  return [degree7(latitudeDeg), degree7(longitudeDeg)];
};

export interface Exported {
  readonly plan: QgcPlan;
  readonly leftOut: readonly string[];
}

/** A take-off of a contract has no height: that of the first place after it, or this. */
const HEIGHT_M = 5;
/** QGroundControl's own numbers for a multicopter under PX4. */
const MULTICOPTER_UNDER_PX4 = { firmwareType: 12, vehicleType: 2, cruiseSpeed: 15, hoverSpeed: 5 };

/** Errors: HALO-709: nothing of it can be said in a plan. */
export function planFromObligations(
  obligations: readonly TaskObligation[],
  home: PlannedHome,
): Result<Exported> {
  const items: SimpleItem[] = [];
  const leftOut: string[] = [];
  const first = obligations.find(({ target }) => target.positionM !== undefined);
  const heightM = first?.target.positionM?.[2] ?? HEIGHT_M;
  let at: Vec3 = [0, 0, heightM];
  for (const { id, target, evidence } of obligations) {
    at = target.positionM ?? at;
    const item = itemOf(target.kind, at, home, evidence.within?.dwellS ?? 0);
    if (item === undefined) leftOut.push(`${id}: a plan has no item for ${target.kind}`);
    else items.push({ ...item, type: 'SimpleItem', doJumpId: items.length + 1 });
  }
  if (items.length === 0) return fail(unusable('would have no item', 'items'));
  const mission = {
    version: 2 as const,
    ...MULTICOPTER_UNDER_PX4,
    globalPlanAltitudeMode: 1,
    plannedHomePosition: home,
    items: items.map((item) => ({ autoContinue: true, ...altitudeOf(item), ...item })),
  };
  return ok({
    plan: {
      fileType: 'Plan',
      version: 1,
      groundStation: 'QGroundControl',
      geoFence: { circles: [], polygons: [], version: 2 },
      rallyPoints: { points: [], version: 2 },
      mission,
    } as QgcPlan,
    leftOut,
  });
}

function itemOf(
  kind: string,
  place: Vec3,
  home: PlannedHome,
  dwellS: number,
): Pick<SimpleItem, 'command' | 'frame' | 'params'> | undefined {
  const [latitude, longitude] = degreesOf(place, home);
  const there = (command: number, holdS: number, upM: number) => ({
    command,
    frame: RELATIVE,
    params: [holdS, 0, 0, null, latitude, longitude, upM],
  });
  const here = (command: number, ...params: number[]) => ({ command, frame: NO_PLACE, params });
  switch (kind) {
    case 'flight.takeoff':
      return there(CMD.takeoff, 0, place[2]);
    case 'flight.goto':
      return there(CMD.waypoint, 0, place[2]);
    case 'flight.hold':
      return there(CMD.loiterTime, dwellS, place[2]);
    case 'flight.land':
      return there(CMD.land, 0, 0);
    case 'flight.return':
      return here(CMD.returnHome, 0, 0, 0, 0, 0, 0, 0);
    case 'camera.capture':
      return here(CMD.image, 0, 0, 1, 0, 0, 0, 0);
    case 'payload.release':
      return here(CMD.gripper, 1, RELEASE, 0, 0, 0, 0, 0);
    default:
      return undefined;
  }
}

/** What QGroundControl shows of the height: metres above home. */
const altitudeOf = ({ frame, params }: SimpleItem): object =>
  frame === RELATIVE ? { Altitude: params[6], AltitudeMode: 1, AMSLAltAboveTerrain: null } : {};
