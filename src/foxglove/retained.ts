/**
 * Records for those who come late. Enters: each record that goes out; a viewer's subscriptions.
 * Leaves: the latest records of a channel, once for each subscription. Never: telemetry.
 */
import { z } from 'zod';

/** A viewer that connects after take-off sees the verdict and the receipts so far. */
const RETAINED_MAX = 50;

const subscribeSchema = z.object({
  op: z.literal('subscribe'),
  subscriptions: z.array(z.object({ id: z.number().int(), channelId: z.number().int() })),
});
const unsubscribeSchema = z.object({
  op: z.literal('unsubscribe'),
  subscriptionIds: z.array(z.number().int()),
});
const requestSchema = z.union([subscribeSchema, unsubscribeSchema]);

interface Retained {
  readonly timestampNs: bigint;
  readonly payload: Uint8Array;
}

export class RetainedRecords {
  readonly #byChannel = new Map<number, Retained[]>();

  keep(channelId: number, timestampNs: bigint, payload: Uint8Array): void {
    const kept = this.#byChannel.get(channelId) ?? [];
    kept.push({ timestampNs, payload });
    if (kept.length > RETAINED_MAX) kept.shift();
    this.#byChannel.set(channelId, kept);
  }

  /** Frames of the binary message-data form, oldest first. */
  framesFor(subscriptionId: number, channelId: number): readonly Uint8Array[] {
    const kept = this.#byChannel.get(channelId) ?? [];
    return kept.map((record) => messageDataFrame(subscriptionId, record));
  }
}

/** Opcode 1, subscription id (uint32), log time in ns (uint64), payload; little endian. */
function messageDataFrame(subscriptionId: number, record: Retained): Uint8Array {
  const frame = new Uint8Array(13 + record.payload.byteLength);
  const view = new DataView(frame.buffer);
  view.setUint8(0, 1);
  view.setUint32(1, subscriptionId, true);
  view.setBigUint64(5, record.timestampNs, true);
  frame.set(record.payload, 13);
  return frame;
}

/**
 * One viewer's subscriptions, kept by the same rules as the protocol library keeps them (an id or
 * a channel that is taken already changes nothing), so that nothing is sent twice.
 */
export class Subscriptions {
  readonly #channelOf = new Map<number, number>();

  /** The subscriptions that this message opened. */
  follow(text: string): readonly { id: number; channelId: number }[] {
    const request = parseRequest(text);
    if (request === undefined) return [];
    if (request.op === 'unsubscribe') {
      for (const id of request.subscriptionIds) this.#channelOf.delete(id);
      return [];
    }
    const taken = new Set(this.#channelOf.values());
    return request.subscriptions.filter(({ id, channelId }) => {
      if (this.#channelOf.has(id) || taken.has(channelId)) return false;
      this.#channelOf.set(id, channelId);
      taken.add(channelId);
      return true;
    });
  }
}

function parseRequest(text: string): z.infer<typeof requestSchema> | undefined {
  try {
    const parsed = requestSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
