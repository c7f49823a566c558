/**
 * What a catalog may say by its form and still cannot mean.
 * Enters: a catalog that fits its schema. Leaves: each contradiction with its place.
 * Never: a rule about taste: what is refused here would refuse or endanger at flight time.
 */
import {
  isEffect,
  isSafetyParameter,
  isSimplePolygon,
  isStill,
  isStream,
  limitText,
  meets,
  paramSchemas,
  STAGES,
  VEHICLE_FIELDS,
  type Catalog,
  type KindEntry,
  type KindLimits,
  type Predicate,
} from '../contract/index.js';
import type { YamlPath } from '../platform/index.js';

export interface Contradiction {
  readonly path: YamlPath;
  readonly message: string;
}

type Kinds = Catalog['kinds'];

export function contradictions({ kinds }: Omit<Catalog, 'digest'>): readonly Contradiction[] {
  if (Object.keys(kinds).length === 0) {
    return [{ path: ['kinds'], message: 'The catalog has no kinds.' }];
  }
  return Object.entries(kinds).flatMap(([name, entry]) =>
    [
      ...unknownKinds(entry, kinds),
      ...limitTrouble(entry),
      ...classTrouble(entry),
      ...ownTrouble(entry),
      ...leaseTrouble(entry),
      ...conflicts(entry),
      ...entry.footprint.flatMap((predicate, index) =>
        predicateTrouble(predicate, entry).map(({ path, message }) => ({
          path: ['footprint', index, ...path],
          message,
        })),
      ),
    ].map(({ path, message }) => ({ path: ['kinds', name, ...path], message })),
  );
}

function unknownKinds(entry: KindEntry, kinds: Kinds): Contradiction[] {
  const lists = {
    prerequisiteKinds: entry.prerequisiteKinds ?? [],
    replaceableBy: entry.replaceableBy,
    interrupts: entry.interrupts,
  };
  return Object.entries(lists).flatMap(([key, list]) =>
    list.flatMap((kind, index) =>
      Object.hasOwn(kinds, kind)
        ? []
        : [{ path: [key, index], message: `${kind} is not a kind of this catalog.` }],
    ),
  );
}

const ROUTES = ['goto', 'follow_path', 'orbit'];
const MISSIONS = ['mission_upload', 'mission_start'];

/** Which built-in has a param that the limit speaks of; any other limit would never be checked. */
export const LIMIT_APPLIES: Readonly<Record<keyof KindLimits, readonly string[]>> = {
  speedMaxMS: [...ROUTES, 'velocity', 'mission_upload'],
  altitudeMinM: ['takeoff', ...ROUTES, 'velocity', ...MISSIONS],
  altitudeMaxM: ['takeoff', ...ROUTES, 'velocity', ...MISSIONS],
  homeDistanceMaxM: [...ROUTES, 'velocity', ...MISSIONS],
  legMaxM: [...ROUTES, 'velocity', ...MISSIONS],
  geofenceEnuM: [...ROUTES, 'velocity', ...MISSIONS],
  durationMaxS: ['hold', 'velocity', 'mission_upload'],
  lineMaxM: ['winch'],
};

function limitTrouble({ limits, does }: KindEntry): Contradiction[] {
  const found: Contradiction[] = [];
  const { altitudeMinM, altitudeMaxM } = limits;
  if (altitudeMinM !== undefined && altitudeMaxM !== undefined && altitudeMinM > altitudeMaxM) {
    const message = `altitudeMinM ${altitudeMinM} is above altitudeMaxM ${altitudeMaxM}.`;
    found.push({ path: ['limits', 'altitudeMinM'], message });
  }
  if (altitudeMaxM !== undefined && altitudeMaxM <= 0 && does === 'takeoff') {
    const message = `altitudeMaxM ${altitudeMaxM} is not above home: nothing could take off.`;
    found.push({ path: ['limits', 'altitudeMaxM'], message });
  }
  const { geofenceEnuM: fence } = limits;
  if (fence !== undefined && (!isSimplePolygon(fence) || areaM2(fence) === 0)) {
    const message = isSimplePolygon(fence)
      ? 'The geofence encloses nothing.'
      : 'Two edges of the geofence cross: it has no one inside.';
    found.push({ path: ['limits', 'geofenceEnuM'], message });
  }
  for (const [name, effects] of Object.entries(LIMIT_APPLIES)) {
    if (!Object.hasOwn(limits, name) || effects.includes(does)) continue;
    found.push({
      path: ['limits', name],
      message: `${does} has nothing that ${name} could limit.`,
    });
  }
  return found;
}

