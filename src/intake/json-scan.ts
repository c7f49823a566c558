/**
 * The scan behind the strict reader: RFC 8259 grammar, and the traps that the grammar permits.
 * Enters: text. Leaves: findings. Never: a built value, or recursion deeper than the cap.
 */
import type { Code, Finding } from '../contract/index.js';
import { finding, jsonPathText, shown } from '../platform/index.js';
import { codePoint, isHidden, isHighSurrogate, isLowSurrogate, isTag } from './characters.js';
import { PlaceFinder } from './place.js';

/** A response nests 5 levels; 16 leave room for params of kinds to come, and bound recursion. */
export const DEPTH_MAX = 16;

/** More troubles than this are one trouble: the text was not made for this door. */
export const FINDINGS_MAX = 32;

/** Keys that reach an object's prototype in code that is less careful than ours. */
export const FORBIDDEN_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Up to here, comparing with each earlier key is faster than a Set; a component has 6 keys. */
export const KEYS_COMPARED = 12;

/** Integers of up to 15 digits are exact: no need to look at their value. */
export const EXACT_DIGITS = 15;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const TILDE = 0x7e;

const WORD = /true|false|null/y;
const NOT_FINITE = /-?(?:NaN|Infinity)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const ESCAPED_UNITS: Readonly<Record<string, number>> = { b: 8, f: 12, n: LINE_FEED, r: 13, t: 9 };

export const isDigit = (c: number): boolean => c >= ZERO && c <= NINE;

const unitName = (unit: number): string => `U+${unit.toString(16).toUpperCase().padStart(4, '0')}`;

export class JsonScan {
  readonly findings: Finding[] = [];
  sawNegativeZero = false;
  readonly #text: string;
  readonly #place: PlaceFinder;
  readonly #path: (string | number)[] = [];
  /** Keys of the objects that are open, innermost last. */
  readonly #keys: string[] = [];
  #at = 0;
  #depth = 0;
  #stopped = false;

  constructor(text: string) {
    this.#text = text;
    this.#place = new PlaceFinder(text);
  }

  document(): void {
    this.#space();
    this.#value();
    this.#space();
    if (!this.#stopped && this.#at < this.#text.length) this.#stopExpecting('the end of the text');
  }

  #value(): void {
    switch (this.#text.charCodeAt(this.#at)) {
      case QUOTE:
        this.#string();
        return;
      case OPEN_OBJECT:
        this.#object();
        return;
      case OPEN_ARRAY:
        this.#array();
        return;
      default:
        if (!this.#matches(WORD)) this.#number();
    }
  }

  #object(): void {
    if (!this.#enter()) return;
    const base = this.#keys.length;
    let seen: Set<string> | undefined;
    if (this.#text.charCodeAt(this.#at) === CLOSE_OBJECT) {
      this.#leave();
      return;
    }
    for (;;) {
      const keyAt = this.#at;
      const key = this.#key();
      if (key === undefined) return;
      this.#path.push(key);
      if (FORBIDDEN_KEYS.includes(key)) {
        this.#note('HALO-105', `The key ${shown(key)} is not permitted`, keyAt);
      }
      if (seen === undefined && this.#keys.length - base >= KEYS_COMPARED) {
        seen = new Set(this.#keys.slice(base));
      }
      if (seen === undefined ? this.#keys.includes(key, base) : seen.has(key)) {
        this.#note('HALO-104', `The key ${shown(key)} stands twice in one object`, keyAt);
      }
      if (seen === undefined) this.#keys.push(key);
      else seen.add(key);
      this.#space();
      if (!this.#take(COLON)) return this.#stopExpecting('a colon');
      this.#space();
      this.#value();
      const more = this.#next(CLOSE_OBJECT);
      this.#path.pop();
      if (!more) break;
    }
    this.#keys.length = base;
  }

  #array(): void {
    if (!this.#enter()) return;
    if (this.#text.charCodeAt(this.#at) === CLOSE_ARRAY) {
      this.#leave();
      return;
    }
    for (let index = 0; ; index += 1) {
      this.#path.push(index);
      this.#value();
      const more = this.#next(CLOSE_ARRAY);
      this.#path.pop();
      if (!more) return;
    }
  }

  /** After an element: true when another one follows; closes the container otherwise. */
  #next(close: number): boolean {
    if (this.#stopped) return false;
    this.#space();
    if (this.#take(COMMA)) {
      this.#space();
      return true;
    }
    if (this.#text.charCodeAt(this.#at) === close) {
      this.#leave();
    } else {
      this.#stopExpecting(close === CLOSE_ARRAY ? 'a comma or ]' : 'a comma or }');
    }
    return false;
  }

  #enter(): boolean {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) {
      this.#note('HALO-103', `Nested deeper than ${DEPTH_MAX} levels`, this.#at);
      this.#stopped = true;
      return false;
    }
    this.#at += 1;
    this.#space();
    return true;
  }

  #leave(): void {
    this.#depth -= 1;
    this.#at += 1;
  }

