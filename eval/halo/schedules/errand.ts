/**
 * The flight of every schedule: up two metres, two metres aside, a look, down.
 * Enters: nothing. Leaves: contract and responses as data. Never: more than faults need to happen
 * in every phase of a flight.
 */
import type { Component } from '../../../src/contract/index.js';

export const CONTRACT = `
task: errand-1
obligations:
  - id: airborne
    target: { kind: flight.takeoff }
    evidence: { airborne: true }
  - id: there
    after: [airborne]
    target: { kind: flight.goto, frame: local_enu, positionM: [2, 0, 2] }
    evidence: { within: { of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0 } }
  - id: seen
    after: [there]
    target: { kind: report.range, sensor: front }
    evidence: { delivered: true }
  - id: fuel-told
    target: { kind: report.battery }
    evidence: { delivered: true }
  - id: down
    after: [airborne]
    target: { kind: flight.land }
    evidence: { landed: true, disarmed: true }
contingency: land
contingencyAfterS: 3
budget: { attempts: 6, timeS: 300 }
`;

export const LEG_M = [2, 0, 2] as const;
export const LEG_SPEED_MS = 2;

export const ERRAND: readonly Component[] = [
  { id: 'arm', kind: 'flight.arm' },
  {
    id: 'up',
    kind: 'flight.takeoff',
    params: { altitudeM: 2 },
    requires: ['arm'],
    fulfils: 'airborne',
  },
  {
    id: 'there',
    kind: 'flight.goto',
    params: { frame: 'local_enu', positionM: [...LEG_M], yawDeg: 0, speedMS: LEG_SPEED_MS },
    requires: ['up'],
    fulfils: 'there',
  },
  {
    id: 'seen',
    kind: 'report.range',
    params: { sensor: 'front' },
    requires: ['there'],
    fulfils: 'seen',
  },
  { id: 'where', kind: 'report.position', requires: ['there'] },
  { id: 'fuel', kind: 'report.battery', fulfils: 'fuel-told' },
  { id: 'down', kind: 'flight.land', requires: ['there'], fulfils: 'down' },
];

/** What an agent answers to a denial in the air. */
export const HOMEWARD: readonly Component[] = [
  { id: 'down', kind: 'flight.land', fulfils: 'down' },
];
