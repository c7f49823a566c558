/**
 * The common case of a response, read in one pass: from text to typed data and, along the way,
 * to canonical text. It knows only plain writing: printable ASCII without escapes, numbers
 * without exponents, the keys of the schema. Whatever else comes, right or wrong, it leaves to
 * the strict reader, which takes eight times as long and can say what is wrong.
 * Enters: ASCII bytes with their text. Leaves: a response with canonical texts, or undefined.
 * Never: a response that the strict reader and the schema would refuse or read otherwise (a
 * test compares them); a slice that keeps the whole text alive.
 */
import {
  BASIS_CHARACTERS_MAX,
  COMPONENTS_MAX,
  ID_PATTERN,
  KIND_PATTERN,
  paramSchemas,
  REFERENCES_MAX,
  type Component,
  type Response,
} from '../contract/index.js';
import { EXACT_DIGITS, FORBIDDEN_KEYS, isDigit, KEYS_COMPARED } from './json-scan.js';

export interface PlainResponse {
  readonly response: Response;
  /** Canonical JSON of each component. */
  readonly componentTexts: readonly string[];
}

/** Below params; with the four levels around them still within the cap of the strict reader. */
const PARAMS_DEPTH_MAX = 8;

/** Longer decimals are not what a planner writes; the strict reader judges them by their text. */
const DECIMAL_CHARACTERS_MAX = 24;

/** Exact as doubles, so that dividing by one rounds once, as reading the decimal does. */
const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];

const PARAM_NAMES: ReadonlyMap<string, string> = new Map(
  Object.values(paramSchemas)
    .flatMap(({ shape }) => Object.keys(shape))
    .map((name) => [name, name]),
);

/** V8 copies a slice up to here; a longer one would hold the text that it was cut from. */
const COPIED_SLICE_MAX = 12;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const TILDE = 0x7e;

/** 1 for what a string holds as it is: printable ASCII but quote and backslash. */
const STANDS_FOR_ITSELF = Uint8Array.from({ length: 256 }, (_, c) =>
  c >= SPACE && c <= TILDE && c !== QUOTE && c !== BACKSLASH ? 1 : 0,
);

export class PlainReader {
  readonly #text: string;
  readonly #bytes: Buffer;
  #at = 0;
  /** Something is not plain: the rest is walked no further, and the result is dropped. */
  #odd = false;
  /** Canonical JSON of the value that was read last. */
  #canonical = '';

  /** `bytes` are ASCII, and `text` is what they say. */
  constructor(bytes: Buffer, text: string) {
    this.#bytes = bytes;
    this.#text = text;
  }

  read(): PlainResponse | undefined {
    this.#space();
    const read = this.#response();
    this.#space();
    return this.#odd || this.#at < this.#text.length ? undefined : read;
  }

  #response(): PlainResponse {
    const componentTexts: string[] = [];
    const response: Response = { protocol: 'halo/1', id: '', task: '', components: [] };
    let hasProtocol = false;
    for (let more = this.#open(OPEN_OBJECT, CLOSE_OBJECT); more; more = this.#more(CLOSE_OBJECT)) {
      switch (this.#key()) {
        case 'protocol':
          if (hasProtocol || this.#string() !== response.protocol) this.#giveUp();
          hasProtocol = true;
          break;
        case 'id':
          if (response.id !== '') this.#giveUp();
          response.id = this.#matching(ID_PATTERN);
          break;
        case 'task':
          if (response.task !== '') this.#giveUp();
          response.task = this.#matching(ID_PATTERN);
          break;
        case 'basis':
          if (response.basis !== undefined) this.#giveUp();
          response.basis = this.#string();
          if (response.basis.length > BASIS_CHARACTERS_MAX) this.#giveUp();
          break;
        case 'discharges':
          if (response.discharges !== undefined) this.#giveUp();
          response.discharges = this.#matching(ID_PATTERN);
          break;
        case 'components':
          if (response.components.length > 0) this.#giveUp();
          response.components = this.#components(componentTexts);
          break;
        default:
          this.#giveUp();
      }
    }
    const { id, task, components } = response;
    if (!hasProtocol || id === '' || task === '' || components.length === 0) this.#giveUp();
    return { response, componentTexts };
  }

