/**
 * What a scripted agent answers when its bridge has come back: the components of its response
 * that the recovery context still asks for, as a fresh response.
 * Enters: the components, the context, whether the vehicle is in the air. Leaves: components.
 * Never: authority. What the bridge makes of it is for admission to say.
 */
import type { Component, RecoveryContext } from '../../contract/index.js';

/** Kinds that can be carried out on the ground. */
const ON_THE_GROUND: ReadonlySet<string> = new Set([
  'flight.arm',
  'flight.disarm',
  'flight.takeoff',
  'flight.land',
]);

/**
 * Kept is what fulfils an open obligation; what brings the vehicle into the air when one of these
 * needs it there; and what has no obligation of its own and rests on something kept.
 */
export function residualComponents(
  components: readonly Component[],
  context: Pick<RecoveryContext, 'open'>,
  airborne: boolean,
): readonly Component[] {
  const open = new Set(context.open.map(({ id }) => id));
  const meant = components.filter(({ fulfils }) => fulfils !== undefined && open.has(fulfils));
  const flies = meant.some(({ kind }) => kind.startsWith('flight.') && !ON_THE_GROUND.has(kind));
  const kept = new Set(meant.map(({ id }) => id));
  for (const { id, kind } of components) {
    if (kind === 'flight.takeoff' && flies && !airborne) kept.add(id);
  }
  const rises = components.some(({ id, kind }) => kind === 'flight.takeoff' && kept.has(id));
  for (const { id, kind } of components) if (kind === 'flight.arm' && rises) kept.add(id);
  for (let before = -1; before !== kept.size;) {
    before = kept.size;
    for (const { id, fulfils, requires = [] } of components) {
      if (fulfils === undefined && requires.some((name) => kept.has(name))) kept.add(id);
    }
  }
  const byId = new Map(components.map((component) => [component.id, component]));
  // What stood between two that are kept has been done: the later one rests on the earlier then.
  const through = (id: string, seen: ReadonlySet<string>): readonly string[] => {
    if (kept.has(id)) return [id];
    if (seen.has(id)) return [];
    const next = new Set([...seen, id]);
    return (byId.get(id)?.requires ?? []).flatMap((name) => through(name, next));
  };
  return components
    .filter(({ id }) => kept.has(id))
    .map((component) => {
      const { requires } = component;
      if (requires === undefined) return component;
      const left = requires.flatMap((id) => through(id, new Set()));
      return { ...component, requires: [...new Set(left)] };
    });
}
