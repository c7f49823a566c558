/**
 * Plans as agents write them, over the kinds of the shipped catalog. Data.
 * `ground` and `air` say where the vehicle is when the plan comes in.
 */
import type { Component } from '../../../src/contract/index.js';
import type { Place } from '../world.js';

export interface PlanText {
  readonly place: Place;
  readonly components: readonly Component[];
}

const goTo = (id: string, positionM: readonly number[], requires: string[] = []): Component => ({
  id,
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM, yawDeg: 0, speedMS: 2 },
  requires,
});
const flight = (id: string, kind: string, requires: string[] = [], params = {}): Component => ({
  id,
  kind: `flight.${kind}`,
  params,
  requires,
});
const range = (id: string, sensor: string, requires: string[] = []): Component => ({
  id,
  kind: 'report.range',
  params: { sensor },
  requires,
});
const report = (id: string, what: string, requires: string[] = []): Component => ({
  id,
  kind: `report.${what}`,
  requires,
});
const say = (id: string, text: string, requires: string[] = []): Component => ({
  id,
  kind: 'operator.message',
  params: { text },
  requires,
});

const aboard = (id: string, kind: string, requires: string[] = [], params = {}): Component => ({
  id,
  kind,
  params,
  requires,
});

export const PLANS = {
  tower: {
    place: 'ground',
    components: [
      flight('arm', 'arm'),
      flight('up', 'takeoff', ['arm'], { altitudeM: 6 }),
      goTo('leg', [10, 0, 6], ['up']),
      range('look', 'front', ['leg']),
      say('say', 'North face reached.', ['leg']),
      flight('down', 'land', ['leg']),
      report('fuel', 'battery'),
      report('where', 'position'),
    ],
  },
  survey: {
    place: 'air',
    components: [
      goTo('leg1', [5, 0, 6]),
      goTo('leg2', [5, 5, 6], ['leg1']),
      range('look1', 'front', ['leg1']),
      report('where1', 'position', ['leg1']),
      report('fuel', 'battery'),
      say('note', 'Survey begins.'),
      flight('home', 'return', ['leg2']),
      flight('down', 'land', ['home']),
    ],
  },
  watch: {
    place: 'air',
    components: [
      flight('stay', 'hold', [], { durationS: 10 }),
      range('look', 'front', ['stay']),
      range('below', 'down'),
      report('fuel', 'battery'),
      say('say', 'Wall in sight.', ['look']),
      flight('down', 'land', ['stay']),
    ],
  },
  preflight: {
    place: 'ground',
    components: [
      flight('arm', 'arm'),
      flight('off', 'disarm', ['arm']),
      report('fuel', 'battery'),
      report('where', 'position'),
      range('look', 'front'),
      range('below', 'down'),
      say('say', 'Front is clear.', ['look']),
      say('tell', 'Battery is read.', ['fuel']),
    ],
  },
  homecoming: {
    place: 'air',
    components: [
      flight('home', 'return'),
      flight('down', 'land', ['home']),
      report('fuel', 'battery'),
      report('where', 'position'),
      say('tell', 'Back and down.', ['down']),
      say('note', 'Battery is read.', ['fuel']),
    ],
  },
  hop: {
    place: 'ground',
    components: [
      flight('arm', 'arm'),
      flight('up', 'takeoff', ['arm'], { altitudeM: 3 }),
      flight('stay', 'hold', ['up'], { durationS: 5 }),
      flight('down', 'land', ['stay']),
      report('fuel', 'battery', ['up']),
      range('look', 'front', ['stay']),
      say('note', 'A short hop.'),
    ],
  },
  shuttle: {
    place: 'air',
    components: [
      goTo('leg1', [8, 0, 6]),
      goTo('leg2', [8, 8, 6], ['leg1']),
      goTo('leg3', [0, 8, 6], ['leg2']),
      say('say1', 'First corner.', ['leg1']),
      say('say3', 'Third corner.', ['leg3']),
      report('fuel', 'battery'),
      range('below', 'down'),
      flight('down', 'land', ['leg3']),
    ],
  },
  relay: {
    place: 'air',
    components: [
      report('where', 'position'),
      report('fuel', 'battery'),
      range('look', 'front'),
      range('below', 'down'),
      say('tell', 'Here, with this much left.', ['where', 'fuel']),
      say('say', 'The wall is in sight.', ['look']),
      say('sum', 'All told.', ['tell', 'say']),
      flight('stay', 'hold', [], { durationS: 5 }),
      flight('down', 'land', ['stay']),
    ],
  },
  patrol: {
    place: 'air',
    components: [
      flight('round', 'follow_path', [], {
        frame: 'local_enu',
        positionsM: [
          [5, 0, 6],
          [5, 5, 6],
        ],
        speedMS: 2,
      }),
      flight('turn', 'yaw', ['round'], { yawDeg: 90 }),
      flight('circle', 'orbit', ['turn'], {
        ...{ frame: 'local_enu', centerM: [5, 9, 6], radiusM: 4, startDeg: 180 },
        ...{ turns: 0.5, direction: 'clockwise', speedMS: 1.5 },
      }),
      report('how', 'custom', ['circle']),
      report('fuel', 'battery'),
      range('look', 'front', ['round']),
      flight('down', 'land', ['circle']),
    ],
  },
  sidestep: {
    place: 'air',
    components: [
      flight('push', 'velocity', [], {
        ...{ frame: 'local_enu', velocityMS: [1, 0, 0], durationS: 3 },
      }),
      flight('stay', 'hold', ['push'], { durationS: 5 }),
      report('how', 'custom'),
      report('where', 'position', ['push']),
      say('say', 'A step aside.', ['stay']),
      flight('down', 'land', ['stay']),
    ],
  },
  cargo: {
    place: 'air',
    components: [
      aboard('look', 'camera.point', [], { pitchDeg: -60, yawDeg: 0 }),
      aboard('shot', 'camera.capture', ['look']),
      aboard('image', 'report.image', ['shot'], { of: 'shot' }),
      aboard('drop', 'payload.release', ['shot']),
      aboard('line', 'payload.winch', ['drop'], { lineM: 4, speedMS: 1 }),
      say('say', 'Delivered.', ['drop']),
      report('fuel', 'battery'),
      flight('down', 'land', ['line']),
    ],
  },
  rounds: {
    place: 'air',
    components: [
      aboard('store', 'mission.upload', [], {
        frame: 'local_enu',
        speedMS: 2,
        items: [{ positionM: [5, 0, 6] }, { positionM: [5, 5, 6] }],
      }),
      aboard('fly', 'mission.start', ['store'], { of: 'store' }),
      range('look', 'front', ['fly']),
      report('fuel', 'battery'),
      flight('down', 'land', ['fly']),
    ],
  },
  workshop: {
    place: 'ground',
    components: [
      aboard('may', 'operator.ask', [], { text: 'May I set the speed?' }),
      aboard('set', 'param.set', ['may'], { name: 'MPC_XY_CRUISE', type: 'float', value: 2 }),
      flight('arm', 'arm', ['set']),
      flight('off', 'disarm', ['arm']),
      report('how', 'custom'),
      say('tell', 'Slower from now on.', ['set']),
      report('fuel', 'battery'),
    ],
  },
} as const satisfies Readonly<Record<string, PlanText>>;

export type PlanName = keyof typeof PLANS;
