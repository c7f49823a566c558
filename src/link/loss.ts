/**
 * Loss by gaps in sequence numbers. Enters: component and sequence of each frame of one vehicle.
 * Leaves: counts per component. Never: more entries than there are component ids.
 */

export interface ComponentLoss {
  readonly componentId: number;
  readonly received: number;
  /** Frames that the numbers say were sent and that did not come. */
  readonly lost: number;
  /** Steps backwards: a duplicate, a reordering or a restart of the sender. */
  readonly backward: number;
}

interface Track {
  last: number;
  received: number;
  lost: number;
  backward: number;
}

/**
 * "Lately" is the last 512 to 1,024 frames that were sent: 1.3 to 2.6 s of what PX4 sends unasked,
 * and enough that one lost frame is not more than 0.2 %.
 */
const WINDOW = 512;

interface Window {
  received: number;
  lost: number;
}

export class LossCounter {
  readonly #tracks = new Map<number, Track>();
  #before: Window = { received: 0, lost: 0 };
  #now: Window = { received: 0, lost: 0 };

  add(componentId: number, sequence: number): void {
    this.#now.received += 1;
    const track = this.#tracks.get(componentId);
    if (track === undefined) {
      this.#tracks.set(componentId, { last: sequence, received: 1, lost: 0, backward: 0 });
      return;
    }
    const step = (sequence - track.last) & 0xff;
    // Eight bits cannot tell a large gap from a step back; half of the circle is for each.
    if (step === 0 || step > 128) track.backward += 1;
    else {
      track.lost += step - 1;
      this.#now.lost += step - 1;
    }
    track.received += 1;
    track.last = sequence;
    if (this.#now.received + this.#now.lost < WINDOW) return;
    this.#before = this.#now;
    this.#now = { received: 0, lost: 0 };
  }

  /** Lost frames of all components among those sent lately, 0..100; 0 before anything came. */
  recentPercent(): number {
    const lost = this.#before.lost + this.#now.lost;
    const sent = lost + this.#before.received + this.#now.received;
    return sent === 0 ? 0 : (100 * lost) / sent;
  }

  byComponent(): readonly ComponentLoss[] {
    return [...this.#tracks].map(([componentId, track]) => ({
      componentId,
      received: track.received,
      lost: track.lost,
      backward: track.backward,
    }));
  }
}
