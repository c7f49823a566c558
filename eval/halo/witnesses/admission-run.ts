/**
 * One seeded run of admission: a plan that must not be taken as it is, and what was taken of it.
 * Enters: chance, the checks that are missing. Leaves: the classes of bad events that happened.
 * Never: admission's own findings as the judge: the scenario knows what is wrong with it.
 */
import { type AdmissionInput } from '../../../src/admission/index.js';
import { admitWithout, type Removable } from '../../../src/admission/testing.js';
import type { Catalog, Component, LocalizedObligation } from '../../../src/contract/index.js';
import { parseResponse } from '../../../src/intake/index.js';
import { must } from '../must.js';
import { DRIFTS, type DriftName } from '../scenarios/drifts.js';
import { MISTAKES, UNDER_DRIFT } from '../scenarios/expectations.js';
import { PLANS, type PlanName } from '../scenarios/plans.js';
import { CATALOG, CONTRACT, EPOCHS, NOW_US, snapshotOf } from '../world.js';

/** What a component with this code must not be: retained. In words of what then happens. */
const CLASS_OF: Readonly<Record<string, string>> = {
  '201': 'foreign action',
  '202': 'parameters of another shape',
  '203': 'outside a limit',
  '204': 'a prerequisite that is not there',
  '205': 'a prerequisite that is not there',
  '207': 'a state that nobody brings about',
  '208': 'unsupported by evidence',
  '209': 'stale evidence believed',
  '210': 'stale evidence believed',
  '211': 'unsupported by evidence',
  '212': 'stale route',
  '213': 'a basis that is not kept',
  '214': 'two motions at once',
  '215': 'outside a limit',
  '217': 'an obligation that nobody gave',
  '218': 'unsupported by evidence',
  '220': 'a parameter that is not for agents',
  '221': 'a parameter that is not for agents',
  '219': 'a prerequisite of a kind not permitted',
  '302': 'out-of-scope revival',
  '304': 'out-of-scope revival',
  '314': 'an old generation revived',
};

interface Scene {
  readonly input: AdmissionInput;
  /** By component, the code for which it must be withheld. */
  readonly wrong: ReadonlyMap<string, string>;
}

export function badAdmissions(
  random: () => number,
  removed: ReadonlySet<Removable>,
): ReadonlySet<string> {
  const { input, wrong } = SCENES[Math.floor(random() * SCENES.length)]?.(random) ?? never();
  const { verdict } = admitWithout(input, removed);
  const retained = new Set(verdict.components.filter((c) => c.admitted).map(({ id }) => id));
  const bad = new Set<string>();
  for (const { id, requires = [] } of input.parsed.response.components) {
    const code = wrong.get(id);
    if (!retained.has(id)) continue;
    if (code !== undefined) bad.add(CLASS_OF[code] ?? `retained in spite of ${code}`);
    if (requires.some((required) => !retained.has(required))) bad.add('orphan dependent');
  }
  for (const { id, admitted, findings } of verdict.components) {
    const code = wrong.get(id) ?? '';
    if (!admitted && findings.length === 0)
      bad.add(`${CLASS_OF[code] ?? code}, and no reason given`);
  }
  return bad;
}

const never = (): never => {
  throw new Error('unreachable');
};

const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] ?? never();

function inputOf(components: readonly Component[], more: object = {}): AdmissionInput {
  const { discharges, ...changes } = more as { discharges?: string };
  const response = {
    ...{ protocol: 'halo/1', id: 'r-1', task: CONTRACT.task, components },
    ...(discharges === undefined ? {} : { discharges }),
  };
  return {
    parsed: must(parseResponse(JSON.stringify(response))),
    catalog: CATALOG,
    contract: CONTRACT,
    snapshot: snapshotOf('ground'),
    basis: undefined,
    generation: 2,
    nowUs: NOW_US,
    ...changes,
  };
}

const wrongOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/(\w+)=(\d{3})/g)].map(([, id = '', code = '']) => [id, code] as const),
  );

