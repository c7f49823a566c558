/**
 * A first-in, first-out queue that cannot grow. Enters: items from callbacks. Leaves: the same
 * items, in order, to the tick. Never: more than `capacity` items, nor a silent loss.
 */
import { assert } from './assert.js';

export class BoundedQueue<T> {
  readonly capacity: number;
  readonly #slots: (T | undefined)[];
  #head = 0;
  #size = 0;
  #lost = 0;

  constructor(capacity: number) {
    assert(Number.isInteger(capacity) && capacity > 0, 'a queue holds at least one item');
    this.capacity = capacity;
    // Allocated once: a flood must not be able to move memory use.
    this.#slots = new Array<T | undefined>(capacity).fill(undefined);
  }

  get size(): number {
    return this.#size;
  }

  /** Items that were turned away by `offer` or pushed out by `force`, since the start. */
  get lost(): number {
    return this.#lost;
  }

  /** Appends, or turns the new item away (false) when full: for work that must not be dropped. */
  offer(item: T): boolean {
    if (this.#size === this.capacity) {
      this.#lost += 1;
      return false;
    }
    this.#slots[(this.#head + this.#size) % this.capacity] = item;
    this.#size += 1;
    return true;
  }

  /** Appends, pushing out the oldest item when full: for telemetry, where the newest counts. */
  force(item: T): void {
    if (this.#size === this.capacity) {
      this.shift();
      this.#lost += 1;
    }
    this.#slots[(this.#head + this.#size) % this.capacity] = item;
    this.#size += 1;
  }

  /** The oldest item, which stays in the queue. */
  peek(): T | undefined {
    return this.#size === 0 ? undefined : this.#slots[this.#head];
  }

  /** Takes the oldest item out. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.capacity;
    this.#size -= 1;
    return item;
  }
}