/** Of a polygon whose edges do not cross. */
const areaM2 = (polygon: readonly (readonly [number, number])[]): number =>
  Math.abs(
    polygon.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = polygon[(i + 1) % polygon.length] ?? [x, y];
      return sum + (x * nextY - nextX * y) / 2;
    }, 0),
  );

/** PX4 wants more than a second of stream before OFFBOARD; it is sent at 20 Hz. */
const PRIME_S = 1;
const STREAM_HZ = 20;

/** A lease too short for what the kind itself asks for: every component of it would fail. */
function leaseTrouble(entry: KindEntry): Contradiction[] {
  if (!isEffect(entry)) return [];
  const { does, deadlineS, frames, completion, limits } = entry;
  const found: Contradiction[] = [];
  const needsS = (isStream(entry) ? PRIME_S : 0) + (completion.dwellS ?? 0);
  if (deadlineS <= needsS) {
    const message = `deadlineS ${deadlineS} is over before dwellS could be seen.`;
    found.push({ path: ['deadlineS'], message });
  }
  if (isStream(entry) && frames < needsS * STREAM_HZ) {
    const message = `${frames} frames end before dwellS could be seen, at ${STREAM_HZ} a second.`;
    found.push({ path: ['frames'], message });
  }
  const lasts = does === 'hold' || does === 'velocity';
  if (lasts && limits.durationMaxS !== undefined && limits.durationMaxS > deadlineS) {
    const message = `durationMaxS ${limits.durationMaxS} is longer than deadlineS ${deadlineS}.`;
    found.push({ path: ['limits', 'durationMaxS'], message });
  }
  return found;
}

/** Two predicates of one field and stage that no value meets both. */
function conflicts({ footprint }: KindEntry): Contradiction[] {
  return footprint.flatMap((later, index) => {
    const clash = footprint.slice(0, index).find((earlier) => exclude(earlier, later));
    if (clash === undefined) return [];
    const message = `No value of ${later.field} is ${limitText(clash)} and ${limitText(later)}.`;
    return [{ path: ['footprint', index], message }];
  });
}

function exclude(a: Predicate, b: Predicate): boolean {
  const stages = (b.at ?? STAGES).filter((stage) => (a.at ?? STAGES).includes(stage));
  if (a.field !== b.field || stages.length === 0) return false;
  const [low, high] = [Math.max(bound(a.min), bound(b.min)), Math.min(top(a.max), top(b.max))];
  if (low > high) return true;
  const listed = [a, b].flatMap(({ is, in: among }) => among ?? (is === undefined ? [] : [is]));
  return listed.length > 0 && !listed.some((value) => meets(a, value) && meets(b, value));
}

const bound = (min: number | undefined): number => min ?? -Infinity;
const top = (max: number | undefined): number => max ?? Infinity;

function classTrouble(entry: KindEntry): Contradiction[] {
  const found: Contradiction[] = [];
  const { does, effectClass, resources, provides, ends } = entry;
  if (isEffect(entry) && effectClass === 'none') {
    found.push({ path: ['effectClass'], message: `${does} has an effect; none is not its class.` });
  }
  if (!isEffect(entry) && effectClass !== 'none') {
    found.push({ path: ['effectClass'], message: `${does} is an utterance; its class is none.` });
  }
  if (!isEffect(entry) && resources.length > 0) {
    found.push({ path: ['resources'], message: `${does} is an utterance and holds no resource.` });
  }
  const both = provides.find((role) => ends.includes(role));
  if (both !== undefined) found.push({ path: ['ends'], message: `${both} is provided and ended.` });
  // What it ends flies by itself: only what takes the vehicle over may follow.
  if (entry.interrupts.length > 0 && (!resources.includes('motion') || isStill(entry))) {
    found.push({ path: ['interrupts'], message: `${does} does not take a flight over.` });
  }
  // The order of those that change a role is known only because motion is exclusive.
  if (provides.length + ends.length > 0 && !resources.includes('motion')) {
    const path = [provides.length > 0 ? 'provides' : 'ends'];
    found.push({ path, message: `${does} changes a state and must hold motion.` });
  }
  return found;
}

