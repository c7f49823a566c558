/** The package as a library, in a process without any ROS 2: what a user without it would do. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { packageRoot } from '../src/platform/index.js';

const ROOT = packageRoot(import.meta.url);

const SCRIPT = `
import { readFileSync } from 'node:fs';
import { admission, intake, recovery } from 'halo-bridge';
const contract = recovery.loadTaskContract('examples/01-inspect-tower/contract.yaml');
const catalog = admission.loadCatalog('catalog/multicopter.yaml');
const parsed = intake.parseResponse(readFileSync('examples/01-inspect-tower/response.json'));
const epochs = { vehicle: 0, estimator: 0, arming: 0, home: 0, link: 0, mode: 0 };
const { verdict } = admission.admit({
  parsed: parsed.value,
  catalog: catalog.value,
  contract: contract.value,
  snapshot: { id: 's-1', takenUs: 0, values: new Map(), epochs },
  basis: undefined,
  generation: 1,
  nowUs: 0,
});
const kept = verdict.components.filter((c) => c.admitted).map((c) => c.id);
console.log(JSON.stringify({ outcome: verdict.outcome, kept }));
`;

it('judges a response without ROS 2, and without evidence it keeps nothing that needs any', () => {
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '' },
    encoding: 'utf8',
    timeout: 15_000,
  });
  expect(JSON.parse(out)).toEqual({ outcome: 'refused', kept: [] });
});
