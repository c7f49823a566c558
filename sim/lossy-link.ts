/**
 * A datagram link in memory that loses, doubles, delays, reorders and damages, by a seed.
 * In: datagrams with the time they were sent. Out: datagrams with the time they arrive.
 * Never loses order by itself: with no trouble configured it is a perfect wire.
 */

/** Chances in 0 to 1 for each datagram; delays in microseconds, uniform between the two. */
export interface Trouble {
  readonly drop?: number;
  readonly duplicate?: number;
  /** One bit of the datagram is flipped. */
  readonly corrupt?: number;
  /** The datagram waits for an extra `reorderUs`, so that later ones overtake it. */
  readonly reorder?: number;
  readonly reorderUs?: number;
  readonly delayUs?: readonly [number, number];
}

export interface LinkCounts {
  sent: number;
  delivered: number;
  dropped: number;
  duplicated: number;
  corrupted: number;
  reordered: number;
}

interface Flight {
  readonly arrivesUs: number;
  readonly order: number;
  readonly bytes: Uint8Array;
}

/** A late datagram is this much later than its neighbours unless told otherwise: two setpoints. */
const REORDER_US = 100_000;
/** More than this in flight is dropped, as a full queue would. */
const IN_FLIGHT_LIMIT = 10_000;

/** One direction. */
export class LossyChannel {
  private flights: Flight[] = [];
  private order = 0;
  private cutUntilUs = -Infinity;
  readonly counts: LinkCounts = {
    sent: 0,
    delivered: 0,
    dropped: 0,
    duplicated: 0,
    corrupted: 0,
    reordered: 0,
  };

  constructor(
    private readonly random: () => number,
    public trouble: Trouble = {},
  ) {}

  send(bytes: Uint8Array, nowUs: number): void {
    this.counts.sent += 1;
    const { trouble } = this;
    if (nowUs < this.cutUntilUs || this.chance(trouble.drop)) {
      this.counts.dropped += 1;
      return;
    }
    this.launch(bytes, nowUs);
    if (!this.chance(trouble.duplicate)) return;
    this.counts.duplicated += 1;
    this.launch(bytes, nowUs);
  }

  /** Nothing that is sent before `untilUs` arrives. */
  cut(untilUs: number): void {
    this.cutUntilUs = untilUs;
  }

  /** What has arrived by `nowUs`, in order of arrival. */
  receive(nowUs: number): Uint8Array[] {
    const arrived = this.flights.filter((flight) => flight.arrivesUs <= nowUs);
    if (arrived.length === 0) return [];
    this.flights = this.flights.filter((flight) => flight.arrivesUs > nowUs);
    arrived.sort((a, b) => a.arrivesUs - b.arrivesUs || a.order - b.order);
    this.counts.delivered += arrived.length;
    return arrived.map((flight) => flight.bytes);
  }

  private launch(bytes: Uint8Array, nowUs: number): void {
    if (this.flights.length >= IN_FLIGHT_LIMIT) {
      this.counts.dropped += 1;
      return;
    }
    const { trouble } = this;
    const [shortest, longest] = trouble.delayUs ?? [0, 0];
    let arrivesUs = nowUs + shortest + Math.floor((longest - shortest) * this.random());
    if (this.chance(trouble.reorder)) {
      this.counts.reordered += 1;
      arrivesUs += trouble.reorderUs ?? REORDER_US;
    }
    this.order += 1;
    this.flights.push({ arrivesUs, order: this.order, bytes: this.damaged(bytes) });
  }

  private damaged(bytes: Uint8Array): Uint8Array {
    const copy = Uint8Array.from(bytes);
    if (copy.length === 0 || !this.chance(this.trouble.corrupt)) return copy;
    this.counts.corrupted += 1;
    const at = Math.floor(this.random() * copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(this.random() * 8));
    return copy;
  }

  private chance(probability = 0): boolean {
    // The draw happens in any case, so that one kind of trouble does not shift the others' luck.
    return this.random() < probability;
  }
}

/** Both directions between a vehicle and its peer. */
export class LossyLink {
  readonly toVehicle: LossyChannel;
  readonly fromVehicle: LossyChannel;

  constructor(random: () => number, trouble: Trouble = {}) {
    this.toVehicle = new LossyChannel(random, trouble);
    this.fromVehicle = new LossyChannel(random, trouble);
  }

  /** Silence both ways until `untilUs`. */
  partition(untilUs: number): void {
    this.toVehicle.cut(untilUs);
    this.fromVehicle.cut(untilUs);
  }
}
