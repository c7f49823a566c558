/** The layout that we ship must show what we advertise, and nothing that goes round the gate. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { CHANNELS } from '../../src/foxglove/channels.js';

const layoutSchema = z.strictObject({
  configById: z.record(z.string(), z.record(z.string(), z.unknown())),
  globalVariables: z.strictObject({}),
  userNodes: z.strictObject({}),
  playbackConfig: z.strictObject({ speed: z.number() }),
  layout: z.unknown(),
});
const shapeSchema = z.looseObject({
  type: z.string().optional(),
  get properties() {
    return z.record(z.string(), shapeSchema).optional();
  },
  get items() {
    return shapeSchema.optional();
  },
});
type Shape = z.infer<typeof shapeSchema>;

const text = readFileSync(new URL('../../launch/foxglove/halo.json', import.meta.url), 'utf8');
const layout = layoutSchema.parse(JSON.parse(text));

/** Panels that only look. Publish, Teleop and CallService would offer a way in. */
const LOOKING = [
  '3D',
  'Gauge',
  'Indicator',
  'Parameters',
  'Plot',
  'RawMessages',
  'RosOut',
  'StateTransitions',
  'Tab',
  'Table',
];

/** All strings of a JSON value, keys of objects included: a 3D panel names topics as keys. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsOf(inner)]);
}

const paths = stringsOf(layout.configById).filter((part) => part.startsWith('/'));

/** `/halo/state.vehicle.positionEnuM[2]` → the schema of what it points at. */
function shapeAt(path: string): Shape | undefined {
  const [topic, ...steps] = path.split('.');
  const spec = Object.values(CHANNELS).find((channel) => channel.topic === topic);
  let shape: Shape | undefined = spec === undefined ? undefined : shapeSchema.parse(spec.schema);
  for (const step of steps) {
    const name = step.replace(/\[.*\]$/, '');
    shape = shape?.properties?.[name];
    if (step.endsWith(']')) shape = shape?.items;
  }
  return shape;
}

it('shows only what the server advertises, down to the field', () => {
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => shapeAt(path) === undefined)).toEqual([]);
});

it('shows every topic that the server advertises', () => {
  const shown = new Set(paths.map((path) => path.split('.')[0]));
  const missing = Object.values(CHANNELS).filter(({ topic }) => !shown.has(topic));
  expect(missing.map(({ topic }) => topic)).toEqual([]);
});

it('has only panels that look', () => {
  const types = Object.keys(layout.configById).map((id) => id.split('!')[0] ?? id);
  expect(types.filter((type) => !LOOKING.includes(type))).toEqual([]);
});

it('places every configured panel, and configures every placed one', () => {
  const isPanelId = (part: string): boolean => /^[A-Za-z0-9]+![a-z]+$/.test(part);
  const tabs = Object.entries(layout.configById).filter(([id]) => id.startsWith('Tab!'));
  const placed = stringsOf([layout.layout, tabs.map(([, config]) => config)]).filter(isPanelId);
  expect(placed.toSorted()).toEqual(Object.keys(layout.configById).toSorted());
});
