/**
 * `halo bridge`: the ROS 2 node with the bridge behind it, until it is asked to end.
 * Enters: ROS arguments. Leaves: with --events, one JSON object a line on standard output; a reader
 * that stalls misses states and progress, and is told how many.
 * Never: an exit before leases have ended, the vehicle was told to hold and the ledger is closed.
 */
import type { EnginePort, HaloError } from '../contract/index.js';
import { createBridge, type Bridge } from '../bridge.js';
import { ok } from '../contract/index.js';
import { startTicking, systemClock, within } from '../platform/index.js';
import { loadRcl, startBridgeNode } from '../ros/index.js';
import { askedToEnd } from './asked-to-end.js';
import { EventLines, type EventLine } from './event-lines.js';
import { complain, EXIT, type ExitCode } from './exit-codes.js';

/** Twice a second: what a pilot can read. */
const STATE_HZ = 2;

/** Longest that a start goes on after a signal, to be closed in order: a ledger opens in ms. */
const START_GRACE_MS = 2_000;

type Say = (line: EventLine) => void;

export interface BridgeCommandOptions {
  readonly events: boolean;
  readonly argv: readonly string[];
}

export async function runBridge({ events, argv }: BridgeCommandOptions): Promise<ExitCode> {
  const lines = new EventLines(process.stdout);
  const say: Say = (line) => {
    if (events) lines.say(line);
  };
  const asked = askedToEnd();
  const rcl = await loadRcl();
  if (!rcl.ok) return tell(rcl.error, say);
  let bridge: Bridge | undefined;
  const starting = startBridgeNode({
    rcl: rcl.value,
    argv,
    clock: systemClock,
    createBridge: async (params) => {
      const made = await createBridge(params, systemClock);
      if (!made.ok) return made;
      bridge = made.value;
      // Inside the tick: one write to a pipe, no more.
      bridge.engine.onEvent(say);
      return ok(made.value);
    },
  });
  const node = await Promise.race([starting, asked.then(() => within(starting, START_GRACE_MS))]);
  if (node === undefined) return EXIT.refused;
  if (!node.ok) return tell(node.error, say);
  say({
    type: 'active',
    node: node.value.fullName,
    foxglove: bridge?.foxgloveUrl,
    ledger: bridge?.ledgerDir,
  });
  const stopStates = startTicking(systemClock, STATE_HZ, () => {
    if (bridge !== undefined) say({ type: 'state', state: stateLine(bridge.engine) });
  });
  const never = new Promise<undefined>(() => undefined);
  const failure = await Promise.race([
    asked.then(() => undefined),
    node.value.ended,
    bridge?.failed ?? never,
  ]);
  stopStates();
  const last = bridge;
  await node.value.close();
  if (last !== undefined) say({ type: 'closed', state: stateLine(last.engine) });
  return failure === undefined ? EXIT.ok : tell(failure, say);
}

/** Without the evidence and the components, which have events of their own. */
function stateLine(engine: EnginePort) {
  const { phase, snapshotId, vehicle, task, obligations, dispatch, guidance } = engine.state();
  return { phase, snapshotId, vehicle, task, obligations, dispatch, guidance };
}

function tell(error: HaloError, say: Say): ExitCode {
  say({ type: 'error', error });
  return complain(error);
}
