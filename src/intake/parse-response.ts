/**
 * From an agent's text to a Response with its digests.
 * Enters: a string or bytes, of any length and content. Leaves: a checked response, or findings.
 * Never: part of a response whose whole is in doubt, an exception, or a mended value.
 */
import type { z } from 'zod';
import {
  fail,
  ok,
  responseSchema,
  type Component,
  type Finding,
  type Response,
  type Result,
} from '../contract/index.js';
import { canonicalJson, finding, jsonPathText, sha256Hex } from '../platform/index.js';
import { FINDINGS_MAX } from './json-scan.js';
import { PlainReader } from './plain-reader.js';
import { responseText } from './response-text.js';
import { readStrictJson } from './strict-json.js';

export interface ParsedResponse {
  readonly response: Response;
  /** SHA-256 of the canonical JSON of the response. */
  readonly digest: string;
  /** SHA-256 of the canonical JSON of each component, by id. */
  readonly componentDigests: ReadonlyMap<string, string>;
}

/**
 * Plainly written responses are read at once; everything else by the strict reader, by the
 * schema, and with places. Errors: HALO-101 to 109, at most 32, each with a JSON path.
 */
export function parseResponse(
  input: string | Uint8Array,
): Result<ParsedResponse, readonly Finding[]> {
  const read = responseText(input);
  if (!read.ok) return read;
  const { ascii } = read.value;
  const plain = ascii === undefined ? undefined : new PlainReader(ascii).read();
  if (plain !== undefined) return withDigests(plain.response, plain.componentBytes, plain.bytes);
  const strict = strictResponse(read.value.text());
  if (!strict.ok) return strict;
  const response = strict.value;
  const componentTexts = response.components.map(canonicalJson);
  return withDigests(response, componentTexts, canonicalResponse(response, componentTexts));
}

function strictResponse(text: string): Result<Response, readonly Finding[]> {
  const read = readStrictJson(text);
  if (!read.ok) return read;
  const checked = responseSchema.safeParse(read.value);
  return checked.success ? ok(checked.data) : fail(schemaFindings(checked.error.issues));
}

function schemaFindings(issues: readonly z.core.$ZodIssue[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const issue of issues) {
    if (findings.length >= FINDINGS_MAX) break;
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, FINDINGS_MAX) : undefined;
    if (keys === undefined) {
      findings.push(schemaFinding(issue.path, `${issue.message}.`));
    } else {
      for (const key of keys) findings.push(schemaFinding([...issue.path, key], 'Unknown key.'));
    }
  }
  return findings.slice(0, FINDINGS_MAX);
}

function schemaFinding(path: readonly PropertyKey[], what: string): Finding {
  const place = jsonPathText(path);
  return finding('schema', 'HALO-108', `${place}: ${what}`, { path: place });
}

/** Of canonical JSON. Refuses two components of one id: HALO-109. */
function withDigests(
  response: Response,
  components: readonly (string | Uint8Array)[],
  whole: string | Uint8Array,
): Result<ParsedResponse, readonly Finding[]> {
  const componentDigests = new Map<string, string>();
  for (let index = 0; index < components.length; index += 1) {
    const id = response.components[index]?.id ?? '';
    componentDigests.set(id, sha256Hex(components[index] ?? ''));
  }
  if (componentDigests.size < response.components.length) {
    return fail(duplicateIds(response.components));
  }
  return ok({ response, digest: sha256Hex(whole), componentDigests });
}

function duplicateIds(components: readonly Component[]): readonly Finding[] {
  const first = new Map<string, number>();
  const findings: Finding[] = [];
  components.forEach(({ id }, index) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, index);
    else if (findings.length < FINDINGS_MAX) {
      const message = `Component id ${id} stands at components[${before}] already.`;
      findings.push(finding('ids', 'HALO-109', message, { path: `components[${index}].id` }));
    }
  });
  return findings;
}

/**
 * Put together from the texts of its components, so that each is made once; keys stand in the
 * order of RFC 8785. Ids hold nothing that JSON escapes.
 */
function canonicalResponse(response: Response, componentTexts: readonly string[]): string {
  const { basis, discharges, id, protocol, task } = response;
  const named = basis === undefined ? '' : `"basis":${JSON.stringify(basis)},`;
  const answers = discharges === undefined ? '' : `"discharges":"${discharges}",`;
  const components = `"components":[${componentTexts.join(',')}]`;
  return `{${named}${components},${answers}"id":"${id}","protocol":"${protocol}","task":"${task}"}`;
}
