/**
 * What must become of every plan under every drift: written from the catalog by hand, before the
 * code is asked. `arm=211 up=211 | look say`: withheld for reasons of their own, with the HALO
 * code; after the bar, those withheld only because a prerequisite is. All others are retained.
 */
import type { Component } from '../../../src/contract/index.js';
import type { DriftName } from './drifts.js';
import type { PlanName } from './plans.js';

export const UNDER_DRIFT: Readonly<Record<PlanName, Readonly<Partial<Record<DriftName, string>>>>> =
  {
    tower: {
      'battery-low': 'arm=211 up=211 leg=211 | look say down',
      'battery-silent': 'arm=208 up=208 leg=208 fuel=208 | look say down',
      'position-old': 'arm=209 up=209 leg=209 where=209 | look say down',
      'gps-lost': 'arm=211 up=211 leg=211 | look say down',
      'estimator-bad': 'up=211 leg=211 | look say down',
      'prearm-fails': 'arm=211 | up leg look say down',
      'home-unknown': 'leg=208 | look say down',
      'home-global-unknown': 'up=208 | leg look say down',
      'landed-unknown': 'down=208',
      'armed-old': 'arm=209 down=209 | up leg look say',
      'range-silent': 'look=208',
      'range-conflict': 'look=218',
    },
    survey: {
      'battery-low': 'leg1=211 leg2=211 | look1 where1 home down',
      'battery-empty': 'leg1=211 leg2=211 home=211 | look1 where1 down',
      'battery-future': 'leg1=210 leg2=210 home=210 fuel=210 | look1 where1 down',
      'position-old': 'leg1=209 leg2=209 where1=209 home=209 | look1 down',
      'position-conflict': 'leg1=218 leg2=218 where1=218 home=218 | look1 down',
      'gps-lost': 'leg1=211 leg2=211 home=211 | look1 where1 down',
      'estimator-bad': 'leg1=211 leg2=211 | look1 where1 home down',
      'home-unknown': 'leg1=208 leg2=208 home=208 | look1 where1 down',
      'landed-unknown': 'leg1=207 leg2=207 home=207 down=208 | look1 where1',
      'armed-old': 'down=209',
      'range-silent': 'look1=208',
      'range-old': 'look1=209',
    },
    watch: {
      'position-old': 'stay=209 | look say down',
      'position-conflict': 'stay=218 | look say down',
      'position-silent': 'stay=208 | look say down',
      'battery-silent': 'fuel=208',
      'battery-future': 'fuel=210',
      'landed-unknown': 'stay=207 down=208 | look say',
      'armed-old': 'down=209',
      'range-silent': 'look=208 | say',
      'range-old': 'look=209 | say',
      'range-conflict': 'look=218 | say',
      'down-silent': 'below=208',
      'down-old': 'below=209',
    },
    preflight: {
      'battery-low': 'arm=211 | off',
      'battery-silent': 'arm=208 fuel=208 | off tell',
      'battery-future': 'arm=210 fuel=210 | off tell',
      'position-old': 'arm=209 where=209 | off',
      'position-conflict': 'arm=218 where=218 | off',
      'gps-lost': 'arm=211 | off',
      'prearm-fails': 'arm=211 | off',
      'armed-old': 'arm=209 off=209',
      'range-silent': 'look=208 | say',
      'range-old': 'look=209 | say',
      'range-conflict': 'look=218 | say',
      'down-silent': 'below=208',
    },
    homecoming: {
      'battery-empty': 'home=211 | down tell',
      'battery-silent': 'home=208 fuel=208 | down tell note',
      'battery-future': 'home=210 fuel=210 | down tell note',
      'position-old': 'home=209 where=209 | down tell',
      'position-conflict': 'home=218 where=218 | down tell',
      'position-silent': 'home=208 where=208 | down tell',
      'gps-lost': 'home=211 | down tell',
      'home-unknown': 'home=208 | down tell',
      'home-old': 'home=209 | down tell',
      'landed-unknown': 'home=207 down=208 | tell',
      'armed-old': 'down=209 | tell',
      'armed-silent': 'down=208 | tell',
    },
    hop: {
      'battery-low': 'arm=211 up=211 | stay down fuel look',
      'battery-silent': 'arm=208 up=208 fuel=208 | stay down look',
      'position-old': 'arm=209 up=209 stay=209 | down fuel look',
      'gps-lost': 'arm=211 up=211 | stay down fuel look',
      'estimator-bad': 'up=211 | stay down fuel look',
      'prearm-fails': 'arm=211 | up stay down fuel look',
      'home-global-unknown': 'up=208 | stay down fuel look',
      'landed-unknown': 'down=208',
      'armed-old': 'arm=209 down=209 | up stay fuel look',
      'range-silent': 'look=208',
      'range-old': 'look=209',
      'range-conflict': 'look=218',
    },
    shuttle: {
      'battery-low': 'leg1=211 leg2=211 leg3=211 | say1 say3 down',
      'battery-silent': 'leg1=208 leg2=208 leg3=208 fuel=208 | say1 say3 down',
      'battery-future': 'leg1=210 leg2=210 leg3=210 fuel=210 | say1 say3 down',
      'position-old': 'leg1=209 leg2=209 leg3=209 | say1 say3 down',
      'position-conflict': 'leg1=218 leg2=218 leg3=218 | say1 say3 down',
      'gps-lost': 'leg1=211 leg2=211 leg3=211 | say1 say3 down',
      'estimator-bad': 'leg1=211 leg2=211 leg3=211 | say1 say3 down',
      'estimator-silent': 'leg1=208 leg2=208 leg3=208 | say1 say3 down',
      'home-unknown': 'leg1=208 leg2=208 leg3=208 | say1 say3 down',
      'landed-unknown': 'leg1=207 leg2=207 leg3=207 down=208 | say1 say3',
      'armed-old': 'down=209',
      'down-silent': 'below=208',
    },
    relay: {
      'position-old': 'where=209 stay=209 | tell sum down',
      'position-conflict': 'where=218 stay=218 | tell sum down',
      'position-silent': 'where=208 stay=208 | tell sum down',
      'battery-silent': 'fuel=208 | tell sum',
      'battery-future': 'fuel=210 | tell sum',
      'range-silent': 'look=208 | say sum',
      'range-old': 'look=209 | say sum',
      'range-conflict': 'look=218 | say sum',
      'down-silent': 'below=208',
      'down-old': 'below=209',
      'landed-unknown': 'stay=207 down=208',
      'armed-old': 'down=209',
    },
    patrol: {
      'battery-low': 'round=211 turn=211 circle=211 | look how down',
      'battery-silent': 'round=208 turn=208 circle=208 fuel=208 | look how down',
      'battery-future': 'round=210 turn=210 circle=210 fuel=210 | look how down',
      'position-old': 'round=209 turn=209 circle=209 | look how down',
      'position-conflict': 'round=218 turn=218 circle=218 | look how down',
      'gps-lost': 'round=211 turn=211 circle=211 | look how down',
      'estimator-bad': 'round=211 turn=211 circle=211 | look how down',
      'home-unknown': 'round=208 circle=208 | turn look how down',
      'landed-unknown': 'round=207 turn=207 circle=207 how=208 down=208 | look',
      'yaw-old': 'turn=209 | circle how down',
      'velocity-silent': 'how=208',
      'armed-old': 'down=209',
      'range-silent': 'look=208',
    },
    sidestep: {
      'battery-low': 'push=211 | stay where say down',
      'position-old': 'push=209 stay=209 where=209 | say down',
      'gps-lost': 'push=211 | stay where say down',
      'estimator-silent': 'push=208 | stay where say down',
      'home-unknown': 'push=208 | stay where say down',
      'home-old': 'push=209 | stay where say down',
      'yaw-old': 'push=209 | stay where say down',
      'velocity-silent': 'push=208 how=208 | stay where say down',
      'velocity-old': 'push=209 | stay where say down',
      'landed-unknown': 'push=207 stay=207 how=208 down=208 | where say',
      'mode-old': 'how=209',
      'armed-old': 'down=209',
    },
    cargo: {
      'gimbal-silent': 'look=208 | shot image drop line say down',
      'gimbal-old': 'look=209 | shot image drop line say down',
      'armed-old': 'shot=209 down=209 | image drop line say',
      'armed-silent': 'shot=208 down=208 | image drop line say',
      'load-gone': 'drop=211 | line say down',
      'load-silent': 'drop=208 | line say down',
      'load-old': 'drop=209 | line say down',
      'winch-silent': 'line=208 | down',
      'position-old': 'drop=209 | line say down',
      'position-conflict': 'drop=218 | line say down',
      'battery-silent': 'fuel=208',
      'landed-unknown': 'down=208',
    },
    rounds: {
      'battery-low': 'fly=211 | look down',
      'position-old': 'store=209 fly=209 | look down',
      'gps-lost': 'fly=211 | look down',
      'estimator-bad': 'fly=211 | look down',
      'home-unknown': 'store=208 fly=208 | look down',
      'home-global-unknown': 'store=208 fly=208 | look down',
      'velocity-old': 'fly=209 | look down',
      'landed-unknown': 'fly=207 down=208 | look',
      'armed-silent': 'store=208 down=208 | fly look',
      'battery-silent': 'fly=208 fuel=208 | look down',
      'range-silent': 'look=208',
    },
    workshop: {
      'armed-old': 'set=209 arm=209 off=209 | tell',
      'armed-silent': 'set=208 arm=208 off=208 | tell',
      'battery-low': 'arm=211 | off',
      'battery-silent': 'arm=208 fuel=208 | off',
      'battery-future': 'arm=210 fuel=210 | off',
      'position-old': 'arm=209 | off',
      'prearm-fails': 'arm=211 | off',
      'gps-lost': 'arm=211 | off',
      'mode-silent': 'how=208',
      'landed-unknown': 'how=208',
      'velocity-silent': 'how=208',
      'yaw-silent': 'how=208',
    },
  };

