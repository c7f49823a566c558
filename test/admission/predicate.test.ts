import { describe, expect, it } from 'vitest';
import { evaluatePredicate } from '../../src/admission/index.js';
import type { Predicate } from '../../src/contract/index.js';
import { NOW_US, world, type Change } from './world.js';

const BATTERY: Predicate = { field: 'vehicle.battery', maxAgeMs: 1000, min: 0.3 };

const ask = (change: Change, predicate: Predicate = BATTERY): string | undefined =>
  evaluatePredicate(predicate, undefined, world({ [predicate.field]: change }), NOW_US)?.code;

const agedMs = (ms: number): Change => ({ value: 0.9, receivedUs: NOW_US - ms * 1000 });

describe('A predicate', () => {
  it('holds at its bounds and refuses beyond them', () => {
    expect(ask(0.3)).toBeUndefined();
    expect(ask(0.299999)).toBe('HALO-211');
    const max = { field: 'vehicle.battery', maxAgeMs: 1000, max: 0.5 };
    expect(ask(0.5, max)).toBeUndefined();
    expect(ask(0.500001, max)).toBe('HALO-211');
  });

  it('refuses what is missing, in conflict, old or from the future, each with its code', () => {
    expect(ask(undefined)).toBe('HALO-208');
    expect(ask({ value: 0.9, conflict: 'ros:/battery says 0.2' })).toBe('HALO-218');
    expect(ask(agedMs(1000))).toBeUndefined();
    expect(ask(agedMs(1000.001))).toBe('HALO-209');
    expect(ask(agedMs(-50))).toBeUndefined();
    expect(ask(agedMs(-50.001))).toBe('HALO-210');
  });

  it('judges age by the older of arrival and stamp, and the future by the newer', () => {
    const stamped = (ms: number): Change => ({
      value: 0.9,
      receivedUs: NOW_US,
      stampUs: NOW_US - ms * 1000,
    });
    expect(ask(stamped(1500))).toBe('HALO-209');
    expect(ask(stamped(-200))).toBe('HALO-210');
    expect(ask(stamped(10))).toBeUndefined();
  });

  it.each([NaN, Infinity, -Infinity])('refuses the value %s and the time %s', (odd) => {
    expect(ask(odd)).toBe('HALO-211');
    expect(ask([0.9, odd])).toBe('HALO-211');
    expect(ask({ value: 0.9, receivedUs: odd })).toMatch(/HALO-209|HALO-210/);
    expect(ask({ value: 0.9, receivedUs: NOW_US, stampUs: odd })).toMatch(/HALO-209|HALO-210/);
  });

  it('never bends a type: bounds want a number, lists want the very value', () => {
    expect(ask('0.9')).toBe('HALO-211');
    expect(ask(true)).toBe('HALO-211');
    expect(ask([0.9])).toBe('HALO-211');
    const armed = { field: 'vehicle.armed', maxAgeMs: 1000, is: true };
    expect(ask(true, armed)).toBeUndefined();
    for (const odd of [false, 1, 'true']) expect(ask(odd, armed)).toBe('HALO-211');
    const landed = { field: 'vehicle.landed', maxAgeMs: 1000, in: ['on_ground', 'landing'] };
    expect(ask('landing', landed)).toBeUndefined();
    expect(ask('in_air', landed)).toBe('HALO-211');
    const known = { field: 'vehicle.position', maxAgeMs: 1000 };
    expect(ask([1, 2, 3], known)).toBeUndefined();
    expect(ask([], known)).toBe('HALO-211');
  });

  it('says what was seen, what is needed, from whom and how old', () => {
    const found = evaluatePredicate(BATTERY, undefined, world({ 'vehicle.battery': 0.25 }), NOW_US);
    expect(found).toEqual({
      rule: 'evidence',
      code: 'HALO-211',
      message: 'vehicle.battery is 0.25, needed is at least 0.3.',
      remedy: 'Wait for the world or propose otherwise.',
      field: 'vehicle.battery',
      observed: '0.25',
      limit: 'at least 0.3',
      source: 'mavlink:TEST',
      ageMs: 100,
    });
  });

  it('names its field from the params, and nothing that is not text', () => {
    const range = { field: 'range.{sensor}', maxAgeMs: 500 };
    const code = (params: Record<string, unknown> | undefined): string | undefined =>
      evaluatePredicate(range, params, world(), NOW_US)?.field;
    expect(code({ sensor: 'front' })).toBeUndefined();
    expect(code({ sensor: 'back' })).toBe('range.back');
    expect(code({ sensor: 7 })).toBe('range.{sensor}');
    expect(code(undefined)).toBe('range.{sensor}');
  });
});
