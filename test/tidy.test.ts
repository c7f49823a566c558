/**
 * The house, checked: direction of imports, who touches the machine, sizes, codes, topics, links.
 * Each rule is also shown to bite, by a file that breaks it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODES } from '../src/contract/index.js';
import { findings, literalsOf, type SourceFile } from './tidy-rules.js';

const ROOT = new URL('../', import.meta.url);

function filesUnder(folder: string, suffix: RegExp): SourceFile[] {
  const url = new URL(`${folder}/`, ROOT);
  if (!existsSync(url)) return [];
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter((name) => suffix.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => statSync(new URL(path, ROOT)).isFile())
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, ROOT), 'utf8') }));
}

const CODE = /\.(ts|mjs)$/;
const src = filesUnder('src', CODE);
const sim = filesUnder('sim', CODE);
const others = ['test', 'setup', 'bench', 'eval', 'examples'].flatMap((f) => filesUnder(f, CODE));

const rooms = readdirSync(new URL('src/', ROOT), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe('the tree', () => {
  it('keeps the rules of the house in src', () => {
    expect(src.length).toBeGreaterThan(20);
    expect(src.flatMap(findings)).toEqual([]);
  });

  it('keeps the rules of the house in sim', () => {
    expect(sim.flatMap(findings)).toEqual([]);
  });

  it('keeps the rules of the house in tests, set-up and examples', () => {
    expect(others.flatMap(findings)).toEqual([]);
  });

  it('has one door for each room', () => {
    const doorless = rooms.filter(
      (room) => room !== 'cli' && !existsSync(new URL(`src/${room}/index.ts`, ROOT)),
    );
    expect(doorless).toEqual([]);
  });
});

describe('codes', () => {
  const PATTERN = /HALO-\d{3}/g;
  const table = 'src/contract/codes.ts';
  const used = new Map<string, string>();
  for (const file of [...src, ...sim].filter(({ path }) => path !== table)) {
    for (const literal of literalsOf(file)) {
      for (const code of literal.match(PATTERN) ?? []) used.set(code, file.path);
    }
  }

  it('are in the table wherever they are used', () => {
    const unknown = [...used].filter(([code]) => !Object.hasOwn(CODES, code));
    expect(unknown).toEqual([]);
  });

  it('are used somewhere, each of them', () => {
    expect(Object.keys(CODES).filter((code) => !used.has(code))).toEqual([]);
  });

  it('are documented, each of them', () => {
    const page = readFileSync(new URL('docs/reference/codes.md', ROOT), 'utf8');
    expect(Object.keys(CODES).filter((code) => !page.includes(code))).toEqual([]);
  });
});

describe('ROS names', () => {
  const listPath = 'src/ros/topics.ts';
  const isName = (literal: string): boolean => /^(~|\/)\/?[a-z][a-z0-9_/]*$/.test(literal);
  const list = src.filter(({ path }) => path === listPath);
  const names = list.flatMap(literalsOf).filter(isName);

  it('are listed once', () => {
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('are written nowhere else in the node, the bridge and the commands', () => {
    const elsewhere = [...src, ...sim].filter(({ path }) => path !== listPath);
    const strays = elsewhere.flatMap((file) =>
      literalsOf(file)
        .filter((literal) => names.includes(literal) || literal.startsWith('~/'))
        .map((literal) => `${file.path} ${literal}`),
    );
    expect(strays).toEqual([]);
  });

  it('are documented', () => {
    const page = readFileSync(new URL('docs/reference/ros.md', ROOT), 'utf8');
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  });
});

describe('documents', () => {
  const pages = [
    ...filesUnder('docs', /\.md$/),
    ...readdirSync(ROOT)
      .filter((name) => name.endsWith('.md'))
      .map((path) => ({ path, text: readFileSync(new URL(path, ROOT), 'utf8') })),
  ];

  it('link only to what is there', () => {
    const dead = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)\s#]+)(#[^)\s]*)?\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(new URL(target, new URL(path, ROOT))))
        .map((target) => `${path} → ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run ([a-z:-]+)/g)].map((match) => ({ path, script: match[1] ?? '' })),
    );
    expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
  });
});

describe('each rule bites', () => {
  const opened = (code: string): string => `/** Enters, leaves, never. */\n${code}\n`;
  const foundIn = (path: string, code: string): string =>
    findings({ path, text: opened(code) }).join('\n');
  const long = `function long() {\n${'  f();\n'.repeat(70)}}`;

  it.each([
    {
      path: 'src/gate/a.ts',
      code: "import { x } from '../ledger/index.js';",
      expected: 'room gate imports room ledger',
    },
    {
      path: 'src/contract/a.ts',
      code: "import { x } from '../platform/index.js';",
      expected: 'imports room platform',
    },
    {
      path: 'src/gate/a.ts',
      code: "export * from '../bridge.js';",
      expected: 'room gate imports room bridge.ts',
    },
    {
      path: 'src/cli/a.ts',
      code: "import { x } from '../gate/lease.js';",
      expected: 'by a window',
    },
    {
      path: 'src/gate/a.ts',
      code: "const x = await import('../contract/ids.js');",
      expected: 'by a window',
    },
    {
      path: 'src/engine/a.ts',
      code: "import { x } from '../link/index.js';",
      expected: 'more than types from link',
    },
    {
      path: 'src/engine/a.ts',
      code: "import { type X, y } from '../link/index.js';",
      expected: 'more than types from link',
    },
    { path: 'src/cli/a.ts', code: "import rcl from 'rclnodejs';", expected: 'rclnodejs outside' },
    {
      path: 'src/gate/a.ts',
      code: "import { readFileSync } from 'node:fs';",
      expected: 'machine: node:fs',
    },
    {
      path: 'src/gate/a.ts',
      code: "import { readFile } from 'node:fs/promises';",
      expected: 'machine: node:fs/promises',
    },
    { path: 'src/gate/a.ts', code: 'const t = Date.now();', expected: 'machine: Date.now' },
    { path: 'src/gate/a.ts', code: 'const t = new Date();', expected: 'machine: new Date()' },
    {
      path: 'src/gate/a.ts',
      code: 'const t = performance.now();',
      expected: 'machine: performance.now',
    },
    {
      path: 'src/gate/a.ts',
      code: 'const t = process.hrtime.bigint();',
      expected: 'machine: process',
    },
    { path: 'src/gate/a.ts', code: 'const r = Math.random();', expected: 'machine: Math.random' },
    {
      path: 'src/gate/a.ts',
      code: 'const r = pick(Math.random);',
      expected: 'machine: Math.random',
    },
    { path: 'src/gate/a.ts', code: 'setTimeout(f, 10);', expected: 'machine: setTimeout' },
    {
      path: 'src/gate/a.ts',
      code: 'const later = { f: setInterval };',
      expected: 'machine: setInterval',
    },
    { path: 'src/gate/a.ts', code: "console.log('x');", expected: 'machine: console' },
    { path: 'src/gate/a.ts', code: long, expected: 'a function of 72 lines' },
    { path: 'src/gate/a.ts', code: 'f();\n'.repeat(400), expected: '402 lines' },
    { path: 'src/gate/a.ts', code: `f('${'x'.repeat(100)}');`, expected: '106 columns' },
    { path: 'src/gate/a.ts', code: `// TO${'DO'}: later`, expected: 'leaves work' },
    { path: 'test/gate/a.test.ts', code: `it${'.skip'}('x', f);`, expected: 'marks a test' },
    {
      path: 'test/gate/a.test.ts',
      code: `describe${'.only'}.each([1])('x', f);`,
      expected: 'marks a test',
    },
  ])('finds, in a sample of $path: $expected', ({ path, code, expected }) => {
    expect(foundIn(path, code)).toContain(expected);
  });

  it.each([
    ['src/gate/a.ts', "import { ok } from '../contract/index.js';"],
    ['src/engine/a.ts', "import type { X } from '../link/index.js';"],
    ['src/engine/a.ts', "import { encodePayload, type X } from '../link/index.js';"],
    ['src/foxglove/a.ts', "import type { AddressInfo } from 'node:net';"],
    ['src/platform/a.ts', 'const t = Date.now();'],
    ['src/gate/a.ts', 'const at = new Date(wallMs);'],
    ['src/gate/a.ts', 'interface X { readonly process: string }'],
    ['src/gate/a.ts', 'f(options.process, { console: 1 });'],
    ['test/gate/a.test.ts', "it.each([1])('x', () => queue.skip());"],
  ])('and leaves in peace: %s: %s', (path, code) => {
    expect(foundIn(path, code)).toBe('');
  });

  it('sees a file that does not say what it is for', () => {
    expect(findings({ path: 'src/gate/a.ts', text: 'f();\n' }).join()).toContain('does not open');
  });
});
