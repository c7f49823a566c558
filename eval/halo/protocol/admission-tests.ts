/** Admission's protocol, one sentence each. Enters: nothing. Leaves: tests. */
import assert from 'node:assert/strict';
import { admit, type Admission, type AdmissionInput } from '../../../src/admission/index.js';
import type { Component, LocalizedObligation } from '../../../src/contract/index.js';
import { parseResponse } from '../../../src/intake/index.js';
import { must } from '../must.js';
import { PLANS } from '../scenarios/plans.js';
import { CATALOG, CONTRACT, EPOCHS, NOW_US, snapshotOf } from '../world.js';
import type { ProtocolTest } from './cases.js';

interface More extends Partial<AdmissionInput> {
  readonly discharges?: string;
}

function judge(components: readonly Component[], { discharges, ...more }: More = {}): Admission {
  const response = {
    ...{ protocol: 'halo/1', id: 'r-1', task: CONTRACT.task, components },
    ...(discharges === undefined ? {} : { discharges }),
  };
  return admit({
    parsed: must(parseResponse(JSON.stringify(response))),
    catalog: CATALOG,
    contract: CONTRACT,
    snapshot: snapshotOf('ground'),
    basis: undefined,
    generation: 2,
    nowUs: NOW_US,
    ...more,
  });
}

const retained = ({ verdict }: Admission): string[] =>
  verdict.components
    .filter(({ admitted }) => admitted)
    .map(({ id }) => id)
    .sort();

const codesOf = ({ verdict }: Admission, id: string): string[] =>
  verdict.components.find((one) => one.id === id)?.findings.map(({ code }) => code) ?? [];

const tower = PLANS.tower.components;
const silentRange = snapshotOf('ground', { 'range.front.max': null });

const OPEN: LocalizedObligation = {
  ...{ id: 'o-1', state: 'open', responseId: 'r-0', generation: 1, componentId: 'leg' },
  ...{ reason: 'leg is withheld', findings: [] },
  scope: { componentIds: ['leg', 'look'], kinds: ['flight.goto', 'flight.land'] },
  ...{ triesLeft: 3, openedUs: NOW_US - 1_000_000, expiresUs: NOW_US + 10_000_000 },
};
const answering = { discharges: 'o-1', openObligation: OPEN, snapshot: snapshotOf('air') };

export const ADMISSION_TESTS: readonly ProtocolTest[] = [
  {
    name: 'a dependent is withheld with its prerequisite, and told whose fault it is',
    run: () => {
      const weak = snapshotOf('ground', { 'vehicle.prearm_ok': false });
      const { verdict } = judge(tower, { snapshot: weak });
      const down = verdict.components.find(({ id }) => id === 'down');
      assert.deepEqual(down?.rootCauses, ['arm']);
      assert.deepEqual(
        down.findings.map(({ code }) => code),
        ['HALO-206'],
      );
    },
  },
  {
    name: 'what depends on nothing that drifted is kept',
    run: () => {
      const kept = retained(judge(tower, { snapshot: silentRange }));
      assert.deepEqual(kept, ['arm', 'down', 'fuel', 'leg', 'say', 'up', 'where']);
    },
  },
  {
    name: 'the order in which components stand decides nothing',
    run: () => {
      const forth = retained(judge(tower, { snapshot: silentRange }));
      const back = retained(judge([...tower].reverse(), { snapshot: silentRange }));
      assert.deepEqual(back, forth);
    },
  },
  {
    name: 'a route on a basis from before a jump of the estimator is stale; reports are not',
    run: () => {
      const basis = { epochs: { ...EPOCHS, estimator: EPOCHS.estimator - 1 } };
      const admission = judge(tower, { basis });
      assert.deepEqual(retained(admission), ['arm', 'fuel', 'where']);
      assert.ok(codesOf(admission, 'leg').includes('HALO-212'));
    },
  },
  {
    name: 'a basis that is not kept carries no flight',
    run: () => assert.deepEqual(retained(judge(tower, { basis: 'unknown' })), ['fuel', 'where']),
  },
  {
    name: 'a number beyond its limit is refused, not clamped',
    run: () => {
      const leg = tower.find(({ id }) => id === 'leg');
      const fast = { ...leg, params: { ...leg?.params, speedMS: 5.01 } } as Component; // As above.
      const plan = tower.map((component) => (component.id === 'leg' ? fast : component));
      assert.deepEqual(codesOf(judge(plan), 'leg'), ['HALO-203']);
    },
  },
  {
    name: 'all findings are told, not only the first',
    run: () => {
      const bad = { 'vehicle.battery': 0.1, 'vehicle.gps_fix': 1, 'vehicle.prearm_ok': false };
      const codes = codesOf(judge(tower, { snapshot: snapshotOf('ground', bad) }), 'arm');
      assert.deepEqual(codes, ['HALO-211', 'HALO-211', 'HALO-211']);
    },
  },
  {
    name: 'a candidate outside of the obligation’s scope is withheld',
    run: () => {
      const stay = { id: 'c', kind: 'flight.hold', params: { durationS: 5 }, replaces: ['leg'] };
      assert.deepEqual(codesOf(judge([stay], answering), 'c'), ['HALO-302']);
      const down = { id: 'c', kind: 'flight.land', replaces: ['leg'] };
      assert.deepEqual(retained(judge([down], answering)), ['c']);
    },
  },
  {
    name: 'while an obligation is open, a response must name it, and no other',
    run: () => {
      const down = [{ id: 'c', kind: 'flight.land' }];
      const { snapshot } = answering;
      const silent = judge(down, { openObligation: OPEN, snapshot }).verdict;
      const wrong = judge(down, { ...answering, discharges: 'o-2' }).verdict;
      const told = [silent, wrong].map(({ findings }) => findings[0]?.code);
      assert.deepEqual(told, ['HALO-304', 'HALO-303']);
    },
  },
  {
    name: 'an obligation’s scope is the root and all that rests on it',
    run: () => {
      const low = snapshotOf('ground', { 'vehicle.home': null });
      const { obligations } = judge(tower, { snapshot: low });
      assert.deepEqual(
        obligations.map(({ componentId }) => componentId),
        ['leg'],
      );
      assert.deepEqual(obligations[0]?.scope.componentIds, ['leg', 'look', 'say', 'down']);
    },
  },
];
