/**
 * `halo plan`: a QGroundControl plan as a task contract, and what is left of a contract as a plan.
 * Enters: files. Leaves: YAML or a .plan on standard output or in a file; what was left out, on
 * standard error. Never: a file that is already there written over.
 */
import { writeFileSync } from 'node:fs';
import { fail, ok, type Result, type TaskContract, type TaskStateView } from '../contract/index.js';
import { verifyLedger } from '../ledger/index.js';
import { haloError, readTextFile, yamlText } from '../platform/index.js';
import {
  contractFromPlan,
  createTaskTracker,
  loadTaskContract,
  parseTaskContract,
  planFromObligations,
  qgcPlanSchema,
  residualObligations,
  type PlannedHome,
  type PlanTerms,
} from '../recovery/index.js';
import { complain, EXIT, type ExitCode } from './exit-codes.js';

export interface PlanImportOptions {
  readonly file: string;
  readonly out: string | undefined;
  readonly terms: PlanTerms;
}

export function runPlanImport({ file, out, terms }: PlanImportOptions): ExitCode {
  const text = readTextFile(file);
  if (!text.ok) return complain(text.error);
  const plan = qgcPlanSchema.safeParse(json(text.value));
  if (!plan.success) {
    const [issue] = plan.error.issues;
    const at = issue?.path.join('.') ?? '';
    return complain(haloError('HALO-709', `${at}: ${issue?.message ?? 'no plan'}.`, file));
  }
  const imported = contractFromPlan(plan.data, terms);
  if (!imported.ok) return complain({ ...imported.error, path: `${file}: ${imported.error.path}` });
  const { contract, leftOut } = imported.value;
  const [latitude, longitude, altitudeM] = plan.data.mission.plannedHomePosition;
  const yaml = yamlText(contract, [
    `From ${file}. Read it over: a plan does not say what counts as done.`,
    `Metres east, north and up from the planned home, ${latitude} ${longitude} ${altitudeM},`,
    'which stands for the local origin: where the vehicle is switched on.',
  ]);
  const checked = parseTaskContract(yaml, out ?? file);
  if (!checked.ok) return complain(checked.error);
  return give(yaml, out, leftOut);
}

export interface PlanExportOptions {
  readonly contract: string;
  /** Undefined: nothing has been done of it yet. */
  readonly ledger: string | undefined;
  readonly home: PlannedHome;
  readonly out: string | undefined;
}

export async function runPlanExport(options: PlanExportOptions): Promise<ExitCode> {
  const contract = loadTaskContract(options.contract);
  if (!contract.ok) return complain(contract.error);
  const state = await stateOf(contract.value, options.ledger);
  if (!state.ok) return complain(state.error);
  const residual = residualObligations(state.value, contract.value);
  const exported = planFromObligations(residual, options.home);
  if (!exported.ok) return complain(exported.error);
  const { plan, leftOut } = exported.value;
  const unknown = state.value.obligations.filter((o) => o.state === 'unknown');
  const doubts = unknown.map(({ id }) => `${id}: unknown; look before it is flown again`);
  return give(`${JSON.stringify(plan, null, 2)}\n`, options.out, [...leftOut, ...doubts]);
}

/** From the ledger alone, verified on the way. */
async function stateOf(
  contract: TaskContract,
  ledger: string | undefined,
): Promise<Result<TaskStateView>> {
  // Signatures are checked before a record comes here.
  const tracker = createTaskTracker({ contract, verifySignature: () => true });
  if (ledger === undefined) return ok(tracker.view(0));
  const verified = await verifyLedger(ledger, {
    apply: (record) => tracker.apply(record),
    state: () => undefined,
  });
  return verified.ok ? ok(tracker.view(0)) : fail(verified.error);
}

function give(text: string, out: string | undefined, notes: readonly string[]): ExitCode {
  for (const note of notes) process.stderr.write(`${note}\n`);
  if (out === undefined) {
    process.stdout.write(text);
    return EXIT.ok;
  }
  try {
    writeFileSync(out, text, { flag: 'wx' });
    return EXIT.ok;
  } catch (error) {
    return complain(haloError('HALO-701', error instanceof Error ? error.message : '', out));
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
