/**
 * Reading what an operator wrote: places of errors, and the shapes that must never be read.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseYaml, parseYamlWith, readYaml, YAML_BYTES_MAX } from '../../src/platform/index.js';

const schema = z.strictObject({ name: z.string(), legs: z.array(z.strictObject({ n: z.int() })) });
const codes = { unfit: 'HALO-703' } as const;

const error = (text: string): { code: string; message: string; path?: string } => {
  const result = parseYaml(text, 'f.yaml');
  if (result.ok) throw new Error(`was accepted: ${JSON.stringify(result.value.value)}`);
  return result.error;
};

describe('YAML from an operator', () => {
  it('says where each part was written', () => {
    const result = parseYamlWith(schema, 'name: a\nlegs:\n  - n: 1\n  - n: 2\n', 'f.yaml', codes);
    expect(result.ok && result.value.lineOf(['legs', 1, 'n'])).toBe('f.yaml:4:5');
    expect(result.ok && result.value.lineOf(['legs', 7])).toBe('f.yaml:2:1');
    expect(result.ok && result.value.lineOf([])).toBe('f.yaml:1:1');
  });

  it('names line, column and path of what does not fit, and how much more there is', () => {
    const result = parseYamlWith(schema, 'name: a\nlegs:\n  - n: x\n    m: 1\n', 'f.yaml', codes);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'HALO-703', path: 'f.yaml:3:5' },
    });
    expect(!result.ok && result.error.message).toMatch(/^legs\[0\]\.n: .*\(and 1 more\)$/);
    const unknown = parseYamlWith(schema, 'name: a\nlegs: []\nmore: 1\n', 'f.yaml', codes);
    expect(!unknown.ok && unknown.error.path).toBe('f.yaml:3:1');
  });

  it('reads JSON with tabs as well', () => {
    const result = parseYaml('{\n\t"name": "a",\n\t"legs": [{"n": 1}]\n}\n', 'f.json');
    expect(result.ok && result.value.value).toEqual({ name: 'a', legs: [{ n: 1 }] });
  });

  it('refuses duplicate keys, custom tags, two documents and broken syntax with a place', () => {
    expect(error('a: 1\nb: 2\na: 3\n')).toMatchObject({ code: 'HALO-702', path: 'f.yaml:3:1' });
    expect(error('a: !!js/function "x"\n').code).toBe('HALO-702');
    expect(error('a: 1\n---\na: 2\n').code).toBe('HALO-702');
    expect(error('a: [1, 2\n').code).toBe('HALO-702');
    expect(error('? {a: 1}\n: 2\n').code).toBe('HALO-702');
  });

  it('refuses alias bombs, endless nesting and huge text in bounded time', () => {
    const laughs = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 9; i += 1) {
      const up = String.fromCharCode(96 + i);
      const me = String.fromCharCode(97 + i);
      laughs.push(`${me}: &${me} [${Array(10).fill(`*${up}`).join(',')}]`);
    }
    expect(error(laughs.join('\n')).code).toBe('HALO-702');
    expect(error('['.repeat(100_000)).code).toBe('HALO-702');
    expect(error('- '.repeat(100_000)).code).toBe('HALO-702');
    expect(error('x'.repeat(YAML_BYTES_MAX + 1)).code).toBe('HALO-702');
  });

  it('refuses a missing file, a folder, wrong UTF-8 and a huge file', () => {
    const dir = mkdtempSync(join(tmpdir(), 'halo-yaml-'));
    const put = (name: string, data: string | Buffer): string => {
      writeFileSync(join(dir, name), data);
      return join(dir, name);
    };
    const refused = [
      join(dir, 'none.yaml'),
      dir,
      put('latin.yaml', Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a])),
      put('huge.yaml', '#'.repeat(YAML_BYTES_MAX + 1)),
    ];
    for (const path of refused) {
      expect(readYaml(path)).toMatchObject({ ok: false, error: { code: 'HALO-701' } });
    }
    expect(readYaml(put('good.yaml', 'a: 1\n')).ok).toBe(true);
  });
});
