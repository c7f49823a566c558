/**
 * The common case of a response, read in one pass: from bytes to typed data and, along the way,
 * to canonical bytes. It knows only plain writing: printable ASCII without escapes, numbers
 * without exponents, the keys of the schema. Whatever else comes, right or wrong, it leaves to
 * the strict reader, which takes eight times as long and can say what is wrong.
 * Enters: ASCII bytes. Leaves: a response with its canonical bytes, or undefined.
 * Never: a response that the strict reader and the schema would refuse or read otherwise (a
 * test compares them); a slice that keeps the whole text alive.
 */
import {
  BASIS_CHARACTERS_MAX,
  COMPONENTS_MAX,
  REFERENCES_MAX,
  type Component,
  type Response,
} from '../contract/index.js';
import { FORBIDDEN_KEYS, KEYS_COMPARED } from './json-scan.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PlainCursor,
  QUOTE,
} from './plain-cursor.js';

export interface PlainResponse {
  readonly response: Response;
  /** Canonical JSON of each component; good until the next response is read. */
  readonly componentBytes: readonly Uint8Array[];
  /** Canonical JSON of the response; good until the next response is read. */
  readonly bytes: Uint8Array;
}

/** Below params; with the four levels around them still within the cap of the strict reader. */
const PARAMS_DEPTH_MAX = 8;

export class PlainReader extends PlainCursor {
  read(): PlainResponse | undefined {
    const componentBytes: Uint8Array[] = [];
    this.space();
    const response = this.#response(componentBytes);
    this.space();
    if (this.odd || this.at < this.bytes.length) return undefined;
    return { response, componentBytes, bytes: this.#whole(response) };
  }

  /** Keys stand in the order of RFC 8785; neither ids nor plain text hold what JSON escapes. */
  #whole({ basis, discharges, id, protocol, task }: Response): Uint8Array {
    const named = basis === undefined ? '' : `"basis":"${basis}",`;
    const answers = discharges === undefined ? '' : `"discharges":"${discharges}",`;
    return this.canonical.whole(
      `{${named}"components":`,
      `,${answers}"id":"${id}","protocol":"${protocol}","task":"${task}"}`,
    );
  }

