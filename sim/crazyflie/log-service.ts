/**
 * Log blocks. Enters: packets of port 5, the time, the vehicle's values. Leaves: answers, and the
 * data of each block when it is due. Never: more than fits a block or a packet.
 */
import { LOG_TYPES, SIZE, writeValue, type ValueType } from '../../src/link/index.js';
import { LOG_ITEMS, type LogItem } from './tables.js';
import { answerToc } from './toc-service.js';

const ERROR = { noEntry: 2, tooLong: 7, unknownCommand: 8, noMemory: 12, exists: 17 } as const;
const BLOCKS_MAX = 16;
const VARIABLES_MAX = 128;
const VALUES_MAX_BYTES = 26;

interface Block {
  readonly variables: { readonly item: LogItem; readonly type: ValueType }[];
  periodUs: number;
  nextUs: number | undefined;
}

const TOC = LOG_ITEMS.map(({ name, type }) => ({ name, typeByte: typeCode(type) }));

export class LogService {
  readonly #blocks = new Map<number, Block>();

  constructor(private readonly valueOf: (name: string) => number) {}

  /** As when a client is gone. */
  forget(): void {
    this.#blocks.clear();
  }

  receive(channel: number, data: Uint8Array, nowUs: number): Uint8Array | undefined {
    if (channel === 0) return answerToc(data, TOC, [BLOCKS_MAX, VARIABLES_MAX]);
    if (channel !== 1 || data[0] === undefined) return undefined;
    const id = data[1] ?? 0;
    return Uint8Array.of(data[0], id, this.#control(data[0], id, data.subarray(2), nowUs));
  }

  /** The data packets that are due. */
  due(nowUs: number): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (const [id, block] of this.#blocks) {
      if (block.nextUs === undefined || nowUs < block.nextUs) continue;
      packets.push(this.#dataOf(id, block, nowUs));
      if (block.periodUs === 0) block.nextUs = undefined;
      else block.nextUs = Math.max(block.nextUs + block.periodUs, nowUs);
    }
    return packets;
  }

  #control(command: number, id: number, rest: Uint8Array, nowUs: number): number {
    if (command === 5) {
      this.forget();
      return 0;
    }
    if (command === 6) {
      if (this.#blocks.has(id)) return ERROR.exists;
      if (this.#blocks.size >= BLOCKS_MAX) return ERROR.noMemory;
      this.#blocks.set(id, { variables: [], periodUs: 0, nextUs: undefined });
      return this.#append(id, rest);
    }
    const block = this.#blocks.get(id);
    if (command < 2 || command > 8) return ERROR.unknownCommand;
    if (block === undefined) return ERROR.noEntry;
    switch (command) {
      case 7:
        return this.#append(id, rest);
      case 3:
        return start(block, (rest[0] ?? 0) * 10, nowUs);
      case 8:
        return start(block, (rest[0] ?? 0) | ((rest[1] ?? 0) << 8), nowUs);
      case 4:
        block.nextUs = undefined;
        return 0;
      case 2:
        this.#blocks.delete(id);
        return 0;
      default:
        return ERROR.unknownCommand;
    }
  }

  #append(id: number, rest: Uint8Array): number {
    const block = this.#blocks.get(id);
    if (block === undefined) return ERROR.noEntry;
    for (let i = 0; i + 3 <= rest.length; i += 3) {
      const item = LOG_ITEMS[(rest[i + 1] ?? 0) | ((rest[i + 2] ?? 0) << 8)];
      if (item === undefined) return ERROR.noEntry;
      const type = LOG_TYPES[(rest[i] ?? 0) & 0x0f] ?? item.type;
      const bytes = block.variables.reduce((sum, variable) => sum + SIZE[variable.type], 0);
      if (bytes + SIZE[type] > VALUES_MAX_BYTES) return ERROR.tooLong;
      block.variables.push({ item, type });
    }
    return 0;
  }

  #dataOf(id: number, { variables }: Block, nowUs: number): Uint8Array {
    const ms = Math.floor(nowUs / 1000) & 0xffffff;
    const values = variables.flatMap(({ item, type }) => {
      const value = this.valueOf(item.name);
      const whole = type === 'float' ? value : Math.round(value);
      return [...(writeValue(type, whole) ?? new Uint8Array(SIZE[type]))];
    });
    return Uint8Array.of(id, ms & 0xff, (ms >> 8) & 0xff, ms >> 16, ...values);
  }
}

function start(block: Block, periodMs: number, nowUs: number): number {
  block.periodUs = periodMs * 1000;
  block.nextUs = nowUs + block.periodUs;
  return 0;
}

function typeCode(type: ValueType): number {
  const found = Object.entries(LOG_TYPES).find(([, name]) => name === type);
  if (found === undefined) throw new Error(`no log type ${type}`);
  return Number(found[0]);
}