function drifted(random: () => number): Scene {
  const plan = pick(random, Object.keys(PLANS)) as PlanName; // The keys are the names.
  const [drift, text] = pick(random, Object.entries(UNDER_DRIFT[plan]));
  const { place, components } = PLANS[plan];
  const snapshot = snapshotOf(place, DRIFTS[drift as DriftName]); // As above.
  return { input: inputOf(components, { snapshot }), wrong: wrongOf(text) };
}

function mistaken(random: () => number): Scene {
  const { wrote, expected } = pick(random, MISTAKES);
  const components = PLANS.tower.components.map((c) => ({ ...c, ...wrote[c.id] }));
  return { input: inputOf(components), wrong: wrongOf(expected) };
}

const FLIGHT = /^flight\./;
const flights = (plan: PlanName, code: string): ReadonlyMap<string, string> =>
  new Map(
    PLANS[plan].components.filter(({ kind }) => FLIGHT.test(kind)).map(({ id }) => [id, code]),
  );

/** The vehicle epoch has moved since the basis, and every kind of flight is bound to it. */
function onOldBasis(random: () => number): Scene {
  const plan = pick(random, ['tower', 'survey', 'hop'] as const);
  const { place, components } = PLANS[plan];
  const basis = { epochs: { ...EPOCHS, vehicle: EPOCHS.vehicle - 1 } };
  const snapshot = snapshotOf(place);
  return { input: inputOf(components, { snapshot, basis }), wrong: flights(plan, '212') };
}

function onUnknownBasis(): Scene {
  const { components } = PLANS.tower;
  return { input: inputOf(components, { basis: 'unknown' }), wrong: flights('tower', '213') };
}

const OPEN: LocalizedObligation = {
  id: 'o-1',
  state: 'open',
  responseId: 'r-0',
  generation: 1,
  componentId: 'leg',
  reason: 'leg is withheld',
  findings: [],
  scope: { componentIds: ['leg', 'look'], kinds: ['flight.goto', 'flight.land'] },
  triesLeft: 3,
  openedUs: NOW_US - 1_000_000,
  expiresUs: NOW_US + 10_000_000,
};

function outOfScope(random: () => number): Scene {
  const candidates: readonly Component[] = [
    { id: 'c', kind: 'flight.hold', params: { durationS: 5 }, replaces: ['leg'] },
    { id: 'c', kind: 'flight.land', replaces: ['down'] },
    { id: 'c', kind: 'report.position' },
  ];
  const more = { discharges: 'o-1', openObligation: OPEN, snapshot: snapshotOf('air') };
  return { input: inputOf([pick(random, candidates)], more), wrong: new Map([['c', '302']]) };
}

/** An admission that was numbered before the denial, or with it. */
function ofOldGeneration(random: () => number): Scene {
  const openObligation = { ...OPEN, generation: 3 };
  const generation = 1 + Math.floor(random() * 3);
  const more = { discharges: 'o-1', openObligation, generation, snapshot: snapshotOf('air') };
  const candidate = { id: 'c', kind: 'flight.land', replaces: ['leg'] };
  return { input: inputOf([candidate], more), wrong: new Map([['c', '314']]) };
}

/** As an operator may narrow it: a look at the wall only after a leg. */
const NARROWED: Catalog = {
  ...CATALOG,
  kinds: Object.fromEntries(
    Object.entries(CATALOG.kinds).map(([name, entry]) => [
      name,
      name === 'report.range' ? { ...entry, prerequisiteKinds: ['flight.goto'] } : entry,
    ]),
  ),
};

function forbiddenPrerequisite(): Scene {
  const { components } = PLANS.hop;
  return { input: inputOf(components, { catalog: NARROWED }), wrong: new Map([['look', '219']]) };
}

const SCENES: readonly ((random: () => number) => Scene)[] = [
  drifted,
  drifted,
  mistaken,
  mistaken,
  onOldBasis,
  onUnknownBasis,
  outOfScope,
  ofOldGeneration,
  forbiddenPrerequisite,
];
