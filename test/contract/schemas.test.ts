/** The schemas at the border: what they take, what they refuse, and how old evidence is. */
import { describe, expect, it } from 'vitest';
import {
  catalogSchema,
  evidenceAgeMs,
  idSchema,
  jsonSchemaOf,
  paramSchemas,
  responseSchema,
  SCHEMA_NAMES,
  taskContractSchema,
} from '../../src/contract/index.js';

const response = {
  protocol: 'halo/1',
  id: 'r-1',
  task: 't-1',
  components: [{ id: 'arm', kind: 'flight.arm' }],
};
const contract = {
  task: 't-1',
  obligations: [{ id: 'home', target: { kind: 'flight.land' }, evidence: { landed: true } }],
  contingency: 'land',
  budget: { attempts: 3, timeS: 600 },
};

describe('a response', () => {
  it('needs only protocol, id, task and one component', () => {
    expect(responseSchema.safeParse(response).success).toBe(true);
  });

  it.each([
    ['an unknown key', { ...response, authority: 'mine' }],
    ['another protocol', { ...response, protocol: 'halo/2' }],
    ['no components', { ...response, components: [] }],
    ['1001 components', { ...response, components: Array(1001).fill(response.components[0]) }],
    [
      'an unknown key in a component',
      { ...response, components: [{ id: 'a', kind: 'a.b', x: 1 }] },
    ],
  ])('is refused with %s', (_what, text) => {
    expect(responseSchema.safeParse(text).success).toBe(false);
  });
});

it.each(['', '-a', 'a b', 'é', 'e\u0301', 'a'.repeat(65), 'a/b', '__proto__'])(
  'refuses %j as an id, which two people could read differently',
  (id) => {
    expect(idSchema.safeParse(id).success).toBe(false);
  },
);

describe('the parameters of a goto', () => {
  const goto = { frame: 'local_enu', positionM: [1, 2, 3], speedMS: 2 };

  it('are a frame, a position and a speed', () => {
    expect(paramSchemas.goto.safeParse(goto).success).toBe(true);
  });

  it.each([
    ['no frame', { positionM: [1, 2, 3], speedMS: 2 }],
    ['a frame that we do not know', { ...goto, frame: 'body' }],
    ['two coordinates', { ...goto, positionM: [1, 2] }],
    ['an infinite coordinate', { ...goto, positionM: [1, 2, Infinity] }],
    ['not a number', { ...goto, positionM: [1, 2, Number.NaN] }],
    ['no speed', { frame: 'local_enu', positionM: [1, 2, 3] }],
    ['a speed of zero', { ...goto, speedMS: 0 }],
    ['text for a number', { ...goto, speedMS: '2' }],
    ['another unit', { ...goto, speedKmh: 7 }],
  ])('are refused with %s', (_what, params) => {
    expect(paramSchemas.goto.safeParse(params).success).toBe(false);
  });
});

describe('a contract', () => {
  it('waits 15 s for a fresh candidate unless it says otherwise', () => {
    expect(taskContractSchema.parse(contract)).toMatchObject({ contingencyAfterS: 15 });
  });

  it('is refused when an obligation expects no evidence', () => {
    const [first] = contract.obligations;
    const bare = { ...contract, obligations: [{ ...first, evidence: {} }] };
    expect(taskContractSchema.safeParse(bare).success).toBe(false);
  });
});

it('fills in a cautious catalog kind: hold on loss, 100 frames, 60 s', () => {
  const catalog = catalogSchema.parse({
    catalog: 'c',
    version: 1,
    kinds: { 'flight.arm': { does: 'arm', effectClass: 'reversible' } },
  });
  expect(catalog.kinds['flight.arm']).toMatchObject({
    onLoss: 'hold',
    frames: 100,
    deadlineS: 60,
  });
});

describe('the age of evidence', () => {
  const value = { field: 'f', value: 1, source: 's', receivedUs: 2_000_000 };

  it('counts from arrival when the source has no clock', () => {
    expect(evidenceAgeMs(value, 2_500_000)).toBe(500);
  });

  it('counts from the stamp when that is older than the arrival', () => {
    expect(evidenceAgeMs({ ...value, stampUs: 1_000_000 }, 2_500_000)).toBe(1500);
  });

  it('is not made younger by a stamp that is ahead', () => {
    expect(evidenceAgeMs({ ...value, stampUs: 2_400_000 }, 2_500_000)).toBe(500);
  });
});

it('publishes schemas that refuse unknown keys, each under an id of its own', () => {
  const published = SCHEMA_NAMES.map((name) => jsonSchemaOf(name));
  for (const schema of published) expect(schema).toMatchObject({ additionalProperties: false });
  expect(published.map((schema) => '$id' in schema && schema.$id)).toEqual(
    SCHEMA_NAMES.map((name) => `urn:halo-bridge:schema:${name}:1`),
  );
});