  /** The key with its escapes resolved: `"\u0061"` is the key `a` once more. */
  #key(): string | undefined {
    const start = this.#at;
    if (this.#text.charCodeAt(start) !== QUOTE) {
      this.#stopExpecting('a key in double quotes');
      return undefined;
    }
    const found = this.findings.length;
    const escaped = this.#string();
    if (this.#stopped) return undefined;
    if (!escaped || this.findings.length > found) return this.#text.slice(start + 1, this.#at - 1);
    return String(JSON.parse(this.#text.slice(start, this.#at)));
  }

  /** Consumes a string; true when it holds an escape. */
  #string(): boolean {
    const text = this.#text;
    let i = this.#at + 1;
    for (;;) {
      const c = text.charCodeAt(i);
      if (c === QUOTE) {
        this.#at = i + 1;
        return false;
      }
      // NaN at the end of the text fails this comparison too.
      if (!(c >= SPACE && c <= TILDE) || c === BACKSLASH) return this.#unusualString(i);
      i += 1;
    }
  }

  /** A string with escapes or with characters beyond ASCII, from `start` on. */
  #unusualString(start: number): boolean {
    const text = this.#text;
    let escaped = false;
    let high = 0; // the unit before, when it opens a surrogate pair
    let highEscaped = false;
    for (let i = start; ;) {
      const c = text.charCodeAt(i);
      if (!(c >= SPACE) || c === QUOTE) {
        if (high !== 0) this.#noteUnit(high, i - (highEscaped ? 6 : 1));
        high = 0;
        this.#at = i + 1;
        if (c === QUOTE || this.#stopped) return escaped;
        if (i >= text.length) {
          this.#stopExpecting('the end of a string');
          return escaped;
        }
        this.#noteRawControl(c, i);
        i += 1;
        continue;
      }
      const unit = c === BACKSLASH ? this.#escapedUnit(i) : c;
      if (unit === undefined) return false;
      const length = c !== BACKSLASH ? 1 : text.charCodeAt(i + 1) === 0x75 ? 6 : 2;
      const before = i - (highEscaped ? 6 : 1);
      if (high !== 0 && isLowSurrogate(unit) && highEscaped === length > 1) {
        if (isTag(high, unit)) this.#noteUnit(codePoint(high, unit), before);
      } else {
        if (high !== 0) this.#noteUnit(high, before);
        if (isLowSurrogate(unit) || isHidden(unit)) this.#noteUnit(unit, i);
      }
      high = isHighSurrogate(unit) ? unit : 0;
      highEscaped = length > 1;
      escaped ||= length > 1;
      i += length;
    }
  }

  #escapedUnit(at: number): number | undefined {
    ESCAPE.lastIndex = at;
    const escape = ESCAPE.exec(this.#text)?.[0];
    if (escape === undefined) {
      this.#at = at;
      this.#stopExpecting('a JSON escape');
      return undefined;
    }
    if (escape.length > 2) return Number.parseInt(escape.slice(2), 16);
    return ESCAPED_UNITS[escape[1] ?? ''] ?? escape.charCodeAt(1);
  }

  #number(): void {
    const text = this.#text;
    const start = this.#at;
    let i = start;
    const negative = text.charCodeAt(i) === MINUS;
    if (negative) i += 1;
    const first = text.charCodeAt(i);
    if (!isDigit(first)) return this.#noNumber();
    i += 1;
    if (first !== ZERO) while (isDigit(text.charCodeAt(i))) i += 1;
    let plain = true;
    if (text.charCodeAt(i) === DOT) {
      plain = false;
      i += 1;
      if (!isDigit(text.charCodeAt(i))) return this.#stopExpecting('a digit', i);
      while (isDigit(text.charCodeAt(i))) i += 1;
    }
    if ((text.charCodeAt(i) | 0x20) === 0x65) {
      plain = false;
      i += 1;
      const sign = text.charCodeAt(i);
      if (sign === PLUS || sign === MINUS) i += 1;
      if (!isDigit(text.charCodeAt(i))) return this.#stopExpecting('a digit', i);
      while (isDigit(text.charCodeAt(i))) i += 1;
    }
    this.#at = i;
    if (!plain || negative || i - start > EXACT_DIGITS) this.#judgeNumber(text.slice(start, i));
  }

