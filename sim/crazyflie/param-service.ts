/**
 * Parameters. Enters: packets of port 2. Leaves: answers, and word of each value that changed.
 * Never: an answer to a write of a read-only parameter: the firmware gives none.
 */
import { PARAM_TYPES, readValue, SIZE, writeValue, type ValueType } from '../../src/link/index.js';
import { PARAM_ITEMS, type ParamItem } from './tables.js';
import { answerToc, type TocItem } from './toc-service.js';

const READ_ONLY = 0x40;
const ENOENT = 2;

export class ParamService {
  readonly #values = new Map(PARAM_ITEMS.map(({ name, initial }) => [name, initial]));
  readonly #toc: readonly TocItem[] = PARAM_ITEMS.map(({ name, type, readOnly }) => ({
    name,
    typeByte: typeCode(type) | (readOnly === true ? READ_ONLY : 0),
  }));

  /** @param changed hears of each write that was carried out. */
  constructor(private readonly changed: (name: string, value: number) => void) {}

  get(name: string): number {
    return this.#values.get(name) ?? 0;
  }

  receive(channel: number, data: Uint8Array): Uint8Array | undefined {
    if (channel === 0) return answerToc(data, this.#toc);
    if (data.length < 2) return undefined;
    const item = PARAM_ITEMS[(data[0] ?? 0) | ((data[1] ?? 0) << 8)];
    if (channel === 1) return this.#read(data, item);
    if (channel === 2) return this.#write(data, item);
    return undefined;
  }

  #read(data: Uint8Array, item: ParamItem | undefined): Uint8Array {
    const id = data.slice(0, 2);
    if (item === undefined) return Uint8Array.of(...id, ENOENT);
    const value = writeValue(item.type, this.get(item.name)) ?? new Uint8Array(SIZE[item.type]);
    return Uint8Array.of(...id, 0, ...value);
  }

  #write(data: Uint8Array, item: ParamItem | undefined): Uint8Array | undefined {
    if (item === undefined) return Uint8Array.of(...data.slice(0, 2), ENOENT);
    if (item.readOnly === true) return undefined;
    const value = readValue(item.type, data, 2);
    if (value === undefined) return undefined;
    this.#values.set(item.name, value);
    this.changed(item.name, value);
    return data.slice(0, 2 + SIZE[item.type]);
  }
}

function typeCode(type: ValueType): number {
  const found = Object.entries(PARAM_TYPES).find(([, name]) => name === type);
  if (found === undefined) throw new Error(`no parameter type ${type}`);
  return Number(found[0]);
}