  #components(texts: string[]): Component[] {
    const components: Component[] = [];
    for (let more = this.#open(OPEN_ARRAY, CLOSE_ARRAY); more; more = this.#more(CLOSE_ARRAY)) {
      components.push(this.#component());
      texts.push(this.#canonical);
    }
    if (components.length === 0 || components.length > COMPONENTS_MAX) this.#giveUp();
    return components;
  }

  #component(): Component {
    const component: Component = { id: '', kind: '' };
    let [params, requires, replaces] = ['', '', ''];
    for (let more = this.#open(OPEN_OBJECT, CLOSE_OBJECT); more; more = this.#more(CLOSE_OBJECT)) {
      switch (this.#key()) {
        case 'id':
          if (component.id !== '') this.#giveUp();
          component.id = this.#matching(ID_PATTERN);
          break;
        case 'kind':
          if (component.kind !== '') this.#giveUp();
          component.kind = this.#matching(KIND_PATTERN);
          break;
        case 'params':
          if (component.params !== undefined) this.#giveUp();
          component.params = this.#object(1);
          params = `,"params":${this.#canonical}`;
          break;
        case 'requires':
          if (component.requires !== undefined) this.#giveUp();
          component.requires = this.#ids();
          requires = `,"requires":${this.#canonical}`;
          break;
        case 'fulfils':
          if (component.fulfils !== undefined) this.#giveUp();
          component.fulfils = this.#matching(ID_PATTERN);
          break;
        case 'replaces':
          if (component.replaces !== undefined) this.#giveUp();
          component.replaces = this.#ids();
          replaces = `,"replaces":${this.#canonical}`;
          if (component.replaces.length === 0) this.#giveUp();
          break;
        default:
          this.#giveUp();
      }
    }
    const { id, kind, fulfils } = component;
    if (id === '' || kind === '') this.#giveUp();
    // Ids and kinds hold nothing that JSON escapes, and the keys stand sorted.
    const hint = fulfils === undefined ? '' : `"fulfils":"${fulfils}",`;
    this.#canonical = `{${hint}"id":"${id}","kind":"${kind}"${params}${replaces}${requires}}`;
    return component;
  }

