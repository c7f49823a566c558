/**
 * Pages that are made from code, in whole or between marks. Enters: a path and what it should say.
 * Leaves: a failed test when it says something else. With HALO_UPDATE_SCHEMAS=1 it is written anew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

const UPDATE = process.env['HALO_UPDATE_SCHEMAS'] === '1';
const urlOf = (path: string): URL => new URL(`../${path}`, import.meta.url);

export function expectInStep(path: string, text: string): void {
  if (UPDATE) writeFileSync(urlOf(path), text);
  const published = existsSync(urlOf(path)) ? readFileSync(urlOf(path), 'utf8') : '';
  expect(published === text, `${path} is not in step: run with HALO_UPDATE_SCHEMAS=1`).toBe(true);
}

/** The part of a page between `<!-- made: name -->` and the next `<!-- end -->`. */
export function expectSectionInStep(path: string, name: string, made: string): void {
  const page = readFileSync(urlOf(path), 'utf8');
  const opening = `<!-- made: ${name} -->\n`;
  const from = page.indexOf(opening) + opening.length;
  const to = page.indexOf('<!-- end -->', from);
  expect(from >= opening.length && to >= from, `${path} has a place for ${name}`).toBe(true);
  expectInStep(path, `${page.slice(0, from)}${made}\n${page.slice(to)}`);
}

/** A Markdown table; pipes in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
