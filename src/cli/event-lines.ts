/**
 * Events as JSON lines on a pipe whose reader may stall. Enters: lines, inside the tick. Leaves:
 * the same lines in order; once the reader reads again, how many of each type it has missed.
 * Never: a wait for the reader, memory without a bound, or a loss that is not told.
 */

/** What is written to, as far as this file needs it: a stream's own buffer is the queue. */
export interface LineSink {
  /** Bytes that have been handed over and that the reader has not taken yet. */
  readonly writableLength: number;
  write(text: string, done: () => void): unknown;
}

/** Half a minute of an eventful flight. Beyond it what the next line replaces is left out. */
const REPLACEABLE_MAX_BYTES = 1 << 20;

/** A run's verdicts, receipts and denials stay far below it; a reader this far behind is gone. */
const MAX_BYTES = 16 << 20;

/** A later one of these makes up for a lost one. Nothing makes up for a verdict or a receipt. */
const REPLACEABLE: ReadonlySet<string> = new Set(['state', 'progress', 'task']);

export type EventLine = Readonly<Record<string, unknown>> & { readonly type: string };

export class EventLines {
  readonly #sink: LineSink;
  readonly #missed = new Map<string, number>();

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  say(line: EventLine): void {
    const limit = REPLACEABLE.has(line.type) ? REPLACEABLE_MAX_BYTES : MAX_BYTES;
    if (this.#sink.writableLength >= limit) {
      this.#missed.set(line.type, (this.#missed.get(line.type) ?? 0) + 1);
      return;
    }
    this.#write(line);
  }

  /** The reader has taken something: what is missing is told before anything that follows. */
  #taken(): void {
    if (this.#missed.size === 0 || this.#sink.writableLength >= REPLACEABLE_MAX_BYTES) return;
    const missed = Object.fromEntries(this.#missed);
    this.#missed.clear();
    this.#write({ type: 'missed', missed });
  }

  #write(line: object): void {
    this.#sink.write(`${JSON.stringify(line)}\n`, () => this.#taken());
  }
}
