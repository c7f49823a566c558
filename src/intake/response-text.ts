/**
 * From what came over a door to text that may be read at all: size, UTF-8, byte order mark.
 * Enters: a string or bytes. Leaves: a string, with its bytes if they are ASCII; or where it is
 * broken.
 * Never: replacement characters; a broken byte is refused, not mended.
 */
import { isAscii } from 'node:buffer';
import { fail, ok, type Finding, type Result } from '../contract/index.js';
import { finding } from '../platform/index.js';

/** 256 KiB: 1,000 components of the size of a goto; refused before anything walks the text. */
export const RESPONSE_BYTES_MAX = 256 * 1024;

const BOM = 0xfeff;

export interface ResponseText {
  /** Only the strict reader asks for it. */
  readonly text: () => string;
  /** Present when every character is ASCII: then byte and character count alike. */
  readonly ascii?: Buffer;
}

/** Errors: HALO-102 (too large), HALO-107 (not UTF-8, or opened by a byte order mark). */
export function responseText(input: string | Uint8Array): Result<ResponseText, readonly Finding[]> {
  const size = typeof input === 'string' ? Buffer.byteLength(input) : input.length;
  if (size > RESPONSE_BYTES_MAX) {
    const message = `The response has ${size} bytes; at most ${RESPONSE_BYTES_MAX} are read.`;
    return fail([finding('size', 'HALO-102', message, { path: '$' })]);
  }
  const bytes = bytesOf(input);
  if (isAscii(bytes)) return ok({ text: () => bytes.toString('latin1'), ascii: bytes });
  const text = typeof input === 'string' ? ok(input) : utf8Text(input);
  if (!text.ok) return fail([text.error]);
  if (text.value.charCodeAt(0) === BOM) {
    const message = 'The text opens with a byte order mark (line 1, byte 0).';
    return fail([finding('text', 'HALO-107', message, { path: '$' })]);
  }
  return ok({ text: () => text.value });
}

const bytesOf = (input: string | Uint8Array): Buffer =>
  typeof input === 'string'
    ? Buffer.from(input)
    : Buffer.from(input.buffer, input.byteOffset, input.byteLength);

/** The text to the letter, or HALO-107 with the first byte that is not UTF-8. */
export function utf8Text(bytes: Uint8Array): Result<string, Finding> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const message = `Byte ${firstIllFormedByte(bytes)} does not belong to valid UTF-8.`;
    return fail(finding('text', 'HALO-107', message, { path: '$' }));
  }
}

/** Table 3-7 of the Unicode standard: the second byte's range depends on the first. */
function firstIllFormedByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    const more = lead < 0x80 ? 0 : lead < 0xc2 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if (more === -1 || lead > 0xf4) return at;
    for (let k = 1; k <= more; k += 1) {
      const low = k > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
      const high = k > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
      const byte = bytes[at + k] ?? 0;
      if (byte < low || byte > high) return at;
    }
    at += 1 + more;
  }
  return at;
}
