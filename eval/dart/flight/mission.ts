/**
 * The inspection that is flown: a few stations, two pictures at each, each told of at once; down.
 * Enters: chance. Leaves: contract, catalog and components as data.
 * Never: a step more than an inspection has.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Component } from '../../../src/contract/index.js';
import { packageRoot } from '../../../src/platform/index.js';
import { shuffled } from '../cases.js';

type Point = readonly [number, number, number];

const UP_M = 3;
/** 5 m apart at least: a picture is of one station and no other. */
const PLACES: readonly Point[] = [
  [5, 0, UP_M],
  [5, 5, UP_M],
  [0, 5, UP_M],
  [-5, 5, UP_M],
  [-5, 0, UP_M],
  [0, -5, UP_M],
];

export interface Mission {
  readonly contract: string;
  readonly plan: readonly Component[];
  /** Of each picture: where it is to be taken. */
  readonly stationOf: ReadonlyMap<string, Point>;
}

/** `drop`: a load is let go at the third station. */
export function missionOf(
  random: () => number,
  { stations: count, drop }: { readonly stations: number; readonly drop: boolean },
): Mission {
  const stations = shuffled(PLACES, random).slice(0, count);
  const stationOf = new Map<string, Point>();
  const plan: Component[] = [
    { id: 'arm', kind: 'flight.arm' },
    { id: 'up', kind: 'flight.takeoff', params: { altitudeM: UP_M } },
  ];
  stations.forEach((station, k) => {
    plan.push(goTo(`leg-${k}`, station));
    for (const side of ['a', 'b']) {
      const id = `${side}-${k}`;
      stationOf.set(id, station);
      plan.push({ id, kind: 'camera.capture' });
      plan.push({ id: `tell-${id}`, kind: 'report.image', params: { of: id } });
      if (drop && k === 2 && side === 'a') plan.push({ id: 'drop', kind: 'payload.release' });
    }
  });
  plan.push({ id: 'down', kind: 'flight.land' });
  return { contract: contractOf(stations), plan, stationOf };
}

export const goTo = (id: string, positionM: Point): Component => ({
  id,
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM: [...positionM], yawDeg: 0, speedMS: 4 },
});

/** Each after the one before it, as they stand. */
export const inTurn = (components: readonly Component[]): readonly Component[] =>
  components.map((component, i) => {
    const before = components[i - 1];
    return before === undefined ? component : { ...component, requires: [before.id] };
  });

const contractOf = (stations: readonly Point[]): string => `
task: inspect-stations
obligations:
${stations
  .map(
    (station, k) => `  - id: seen-${k}
    target: { kind: flight.goto, frame: local_enu, positionM: [${station.join(', ')}] }
    evidence: { within: { of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0 } }`,
  )
  .join('\n')}
contingency: land
contingencyAfterS: 6
budget: { attempts: 9, timeS: 3000 }
`;

/** An operator who wants ways back lists what they take. */
const WAY_BACK =
  'flight.arm, flight.takeoff, flight.goto, flight.land, camera.capture, report.image';

const SHIPPED = readFileSync(
  join(packageRoot(import.meta.url), 'catalog/multicopter.yaml'),
  'utf8',
);

export const CATALOG_TEXT = SHIPPED.replace(
  'replaceableBy: [camera.capture]',
  `replaceableBy: [payload.release, ${WAY_BACK}]`,
)
  .replace('replaceableBy: [payload.release]', `replaceableBy: [payload.release, ${WAY_BACK}]`)
  .replace(
    'replaceableBy: [flight.goto, flight.hold, flight.return, flight.land]',
    `replaceableBy: [payload.release, flight.hold, flight.return, ${WAY_BACK}]`,
  );
