/**
 * Cases of the simulated domains, from a seed. Enters: a domain, chance. Leaves: cases.
 * Never: a case that was chosen by what a strategy does with it.
 */
import { planOf } from './domains/plan.js';
import type { Act, Domain } from './domains/types.js';
import type { Case, Hidden } from './simulate.js';

/** A step that breaks off leaves something behind three times of four. */
const DIRTY = 0.75;

interface Spot {
  readonly plan: readonly Act[];
  readonly failAt: number;
  readonly act: Act;
}

/** Entities in an order of the case, and one stage of one of them. */
function spotOf(domain: Domain, random: () => number, stages: readonly string[]): Spot {
  const entities = shuffled(domain.entities, random);
  const plan = planOf(domain, entities);
  const places = plan.flatMap((act, at) =>
    act.component === domain.component && stages.includes(act.name) ? [{ act, at }] : [],
  );
  const { act, at } = pick(places, random);
  return { plan, failAt: at, act };
}

/** Stages before the consumer takes up what was published, and after. */
function stagesOf({ stages, consumer }: Domain) {
  const names = stages.map(({ name }) => name);
  const published = names.indexOf(consumer.after);
  const last = stages.findIndex(({ effect }) => effect === 'irreversible');
  const until = last < 0 ? names.length : last;
  return {
    before: names.slice(0, published + 1),
    after: names.slice(published + 1, until),
    beyond: last < 0 ? [] : names.slice(last + 1),
    final: last < 0 ? undefined : names[last],
  };
}

const broken = (
  domain: Domain,
  kind: string,
  spot: Spot,
  hidden: Hidden,
  more: Partial<Case> = {},
): Case => ({
  id: `${domain.name}: ${kind} at ${spot.act.id}`,
  domain,
  kind,
  sensitive: false,
  plan: spot.plan,
  failAt: spot.failAt,
  breaks: 'failed',
  failure: { step: spot.act.id },
  suspects: [spot.act.instance],
  hidden,
  worlds: [hidden],
  ...more,
});

const dirt = ({ act }: Spot, random: () => number): Hidden =>
  random() < DIRTY ? { dirty: act.instance } : {};

/** A committed consumer has used what the instance published. */
export function sensitiveCase(domain: Domain, random: () => number): Case {
  const spot = spotOf(domain, random, stagesOf(domain).after);
  return broken(domain, 'committed consumer', spot, dirt(spot, random), { sensitive: true });
}

/** Nobody outside has used anything of it yet. */
export function plainCase(domain: Domain, random: () => number): Case {
  const spot = spotOf(domain, random, stagesOf(domain).before);
  return broken(domain, 'no consumer', spot, dirt(spot, random));
}

/** Found out later, and nobody outside used what was bad. */
export function lateCase(domain: Domain, random: () => number): Case {
  const { after, beyond } = stagesOf(domain);
  const stages = after.length > 1 ? after : beyond;
  const spot = spotOf(domain, random, stages.slice(1));
  const onset = idBeside(spot.act, pick(before(stages, spot.act.name), random));
  const hidden = { ...dirt(spot, random), bad: [onset] };
  const failure = { step: spot.act.id, onset };
  return broken(domain, 'found out later', spot, hidden, { failure, sensitive: true });
}

/** Found out later, when a consumer had used it, or was using it. */
export function usedLateCase(domain: Domain, random: () => number, underWay: boolean): Case {
  const { after } = stagesOf(domain);
  const spot = spotOf(domain, random, after);
  const onset = idBeside(spot.act, domain.consumer.after);
  const user = spot.plan.find(
    ({ uses, component }) => component !== domain.component && uses.includes(onset),
  );
  const hidden = { ...dirt(spot, random), bad: [onset] };
  const failure = { step: spot.act.id, onset };
  const kind = underWay ? 'consumer at work on what is bad' : 'consumer has used what is bad';
  const more = { failure, sensitive: !underWay, underWay: underWay ? user?.id : undefined };
  return broken(domain, kind, spot, hidden, more);
}

/** After something irreversible, which is not gone back over. */
export function beyondFinalCase(domain: Domain, random: () => number): Case {
  const spot = spotOf(domain, random, stagesOf(domain).beyond);
  return broken(domain, 'after the irreversible', spot, dirt(spot, random), { sensitive: true });
}

/** Nobody knows whether the irreversible has happened: one case for each truth. */
export function unknownFinalCases(domain: Domain, random: () => number): readonly Case[] {
  const { final } = stagesOf(domain);
  const spot = spotOf(domain, random, final === undefined ? [] : [final]);
  const worlds = [{ happened: true }, { happened: false }];
  return worlds.map((hidden) =>
    broken(domain, 'irreversible, unknown', spot, hidden, { breaks: 'unknown', worlds }),
  );
}

/** An alarm on one of two instances that are open on the same thing: one case for each truth. */
export function ambiguousCases(domain: Domain, random: () => number): readonly Case[] {
  const [entity = '', ...others] = shuffled(domain.entities, random);
  const earlier = planOf(domain, [...others.slice(0, 2)]);
  const both = planOf(domain, [entity, entity]);
  const first = both.filter(({ instance }) => instance === `${entity}/${domain.component}/1`);
  const left = first.at(-1);
  const plan = [...earlier, ...both.filter((act) => act !== left), ...(left ? [left] : [])];
  const second = plan.findLastIndex(
    ({ instance }) => instance === `${entity}/${domain.component}/2`,
  );
  const failAt = second; // Its last step is not begun either.
  const act = plan[failAt];
  if (act === undefined) throw new Error('the plan is empty');
  const suspects = [1, 2].map((n) => `${entity}/${domain.component}/${n}`);
  const done = plan.slice(0, failAt);
  const worlds = suspects.map((key) => ({
    bad: [done.findLast(({ instance }) => instance === key)?.id ?? ''],
  }));
  const failure = { component: domain.component, entity };
  const more = { failure, suspects, worlds, breaks: undefined };
  return worlds.map((hidden) =>
    broken(domain, 'two open on the same thing', { plan, failAt, act }, hidden, more),
  );
}

/** Another instance is at work, and the break may have left something in either. */
export function busyCases(domain: Domain, random: () => number): readonly Case[] {
  const stages = stagesOf(domain).before;
  let spot = spotOf(domain, random, stages);
  while (spot.failAt < domain.stages.length + 1) spot = spotOf(domain, random, stages);
  const other = spot.plan
    .slice(0, spot.failAt)
    .findLast((a) => a.component === domain.component && a.instance !== spot.act.instance);
  const worlds = [spot.act.instance, other?.instance].map((dirty) => ({ dirty }));
  const suspects = [spot.act.instance];
  return worlds.map((hidden) =>
    broken(domain, 'another at work', spot, hidden, { worlds, suspects, underWay: other?.id }),
  );
}

export const hasFinal = (domain: Domain): boolean => stagesOf(domain).final !== undefined;

const idBeside = (act: Act, name: string): string => `${act.instance}/${name}`;

const before = (names: readonly string[], name: string): readonly string[] =>
  names.slice(0, names.indexOf(name));

export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

export function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
