/**
 * Random plans for the oracle: sparse and dense, with cycles, dangling and self references.
 * Enters: chance, a size. Leaves: rows as the bridge's graph takes them, bytes as the oracle does.
 * Never: only orderly plans: an agent's need not be.
 */
export interface Plan {
  readonly size: number;
  readonly prereqStart: Int32Array;
  readonly prereqs: Int32Array;
  readonly dangling: Uint8Array;
  readonly supported: Uint8Array;
}

/** Of four plans one may have cycles; in the others prerequisites come before. */
const ORDERLY = 0.75;

export function randomPlan(random: () => number, size: number): Plan {
  const below = (n: number): number => Math.floor(random() * n);
  const orderly = random() < ORDERLY;
  const perComponent = random() * 3;
  // Most keep most of their support: else nearly everything falls and little is compared.
  const unsupported = random() ** 3 * 0.5;
  const danglingRate = random() < 0.5 ? 0 : random() * 0.05;
  const supported = Uint8Array.from({ length: size }, () => (random() < unsupported ? 0 : 1));
  const dangling = Uint8Array.from({ length: size }, () => (random() < danglingRate ? 1 : 0));
  const prereqStart = new Int32Array(size + 1);
  const prereqs: number[] = [];
  for (let i = 0; i < size; i += 1) {
    const count = Math.floor(random() * (perComponent + 1) * 1.5);
    for (let k = 0; k < count; k += 1) {
      if (!orderly) prereqs.push(below(size));
      else if (i > 0) prereqs.push(below(i));
    }
    prereqStart[i + 1] = prereqs.length;
  }
  return { size, prereqStart, prereqs: Int32Array.from(prereqs), dangling, supported };
}

/** As `one_list` of oracle.c reads it. */
export function bytesOf({ size, prereqStart, prereqs, dangling, supported }: Plan): Uint8Array {
  const edges = prereqs.length;
  const bytes = new Uint8Array(8 + size + 8 * edges);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, size, true);
  view.setUint32(4, edges, true);
  for (let i = 0; i < size; i += 1) {
    bytes[8 + i] = (supported[i] ?? 0) | ((dangling[i] ?? 0) << 1);
    for (let e = prereqStart[i] ?? 0; e < (prereqStart[i + 1] ?? 0); e += 1) {
      view.setUint32(8 + size + 8 * e, i, true);
      view.setUint32(12 + size + 8 * e, prereqs[e] ?? 0, true);
    }
  }
  return bytes;
}
