/**
 * The plan of a domain: every entity in turn, each through its stages, its consumer in between.
 * Enters: a domain, entities in the order of the case. Leaves: steps.
 */
import type { Act, Domain } from './types.js';

export function planOf(domain: Domain, entities: readonly string[]): readonly Act[] {
  const seen = new Map<string, number>();
  return entities.flatMap((entity) => {
    const occurrence = (seen.get(entity) ?? 0) + 1;
    seen.set(entity, occurrence);
    return visit(domain, entity, occurrence);
  });
}

function visit(domain: Domain, entity: string, occurrence: number): readonly Act[] {
  const { component, stages, consumer } = domain;
  const key = (of: string): string => `${entity}/${of}/${occurrence}`;
  const idOf = (of: string, name: string): string => `${key(of)}/${name}`;
  const acts: Act[] = [];
  let before: string | undefined;
  for (const { name, effect } of stages) {
    const id = idOf(component, name);
    const uses = before === undefined ? [] : [before];
    acts.push({ id, name, instance: key(component), component, entity, effect, uses });
    before = id;
    if (name !== consumer.after) continue;
    const { name: does, effect: weight } = consumer.stage;
    acts.push({
      id: idOf(consumer.component, does),
      name: does,
      instance: key(consumer.component),
      component: consumer.component,
      entity,
      effect: weight,
      uses: [id],
    });
  }
  return acts;
}