export interface Mistake {
  readonly name: string;
  /** By component of the plan `tower`, what the agent wrote instead. */
  readonly wrote: Readonly<Record<string, Partial<Component>>>;
  readonly expected: string;
}

const leg = (more: object): Partial<Component> => ({
  params: { frame: 'local_enu', positionM: [10, 0, 6], yawDeg: 0, speedMS: 2, ...more },
});

/** Nothing has drifted; the agent is wrong. */
export const MISTAKES: readonly Mistake[] = [
  { name: 'too fast', wrote: { leg: leg({ speedMS: 9 }) }, expected: 'leg=203 | look say down' },
  {
    name: 'too low',
    wrote: { up: { params: { altitudeM: 1 } } },
    expected: 'up=203 | leg look say down',
  },
  {
    name: 'too far',
    wrote: { leg: leg({ positionM: [150, 0, 6] }) },
    expected: 'leg=215 | look say down',
  },
  {
    name: 'no speed',
    wrote: { leg: { params: { frame: 'local_enu', positionM: [10, 0, 6] } } },
    expected: 'leg=202 | look say down',
  },
  {
    name: 'another frame',
    wrote: { leg: leg({ frame: 'map' }) },
    expected: 'leg=202 | look say down',
  },
  {
    name: 'a velocity too fast',
    wrote: {
      leg: {
        kind: 'flight.velocity',
        params: { frame: 'local_enu', velocityMS: [3, 0, 0], durationS: 2 },
      },
    },
    expected: 'leg=203 | look say down',
  },
  {
    name: 'a path with a corner too far',
    wrote: {
      leg: {
        kind: 'flight.follow_path',
        params: {
          frame: 'local_enu',
          positionsM: [
            [50, 0, 6],
            [101, 0, 6],
          ],
          speedMS: 2,
        },
      },
    },
    expected: 'leg=215 | look say down',
  },
  {
    name: 'a parameter that is not listed',
    wrote: {
      leg: { kind: 'param.set', params: { name: 'SYS_AUTOSTART', type: 'int32', value: 1 } },
    },
    expected: 'leg=220 | look say down',
  },
  {
    name: 'a safety parameter',
    wrote: { leg: { kind: 'param.set', params: { name: 'GF_ACTION', type: 'int32', value: 0 } } },
    expected: 'leg=221 | look say down',
  },
  {
    name: 'a line too long',
    wrote: { leg: { kind: 'payload.winch', params: { lineM: 11, speedMS: 1 } } },
    expected: 'leg=203 | look say down',
  },
  {
    name: 'an image of what is no picture',
    wrote: { look: { kind: 'report.image', params: { of: 'leg' } } },
    expected: 'look=219',
  },
  {
    name: 'a kind that is not there',
    wrote: { leg: { kind: 'flight.teleport' } },
    expected: 'leg=201 | look say down',
  },
  {
    name: 'a prerequisite that is not there',
    wrote: { leg: { requires: ['ghost'] } },
    expected: 'leg=204 | look say down',
  },
  {
    name: 'a cycle',
    wrote: { up: { requires: ['arm', 'down'] } },
    expected: 'up=205 leg=205 down=205 | look say',
  },
  { name: 'itself', wrote: { look: { requires: ['look'] } }, expected: 'look=205' },
  { name: 'two motions at once', wrote: { down: { requires: ['up'] } }, expected: 'down=214' },
  {
    name: 'an obligation that nobody gave',
    wrote: { leg: { fulfils: 'paint-it' } },
    expected: 'leg=217 | look say down',
  },
  {
    name: 'a stand-in for nothing',
    wrote: { where: { replaces: ['old-where'] } },
    expected: 'where=304',
  },
];
