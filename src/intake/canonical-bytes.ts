/**
 * Canonical JSON as bytes, written while a response is read, and digested where it lies.
 * Enters: bytes and ASCII text of members. Leaves: views of one buffer, until the next response.
 * Never: two responses at once: reading is one synchronous turn.
 *
 * A container is written as its elements with a comma before each; closing it puts its bracket
 * over the first comma. So elements can be sorted by moving bytes.
 */
import { RESPONSE_BYTES_MAX } from './response-text.js';

const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Canonical text is never longer than the text that it was read from; this is for its ends. */
const MARGIN = 1024;

/** Below, a loop is faster than a call of the engine's own copying. */
const LOOP_MAX = 48;

/** Twice, for the room behind what is being moved. */
const buffer = Buffer.alloc(2 * RESPONSE_BYTES_MAX + 2 * MARGIN);

/** What is moved out of the way for a moment. */
const aside = Buffer.alloc(LOOP_MAX);

export class CanonicalBytes {
  readonly bytes = buffer;
  /** What comes before all components is known last: they begin at the margin. */
  end = MARGIN;
  /** Members of all objects that are open, innermost last. */
  #open = 0;
  readonly #keys: string[] = [];
  readonly #starts: number[] = [];

  comma(): void {
    this.bytes[this.end] = COMMA;
    this.end += 1;
  }

  text(ascii: string): void {
    this.end += this.bytes.write(ascii, this.end, 'latin1');
  }

  /** The elements since `start` become a container. */
  close(start: number, open: number, close: number): void {
    this.bytes[start] = open;
    if (this.end === start) this.end += 1;
    this.bytes[this.end] = close;
    this.end += 1;
  }

  /** Moves the element that begins at `start` and was written last to `place` before it. */
  moveBefore(place: number, start: number): void {
    const { bytes, end } = this;
    const length = end - start;
    if (length > LOOP_MAX || start - place > 2 * LOOP_MAX) {
      // Behind the end there is room for it.
      bytes.copyWithin(end, start, end);
      bytes.copyWithin(place + length, place, start);
      bytes.copyWithin(place, end, end + length);
      return;
    }
    for (let i = 0; i < length; i += 1) aside[i] = bytes[start + i] ?? 0;
    for (let i = start - 1; i >= place; i -= 1) bytes[i + length] = bytes[i] ?? 0;
    for (let i = 0; i < length; i += 1) bytes[place + i] = aside[i] ?? 0;
  }

  slice(start: number, end: number): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  /** All that was written, between `head` and `tail`. */
  whole(head: string, tail: string): Uint8Array {
    const start = MARGIN - head.length;
    this.bytes.write(head, start, 'latin1');
    this.text(tail);
    return this.bytes.subarray(start, this.end);
  }

  /** Opens an object: RFC 8785 sorts its members by their keys. Objects close innermost first. */
  openObject(): number {
    return this.#open;
  }

  /** How many members the object has; `object` is what {@link openObject} said. */
  count(object: number): number {
    return this.#open - object;
  }

  has(object: number, key: string): boolean {
    for (let k = object; k < this.#open; k += 1) if (this.#keys[k] === key) return true;
    return false;
  }

  /** The member that was written last, from `start` on. Plain keys are ASCII: so is their order. */
  add(object: number, key: string, start: number): void {
    const keys = this.#keys;
    const starts = this.#starts;
    let place = this.#open;
    this.#open += 1;
    if (place === object || (keys[place - 1] ?? '') <= key) {
      keys[place] = key;
      starts[place] = start;
      return;
    }
    const length = this.end - start;
    for (; place > object && (keys[place - 1] ?? '') > key; place -= 1) {
      keys[place] = keys[place - 1] ?? '';
      starts[place] = (starts[place - 1] ?? 0) + length;
    }
    const at = (starts[place + 1] ?? 0) - length;
    keys[place] = key;
    starts[place] = at;
    this.moveBefore(at, start);
  }

  closeObject(object: number, start: number): void {
    this.#open = object;
    this.close(start, OPEN_OBJECT, CLOSE_OBJECT);
  }
}
