/**
 * One walk over plainly written JSON, which leaves canonical bytes behind it.
 * Enters: ASCII bytes. Leaves: strings, numbers, words, and their canonical form.
 * Never: a value that the strict reader would read otherwise: what is not plain is given up.
 */
import { CanonicalBytes } from './canonical-bytes.js';
import { EXACT_DIGITS, isDigit } from './json-scan.js';
import { WORD_MAX, wordAt, type Word } from './words.js';

/** Longer decimals are not what a planner writes; the strict reader judges them by their text. */
const DECIMAL_CHARACTERS_MAX = 24;

/** Exact as doubles, so that dividing by one rounds once, as reading the decimal does. */
const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];

export const QUOTE = 0x22;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const TILDE = 0x7e;

/** 1 for what a string holds as it is: printable ASCII but quote and backslash. */
const STANDS_FOR_ITSELF = Uint8Array.from({ length: 256 }, (_, c) =>
  c >= SPACE && c <= TILDE && c !== QUOTE && c !== BACKSLASH ? 1 : 0,
);

export class PlainCursor {
  protected readonly canonical = new CanonicalBytes();
  protected readonly bytes: Buffer;
  protected at = 0;
  /** Something is not plain: the rest is walked no further, and the result is dropped. */
  protected odd = false;

  /** `bytes` are ASCII. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  protected number(): number {
    const bytes = this.bytes;
    const start = this.at;
    const negative = bytes[start] === MINUS;
    const first = negative ? start + 1 : start;
    let digits = 0;
    let i = first;
    for (let c = bytes[i] ?? 0; isDigit(c); c = bytes[i] ?? 0) {
      digits = digits * 10 + (c - ZERO);
      i += 1;
    }
    if (i === first || (i > first + 1 && bytes[first] === ZERO)) return this.giveUp(0);
    if (bytes[i] === DOT) return this.#decimal(start, i, digits);
    // -0; and beyond 15 digits an integer need not be exact.
    if (i - first > EXACT_DIGITS || (digits === 0 && negative)) return this.giveUp(0);
    this.#copyUpTo(i);
    return negative ? -digits : digits;
  }

  /** The number that begins at `start` and has a point at `dot`; `digits` is its whole part. */
  #decimal(start: number, dot: number, whole: number): number {
    const bytes = this.bytes;
    let digits = whole;
    let i = dot + 1;
    for (let c = bytes[i] ?? 0; isDigit(c); c = bytes[i] ?? 0) {
      digits = digits * 10 + (c - ZERO);
      i += 1;
    }
    const places = i - dot - 1;
    if (places === 0 || i - start > DECIMAL_CHARACTERS_MAX) return this.giveUp(0);
    const scale = POWERS_OF_TEN[places];
    // Up to 15 digits, a decimal of this size is the shortest one of its double.
    const isShort = scale !== undefined && i - start <= EXACT_DIGITS;
    const value =
      isShort && bytes[start] !== MINUS
        ? digits / scale
        : Number(bytes.toString('latin1', start, i));
    // -0.0, and what is too small to be told from 0 or too large to be exact.
    if (value === 0 && (digits !== 0 || bytes[start] === MINUS)) return this.giveUp(0);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return this.giveUp(0);
    if (isShort && bytes[i - 1] !== ZERO) {
      this.#copyUpTo(i);
    } else {
      this.canonical.text(String(value));
      this.at = i;
    }
    return value;
  }

  protected literal<T>(word: string, value: T): T {
    for (let k = 0; k < word.length; k += 1) {
      if (this.bytes[this.at + k] !== word.charCodeAt(k)) return this.giveUp(value);
    }
    this.#copyUpTo(this.at + word.length);
    return value;
  }

  /** With its colon and the space behind it; written with the comma before it. */
  protected key(): string {
    const canonical = this.canonical;
    canonical.comma();
    const key = this.string();
    this.space();
    if (this.byte() !== COLON) this.giveUp();
    canonical.bytes[canonical.end] = COLON;
    canonical.end += 1;
    this.at += 1;
    this.space();
    return key;
  }

  protected id(): string {
    const { text, isId } = this.#quoted();
    return isId ? text : this.giveUp('');
  }

  protected kind(): string {
    const { text, isKind } = this.#quoted();
    return isKind ? text : this.giveUp('');
  }

  #quoted(): Word {
    const start = this.at + 1;
    return wordAt(this.bytes, start, this.#endOfString());
  }

  protected string(): string {
    const start = this.at + 1;
    const end = this.#endOfString();
    if (end - start <= WORD_MAX) return wordAt(this.bytes, start, end).text;
    return this.bytes.toString('latin1', start, end);
  }

  /** Copies a string with its quotes; where it ends, without them. */
  #endOfString(): number {
    const { bytes, canonical } = this;
    const to = canonical.bytes;
    let i = this.at;
    let { end } = canonical;
    if (bytes[i] !== QUOTE) return this.giveUp(i + 1);
    to[end] = QUOTE;
    end += 1;
    i += 1;
    for (let c = bytes[i] ?? 0; STANDS_FOR_ITSELF[c] === 1; c = bytes[i] ?? 0) {
      to[end] = c;
      end += 1;
      i += 1;
    }
    if (bytes[i] !== QUOTE) return this.giveUp(i);
    to[end] = QUOTE;
    canonical.end = end + 1;
    this.at = i + 1;
    return i;
  }

  #copyUpTo(stop: number): void {
    const { bytes, canonical } = this;
    const to = canonical.bytes;
    let { end } = canonical;
    for (let i = this.at; i < stop; i += 1) {
      to[end] = bytes[i] ?? 0;
      end += 1;
    }
    canonical.end = end;
    this.at = stop;
  }

  /** Into a container; true when it has a first element. */
  protected open(open: number, close: number): boolean {
    if (this.byte() !== open) return this.giveUp(false);
    this.at += 1;
    this.space();
    if (this.byte() !== close) return true;
    this.at += 1;
    return false;
  }

  /** Behind an element; true when another one follows, else behind the container. */
  protected more(close: number): boolean {
    this.space();
    const c = this.byte();
    if (c !== COMMA && c !== close) return this.giveUp(false);
    this.at += 1;
    if (c === close) return false;
    this.space();
    return true;
  }

  /** 0 at the end of the text, where nothing expects it. */
  protected byte(): number {
    return this.bytes[this.at] ?? 0;
  }

  protected space(): void {
    const bytes = this.bytes;
    let i = this.at;
    for (let c = bytes[i] ?? 0; c <= SPACE; c = bytes[i] ?? 0) {
      if (c !== SPACE && c !== 0x0a && c !== 0x0d && c !== 0x09) break;
      i += 1;
    }
    this.at = i;
  }

  protected giveUp(): void;
  protected giveUp<T>(value: T): T;
  protected giveUp(value?: unknown): unknown {
    this.odd = true;
    // At the end nothing fits any more, so that every loop ends.
    this.at = this.bytes.length;
    return value;
  }
}
