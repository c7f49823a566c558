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

/** Changes what is aboard, and moves nothing. */
const ABOARD: ReadonlySet<Does> = new Set(['param_set', 'mission_upload']);

const isSaid = (does: Does): boolean =>
  OF_PLACE.has(does) || OF_ALL.has(does) || SAID_ALONE.has(does);

export const isMotion = (does: Does): boolean =>
  !THERE.has(does) && !ABOARD.has(does) && !isSaid(does);

/**
 * Motions that one component is followed to when none comes after the others. No plan that is meant
 * has two; the bound keeps a flood of components within a tick.
 */
const MOTIONS_MAX = 16;

/** Linear in components and requirements. */
export function skeletonOf(planned: readonly Planned[]): ReadonlyMap<string, Placed> {
  const places = new Places(planned);
  return new Map(planned.map((p) => [p.componentId, placedOf(p, places)]));
}

function placedOf(p: Planned, places: Places): Placed {
  const own = { opener: p.componentId, component: p.does, entity: p.entity };
  if (isMotion(p.does)) return { ...own, uses: [] };
  const motions = places.motionsOf(p);
  const there = motions.map(({ componentId }) => componentId);
  if (OF_PLACE.has(p.does)) return { ...own, uses: there };
  if (!THERE.has(p.does)) return { ...own, uses: OF_ALL.has(p.does) ? p.requires : [] };
  const things = p.requires.filter((id) => THERE.has(places.doing(id) ?? 'land'));
  const uses = [...new Set([...there, ...things])];
  const [motion] = motions;
  // On two motions at once: where it is done is for nobody to say.
  if (motion === undefined || motions.length > 1) return { ...own, uses };
  const { does, entity, componentId } = motion;
  return { opener: componentId, component: does, entity, uses };
}

/** Which motions each component rests on, the last of each chain; admitted plans have no cycles. */
class Places {
  readonly #byId: ReadonlyMap<string, Planned>;
  readonly #motions = new Map<Planned, readonly Planned[]>();

  constructor(planned: readonly Planned[]) {
    this.#byId = new Map(planned.map((p) => [p.componentId, p]));
  }

  doing(id: string): Does | undefined {
    return this.#byId.get(id)?.does;
  }

  motionsOf(p: Planned): readonly Planned[] {
    const known = this.#motions.get(p);
    if (known !== undefined) return known;
    const found = new Set<Planned>();
    for (const id of p.requires) {
      const before = this.#byId.get(id);
      if (before === undefined) continue;
      if (isMotion(before.does)) found.add(before);
      else for (const motion of this.motionsOf(before)) found.add(motion);
    }
    const last = found.size < 2 ? [...found] : this.#lastOf(found);
    this.#motions.set(p, last);
    return last;
  }

  /** Without those that another one comes after. */
  #lastOf(found: ReadonlySet<Planned>): readonly Planned[] {
    const passed = new Set<Planned>();
    for (const motion of found) {
      for (let [before] = this.motionsOf(motion); before !== undefined;) {
        if (passed.has(before)) break;
        passed.add(before);
        [before] = this.motionsOf(before);
      }
    }
    return [...found].filter((motion) => !passed.has(motion)).slice(0, MOTIONS_MAX);
  }
}
