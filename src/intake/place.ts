/**
 * Where in the text: line and byte, as editors and people count.
 * Enters: UTF-16 offsets, rising. Leaves: `line 3, byte 120`. Never: a second walk of the text.
 */
export class PlaceFinder {
  readonly #text: string;
  #index = 0;
  #line = 1;
  #byte = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Lines count from 1, bytes of UTF-8 from 0. */
  of(index: number): string {
    if (index < this.#index) {
      // A surrogate that is found lone only by what follows it: at most a few units back.
      this.#byte -= Buffer.byteLength(this.#text.slice(index, this.#index));
    } else {
      const between = this.#text.slice(this.#index, index);
      this.#byte += Buffer.byteLength(between);
      this.#line += between.split('\n').length - 1;
    }
    this.#index = index;
    return `line ${this.#line}, byte ${this.#byte}`;
  }
}
