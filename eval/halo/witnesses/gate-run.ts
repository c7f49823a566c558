/**
 * One seeded run of the gate: a lease, and one thing that goes wrong before its next frame.
 * Enters: chance, the checks that are missing. Leaves: the classes of bad frames that left.
 * Never: the gate's refusals as the judge: the run knows that no frame may leave any more.
 */
import {
  EPOCH_KINDS,
  type Epochs,
  type Finding,
  type WireMessage,
} from '../../../src/contract/index.js';
import type { CheckName, Gate, Lease, MintedFrame } from '../../../src/gate/index.js';
import { createGateWithout } from '../../../src/gate/testing.js';
import { finding } from '../../../src/platform/index.js';
import { EPOCHS, grantOf, HAIRPIN, setpoint, World } from '../../../test/gate/fixture.js';

interface Run {
  readonly world: World;
  readonly gate: Gate;
  readonly lease: Lease;
  readonly random: () => number;
  nowUs: number;
  mint(message?: WireMessage): MintedFrame;
}

/** Does what goes wrong; the frame that is then offered for dispatch. */
type Wrong = (run: Run) => MintedFrame;

const LOST: readonly Finding[] = [finding('evidence', 'HALO-209', 'vehicle.position is old.')];

const edited = (run: Run, change: (frame: MintedFrame) => Partial<MintedFrame>): MintedFrame => {
  const frame = run.mint();
  return { ...frame, ...change(frame) };
};

const EVENTS: Readonly<Record<string, Wrong>> = {
  'double dispatch': (run) => {
    const frame = run.mint();
    run.gate.dispatch(run.lease, frame, run.nowUs);
    return frame;
  },
  'token reuse across lives': (run) => {
    run.world.currentEpoch += 1 + Math.floor(run.random() * 3);
    return run.mint();
  },
  'old authority revived': (run) => {
    run.gate.end(run.lease, { code: 'HALO-408', message: 'support was lost' });
    return run.mint();
  },
  'a frame after the deadline': (run) => {
    run.nowUs = run.lease.grant.deadlineUs + 1 + Math.floor(run.random() * 1e6);
    return run.mint();
  },
  'more frames than admitted': (run) => {
    while (run.lease.framesDrawn < run.lease.grant.framesAllowed) {
      run.gate.dispatch(run.lease, run.mint(), run.nowUs);
    }
    return run.mint();
  },
  'a leg left out': (run) => {
    const reachedM = 7 + 2 * run.random();
    run.nowUs = run.lease.grantedUs + (reachedM / 2) * 1e6;
    run.gate.dispatch(run.lease, run.mint(setpoint(reachedM)), run.nowUs);
    run.nowUs += 1e6;
    // On the way back already, a metre aside: two metres would be in time, three were left out.
    return run.mint(setpoint(reachedM, { y: 1 }));
  },
  'edited after admission': (run) =>
    edited(run, ({ binding }) => ({
      binding: { ...binding, generation: binding.generation + 1 },
    })),
  'other bytes than admitted': (run) =>
    edited(run, ({ payload }) => {
      const copy = payload.slice();
      const at = Math.floor(run.random() * copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(run.random() * 8));
      return { payload: copy };
    }),
  'a frame without a durable intent': (run) => {
    run.world.durableSeq = 0;
    return run.mint();
  },
  'action before its prerequisite': (run) => {
    run.world.ready = false;
    return run.mint();
  },
  'a frame of another epoch': (run) => {
    const { boundEpochs } = run.lease.grant;
    const kind = boundEpochs[Math.floor(run.random() * boundEpochs.length)] ?? EPOCH_KINDS[0];
    const moved: Epochs = { ...EPOCHS, [kind]: EPOCHS[kind] + 1 };
    run.world.epochs = moved;
    return run.mint();
  },
  'stale setpoint': (run) => {
    run.world.findings = LOST;
    return run.mint();
  },
};
const NAMES = Object.keys(EVENTS);

export function badFrames(
  random: () => number,
  removed: readonly CheckName[],
): ReadonlySet<string> {
  const world = new World();
  const gate = createGateWithout(world.ports, { runId: 'run-1', bootEpoch: 3 }, removed);
  const framesAllowed = 2 + Math.floor(random() * 6);
  const lease = gate.grant(grantOf({ envelope: HAIRPIN, framesAllowed }), 0);
  gate.recordIntent(lease, 1);
  const run: Run = {
    ...{ world, gate, lease, random, nowUs: 1_000_000 },
    mint(message = setpoint(1)) {
      const minted = gate.mint(lease, message, this.nowUs);
      if (!minted.ok) throw new Error(JSON.stringify(minted.error));
      return minted.value;
    },
  };
  const name = NAMES[Math.floor(random() * NAMES.length)] ?? '';
  const wrong = EVENTS[name];
  if (wrong === undefined) throw new Error('unreachable');
  const frame = wrong(run);
  const before = world.written.length;
  gate.dispatch(lease, frame, run.nowUs);
  return world.written.length > before ? new Set([name]) : new Set();
}