  /** By the text, not by the double that it would be rounded to. */
  #judgeNumber(digits: string): void {
    const value = Number(digits);
    const at = this.#at - digits.length;
    if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
      const why = Number.isFinite(value) ? 'is beyond 2^53 - 1' : 'is not finite';
      this.#note('HALO-106', `${shown(digits)} ${why}`, at, { observed: digits.slice(0, 64) });
    } else if (value === 0) {
      if (/^[^eE]*[1-9]/.test(digits)) {
        this.#note('HALO-106', `${shown(digits)} is too small to be told from 0`, at);
      }
      if (digits.startsWith('-')) this.sawNegativeZero = true;
    }
  }

  #noNumber(): void {
    const start = this.#at;
    if (this.#matches(NOT_FINITE)) {
      this.#note('HALO-106', `${this.#text.slice(start, this.#at)} is not a number`, start);
    } else {
      this.#stopExpecting('a value');
    }
  }

  #space(): void {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at);
      if (c !== SPACE && c !== LINE_FEED && c !== RETURN && c !== TAB) return;
      this.#at += 1;
    }
  }

  #take(c: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== c) return false;
    this.#at += 1;
    return true;
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #noteRawControl(unit: number, at: number): void {
    const remedy = 'Write it as an escape, or leave it out.';
    this.#note('HALO-107', `Control character ${unitName(unit)} stands raw`, at, { remedy });
  }

  #noteUnit(unit: number, at: number): void {
    const name = unitName(unit);
    const lone = isHighSurrogate(unit) || isLowSurrogate(unit);
    const message = lone
      ? `Half a character (lone surrogate ${name})`
      : `Character ${name} cannot be seen as it is`;
    this.#note('HALO-107', message, at, { remedy: `Leave out ${name}.` });
  }

  #note(code: Code, what: string, at: number, detail: Partial<Finding> = {}): void {
    if (this.#stopped) return;
    const message = `${what} (${this.#place.of(at)}).`;
    const path = jsonPathText(this.#path);
    this.findings.push(finding('json', code, message, { path, ...detail }));
    if (this.findings.length >= FINDINGS_MAX) this.#stopped = true;
  }

  /** Grammar trouble ends the scan: what follows would be guessed. */
  #stopExpecting(what: string, at = this.#at): void {
    const found = this.#text.slice(at, at + 1);
    const message =
      found === ''
        ? `The text ends where ${what} was expected`
        : `Expected ${what}, found ${shown(found)}`;
    this.#note('HALO-101', message, at);
    this.#stopped = true;
  }
}
