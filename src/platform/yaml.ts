/**
 * YAML (and so JSON) that an operator wrote. Enters: a path or text. Leaves: plain data with the
 * line of every part of it, or an error at `file:line:column`.
 * Never: custom tags, duplicate keys, alias bombs, or a file that can exhaust memory.
 */
import { readFileSync, statSync } from 'node:fs';
import {
  LineCounter,
  Parser,
  isMap,
  isNode,
  isPair,
  isScalar,
  parseDocument,
  stringify,
  type CST,
  type Document,
} from 'yaml';
import type { z } from 'zod';
import { fail, ok, type Code, type HaloError, type Result } from '../contract/index.js';
import { haloError } from './halo-error.js';

/** 1 MiB: a hundred times the largest catalog or contract anyone has read to the end. */
export const YAML_BYTES_MAX = 1024 * 1024;

/**
 * The composer and every later walk are recursive, and an exhausted stack inside a regular
 * expression kills the process instead of throwing. A contract nests 6 levels.
 */
const DEPTH_MAX = 64;

/** Ten uses of anchors serve a repeated footprint; the billion-laughs shape needs far more. */
const ALIAS_COUNT_MAX = 100;

export type YamlPath = readonly (string | number)[];

/** A value and where it was written. */
export interface Located<T> {
  readonly value: T;
  /** `file:line:column` of the part at `path`, or of the nearest part around it. */
  readonly lineOf: (path: YamlPath) => string;
}

/** Reads a YAML or JSON file. Errors: HALO-701 (cannot be read), HALO-702 (is not YAML). */
export function readYaml(path: string): Result<Located<unknown>> {
  const text = readTextFile(path);
  return text.ok ? parseYaml(text.value, path) : text;
}

/** UTF-8 text of a regular file of at most {@link YAML_BYTES_MAX} bytes; else HALO-701. */
export function readTextFile(path: string): Result<string> {
  try {
    const stat = statSync(path);
    // A FIFO would block the process before anything is flying.
    if (!stat.isFile()) return fail(haloError('HALO-701', `${path} is not a file.`, path));
    if (stat.size > YAML_BYTES_MAX) return fail(tooLarge(path, stat.size, 'HALO-701'));
    const bytes = readFileSync(path);
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(haloError('HALO-701', `${path} cannot be read: ${reason}.`, path));
  }
}

/** What a person goes on to edit; `comment` stands above it, a line each. */
export function yamlText(value: unknown, comment: readonly string[]): string {
  const head = comment.map((line) => `# ${line}\n`).join('');
  // Places and predicates on one line each, as they are written by hand.
  return head + stringify(value, { lineWidth: 100, collectionStyle: 'any' });
}

/** Parses YAML 1.2 core. `fileName` is only for messages. Errors: HALO-702. */
export function parseYaml(text: string, fileName: string): Result<Located<unknown>> {
  if (text.length > YAML_BYTES_MAX) return fail(tooLarge(fileName, text.length, 'HALO-702'));
  const lines = new LineCounter();
  try {
    if (nestsDeeper(text, DEPTH_MAX)) {
      const message = `Nested deeper than ${DEPTH_MAX} levels.`;
      return fail(haloError('HALO-702', message, `${fileName}:1:1`));
    }
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      strict: true,
      uniqueKeys: true,
      stringKeys: true,
      prettyErrors: false,
      lineCounter: lines,
    });
    // Warnings are unknown tags and directives: data whose meaning would be guessed.
    const trouble = document.errors[0] ?? document.warnings[0];
    if (trouble !== undefined) {
      const at = lines.linePos(trouble.pos[0]);
      return fail(
        haloError('HALO-702', sentence(trouble.message), `${fileName}:${at.line}:${at.col}`),
      );
    }
    const value: unknown = document.toJS({ maxAliasCount: ALIAS_COUNT_MAX });
    return ok({ value, lineOf: (path) => placeOf(document, lines, fileName, path) });
  } catch (error) {
    // The parser throws on alias bombs and on nesting that exhausts the stack.
    const reason = error instanceof Error ? error.message : String(error);
    return fail(haloError('HALO-702', sentence(reason), `${fileName}:1:1`));
  }
}

/**
 * Parses and checks in one go. Errors: HALO-702 (is not YAML) or `codes.unfit`, each at
 * `file:line:column`; the message names the path inside the document.
 */
export function parseYamlWith<S extends z.ZodType>(
  schema: S,
  text: string,
  fileName: string,
  codes: { readonly unfit: Code },
): Result<Located<z.output<S>>> {
  const parsed = parseYaml(text, fileName);
  if (!parsed.ok) return parsed;
  const { value, lineOf } = parsed.value;
  const checked = schema.safeParse(value);
  if (checked.success) return ok({ value: checked.data, lineOf });
  const issues = checked.error.issues;
  const first = issues[0];
  if (first === undefined) return fail(haloError(codes.unfit, 'Does not fit.', lineOf([])));
  const inner = first.code === 'unrecognized_keys' ? first.keys.slice(0, 1) : [];
  const path = [...first.path, ...inner].filter((part) => typeof part !== 'symbol');
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  const where = path.length === 0 ? '' : `${yamlPathText(path)}: `;
  return fail(haloError(codes.unfit, `${where}${first.message}${more}`, lineOf(path)));
}

/** `obligations[2].target.kind`, as messages name a place inside a document. */
export function yamlPathText(path: YamlPath): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function tooLarge(name: string, size: number, code: Code): HaloError {
  return haloError(code, `${name} has ${size} bytes; at most ${YAML_BYTES_MAX} are read.`, name);
}

/** The parser's tokens form a tree without recursion; this walks it without recursion too. */
function nestsDeeper(text: string, levels: number): boolean {
  const open: { token: CST.Token; depth: number }[] = [];
  for (const token of new Parser().parse(text)) open.push({ token, depth: 0 });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > levels) return true;
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const item of token.items) {
      if (item.key) open.push({ token: item.key, depth: depth + 1 });
      if (item.value) open.push({ token: item.value, depth: depth + 1 });
    }
  }
  return false;
}

function placeOf(document: Document, lines: LineCounter, fileName: string, path: YamlPath): string {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const offset = offsetOf(document, path.slice(0, depth));
    if (offset !== undefined) {
      const { line, col } = lines.linePos(offset);
      return `${fileName}:${line}:${col}`;
    }
  }
  return `${fileName}:1:1`;
}

/** A mapping entry is shown at its key, where the reader's eye looks for it. */
function offsetOf(document: Document, path: YamlPath): number | undefined {
  const last = path.at(-1);
  const parent: unknown =
    path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  if (isMap(parent)) {
    for (const pair of parent.items) {
      if (isPair(pair) && isScalar(pair.key) && pair.key.value === last) {
        return pair.key.range?.[0];
      }
    }
  }
  const node: unknown = path.length > 0 ? document.getIn(path, true) : document.contents;
  return isNode(node) ? node.range?.[0] : undefined;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
