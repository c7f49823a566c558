/**
 * What belongs together in an admitted response, and what uses what. Enters: admitted components
 * as the ledger has them. Leaves: for each its instance and its uses. Never: the agent's hints.
 *
 *   a motion        an instance of its own, on the entity that its parameters bind
 *   what is done    belongs to the motion that it rests on, and uses where that one ended;
 *   there           a release also uses the winch, a picture the direction, that it rests on
 *   what is said    an instance of its own, on what it tells of: a picture, a place, what it
 *                   requires
 *
 * What only has to come first (armed, airborne, the leg before) is no use: it brings nothing about
 * that would be different the second time.
 */
import type { EffectName, UtteranceName } from '../../contract/index.js';
import type { EffectClass, InstanceName } from './types.js';

export type Does = EffectName | UtteranceName;

export interface Planned {
  readonly componentId: string;
  readonly does: Does;
  readonly effectClass: EffectClass;
  /** Of the same response; each earlier or later in the list. */
  readonly requires: readonly string[];
  /** What its parameters bind it to: a place, a sensor, a component; else empty. */
  readonly entity: string;
}

export interface Placed extends Omit<InstanceName, 'occurrence'> {
  /** The component that opens the instance: itself, or the motion that it rests on. */
  readonly opener: string;
  readonly uses: readonly string[];
}

/** Done where the last motion has ended. */
const THERE: ReadonlySet<Does> = new Set(['capture', 'point', 'release', 'winch']);

/** What is said of where the vehicle is. */
const OF_PLACE: ReadonlySet<Does> = new Set(['report_position', 'report_range']);

/** What is said of whatever it requires. */
const OF_ALL: ReadonlySet<Does> = new Set(['report_image', 'operator_message', 'operator_ask']);

const SAID_ALONE: ReadonlySet<Does> = new Set(['report_battery', 'report_custom']);

const isSaid = (does: Does): boolean =>
  OF_PLACE.has(does) || OF_ALL.has(does) || SAID_ALONE.has(does);

export const isMotion = (does: Does): boolean => !THERE.has(does) && !isSaid(does);

export function skeletonOf(planned: readonly Planned[]): ReadonlyMap<string, Placed> {
  const byId = new Map(planned.map((p) => [p.componentId, p]));
  return new Map(planned.map((p) => [p.componentId, placedOf(p, byId)]));
}

function placedOf(p: Planned, byId: ReadonlyMap<string, Planned>): Placed {
  const own = { opener: p.componentId, component: p.does, entity: p.entity };
  if (isMotion(p.does)) return { ...own, uses: [] };
  const motions = nearestMotions(p, byId);
  if (THERE.has(p.does)) {
    const things = p.requires.filter((id) => THERE.has(byId.get(id)?.does ?? 'land'));
    const uses = [...new Set([...motions.map((m) => m.componentId), ...things])];
    const [motion] = motions;
    // On two motions at once: where it is done is for nobody to say.
    if (motion === undefined || motions.length > 1) return { ...own, uses };
    const { does, entity, componentId } = motion;
    return { opener: componentId, component: does, entity, uses };
  }
  if (OF_PLACE.has(p.does)) return { ...own, uses: motions.map((m) => m.componentId) };
  return { ...own, uses: OF_ALL.has(p.does) ? p.requires : [] };
}

/** The first motions met on the ways back along what it requires. */
function nearestMotions(p: Planned, byId: ReadonlyMap<string, Planned>): readonly Planned[] {
  const seen = new Set<string>();
  const found = new Set<Planned>();
  const queue = [...p.requires];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const next = byId.get(id);
    if (next === undefined || seen.has(id)) continue;
    seen.add(id);
    if (isMotion(next.does)) found.add(next);
    else queue.push(...next.requires);
  }
  return [...found].filter((m) => ![...found].some((other) => rests(other, m, byId)));
}

/** `later` comes after `earlier`, also indirectly: then the vehicle is where the later one ended. */
function rests(later: Planned, earlier: Planned, byId: ReadonlyMap<string, Planned>): boolean {
  const seen = new Set<string>();
  const queue = [...later.requires];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (id === earlier.componentId) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    queue.push(...(byId.get(id)?.requires ?? []));
  }
  return false;
}
