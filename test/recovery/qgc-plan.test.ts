/** QGroundControl plans to contracts and back: the same places, the same duties, or a reason. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/admission/index.js';
import { runPlanExport, runPlanImport } from '../../src/cli/plan-command.js';
import { openLedger } from '../../src/ledger/index.js';
import { systemClock } from '../../src/platform/index.js';
import {
  contractBody,
  contractFromPlan,
  loadTaskContract,
  planFromObligations,
  qgcPlanSchema,
  type PlannedHome,
} from '../../src/recovery/index.js';

/** Where PX4's own simulators stand. */
const HOME: PlannedHome = [47.397742, 8.545594, 488];
const TERMS = {
  task: 'survey-1',
  contingency: 'land',
  budget: { attempts: 4, timeS: 900 },
} as const;

/** As QGroundControl writes an item with a place, 0.0001 deg being about 11 m of latitude. */
const placed = (command: number, params: readonly (number | null)[], frame = 3) => ({
  AMSLAltAboveTerrain: null,
  Altitude: params[6],
  AltitudeMode: frame === 3 ? 1 : 2,
  autoContinue: true,
  command,
  frame,
  params: [...params],
  type: 'SimpleItem',
});
const plain = (command: number, ...params: number[]) => ({
  autoContinue: true,
  command,
  frame: 2,
  params,
  type: 'SimpleItem',
});

const planOf = (...items: readonly object[]) => ({
  fileType: 'Plan',
  geoFence: { circles: [], polygons: [], version: 2 },
  groundStation: 'QGroundControl',
  mission: {
    cruiseSpeed: 15,
    firmwareType: 12,
    globalPlanAltitudeMode: 1,
    hoverSpeed: 5,
    items: items.map((item, n) => ({ doJumpId: n + 1, ...item })),
    plannedHomePosition: HOME,
    vehicleType: 2,
    version: 2,
  },
  rallyPoints: { points: [], version: 2 },
  version: 1,
});

const FLIGHT = planOf(
  placed(22, [0, 0, 0, null, 47.397742, 8.545594, 10]),
  plain(178, 1, 3, -1, 0, 0, 0, 0),
  placed(16, [0, 0, 0, null, 47.397842, 8.545594, 10]),
  placed(16, [4, 0, 0, null, 47.397842, 8.545794, 500], 0),
  plain(2000, 0, 0, 1, 0, 0, 0, 0),
  plain(211, 1, 0, 0, 0, 0, 0, 0),
  placed(21, [0, 0, 0, null, 47.397742, 8.545794, 0]),
);

const imported = (plan: object) => {
  const result = contractFromPlan(qgcPlanSchema.parse(plan), TERMS);
  if (!result.ok) throw new Error(`${result.error.message} ${result.error.path}`);
  return result.value;
};
const refusal = (...items: readonly object[]) => {
  const result = contractFromPlan(qgcPlanSchema.parse(planOf(...items)), TERMS);
  if (result.ok) throw new Error('was taken');
  return result.error;
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'halo-plan-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a QGroundControl plan', () => {
  it('becomes obligations in its order, in metres from the planned home', () => {
    const { contract, leftOut } = imported(FLIGHT);
    expect(contract.obligations.map(({ id, after, target }) => [id, after, target.kind])).toEqual([
      ['takeoff-1', [], 'flight.takeoff'],
      ['waypoint-3', ['takeoff-1'], 'flight.goto'],
      ['waypoint-4', ['waypoint-3'], 'flight.goto'],
      ['hold-4', ['waypoint-4'], 'flight.hold'],
      ['image-5', ['hold-4'], 'camera.capture'],
      ['release-6', ['image-5'], 'payload.release'],
      ['above-7', ['release-6'], 'flight.goto'],
      // Coming down counts whatever was left undone.
      ['land-7', ['takeoff-1'], 'flight.land'],
    ]);
    // 0.0001 deg of latitude are 11.12 m; 0.0002 of longitude, here, 15.05 m. 500 m above sea.
    const places = contract.obligations.map(({ target }) => target.positionM).filter(Boolean);
    expect(places).toEqual([
      [0, 11.12, 10],
      [15.05, 11.12, 12],
      [15.05, 11.12, 12],
      [15.05, 0, 12],
    ]);
    expect(contract.obligations[3]?.evidence.within?.dwellS).toBe(4);
    expect(contract.obligations[5]?.irreversible).toBe(true);
    expect(leftOut).toEqual([expect.stringContaining('items[1]: command 178')]);
  });

  it('comes back the same after a way through a contract and a plan, to a centimetre', () => {
    const first = imported(FLIGHT).contract;
    const file = join(dir, 'c.json');
    writeFileSync(file, JSON.stringify(first));
    const contract = loadTaskContract(file);
    if (!contract.ok) throw new Error(contract.error.message);
    const exported = planFromObligations(contract.value.obligations, HOME);
    if (!exported.ok) throw new Error(exported.error.message);
    expect(exported.value.leftOut).toEqual([]);
    const again = imported(exported.value.plan).contract;
    const told = (of: typeof first) =>
      of.obligations.map(({ target, evidence }) => [target.kind, evidence]);
    expect(told(again)).toEqual(told(first));
    for (const [n, { target }] of again.obligations.entries()) {
      const before = first.obligations[n]?.target.positionM;
      target.positionM?.forEach((x, i) => expect(Math.abs(x - before![i]!)).toBeLessThan(0.02));
    }
  });

  it('ends with a return where it says so, and lands here when a landing names no place', () => {
    const up = placed(22, [0, 0, 0, null, 47.397742, 8.545594, 10]);
    const home = imported(planOf(up, plain(20, 0, 0, 0, 0, 0, 0, 0))).contract.obligations;
    expect(home.map(({ target }) => target.kind)).toEqual(['flight.takeoff', 'flight.return']);
    const here = imported(planOf(up, placed(21, [0, 0, 0, null, 0, 0, 0]))).contract.obligations;
    expect(here.map(({ target }) => target.kind)).toEqual(['flight.takeoff', 'flight.land']);
  });

  it.each([
    ['a survey', { type: 'ComplexItem', complexItemType: 'survey' }, 'type ComplexItem'],
    ['a height above terrain', placed(16, [0, 0, 0, null, 47.4, 8.5, 9], 10), 'neither above home'],
    ['a place that is none', placed(16, [0, 0, 0, null, null, 8.5, 9]), 'neither above home'],
    ['a jump', plain(177, 1, 2, 0, 0, 0, 0, 0), 'command 177'],
    ['pictures by time', plain(2000, 0, 2, 0, 0, 0, 0, 0), 'number of one'],
    ['a gripper that closes', plain(211, 1, 1, 0, 0, 0, 0, 0), 'more than release'],
  ])('is refused at its place for %s', (_what, item, says) => {
    const error = refusal(placed(22, [0, 0, 0, null, 47.397742, 8.545594, 10]), item);
    expect(error).toMatchObject({ code: 'HALO-709', path: 'mission.items[1]' });
    expect(error.message).toContain(says);
  });
});