  #response(componentBytes: Uint8Array[]): Response {
    const response: Response = { protocol: 'halo/1', id: '', task: '', components: [] };
    let hasProtocol = false;
    for (let more = this.open(OPEN_OBJECT, CLOSE_OBJECT); more; more = this.more(CLOSE_OBJECT)) {
      const start = this.canonical.end;
      switch (this.key()) {
        case 'protocol':
          if (hasProtocol || this.string() !== response.protocol) this.giveUp();
          hasProtocol = true;
          break;
        case 'id':
          if (response.id !== '') this.giveUp();
          response.id = this.id();
          break;
        case 'task':
          if (response.task !== '') this.giveUp();
          response.task = this.id();
          break;
        case 'basis':
          if (response.basis !== undefined) this.giveUp();
          response.basis = this.string();
          if (response.basis.length > BASIS_CHARACTERS_MAX) this.giveUp();
          break;
        case 'discharges':
          if (response.discharges !== undefined) this.giveUp();
          response.discharges = this.id();
          break;
        case 'components':
          if (response.components.length > 0) this.giveUp();
          this.canonical.end = start;
          response.components = this.#components(componentBytes);
          continue;
        default:
          this.giveUp();
      }
      // Written in their order once all are known.
      this.canonical.end = start;
    }
    const { id, task, components } = response;
    if (!hasProtocol || id === '' || task === '' || components.length === 0) this.giveUp();
    return response;
  }

  #components(componentBytes: Uint8Array[]): Component[] {
    const canonical = this.canonical;
    const components: Component[] = [];
    const start = canonical.end;
    for (let more = this.open(OPEN_ARRAY, CLOSE_ARRAY); more; more = this.more(CLOSE_ARRAY)) {
      canonical.comma();
      const from = canonical.end;
      components.push(this.#component());
      componentBytes.push(canonical.slice(from, canonical.end));
    }
    canonical.close(start, OPEN_ARRAY, CLOSE_ARRAY);
    if (components.length === 0 || components.length > COMPONENTS_MAX) this.giveUp();
    return components;
  }

  #component(): Component {
    const canonical = this.canonical;
    const component: Component = { id: '', kind: '' };
    const begin = canonical.end;
    const members = canonical.openObject();
    for (let more = this.open(OPEN_OBJECT, CLOSE_OBJECT); more; more = this.more(CLOSE_OBJECT)) {
      const start = canonical.end;
      const key = this.key();
      switch (key) {
        case 'id':
          if (component.id !== '') this.giveUp();
          component.id = this.id();
          break;
        case 'kind':
          if (component.kind !== '') this.giveUp();
          component.kind = this.kind();
          break;
        case 'params':
          if (component.params !== undefined) this.giveUp();
          component.params = this.#object(1);
          break;
        case 'requires':
          if (component.requires !== undefined) this.giveUp();
          component.requires = this.#ids();
          break;
        case 'fulfils':
          if (component.fulfils !== undefined) this.giveUp();
          component.fulfils = this.id();
          break;
        case 'replaces':
          if (component.replaces !== undefined) this.giveUp();
          component.replaces = this.#ids();
          if (component.replaces.length === 0) this.giveUp();
          break;
        default:
          this.giveUp();
      }
      canonical.add(members, key, start);
    }
    canonical.closeObject(members, begin);
    if (component.id === '' || component.kind === '') this.giveUp();
    return component;
  }

  #ids(): string[] {
    const canonical = this.canonical;
    const ids: string[] = [];
    const start = canonical.end;
    for (let more = this.open(OPEN_ARRAY, CLOSE_ARRAY); more; more = this.more(CLOSE_ARRAY)) {
      canonical.comma();
      ids.push(this.id());
    }
    canonical.close(start, OPEN_ARRAY, CLOSE_ARRAY);
    if (ids.length > REFERENCES_MAX) this.giveUp();
    return ids;
  }

  #value(depth: number): unknown {
    switch (this.byte()) {
      case QUOTE:
        return this.string();
      case OPEN_OBJECT:
        return this.#object(depth + 1);
      case OPEN_ARRAY:
        return this.#array(depth + 1);
      case 0x74:
        return this.literal('true', true);
      case 0x66:
        return this.literal('false', false);
      case 0x6e:
        return this.literal('null', null);
      default:
        return this.number();
    }
  }

  #object(depth: number): Record<string, unknown> {
    const canonical = this.canonical;
    const object: Record<string, unknown> = {};
    const begin = canonical.end;
    const members = canonical.openObject();
    if (depth > PARAMS_DEPTH_MAX) this.giveUp();
    for (let more = this.open(OPEN_OBJECT, CLOSE_OBJECT); more; more = this.more(CLOSE_OBJECT)) {
      const start = canonical.end;
      const key = this.key();
      if (canonical.has(members, key) || FORBIDDEN_KEYS.includes(key)) return this.giveUp(object);
      if (canonical.count(members) === KEYS_COMPARED) return this.giveUp(object);
      object[key] = this.#value(depth);
      canonical.add(members, key, start);
    }
    canonical.closeObject(members, begin);
    return object;
  }

  #array(depth: number): unknown[] {
    const canonical = this.canonical;
    const items: unknown[] = [];
    const start = canonical.end;
    if (depth > PARAMS_DEPTH_MAX) this.giveUp();
    for (let more = this.open(OPEN_ARRAY, CLOSE_ARRAY); more; more = this.more(CLOSE_ARRAY)) {
      canonical.comma();
      items.push(this.#value(depth));
    }
    canonical.close(start, OPEN_ARRAY, CLOSE_ARRAY);
    return items;
  }
}
