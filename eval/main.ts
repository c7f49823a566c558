/**
 * `npm run eval -- halo [--json] [--quick] [--seed N]`: reproduces a published evaluation on this
 * bridge. Leaves: tables on standard output (on standard error with --json, whose last line is one
 * JSON object), and eval/REPORT.md. Exit 1 when a published figure is not reached.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/platform/index.js';
import { evaluateHalo, outcomeOf, reportOf, shortfalls } from './halo/index.js';

const HELP = `Usage: npm run eval -- halo [--json] [--quick] [--seed N]

  --json     one JSON object as the last line of standard output
  --quick    a small part of each, in about a minute; eval/REPORT.md stays as it is
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
if (positionals.length !== 1 || positionals[0] !== 'halo') usage('Name the evaluation: halo.');
if (!Number.isSafeInteger(seed) || seed < 0) usage('A seed is a whole number from 0 on.');

const say = (line: string): void => void process.stderr.write(`${line}\n`);
say(`seed ${seed}`);
const found = await evaluateHalo({ seed, quick: values.quick, say });
const outcome = outcomeOf(found);
const short = shortfalls(outcome, values.quick);
const report = reportOf(found, short);
if (!values.quick) {
  writeFileSync(join(packageRoot(import.meta.url), 'eval/REPORT.md'), report);
}
(values.json ? process.stderr : process.stdout).write(report);
if (values.json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exitCode = short.length === 0 ? 0 : EXIT_SHORT;
