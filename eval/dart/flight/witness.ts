/**
 * What really happened: pictures by where the body was, words by what reached the operator.
 * Enters: a flight. Leaves: the view in which two ends are compared. Never: what the bridge or a
 * decision believes about place or time.
 */
import type { Flight } from '../../../test/world/flight.js';
import type { Mission } from './mission.js';

/** CAMERA_IMAGE_CAPTURED */
export const IMAGE = 263;
/** A GPS hover strays up to 0.85 m, and a receipt allows 0.6 m; stations are 5 m apart. */
const AT_STATION_M = 2;

interface Picture {
  readonly index: number;
  readonly atUs: number;
  readonly positionEnuM: readonly [number, number, number];
}

export class Witness {
  readonly #flight: Flight;
  readonly #mission: Mission;
  #pictures: Picture[] = [];
  #taken = 0;
  #heardFrom = 0;

  constructor(flight: Flight, mission: Mission) {
    this.#flight = flight;
    this.#mission = mission;
    const channel = flight.vehicle.link.fromVehicle;
    const send = channel.send.bind(channel);
    channel.send = (bytes, nowUs) => {
      const id = (bytes[7] ?? 0) | ((bytes[8] ?? 0) << 8) | ((bytes[9] ?? 0) << 16);
      if (id === IMAGE) this.#see(nowUs);
      send(bytes, nowUs);
    };
  }

  #see(atUs: number): void {
    const { n, e, d } = this.#flight.vehicle.autopilot.truth().positionNedM;
    this.#taken += 1;
    this.#pictures.push({ index: this.#taken, atUs, positionEnuM: [e, n, -d] });
  }

  /** An attempt is void: its pictures and its words do not count. What has fallen has fallen. */
  startAgain(): void {
    this.#pictures = [];
    this.#heardFrom = this.#flight.events.length;
  }

  view(): unknown {
    const pictures = new Map<string, Picture>();
    for (const picture of this.#pictures) {
      const of = this.#componentAt(picture.atUs);
      if (of !== undefined) pictures.set(of, picture);
    }
    const { onGround } = this.#flight.vehicle.autopilot.truth();
    return {
      down: onGround && !this.#flight.vehicle.autopilot.status().armed,
      released: this.#flight.vehicle.autopilot.status().released,
      pictures: [...this.#mission.stationOf].map(([id, station]) => {
        const standing = pictures.get(id);
        const told = this.#told(`tell-${id}`);
        return {
          id,
          atStation: standing !== undefined && isNear(standing.positionEnuM, station),
          timesTold: told.length,
          toldOfStanding: told.at(-1) === standing?.index,
        };
      }),
    };
  }

  /** The capture that had the last lease by then. */
  #componentAt(atUs: number): string | undefined {
    return this.#flight.ledger
      .of('lease-granted')
      .filter(({ tUs }) => tUs <= atUs)
      .map(({ body }) => body as { kind: string; componentId: string })
      .findLast(({ kind }) => kind === 'camera.capture')?.componentId;
  }

  #told(componentId: string): readonly number[] {
    return this.#flight.events
      .slice(this.#heardFrom)
      .flatMap((e) => (e.type === 'utterance' ? [e.utterance] : []))
      .filter((utterance) => utterance.componentId === componentId)
      .map(({ text }) => Number(/^Image (\d+)/.exec(text)?.[1]));
  }
}

function isNear(a: readonly [number, number, number], b: readonly [number, number, number]) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) <= AT_STATION_M;
}