  #ids(): string[] {
    const ids: string[] = [];
    let canonical = '';
    for (let more = this.#open(OPEN_ARRAY, CLOSE_ARRAY); more; more = this.#more(CLOSE_ARRAY)) {
      const id = this.#matching(ID_PATTERN);
      canonical += ids.length === 0 ? `"${id}"` : `,"${id}"`;
      ids.push(id);
    }
    if (ids.length > REFERENCES_MAX) this.#giveUp();
    this.#canonical = `[${canonical}]`;
    return ids;
  }

  #value(depth: number): unknown {
    switch (this.#byte()) {
      case QUOTE: {
        const text = this.#string();
        this.#canonical = `"${text}"`;
        return text;
      }
      case OPEN_OBJECT:
        return this.#object(depth + 1);
      case OPEN_ARRAY:
        return this.#array(depth + 1);
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const keys: string[] = [];
    const texts: string[] = [];
    if (depth > PARAMS_DEPTH_MAX) this.#giveUp();
    for (let more = this.#open(OPEN_OBJECT, CLOSE_OBJECT); more; more = this.#more(CLOSE_OBJECT)) {
      const read = this.#key();
      // A name that the engine knows is stored ten times as fast as one just cut out.
      const key = PARAM_NAMES.get(read) ?? read;
      if (keys.includes(key) || FORBIDDEN_KEYS.includes(key)) return this.#giveUp(object);
      if (keys.length === KEYS_COMPARED) return this.#giveUp(object);
      object[key] = this.#value(depth);
      let place = keys.length;
      for (; place > 0 && (keys[place - 1] ?? '') > key; place -= 1) {
        keys[place] = keys[place - 1] ?? '';
        texts[place] = texts[place - 1] ?? '';
      }
      keys[place] = key;
      texts[place] = this.#canonical;
    }
    let canonical = '';
    for (let k = 0; k < keys.length; k += 1) {
      canonical += `${k === 0 ? '"' : ',"'}${keys[k] ?? ''}":${texts[k] ?? ''}`;
    }
    this.#canonical = `{${canonical}}`;
    return object;
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    let canonical = '';
    if (depth > PARAMS_DEPTH_MAX) this.#giveUp();
    for (let more = this.#open(OPEN_ARRAY, CLOSE_ARRAY); more; more = this.#more(CLOSE_ARRAY)) {
      items.push(this.#value(depth));
      canonical += items.length === 1 ? this.#canonical : `,${this.#canonical}`;
    }
    this.#canonical = `[${canonical}]`;
    return items;
  }

  #number(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    const negative = bytes[start] === MINUS;
    const first = negative ? start + 1 : start;
    let digits = 0;
    let i = first;
    for (let c = bytes[i] ?? 0; isDigit(c); c = bytes[i] ?? 0) {
      digits = digits * 10 + (c - ZERO);
      i += 1;
    }
    if (i === first || (i > first + 1 && bytes[first] === ZERO)) return this.#giveUp(0);
    if (bytes[i] === DOT) return this.#decimal(start, i, digits);
    // -0; and beyond 15 digits an integer need not be exact.
    if (i - first > EXACT_DIGITS || (digits === 0 && negative)) return this.#giveUp(0);
    this.#at = i;
    this.#canonical = this.#text.slice(start, i);
    return negative ? -digits : digits;
  }

  /** The number that begins at `start` and has a point at `dot`; `digits` is its whole part. */
  #decimal(start: number, dot: number, whole: number): number {
    const bytes = this.#bytes;
    let digits = whole;
    let i = dot + 1;
    for (let c = bytes[i] ?? 0; isDigit(c); c = bytes[i] ?? 0) {
      digits = digits * 10 + (c - ZERO);
      i += 1;
    }
    const places = i - dot - 1;
    if (places === 0 || i - start > DECIMAL_CHARACTERS_MAX) return this.#giveUp(0);
    const written = this.#text.slice(start, i);
    const scale = POWERS_OF_TEN[places];
    // Up to 15 digits, a decimal of this size is the shortest one of its double.
    const isShort = scale !== undefined && i - start <= EXACT_DIGITS;
    const value = isShort && bytes[start] !== MINUS ? digits / scale : Number(written);
    // -0.0, and what is too small to be told from 0 or too large to be exact.
    if (value === 0 && (digits !== 0 || bytes[start] === MINUS)) return this.#giveUp(0);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return this.#giveUp(0);
    this.#at = i;
    this.#canonical = isShort && bytes[i - 1] !== ZERO ? written : String(value);
    return value;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#giveUp();
    this.#at += word.length;
    this.#canonical = word;
    return value;
  }

  /** With its colon and the space behind it. */
  #key(): string {
    const key = this.#string();
    this.#space();
    if (this.#byte() !== COLON) this.#giveUp();
    this.#at += 1;
    this.#space();
    return key;
  }

  #matching(pattern: RegExp): string {
    const text = this.#string();
    if (!pattern.test(text)) this.#giveUp();
    return text;
  }

  #string(): string {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    if (bytes[this.#at] !== QUOTE) return this.#giveUp('');
    let i = start;
    while (STANDS_FOR_ITSELF[bytes[i] ?? 0] === 1) i += 1;
    if (bytes[i] !== QUOTE) return this.#giveUp('');
    this.#at = i + 1;
    if (i - start <= COPIED_SLICE_MAX) return this.#text.slice(start, i);
    return bytes.toString('latin1', start, i);
  }

  /** Into a container; true when it has a first element. */
  #open(open: number, close: number): boolean {
    if (this.#byte() !== open) return this.#giveUp(false);
    this.#at += 1;
    this.#space();
    if (this.#byte() !== close) return true;
    this.#at += 1;
    return false;
  }

  /** Behind an element; true when another one follows, else behind the container. */
  #more(close: number): boolean {
    this.#space();
    const c = this.#byte();
    if (c !== COMMA && c !== close) return this.#giveUp(false);
    this.#at += 1;
    if (c === close) return false;
    this.#space();
    return true;
  }

  /** 0 at the end of the text, where nothing expects it. */
  #byte(): number {
    return this.#bytes[this.#at] ?? 0;
  }

  #space(): void {
    const bytes = this.#bytes;
    let i = this.#at;
    for (let c = bytes[i] ?? 0; c <= SPACE; c = bytes[i] ?? 0) {
      if (c !== SPACE && c !== 0x0a && c !== 0x0d && c !== 0x09) break;
      i += 1;
    }
    this.#at = i;
  }

  #giveUp(): void;
  #giveUp<T>(value: T): T;
  #giveUp(value?: unknown): unknown {
    this.#odd = true;
    // At the end nothing fits any more, so that every loop ends.
    this.#at = this.#text.length;
    return value;
  }
}
