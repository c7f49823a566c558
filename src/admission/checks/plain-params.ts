/**
 * The common case of params, checked without a schema library: six times as fast, for every
 * component of every response. Enters: the built-in effect, params. Leaves: whether they fit.
 * Never: yes to params that the schema of the contract would refuse or change (a test compares
 * them); what is no here goes to that schema, which says why.
 */
import type { EffectName, UtteranceName } from '../../contract/index.js';

type Params = Readonly<Record<string, unknown>>;

/** Bounds of the contract's schemas. */
const METRE_MAX = 100_000;
const SENSOR = /^[a-z][a-z0-9_]{0,31}$/;

const within = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max;

const positive = (value: unknown, max: number): boolean =>
  typeof value === 'number' && value > 0 && value <= max;

const isPoint = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 3 &&
  within(value[0], -METRE_MAX, METRE_MAX) &&
  within(value[1], -METRE_MAX, METRE_MAX) &&
  within(value[2], -METRE_MAX, METRE_MAX);

const empty = (_params: Params, keys: number): boolean => keys === 0;

/** Those that stand in most responses; the others go to their schema each time. */
const PLAIN: Partial<Record<EffectName | UtteranceName, (p: Params, keys: number) => boolean>> = {
  arm: empty,
  disarm: empty,
  takeoff: (p, keys) => keys === 1 && positive(p['altitudeM'], METRE_MAX),
  goto: (p, keys) =>
    keys === (p['yawDeg'] === undefined ? 3 : 4) &&
    p['frame'] === 'local_enu' &&
    isPoint(p['positionM']) &&
    (p['yawDeg'] === undefined || within(p['yawDeg'], -360, 360)) &&
    positive(p['speedMS'], 100),
  hold: (p, keys) => keys === 1 && positive(p['durationS'], 3600),
  land: empty,
  return: empty,
  report_position: empty,
  report_battery: empty,
  report_range: (p, keys) =>
    keys === 1 && typeof p['sensor'] === 'string' && SENSOR.test(p['sensor']),
  operator_message: (p, keys) =>
    keys === 1 && typeof p['text'] === 'string' && p['text'].length > 0 && p['text'].length <= 1000,
};

export const fitsPlainly = (does: EffectName | UtteranceName, params: Params): boolean =>
  PLAIN[does]?.(params, Object.keys(params).length) === true;
