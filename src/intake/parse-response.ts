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
import { responseText } from './response-text.js';
import { readStrictJson } from './strict-json.js';

export interface ParsedResponse {
  readonly response: Response;
  /** SHA-256 of the canonical JSON of the response. */
  readonly digest: string;
  /** SHA-256 of the canonical JSON of each component, by id. */
  readonly componentDigests: ReadonlyMap<string, string>;
}

/** Errors: HALO-101 to 109, at most 32, each with a JSON path. */
export function parseResponse(
  input: string | Uint8Array,
): Result<ParsedResponse, readonly Finding[]> {
  const text = responseText(input);
  if (!text.ok) return text;
  const read = readStrictJson(text.value);
  if (!read.ok) return read;
  const checked = responseSchema.safeParse(read.value);
  if (!checked.success) return fail(schemaFindings(checked.error.issues));
  const twins = duplicateIds(checked.data.components);
  if (twins.length > 0) return fail(twins);
  return ok(withDigests(checked.data));
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
 * The canonical text of the response is put together from those of its components, so that each
 * is made once: keys stand in the order of RFC 8785.
 */
function withDigests(response: Response): ParsedResponse {
  const { components, ...envelope } = response;
  const texts: string[] = [];
  const componentDigests = new Map<string, string>();
  for (const component of components) {
    const text = canonicalJson(component);
    texts.push(text);
    componentDigests.set(component.id, sha256Hex(text));
  }
  const members = Object.entries(envelope).map(([key, value]): [string, string] => [
    key,
    canonicalJson(value),
  ]);
  members.push(['components', `[${texts.join(',')}]`]);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  const text = `{${members.map(([key, value]) => `"${key}":${value}`).join(',')}}`;
  return { response, digest: sha256Hex(text), componentDigests };
}
