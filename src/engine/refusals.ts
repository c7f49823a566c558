/**
 * Refused responses in the ledger: the first of a minute whole, the others as a number, so that
 * whoever is denied without end fills neither disk nor memory.
 * Enters: texts that were refused, with the reasons. Leaves: records. Never: the text itself; its
 * digest and size tell whether it was this one.
 */
import type { Finding, Verdict } from '../contract/index.js';
import { sha256Hex } from '../platform/index.js';
import type { Recorder } from './recorder.js';

const WINDOW_US = 60_000_000;
/** Whoever mends an answer sends fewer a minute; of a flood the number tells more than the rest. */
const WHOLE_MAX = 10;
/** Characters of reasons a minute: as much as the largest response. 1,000 components have many. */
const REASONS_MAX = 256 * 1024;
/** Beyond what intake reads, a digest would take longer than the refusal. */
const DIGESTED_MAX = 256 * 1024;

export interface Refused {
  readonly text: string;
  readonly responseId: string | undefined;
  readonly findings: readonly Finding[];
  /** When components were judged. */
  readonly verdict?: Verdict;
}

export class Refusals {
  readonly #recorder: Recorder;
  #sinceUs = -Infinity;
  #whole = 0;
  #reasons = 0;
  #counted = 0;
  #characters = 0;
  /** There are as many keys as codes. */
  readonly #codes = new Map<string, number>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  note({ text, responseId, findings, verdict }: Refused, nowUs: number): void {
    if (nowUs - this.#sinceUs >= WINDOW_US) this.#begin(nowUs);
    const first = findings[0] ?? verdict?.components.flatMap((c) => c.findings)[0];
    const body = {
      count: 1,
      characters: text.length,
      ...(text.length > DIGESTED_MAX ? {} : { digest: sha256Hex(text) }),
      ...(responseId === undefined ? {} : { responseId }),
      ...(verdict === undefined ? { findings } : { verdict }),
    };
    if (this.#whole < WHOLE_MAX && this.#fits(body)) {
      this.#whole += 1;
      this.#recorder.append('response-refused', body);
      return;
    }
    this.#counted += 1;
    this.#characters += text.length;
    const code = first?.code ?? 'none';
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
  }

  /** Once a minute is over, what was only counted in it is told. */
  step(nowUs: number): void {
    if (this.#counted > 0 && nowUs - this.#sinceUs >= WINDOW_US) this.flush();
  }

  /** What is counted so far; at the end of a run too. */
  flush(): void {
    if (this.#counted === 0) return;
    const [count, characters, sinceUs] = [this.#counted, this.#characters, this.#sinceUs];
    const codes = Object.fromEntries([...this.#codes].sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#counted = 0;
    this.#characters = 0;
    this.#codes.clear();
    this.#recorder.append('response-refused', { count, characters, sinceUs, codes });
  }

  #begin(nowUs: number): void {
    this.flush();
    this.#sinceUs = nowUs;
    this.#whole = 0;
    this.#reasons = 0;
  }

  #fits(body: object): boolean {
    const size = JSON.stringify(body).length;
    if (this.#reasons + size > REASONS_MAX) return false;
    this.#reasons += size;
    return true;
  }
}