/** What one built-in needs of its entry and no other may have. */
function ownTrouble(entry: KindEntry): Contradiction[] {
  const { does, reports, approval, footprint, parameters, completion } = entry;
  const found: Contradiction[] = [];
  if ((does === 'report_custom') !== (reports !== undefined)) {
    const message = reports ? `${does} reports fields of its own.` : `${does} needs reports.`;
    found.push({ path: [reports ? 'reports' : 'does'], message });
  }
  reports?.forEach((field, index) => {
    // Without a predicate its age would never be asked.
    if (footprint.some((predicate) => predicate.field === field)) return;
    const message = `${field} is reported and does not stand in the footprint.`;
    found.push({ path: ['reports', index], message });
  });
  if ((does === 'param_set') !== (parameters !== undefined)) {
    const message = parameters ? `${does} sets no parameters.` : 'param_set needs parameters.';
    found.push({ path: [parameters ? 'parameters' : 'does'], message });
  }
  parameters?.forEach((parameter, index) => {
    for (const { key, message } of parameterTrouble(parameter, parameters.slice(0, index))) {
      found.push({ path: ['parameters', index, key], message });
    }
  });
  if ((does === 'release') !== (completion.shown !== undefined)) {
    const message = completion.shown
      ? `${does} is done by evidence of its own.`
      : 'release needs completion.shown: only evidence tells that something is gone.';
    found.push({ path: completion.shown ? ['completion', 'shown'] : ['does'], message });
  }
  if (does === 'operator_ask' && approval === undefined) {
    found.push({ path: ['does'], message: 'operator_ask needs approval: how long it waits.' });
  }
  return found;
}

type Parameter = NonNullable<KindEntry['parameters']>[number];

function parameterTrouble(
  { name, type, min, max }: Parameter,
  before: readonly Parameter[],
): { readonly key: string; readonly message: string }[] {
  const found: { key: string; message: string }[] = [];
  const say = (key: string, message: string): void => void found.push({ key, message });
  if (min > max) say('min', `${name}: min ${min} is above max ${max}.`);
  if (isSafetyParameter(name)) say('name', `${name} keeps people safe and is never set.`);
  if (before.some((other) => other.name === name)) say('name', `${name} is listed twice.`);
  if (type === 'int32' && Math.ceil(min) > Math.floor(max)) {
    say('min', `${name}: no integer lies from ${min} to ${max}.`);
  }
  return found;
}

function predicateTrouble(predicate: Predicate, { does }: KindEntry): Contradiction[] {
  const { field, is, in: among, min, max } = predicate;
  const found: Contradiction[] = [];
  const say = (key: string, message: string): void => void found.push({ path: [key], message });
  for (const [, param = ''] of field.matchAll(/\{([^}]*)\}/g)) {
    if (!Object.hasOwn(paramSchemas[does].shape, param)) {
      say('field', `${does} has no parameter ${param}.`);
    }
  }
  if (!/^[a-z][a-z0-9_]*(\.([a-z0-9_]+|\{\w+\}))+$/.test(field)) {
    say('field', `${field} is no evidence field: expected family.name.`);
  }
  if (min !== undefined && max !== undefined && min > max) {
    say('min', `min ${min} is above max ${max}.`);
  }
  const exact = is !== undefined || among !== undefined;
  if (exact && (min !== undefined || max !== undefined)) {
    say('field', 'A value cannot be both one of a list and within bounds.');
  }
  if (is !== undefined && among !== undefined) say('is', 'Give is or in, not both.');
  if (field.startsWith('vehicle.')) found.push(...vehicleFieldTrouble(predicate));
  return found;
}

/** The vehicle's own fields are known with their types. */
function vehicleFieldTrouble({ field, is, in: among, min, max }: Predicate): Contradiction[] {
  const described = Object.entries(VEHICLE_FIELDS).find(([name]) => name === field)?.[1];
  if (described === undefined)
    return [{ path: ['field'], message: `${field} is not a vehicle field.` }];
  const type = described.slice(0, described.indexOf(':'));
  const found: Contradiction[] = [];
  if (type !== 'number' && (min !== undefined || max !== undefined)) {
    const path = [min === undefined ? 'max' : 'min'];
    found.push({ path, message: `${field} is a ${type} and has no bounds.` });
  }
  const values = [...(is === undefined ? [] : [is]), ...(among ?? [])];
  if (values.some((value) => typeof value !== type)) {
    const path = [is === undefined ? 'in' : 'is'];
    found.push({ path, message: `${field} is a ${type} and never has that value.` });
  }
  return found;
}