describe('halo plan', () => {
  it('writes a contract that the shipped catalog can bring about, and never over a file', () => {
    const plan = join(dir, 'f.plan');
    const out = join(dir, 'c.yaml');
    writeFileSync(plan, JSON.stringify(FLIGHT));
    expect(runPlanImport({ file: plan, out, terms: TERMS })).toBe(0);
    const catalog = loadCatalog('catalog/multicopter.yaml');
    if (!catalog.ok) throw new Error(catalog.error.message);
    const loaded = loadTaskContract(out, catalog.value);
    if (!loaded.ok) throw new Error(`${loaded.error.path} ${loaded.error.message}`);
    expect(readFileSync(out, 'utf8')).toMatch(/^# From .*f\.plan/);
    expect(runPlanImport({ file: plan, out, terms: TERMS })).toBe(2);
    writeFileSync(plan, '{"fileType": "Plan"}');
    expect(runPlanImport({ file: plan, out: undefined, terms: TERMS })).toBe(2);
  });

  it('writes a plan that QGroundControl’s own fields describe', async () => {
    const [contract, out] = [join(dir, 'c.json'), join(dir, 'r.plan')];
    writeFileSync(contract, JSON.stringify(imported(FLIGHT).contract));
    expect(await runPlanExport({ contract, ledger: undefined, home: HOME, out })).toBe(0);
    const plan = JSON.parse(readFileSync(out, 'utf8')) as ReturnType<typeof planOf>;
    expect(Object.keys(plan).sort()).toEqual(Object.keys(FLIGHT).sort());
    expect(Object.keys(plan.mission).sort()).toEqual(Object.keys(FLIGHT.mission).sort());
    const wanted = FLIGHT.mission.items[2];
    expect(Object.keys(plan.mission.items[1] ?? {}).sort()).toEqual(
      Object.keys(wanted ?? {}).sort(),
    );
    expect(plan.mission.items.map((item) => item.doJumpId)).toEqual(
      plan.mission.items.map((_, n) => n + 1),
    );
  });

  it('writes what the ledger leaves of the contract, and refuses a ledger that does not hold', async () => {
    const [file, ledgerDir] = [join(dir, 'c.json'), join(dir, 'ledger')];
    writeFileSync(file, JSON.stringify(imported(FLIGHT).contract));
    const contract = loadTaskContract(file);
    const opened = await openLedger({ dir: ledgerDir, clock: systemClock, generateKeys: true });
    if (!contract.ok || !opened.ok) throw new Error('no ledger');
    const ledger = opened.value;
    ledger.append('run-opened', {
      runId: 'run-1',
      keyId: ledger.keyId,
      publicKey: ledger.publicKeyPem,
    });
    ledger.append('contract-bound', contractBody(contract.value));
    const late = { obligationId: 'waypoint-3', cause: 'deadline', reason: 'late', neededBy: [] };
    ledger.append('obligation-voided', late);
    await ledger.close();
    const out = join(dir, 'r.plan');
    const asked = { contract: file, ledger: ledgerDir, home: HOME };
    expect(await runPlanExport({ ...asked, out })).toBe(0);
    const { mission } = qgcPlanSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
    expect(mission.items.map((item) => 'command' in item && item.command)).toEqual([
      22, 16, 19, 2000, 211, 16, 21,
    ]);
    const nowhere = join(dir, 'nowhere');
    expect(await runPlanExport({ ...asked, ledger: nowhere, out: join(dir, 'x.plan') })).not.toBe(
      0,
    );
  });
});
