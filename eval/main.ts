/**
 * `npm run eval -- <suite> [--json] [--quick] [--seed N]`: reproduces a published evaluation on
 * this bridge. Leaves: the report on standard output (on standard error with --json, whose last
 * line is one JSON object), and a whole run's report beside this file. Exit 1 when a published
 * figure is not reached.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/platform/index.js';
import { agentmirrorSuite } from './agentmirror/index.js';
import { dartSuite } from './dart/index.js';
import { haloSuite } from './halo/index.js';
import type { Suite } from './suite.js';

/** Each with the report of its whole run. */
const SUITES: readonly (readonly [Suite, reportFile: string])[] = [
  [haloSuite, 'eval/REPORT.md'],
  [dartSuite, 'eval/REPORT-dart.md'],
  [agentmirrorSuite, 'eval/REPORT-agentmirror.md'],
];

const NAMES = SUITES.map(([{ name }]) => name).join('|');
const HELP = `Usage: npm run eval -- <${NAMES}> [--json] [--quick] [--seed N]

  --json     one JSON object as the last line of standard output
  --quick    a small part of each, in about a minute; the committed report stays as it is
  --seed N   default 1; the same seed gives the same figures
`;
const EXIT_SHORT = 1;
const EXIT_USAGE = 2;

function usage(message: string): never {
  process.stderr.write(`${message}\n\n${HELP}`);
  process.exit(EXIT_USAGE);
}

function argumentsOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

const { values, positionals } = argumentsOf(process.argv.slice(2));
const seed = Number(values.seed);
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [suite, reportFile] =
  SUITES.find(([{ name }]) => positionals.length === 1 && name === positionals[0]) ??
  usage(`Name one evaluation: ${NAMES}.`);
if (!Number.isSafeInteger(seed) || seed < 0) usage('A seed is a whole number from 0 on.');

const say = (line: string): void => void process.stderr.write(`${line}\n`);
say(`seed ${seed}`);
const { report, outcome, shortfalls } = await suite.run({ seed, quick: values.quick, say });
if (!values.quick) writeFileSync(join(packageRoot(import.meta.url), reportFile), report);
(values.json ? process.stderr : process.stdout).write(report);
for (const sentence of shortfalls) say(`Not reached: ${sentence}.`);
if (values.json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exitCode = shortfalls.length === 0 ? 0 : EXIT_SHORT;
