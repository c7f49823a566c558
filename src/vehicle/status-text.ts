/**
 * STATUSTEXT, put together again. Enters: chunks. Leaves: whole sentences.
 * Never: more memory than a few texts, nor a text held back for a chunk that was lost.
 */

const CHUNK = 50;

/** Long texts under way at once; PX4 sends one after the other. */
const PENDING_MAX = 4;

/** 20 chunks are 1000 characters; PX4's longest have 3. */
const CHUNKS_MAX = 20;

interface Pending {
  readonly id: number;
  readonly chunks: string[];
}

export class StatusTexts {
  #pending: Pending[] = [];

  /**
   * One STATUSTEXT: the sentence when this chunk completes one. A chunk shorter than 50 characters
   * is the last. With a chunk missing, what there is comes out, with a gap shown.
   */
  take(text: string, id: number, chunkSeq: number): string | undefined {
    if (id === 0) return tidy(text);
    if (!Number.isInteger(chunkSeq) || chunkSeq < 0 || chunkSeq >= CHUNKS_MAX) return undefined;
    let pending = this.#pending.find((p) => p.id === id);
    if (pending === undefined || chunkSeq === 0) {
      pending = { id, chunks: [] };
      this.#pending = [...this.#pending.filter((p) => p.id !== id), pending].slice(-PENDING_MAX);
    }
    pending.chunks[chunkSeq] = text;
    if (text.length === CHUNK) return undefined;
    const found = pending;
    this.#pending = this.#pending.filter((p) => p !== found);
    return tidy(Array.from(found.chunks, (chunk) => chunk ?? ' … ').join(''));
  }
}

/** PX4 ends many texts in a tab, which marks them as doubles of an event. */
const tidy = (text: string): string => text.replaceAll('\t', ' ').trim();
