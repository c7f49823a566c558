/**
 * The flights of the schedules: short, and all kinds of the catalog among them.
 * Enters: a seed. Leaves: contract and responses as data, and where in truth they lead.
 * Never: more than faults need to happen in every phase of a flight.
 */
import type { Component } from '../../../src/contract/index.js';

export interface Errand {
  readonly name: string;
  readonly contract: string;
  readonly components: readonly Component[];
  /** Local ENU in metres, where the obligation `there` is fulfilled. */
  readonly thereM: readonly [number, number, number];
}

/** Of setpoints, by kind: as the components below ask for. A turn stays where it is. */
export const SPEED_MS: Readonly<Record<string, number>> = {
  'flight.goto': 2,
  'flight.follow_path': 2,
  'flight.orbit': 1,
  'flight.velocity': 1,
  'flight.yaw': 0,
};

const contractFor = (there: string, evidence: string): string => `
task: errand-1
obligations:
  - id: airborne
    target: { kind: flight.takeoff }
    evidence: { airborne: true }
  - id: there
    after: [airborne]
    target: ${there}
    evidence: ${evidence}
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

const COMPLETED = '{ completed: true }';

type Params = Readonly<Record<string, unknown>>;
const one = (
  id: string,
  kind: string,
  requires: string[] = [],
  params: Params = {},
): Component => ({ id, kind, requires, params });

const up = (altitudeM: number, after: readonly string[] = []): readonly Component[] => [
  one('arm', 'flight.arm', [...after]),
  { ...one('up', 'flight.takeoff', ['arm'], { altitudeM }), fulfils: 'airborne' },
];

const reports = (after: string): readonly Component[] => [
  { ...one('seen', 'report.range', ['there'], { sensor: 'front' }), fulfils: 'seen' },
  one('where', 'report.position', [after]),
  { ...one('fuel', 'report.battery'), fulfils: 'fuel-told' },
];

const down = (after: string): Component => ({
  ...one('down', 'flight.land', [after]),
  fulfils: 'down',
});

const goTo = (positionM: readonly number[]): Component => ({
  ...one('there', 'flight.goto', ['up'], {
    ...{ frame: 'local_enu', positionM, yawDeg: 0, speedMS: SPEED_MS['flight.goto'] },
  }),
  fulfils: 'there',
});

const GOTO_TARGET = '{ kind: flight.goto, frame: local_enu, positionM: [2, 0, 2] }';
const WITHIN = '{ within: { of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0 } }';

/** Half of all flights: the one with the fewest parts, so that faults meet each of them often. */
export const LEG: Errand = {
  name: 'leg',
  contract: contractFor(GOTO_TARGET, WITHIN),
  components: [...up(2), goTo([2, 0, 2]), ...reports('there'), down('there')],
  thereM: [2, 0, 2],
};

const PATH_AND_TURN: Errand = {
  name: 'path and turn',
  contract: contractFor('{ kind: flight.follow_path }', COMPLETED),
  components: [
    ...up(2),
    {
      ...one('there', 'flight.follow_path', ['up'], {
        frame: 'local_enu',
        positionsM: [
          [2, 0, 2],
          [2, 1.5, 2],
        ],
        speedMS: SPEED_MS['flight.follow_path'],
      }),
      fulfils: 'there',
    },
    one('turn', 'flight.yaw', ['there'], { yawDeg: 90 }),
    one('how', 'report.custom', ['turn']),
    ...reports('there'),
    down('turn'),
  ],
  thereM: [2, 1.5, 2],
};

const ROUND_AND_ADRIFT: Errand = {
  name: 'orbit and velocity',
  contract: contractFor('{ kind: flight.orbit }', COMPLETED),
  components: [
    ...up(3),
    {
      // From the south of the centre to its west.
      ...one('there', 'flight.orbit', ['up'], {
        ...{ frame: 'local_enu', centerM: [0, 1.5, 3], radiusM: 1.5, startDeg: 180 },
        ...{ turns: 0.25, direction: 'clockwise', speedMS: SPEED_MS['flight.orbit'] },
      }),
      fulfils: 'there',
    },
    one('drift', 'flight.velocity', ['there'], {
      ...{ frame: 'local_enu', velocityMS: [SPEED_MS['flight.velocity'], 0, 0], durationS: 1.5 },
    }),
    ...reports('there'),
    down('drift'),
  ],
  thereM: [-1.5, 1.5, 3],
};

const ABOARD: Errand = {
  name: 'what is aboard',
  contract: contractFor(GOTO_TARGET, WITHIN),
  components: [
    one('may-i', 'operator.ask', [], { text: 'May I start the motors?' }),
    one('set', 'param.set', ['may-i'], { name: 'MPC_XY_CRUISE', type: 'float', value: 2 }),
    ...up(2, ['set']),
    goTo([2, 0, 2]),
    one('look', 'camera.point', ['there'], { pitchDeg: -30, yawDeg: 0 }),
    one('shot', 'camera.capture', ['look']),
    one('image', 'report.image', ['shot'], { of: 'shot' }),
    one('drop', 'payload.release', ['shot']),
    one('line', 'payload.winch', ['drop'], { lineM: 1, speedMS: 1 }),
    ...reports('there'),
    down('line'),
  ],
  thereM: [2, 0, 2],
};

const MISSION: Errand = {
  name: 'stored mission',
  contract: contractFor('{ kind: mission.start }', COMPLETED),
  components: [
    ...up(2.5),
    one('store', 'mission.upload', ['up'], {
      frame: 'local_enu',
      speedMS: 2,
      items: [{ positionM: [2, 0, 2.5] }, { positionM: [2, 1.5, 2.5] }],
    }),
    { ...one('there', 'mission.start', ['store'], { of: 'store' }), fulfils: 'there' },
    ...reports('there'),
    down('there'),
  ],
  thereM: [2, 1.5, 2.5],
};

const OTHERS = [PATH_AND_TURN, ROUND_AND_ADRIFT, ABOARD, MISSION] as const;

export const ERRANDS: readonly Errand[] = OTHERS.flatMap((errand) => [LEG, errand]);

export const errandFor = (seed: number): Errand => ERRANDS[seed % ERRANDS.length] ?? LEG;

/** What an agent answers to a denial in the air. */
export const HOMEWARD: readonly Component[] = [
  { id: 'down', kind: 'flight.land', fulfils: 'down' },
];
