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

export class LossCounter {
  readonly #tracks = new Map<number, Track>();

  add(componentId: number, sequence: number): void {
    const track = this.#tracks.get(componentId);
    if (track === undefined) {
      this.#tracks.set(componentId, { last: sequence, received: 1, lost: 0, backward: 0 });
      return;
    }
    const step = (sequence - track.last) & 0xff;
    // Eight bits cannot tell a large gap from a step back; half of the circle is for each.
    if (step === 0 || step > 128) track.backward += 1;
    else track.lost += step - 1;
    track.received += 1;
    track.last = sequence;
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
