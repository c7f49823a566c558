/** Missions for timelines: a small square, stored and flown, and a ground station that interferes. */
import { readFileSync } from 'node:fs';
import type { Component, Observed, Receipt, SubmitReply } from '../../src/contract/index.js';
import type { Fields } from '../../sim/autopilot/index.js';
import type { Flight, FlightOptions } from './flight.js';
import { ARM, newHop, sendHop, UP } from './hop.js';

export const SHIPPED = readFileSync('catalog/multicopter.yaml', 'utf8');
/** A square fence of 12 m around home wherever a leg is limited. */
export const FENCED = SHIPPED.replaceAll(
  /^ {6}legMaxM: (\d+)$/gm,
  '      legMaxM: $1\n      geofenceEnuM: [[-12, -12], [12, -12], [12, 12], [-12, 12]]',
);

export type Item = { readonly positionM: readonly number[]; readonly holdS?: number };
export const at = (east: number, north: number, up = 3, more: object = {}): Item => ({
  positionM: [east, north, up],
  ...more,
});
export const SQUARE = [at(5, 0), at(5, 5, 3, { holdS: 2 }), at(0, 5), at(0, 0)];

export const store = (items: readonly Item[] = SQUARE, requires: readonly string[] = ['up']) => ({
  id: 'store',
  kind: 'mission.upload',
  params: { frame: 'local_enu', speedMS: 2, items },
  requires: [...requires],
});
export const fly = (params: object = {}): Component => ({
  id: 'fly',
  kind: 'mission.start',
  params: { of: 'store', ...params },
  requires: ['store'],
});
export const DOWN: Component = { id: 'down', kind: 'flight.land', requires: ['fly'] };
export const PAUSE: Component = { id: 'pause', kind: 'mission.pause' };

export const MESSAGE = { setCurrent: 41, count: 44, item: 73 } as const;
export const sentOf = (flight: Flight, id: number) => flight.wire.sent.filter((f) => f.id === id);

export const receiptsOf = (flight: Flight, id: string): readonly Receipt[] =>
  flight.events.flatMap((e) =>
    e.type === 'receipt' && e.receipt.componentId === id ? [e.receipt] : [],
  );
export const observedOf = (flight: Flight, id: string): Observed =>
  receiptsOf(flight, id).at(-1)?.observed ?? {};

export const findings = (reply: SubmitReply): readonly string[] => [
  ...reply.findings.map(({ code }) => code),
  ...(reply.verdict?.components ?? []).flatMap(({ id, findings: own }) =>
    own.map(({ code, path }) => `${id} ${code} ${path ?? ''}`.trim()),
  ),
];

/** In the air, with the mission under way. */
export function flying(
  options: FlightOptions = {},
  components: readonly Component[] = [DOWN],
): Flight {
  const flight = sendHop(newHop(options), [ARM, UP, store(), fly(), ...components]);
  flight.until('the mission', () => flight.mode === 'AUTO.MISSION', 90);
  return flight;
}

export const itemNow = (flight: Flight): number =>
  Number(
    flight.engine.state().evidence.find(({ field }) => field === 'vehicle.mission_current')?.value,
  );

/** A ground station speaks to the vehicle, past the bridge. */
export function speak(flight: Flight, name: string, fields: Fields): void {
  flight.vehicle.autopilot.receive({ name, fields, systemId: 255, componentId: 190 }, flight.nowUs);
}
export const VEHICLE = { target_system: 1, target_component: 1 };

/** One item over home, from a transfer of its own. */
export function storeByOther(flight: Flight): void {
  speak(flight, 'MISSION_COUNT', { ...VEHICLE, count: 1, mission_type: 0, opaque_id: 0 });
  const params = { param1: 0, param2: 1, param3: 0, param4: NaN };
  const place = { frame: 6, x: 473977420, y: 85455940, z: 5 };
  const rest = { command: 16, current: 0, autocontinue: 1, mission_type: 0 };
  speak(flight, 'MISSION_ITEM_INT', { ...VEHICLE, seq: 0, ...params, ...place, ...rest });
}

export function setModeByOther(flight: Flight): void {
  const [param1, param2, param3] = [1, 4, 4];
  const rest = { param4: 0, param5: 0, param6: 0, param7: 0 };
  const command = { command: 176, confirmation: 0, param1, param2, param3, ...rest };
  speak(flight, 'COMMAND_LONG', { ...VEHICLE, ...command });
}
