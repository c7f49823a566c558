/**
 * `npm run bench -- <suite> [--json]`. Enters: the name of a suite. Leaves: a table, and with
 * `--json` one JSON object as the last line; exit 0 when all goals are met, 1 otherwise.
 * Never: a goal that depends on how fast this machine is.
 */
import { haloSuite } from './halo/index.js';
import { ledgerSuite } from './ledger/index.js';
import { jsonOf, tableOf, type Ratio } from './ratio.js';

const SUITES: Readonly<Record<string, () => Promise<readonly Ratio[]>>> = {
  halo: haloSuite,
  ledger: ledgerSuite,
};

const [name = 'halo', ...flags] = process.argv.slice(2).filter((one) => one !== '--');
const suite = SUITES[name];
if (suite === undefined || flags.some((flag) => flag !== '--json')) {
  console.error(`Usage: npm run bench -- <${Object.keys(SUITES).join('|')}> [--json]`);
  process.exit(2);
}
const ratios = await suite();
console.log(tableOf(ratios));
if (flags.includes('--json')) console.log(jsonOf(ratios));
process.exitCode = ratios.every(({ ok }) => ok) ? 0 : 1;
