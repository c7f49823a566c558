/** What earlier runs of a task leave to later ones: used response ids, and that it is done. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBridge } from '../../src/bridge.js';
import { freeUdpPort } from '../../src/cli/fly/ports.js';
import type { RecordKind, TaskContract } from '../../src/contract/index.js';
import { Keyring, openLedger } from '../../src/ledger/index.js';
import { systemClock } from '../../src/platform/index.js';
import { contractBody, createTaskTracker } from '../../src/recovery/index.js';
import { CONTRACT_TEXT, contractOf, NORTH, Story, UP, verifySignature } from './support.js';

const contract = contractOf(CONTRACT_TEXT);
const edited = contractOf(CONTRACT_TEXT.replace('timeS: 600', 'timeS: 500'));
const other = contractOf(CONTRACT_TEXT.replace('task: tower', 'task: mast'));
const fresh = (of: TaskContract) => createTaskTracker({ contract: of, verifySignature });

describe('a response id that was taken up', () => {
  it.each([
    ['in a run of the same contract', contract, true],
    ['in a run of the same task under an edited contract', edited, true],
    ['for another task', other, false],
  ])('%s, that is closed, is used up: %o', (_what, before, used) => {
    const tracker = fresh(contract);
    const story = new Story(tracker).begin(before);
    story.wait(1).admit(UP, NORTH);
    story.append('run-closed', { reason: 'asked to end', residual: [] });
    story.begin(contract);
    expect(tracker.bound).toBe(true);
    expect(tracker.history.hasTakenUp('r-1')).toBe(used);
    story.admit(UP);
    expect(tracker.history.hasTakenUp('r-2')).toBe(true);
    // Neither its attempts nor its state come along.
    expect(tracker.view(story.tUs).budgetAttemptsLeft).toBe(2);
    const restored = fresh(contract);
    expect(restored.restore(JSON.parse(JSON.stringify(tracker.exported())))).toBe(true);
    expect(restored.history.hasTakenUp('r-1')).toBe(used);
  });
});

const ONE_DUTY = `
task: one-word
obligations:
  - id: told
    target: { kind: report.battery }
    evidence: { delivered: true }
contingency: land
budget: { attempts: 3, timeS: 600 }
`;

/** A ledger whose only run told the battery, or did not, and is closed. */
async function ledgerOf(told: boolean): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'halo-history-'));
  const keyring = new Keyring();
  const duty = contractOf(ONE_DUTY);
  const tracker = createTaskTracker({
    contract: duty,
    verifySignature: (receipt) => keyring.holds(receipt),
  });
  const clock = systemClock;
  const opened = await openLedger({ dir, clock, generateKeys: true, keyring, fold: tracker });
  if (!opened.ok) throw new Error(opened.error.message);
  const ledger = opened.value;
  const identity = { keyId: ledger.keyId, publicKey: ledger.publicKeyPem };
  const append = (kind: RecordKind, body: unknown) => {
    const record = ledger.append(kind, body);
    expect(tracker.apply(record).ok).toBe(true);
    return record;
  };
  append('run-opened', { runId: 'run-1', ...identity });
  append('contract-bound', contractBody(duty));
  append('epoch-opened', { bootEpoch: ledger.bootEpoch, ...identity });
  const component = { componentId: 'fuel', componentDigest: 'd', kind: 'report.battery' };
  append('verdict', {
    ...{ responseId: 'r-1', outcome: 'admitted', generation: 1 },
    admitted: [{ ...component, utterance: true }],
  });
  const body = {
    ...component,
    ...{ id: 'rc-1', runId: 'run-1', frontier: tracker.frontier, generation: 1 },
    ...{ outcome: 'delivered' as const, ensured: false, observed: { delivered: true } },
    ...{ evidenceDigest: 'e', snapshotId: 's-1', observedUs: clock.nowUs() },
    ...{ bootEpoch: ledger.bootEpoch, obligation: 'told' },
  };
  if (told) {
    tracker.settle(ledger.signReceipt(body), (kind, of) => ledger.append(kind, of));
    expect(tracker.completed).toBe(true);
  }
  append('run-closed', { reason: 'asked to end', residual: [] });
  await ledger.close();
  return dir;
}

async function open(ledgerDir: string, text: string) {
  const contractPath = join(ledgerDir, 'contract.yaml');
  writeFileSync(contractPath, text);
  const connectionUrl = `udpin://127.0.0.1:${await freeUdpPort()}`;
  const config = { connectionUrl, systemId: 1, mavlinkKeyPath: '', contractPath, ledgerDir };
  const files = { catalogPath: '', evidenceMapPath: '' };
  const foxglove = { foxgloveEnabled: false, foxgloveHost: '', foxglovePort: 0 };
  const bridge = await createBridge({ ...config, ...files, ...foxglove, tickHz: 50 }, systemClock);
  if (bridge.ok) await bridge.value.close();
  return bridge.ok ? 'opened' : bridge.error.code;
}

describe('a bridge on the ledger of a task', () => {
  it('that is complete does not begin it anew; a new task id is the operator’s way', async () => {
    const dir = await ledgerOf(true);
    expect(await open(dir, ONE_DUTY)).toBe('HALO-313');
    expect(await open(dir, ONE_DUTY)).toBe('HALO-313');
    expect(await open(dir, ONE_DUTY.replace('one-word', 'another-word'))).toBe('opened');
  });

  it('that was closed before its end begins a run of its own', async () => {
    expect(await open(await ledgerOf(false), ONE_DUTY)).toBe('opened');
  });
});
