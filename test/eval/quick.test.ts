/** The evaluation as a reviewer runs it, in its quick form: figures, last line, exit code. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../eval/halo/index.js';
import { packageRoot } from '../../src/platform/index.js';

const ROOT = packageRoot(import.meta.url);

/** Compiling, a flight in real time, and half a minute of computing on a machine that is free. */
const LIMIT_MS = 240_000;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function evaluate(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(ROOT, 'setup/eval.mjs'), ...args], { cwd: ROOT });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

describe('npm run eval -- halo --quick --json', () => {
  let ended: Ended;
  let outcome: Outcome;

  beforeAll(async () => {
    ended = await evaluate(['halo', '--quick', '--json', '--seed', '1']);
    const last = ended.out.trimEnd().split('\n').at(-1) ?? '';
    if (!last.startsWith('{')) throw new Error(`no figures: ${ended.err.slice(-3000)}`);
    outcome = JSON.parse(last) as Outcome; // The command under test wrote it.
  }, LIMIT_MS);

  it('ends with one JSON object of the figures, prints its seed, and reaches every floor', () => {
    expect(Object.keys(outcome)).toEqual([
      'variants',
      'expectations',
      'protocolTests',
      'conformance',
      'schedules',
      'coldStarts',
      'witnesses',
    ]);
    expect(ended.err).toContain('seed 1\n');
    expect(ended.err).toContain('Every published figure is reached.');
    expect(ended.code).toBe(0);
  });

  it('keeps all that is supported and lets nothing else through, unlike each variant', () => {
    const { variants } = outcome;
    const full = variants['halo-full'];
    expect(full.supported).toBeGreaterThanOrEqual(248);
    expect(full.orphanChances).toBeGreaterThanOrEqual(70);
    expect(full.staleChances).toBeGreaterThanOrEqual(72);
    expect(full.wrongBindingChances).toBeGreaterThanOrEqual(72);
    const clean = { orphansLeaked: 0, staleMissed: 0, wrongBindingMissed: 0 };
    expect(full).toMatchObject({ kept: full.supported, ...clean });
    expect(variants['whole-response']).toMatchObject({ kept: 0, ...clean });
    expect(variants['independent-filter'].orphansLeaked).toBe(full.orphanChances);
    expect(variants['halo-admission']).toMatchObject({
      kept: full.supported,
      orphansLeaked: 0,
      staleMissed: full.staleChances,
    });
    expect(variants['agentspec-scoped'].orphansLeaked).toBeGreaterThan(0);
    expect(variants['agentspec-global'].kept).toBeLessThan(full.kept / 2);
  });

  it('meets every expectation, protocol test and answer of the oracle', () => {
    const { expectations, protocolTests, conformance, witnesses } = outcome;
    expect(expectations.total).toBeGreaterThanOrEqual(96);
    expect(expectations.met).toBe(expectations.total);
    expect(protocolTests.total).toBeGreaterThanOrEqual(20);
    expect(protocolTests.passed).toBe(protocolTests.total);
    expect(conformance.cases).toBeGreaterThan(30_000);
    expect(conformance.mismatches).toBe(0);
    expect(witnesses.shown).toBe(witnesses.removed);
  });

  it('flies its schedules without a violation, and every kind of fault bites in some of them', () => {
    const { schedules, coldStarts } = outcome;
    expect(schedules.runs).toBe(200);
    expect(schedules.violations, ended.err.slice(-3000)).toBe(0);
    const idle = Object.entries(schedules.faults).filter(([, fired]) => fired === 0);
    expect(idle).toEqual([]);
    expect(coldStarts).toEqual({ runs: 1, staleSetpoints: 0, recovered: 1 });
  });
});

describe('the command line of the evaluation', () => {
  it('says what it takes when it is asked for something else', async () => {
    const wrong = await evaluate(['hola']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('Usage: npm run eval -- halo [--json] [--quick] [--seed N]');
    expect(wrong.out).toBe('');
  }, 60_000);
});
