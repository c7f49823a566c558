import { readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';
import { describe, expect, test } from 'vitest';
import { CRC_START, crcByte, crcOf } from '../../src/link/crc.js';
import {
  encodeFrame,
  FrameParser,
  MAX_FRAME_LENGTH,
  messageInfo,
  type ReceivedFrame,
} from '../../src/link/index.js';
import { seededRandom } from '../../src/platform/random.js';
import { concat, frameOf, px4Heartbeat } from './support.js';

const KEPT = MAX_FRAME_LENGTH - 1;

/** A frame whose payload is full of start bytes: the worst for finding the next one. */
const treacherous = (sequence: number): Uint8Array =>
  frameOf(
    'EVENT',
    { id: 0xfdfdfdfd, arguments: new Array<number>(40).fill(0xfd) },
    { sequence: sequence & 0xff },
  );

/** A header that promises a payload of 255 bytes, then nothing of the kind. */
const falseStart = (messageId: number): Uint8Array =>
  Uint8Array.of(0xfd, 255, 0, 0, 7, 1, 1, messageId & 0xff, (messageId >> 8) & 0xff, 0);

function withSignature(frame: Uint8Array): Uint8Array {
  const signed = concat(frame, new Uint8Array(13).fill(0xfd));
  signed[2] = 0x01;
  const end = frame.length - 2;
  const id = (frame[7] ?? 0) | ((frame[8] ?? 0) << 8);
  const crc = crcByte(crcOf(signed, 1, end), messageInfo(id)?.crcExtra ?? 0);
  signed[end] = crc & 0xff;
  signed[end + 1] = crc >>> 8;
  return signed;
}

/** The same heartbeat as MAVLink 1 writes it. */
function mavlink1Heartbeat(): Uint8Array {
  const body = Uint8Array.of(9, 0, 1, 1, 0, 0, 0, 0, 0, 2, 12, 0, 3, 3);
  const crc = crcByte(crcOf(body, 0, body.length, CRC_START), messageInfo(0)?.crcExtra ?? 0);
  return concat(Uint8Array.of(0xfe), body, Uint8Array.of(crc & 0xff, crc >>> 8));
}

function feed(parser: FrameParser, bytes: Uint8Array, size: number): ReceivedFrame[] {
  const frames: ReceivedFrame[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    frames.push(...parser.push(bytes.subarray(at, at + size)));
    expect(parser.heldBytes).toBeLessThanOrEqual(KEPT);
  }
  return frames;
}

describe('a stream of good frames', () => {
  const stream = concat(
    ...Array.from({ length: 30 }, (_, i) =>
      i % 2 === 0 ? treacherous(i) : px4Heartbeat({ sequence: i }),
    ),
  );

  test.each([1, 2, 7, 30, 279, 280, 1024, 100_000])('is whole when cut every %i bytes', (size) => {
    const parser = new FrameParser();
    const frames = feed(parser, stream, size);
    expect(frames.map((f) => f.sequence)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    expect(parser.stats).toMatchObject({
      frames: 30,
      noiseBytes: 0,
      badCrc: 0,
      bytes: stream.length,
    });
  });

  test('is whole when cut once, at any offset', () => {
    const three = concat(treacherous(1), px4Heartbeat({ sequence: 2 }), treacherous(3));
    for (let cut = 0; cut <= three.length; cut++) {
      const parser = new FrameParser();
      const frames = [...parser.push(three.subarray(0, cut)), ...parser.push(three.subarray(cut))];
      expect([cut, ...frames.map((f) => f.sequence)]).toEqual([cut, 1, 2, 3]);
    }
  });

  test('gives payloads of their own: later bytes do not change them', () => {
    const parser = new FrameParser();
    const bytes = px4Heartbeat();
    const frame = parser.push(bytes)[0];
    const before = [...(frame?.payload ?? [])];
    bytes.fill(0xaa);
    parser.push(new Uint8Array(600).fill(0x55));
    expect([...(frame?.payload ?? [])]).toEqual(before);
  });
});

describe('after noise', () => {
  test.each([
    ['an unknown message id', falseStart(9_999)],
    ['a known id with a false length', falseStart(0)],
    ['a false start inside another one', concat(falseStart(30), falseStart(9_999))],
    ['unknown flags', Uint8Array.of(0xfd, 9, 2, 0, 0, 1, 1, 0, 0, 0)],
    ['start bytes', new Uint8Array(50).fill(0xfd)],
    ['start bytes of MAVLink 1', new Uint8Array(50).fill(0xfe)],
    ['a frame that was cut off', treacherous(9).subarray(0, 40)],
  ])('%s does not swallow the six frames behind it', (_, noise) => {
    const six = [0, 1, 2, 3, 4, 5].map((i) => px4Heartbeat({ sequence: i }));
    for (const size of [1, 64, 4_096]) {
      const parser = new FrameParser();
      const tail = new Uint8Array(KEPT);
      const frames = feed(parser, concat(noise, ...six, tail), size);
      expect(frames.map((f) => f.sequence)).toEqual([0, 1, 2, 3, 4, 5]);
    }
  });

  test('a datagram of whole frames comes out at once, whatever half frame was held', () => {
    const parser = new FrameParser();
    expect(parser.push(falseStart(30))).toHaveLength(0);
    expect(parser.heldBytes).toBe(10);
    expect(parser.push(concat(px4Heartbeat(), treacherous(1)))).toHaveLength(2);
    expect(parser.stats.noiseBytes).toBe(10);
  });

  test('an empty chunk leaves the half frame in place', () => {
    const parser = new FrameParser();
    const frame = px4Heartbeat();
    parser.push(frame.subarray(0, 12));
    parser.push(new Uint8Array(0));
    expect(parser.push(frame.subarray(12))).toHaveLength(1);
  });

  test('at least 99 of 100 frames are recovered from a stream that is a third noise (seed 3)', () => {
    const random = seededRandom(3);
    const parts: Uint8Array[] = [];
    const sent = 5_000;
    for (let i = 0; i < sent; i++) {
      parts.push(random() < 0.5 ? treacherous(i) : px4Heartbeat({ sequence: i & 0xff }));
      const length = Math.floor(random() * 40);
      // One noise byte in four is a start byte, and zeros make headers that look right.
      const noise = (): number => {
        const kind = random();
        return kind < 0.25 ? 0xfd : kind < 0.5 ? 0 : Math.floor(random() * 256);
      };
      parts.push(Uint8Array.from({ length }, noise));
    }
    const frames = feed(new FrameParser(), concat(...parts, new Uint8Array(KEPT)), 173);
    expect(frames.length).toBeGreaterThanOrEqual(sent * 0.99);
    expect(frames.length).toBeLessThanOrEqual(sent);
  });
});

describe('what is not taken', () => {
  test('a frame with any one bit of its covered bytes changed', () => {
    const good = px4Heartbeat({ sequence: 5 });
    for (let bit = 8; bit < good.length * 8; bit++) {
      const bad = good.slice();
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const frames = new FrameParser().push(concat(bad, new Uint8Array(KEPT)));
      expect([bit, frames.length]).toEqual([bit, 0]);
    }
  });

  test('MAVLink 1: counted and skipped, however it is cut, with the frames around it kept', () => {
    const bytes = concat(
      px4Heartbeat({ sequence: 1 }),
      mavlink1Heartbeat(),
      px4Heartbeat({ sequence: 2 }),
    );
    for (const size of [1, 5, 100]) {
      const parser = new FrameParser();
      expect(feed(parser, bytes, size).map((f) => f.sequence)).toEqual([1, 2]);
      expect(parser.stats).toMatchObject({ mavlink1: 1, noiseBytes: 0 });
    }
  });

  test('unknown ids, unknown flags and wrong checksums are told apart in the counts', () => {
    const foreign = encodeFrame({
      sequence: 0,
      systemId: 1,
      componentId: 1,
      messageId: 9_999,
      payload: Uint8Array.of(1, 2, 3),
      crcExtra: 0,
    });
    const flagged = px4Heartbeat();
    flagged[2] = 0x02;
    const damaged = px4Heartbeat();
    damaged[12] = 0x77;
    const parser = new FrameParser();
    expect(parser.push(concat(foreign, flagged, damaged))).toHaveLength(0);
    expect(parser.stats).toMatchObject({ unknownIds: 1, unknownFlags: 1, badCrc: 1, frames: 0 });
  });

  test('a signature is part of its frame, and the frame is marked as signed', () => {
    const bytes = concat(
      withSignature(px4Heartbeat({ sequence: 1 })),
      px4Heartbeat({ sequence: 2 }),
    );
    for (const size of [1, 11, 100]) {
      const parser = new FrameParser();
      const frames = feed(parser, bytes, size);
      expect(frames.map((f) => [f.sequence, f.signed])).toEqual([
        [1, true],
        [2, false],
      ]);
      expect(parser.stats.noiseBytes).toBe(0);
    }
  });
});

describe('a flood', () => {
  const plain = new Uint8Array(4_480_000).fill(0x55);
  // A checksum of 265 bytes is asked for at every eleventh byte: the dearest input there is.
  const dearest = concat(...Array.from({ length: 80_000 }, () => falseStart(0)));

  /** Processor time, which other programs of the machine do not lengthen much. */
  function fastestMs(bytes: Uint8Array): number {
    let best = Infinity;
    for (let round = 0; round < 3; round++) {
      const parser = new FrameParser();
      const start = cpuUsage();
      for (let at = 0; at < bytes.length; at += 65_536) {
        parser.push(bytes.subarray(at, at + 65_536));
      }
      const used = cpuUsage(start);
      best = Math.min(best, (used.user + used.system) / 1_000);
      expect(parser.heldBytes).toBeLessThanOrEqual(KEPT);
    }
    return best;
  }

  test('of 4.48 MB without a start byte is gone within a second of work, and nothing is kept', () => {
    expect(fastestMs(plain)).toBeLessThan(1_000);
    const parser = new FrameParser();
    parser.push(plain);
    expect(parser.heldBytes).toBe(0);
    expect(parser.push(px4Heartbeat())).toHaveLength(1);
  });

  test.each([
    ['plain', plain],
    ['dearest', dearest],
  ])('of %s bytes takes twice the time for twice the bytes', (_, bytes) => {
    const half = fastestMs(bytes.subarray(0, bytes.length / 2));
    // Quadratic would be 4; the margin above 2 is for the other programs of the machine.
    expect(fastestMs(bytes) / half).toBeLessThan(3);
  });
});

test('whatever the bytes are, the parser answers, keeps little and never throws (seed 5)', () => {
  const golden = readFileSync(new URL('./golden/frames.json', import.meta.url), 'utf8');
  const frames = [...golden.matchAll(/"frame": "([0-9a-f]+)"/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex'),
  );
  const random = seededRandom(5);
  const parser = new FrameParser();
  for (let round = 0; round < 20_000; round++) {
    const frame = Uint8Array.from(frames[Math.floor(random() * frames.length)] ?? []);
    const changes = Math.floor(random() * 4);
    for (let i = 0; i < changes; i++) frame[Math.floor(random() * frame.length)] = random() * 256;
    for (const found of parser.push(frame.subarray(0, Math.ceil(random() * frame.length)))) {
      expect(found.payload.length).toBeLessThanOrEqual(255);
    }
    if (parser.heldBytes > KEPT) throw new Error(`seed 5, round ${round}`);
  }
  expect(parser.stats.frames).toBeGreaterThan(100);
});
