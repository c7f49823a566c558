/**
 * One parser a source, so that a stranger's half frame cannot spoil the vehicle's bytes.
 * Enters: bytes with their source. Leaves: frames, and the sum of all counts. Never: more
 * parsers than SOURCES, however many addresses a flood comes from.
 */
import {
  FrameParser,
  type ParserStats,
  type ReceivedFrame,
  type SignatureJudge,
} from './parser.js';
import type { Endpoint } from './transport.js';

/** On PX4's shared ground-station port each of up to ten simulated vehicles is a source. */
const SOURCES = 16;

const keyOf = (source: Endpoint): string => `${source.host}:${source.port}`;

const NOTHING: ParserStats = new FrameParser().stats;

const sum = (a: ParserStats, b: ParserStats): ParserStats => ({
  bytes: a.bytes + b.bytes,
  frames: a.frames + b.frames,
  noiseBytes: a.noiseBytes + b.noiseBytes,
  badCrc: a.badCrc + b.badCrc,
  unknownIds: a.unknownIds + b.unknownIds,
  unknownFlags: a.unknownFlags + b.unknownFlags,
  mavlink1: a.mavlink1 + b.mavlink1,
});

export class SourceParsers {
  /** In order of first use; the oldest makes room, which costs it at most one frame. */
  readonly #parsers = new Map<string, FrameParser>();
  readonly #judge: SignatureJudge | undefined;
  #retired = NOTHING;

  constructor(judge?: SignatureJudge) {
    this.#judge = judge;
  }

  get stats(): ParserStats {
    return [...this.#parsers.values()].reduce((all, p) => sum(all, p.stats), this.#retired);
  }

  push(bytes: Uint8Array, source: Endpoint): readonly ReceivedFrame[] {
    const key = keyOf(source);
    let parser = this.#parsers.get(key);
    if (parser === undefined) {
      if (this.#parsers.size === SOURCES) this.#retireOldest();
      parser = new FrameParser(this.#judge);
      this.#parsers.set(key, parser);
    }
    return parser.push(bytes);
  }

  /** Gives up all half frames: what follows belongs to other connections. */
  restart(): void {
    while (this.#parsers.size > 0) this.#retireOldest();
  }

  #retireOldest(): void {
    for (const [key, parser] of this.#parsers) {
      this.#retired = sum(this.#retired, parser.stats);
      this.#parsers.delete(key);
      return;
    }
  }
}
