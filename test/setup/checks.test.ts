// What `npm test` counts, with the real checkers on small projects that are right or wrong on
// purpose.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '..', '..');
let root = '';

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'halo-checks-'));
  fs.cpSync(path.join(repository, 'setup'), path.join(root, 'setup'), { recursive: true });
  fs.symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'));
  fs.mkdirSync(path.join(root, '.halo'));
  write('package.json', '{ "type": "module" }\n');
  write('.prettierignore', 'setup\n*.json\n');
  write('.prettierrc', '{ "singleQuote": true }\n');
  write(
    'eslint.config.js',
    "export default [{ ignores: ['setup'], rules: { eqeqeq: 'error' } }];\n",
  );
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "types": [], "skipLibCheck": true }, "include": ["a.ts"] }\n',
  );
  write('a.ts', 'export const a: number = 1;\n');
});

afterEach(() => {
  fs.rmSync(root, { recursive: true, force: true });
});

function write(file: string, text: string): void {
  fs.writeFileSync(path.join(root, file), text);
}

/** Run all checks in a process of their own, as `npm test` does after set-up. */
function check(): { passed: number; failed: number; shown: string } {
  const script = `
    const { runChecks } = await import('./setup/lib/checks.mjs');
    console.log('\\n' + JSON.stringify(await runChecks(process.env, [])));`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  const lines = ran.stdout.trimEnd().split('\n');
  const counts = JSON.parse(lines.at(-1) ?? '') as { passed: number; failed: number };
  return { ...counts, shown: lines.slice(0, -1).join('\n') };
}

const suite = (...bodies: string[]) =>
  `import { expect, test } from 'vitest';\n` +
  bodies.map((body, i) => `test('t${i}', () => {\n  ${body}\n});\n`).join('');

test('style, types and each test count one', () => {
  write('good.test.js', suite('expect(1).toBe(1);', 'expect(2).toBe(2);'));
  expect(check()).toMatchObject({ passed: 4, failed: 0 });
}, 60_000);

test('a failing test, a file that does not load, a wrong type and bad style count one each', () => {
  write('good.test.js', suite('expect(1).toBe(1);', 'expect(1).toBe(2);'));
  write('broken.test.js', `import './nowhere.js';\n`);
  write('a.ts', `export const a: number = 'one';\n`);
  write('b.js', 'export const b = (x) => x == 1;\n');
  const result = check();
  expect(result).toMatchObject({ passed: 1, failed: 4 });
  expect(result.shown).toContain('eqeqeq');
  expect(result.shown).toContain("Type 'string' is not assignable to type 'number'");
}, 60_000);

test('no test at all is a failure, and so is a crash after the last test', () => {
  expect(check()).toMatchObject({ passed: 2, failed: 1 });
  write('good.test.js', suite("void Promise.reject(new Error('late'));\n  expect(1).toBe(1);"));
  expect(check().failed).toBe(1);
}, 60_000);
