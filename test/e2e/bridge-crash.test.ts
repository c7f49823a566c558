/** `npm start -- --drift bridge-crash`: a bridge killed in flight, and its next life, as processes. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { entriesOf, ofKind } from './support/ledger.js';
import { exitOf, lastWords, Stage } from './support/stage.js';
import { statesOf, summaryOf, told } from './support/summary.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());

const ALL = [
  'airborne',
  'inspect-south',
  'inspect-west',
  'inspect-north',
  'fuel-reported',
  'safe-down',
];

it('is killed in the second leg, and its next life flies only what is left', async () => {
  const flight = stage.fly(['--drift', 'bridge-crash', '--speed', '2']);
  expect(await exitOf(flight, 150_000), lastWords(flight)).toBe(0);
  const summary = summaryOf(flight);
  expect(summary).toMatchObject({
    outcome: 'completed',
    obligations: { satisfied: 6, open: 0, unknown: 0, missed: 0 },
    generations: 2,
    ledgerVerified: true,
    continued: ['inspect-south', 'fuel-reported'],
  });
  const { continued = [], reusedByEvidence = [], flownAnew = [] } = summary;
  expect([...continued, ...reusedByEvidence, ...flownAnew].sort()).toEqual([...ALL].sort());

  const entries = entriesOf(stage.ledger);
  const death = ofKind(entries, 'epoch-opened').at(-1)?.seq ?? 0;
  expect(ofKind(entries, 'epoch-opened').map(({ body }) => body['bootEpoch'])).toEqual([1, 2]);
  const flown = (later: boolean) =>
    ofKind(entries, 'lease-granted')
      .filter(({ seq, body }) => seq > death === later && body['authority'] === 'agent')
      .map(({ body }) => body['componentId']);
  expect(flown(false)).toEqual(['arm', 'up', 'leg-south', 'leg-west']);
  // On a slow machine the failsafe has landed it before the next life is there.
  const landed = ofKind(entries, 'obligation-voided').map(({ body }) => body['obligationId']);
  const rise = landed.length === 0 ? [] : ['arm', 'up'];
  expect(flown(true)).toEqual([...rise, 'leg-west', 'leg-north', 'down']);
  expect(reusedByEvidence).toEqual(landed.length === 0 ? ['airborne'] : []);

  // The agent of the new life asked first, and said what it goes on with.
  const [asked] = told(flight, 'continuation');
  expect(asked).toMatchObject({ unknown: ['inspect-west'] });
  const states = statesOf(flight);
  expect(states.get('r-tower-1/leg-west')).toBe('active');
  expect(states.get('r-tower-1-2/leg-west')).toBe('done');
  expect(stage.alive()).toEqual([]);
}, 170_000);
