/**
 * The gate's promises, and a removal witness for each check: with the check taken out, the named
 * bad thing reaches the wire; with all checks on, it does not.
 */
import { describe, expect, it } from 'vitest';
import type { Binding } from '../../src/contract/index.js';
import {
  CHECK_NAMES,
  createGate,
  wireDigest,
  type CheckName,
  type Gate,
  type Lease,
  type MintedFrame,
} from '../../src/gate/index.js';
import { digestOf } from '../../src/platform/index.js';
import { createGateWithout } from '../../src/gate/testing.js';
import { EPOCHS, grantOf, HAIRPIN, setpoint, World } from './fixture.js';

const IDENTITY = { runId: 'run-1', bootEpoch: 3 };

function mint(gate: Gate, lease: Lease, x = 1): MintedFrame {
  const minted = gate.mint(lease, setpoint(x), 2_000_000);
  if (!minted.ok) throw new Error(minted.error.message);
  return minted.value;
}

function granted(gate: Gate, changes: Parameters<typeof grantOf>[0] = {}): Lease {
  const lease = gate.grant(grantOf(changes), 0);
  gate.recordIntent(lease, 1);
  return lease;
}

/** Each case does the forbidden thing; `bad` counts what must never reach the wire. */
interface Witness {
  readonly names: string;
  readonly bad: (gate: Gate, world: World) => number;
}

const after = (world: World, run: () => void): number => {
  const before = world.written.length;
  run();
  return world.written.length - before;
};

const WITNESSES: Readonly<Record<CheckName, Witness>> = {
  'single-use': {
    names: 'double dispatch',
    bad: (gate, world) => {
      const lease = granted(gate);
      const frame = mint(gate, lease);
      gate.dispatch(lease, frame, 1);
      return after(world, () => gate.dispatch(lease, frame, 2));
    },
  },
  'epoch-fence': {
    names: 'a token of an earlier life, after a second process opened the ledger',
    bad: (gate, world) => {
      const lease = granted(gate);
      const frame = mint(gate, lease);
      world.currentEpoch = 4;
      return after(world, () => gate.dispatch(lease, frame, 1));
    },
  },
  'lease-active': {
    names: 'a lease that came back',
    bad: (gate, world) => {
      const lease = granted(gate);
      const frame = mint(gate, lease);
      gate.end(lease, { code: 'done', message: 'arrived' });
      return after(world, () => gate.dispatch(lease, frame, 1));
    },
  },
  'lease-deadline': {
    names: 'a frame after the deadline',
    bad: (gate, world) => {
      const lease = granted(gate, { deadlineUs: 1000 });
      return after(world, () => gate.dispatch(lease, mint(gate, lease), 1001));
    },
  },
  'lease-frames': {
    names: 'more frames than allowed',
    bad: (gate, world) => {
      const lease = granted(gate, { framesAllowed: 2 });
      for (const at of [1, 2]) gate.dispatch(lease, mint(gate, lease), at);
      return after(world, () => gate.dispatch(lease, mint(gate, lease), 3));
    },
  },
  'path-order': {
    names: 'a leg left out',
    bad: (gate, world) => {
      const lease = granted(gate, { envelope: HAIRPIN });
      const there = gate.mint(lease, setpoint(8), 4_000_000);
      if (!there.ok || !gate.dispatch(lease, there.value, 4_000_000).ok) return NaN;
      // A metre aside is the way back; a second allows for two metres.
      const across = gate.mint(lease, setpoint(9, { y: 1 }), 5_000_000);
      if (!across.ok) return NaN;
      return after(world, () => gate.dispatch(lease, across.value, 5_000_000));
    },
  },
  'payload-digest': {
    names: 'a binding edited after minting',
    bad: (gate, world) => {
      const lease = granted(gate);
      const frame = mint(gate, lease);
      const edited = { ...frame.binding, componentId: 'leg2' };
      return after(world, () => gate.dispatch(lease, { ...frame, binding: edited }, 1));
    },
  },
  'wire-digest': {
    names: 'bytes edited after minting',
    bad: (gate, world) => {
      const lease = granted(gate);
      const frame = mint(gate, lease);
      const payload = frame.payload.slice();
      payload[4] = (payload[4] ?? 0) ^ 1;
      return after(world, () => gate.dispatch(lease, { ...frame, payload }, 1));
    },
  },
  'intent-durable': {
    names: 'an effect before its intent is on disk',
    bad: (gate, world) => {
      const lease = granted(gate);
      world.durableSeq = 0;
      return after(world, () => gate.dispatch(lease, mint(gate, lease), 1));
    },
  },
  prerequisites: {
    names: 'an action before its prerequisite',
    bad: (gate, world) => {
      const lease = granted(gate);
      world.ready = false;
      return after(world, () => gate.dispatch(lease, mint(gate, lease), 1));
    },
  },
  epochs: {
    names: 'a setpoint of a frame that has moved',
    bad: (gate, world) => {
      const lease = granted(gate);
      world.epochs = { ...EPOCHS, estimator: 2 };
      return after(world, () => gate.dispatch(lease, mint(gate, lease), 1));
    },
  },
  support: {
    names: 'a stale setpoint',
    bad: (gate, world) => {
      const lease = granted(gate);
      world.findings = [
        { rule: 'evidence', code: 'HALO-209', message: 'position is 3000 ms old', remedy: '' },
      ];
      return after(world, () => gate.dispatch(lease, mint(gate, lease), 1));
    },
  },
};

describe('the gate', () => {
  it.each(CHECK_NAMES)('stops by %s what appears when that check is removed', (name) => {
    const { bad, names } = WITNESSES[name];
    const whole = new World();
    expect(bad(createGate(whole.ports, IDENTITY), whole), names).toBe(0);
    const holed = new World();
    expect(bad(createGateWithout(holed.ports, IDENTITY, [name]), holed), names).toBe(1);
  });

  it('writes exactly the minted bytes, once, and counts them', () => {
    const world = new World();
    const gate = createGate(world.ports, IDENTITY);
    const lease = granted(gate);
    const frame = mint(gate, lease, 2.5);
    const sent = gate.dispatch(lease, frame, 10);
    expect(sent).toMatchObject({ ok: true, value: { sequence: 1, atUs: 10, leaseId: lease.id } });
    const written = world.written[0];
    expect(written && wireDigest(written.id, written.payload)).toBe(frame.binding.wireDigest);
    expect(lease.framesDrawn).toBe(1);
  });

  it('burns the token of a refused frame and ends the lease for good', () => {
    const world = new World();
    const gate = createGate(world.ports, IDENTITY);
    const lease = granted(gate);
    const frame = mint(gate, lease);
    world.epochs = { ...EPOCHS, mode: 1 };
    expect(gate.dispatch(lease, frame, 1)).toMatchObject({
      ok: false,
      error: { code: 'HALO-409' },
    });
    world.epochs = EPOCHS;
    expect(gate.dispatch(lease, frame, 2)).toMatchObject({
      ok: false,
      error: { code: 'HALO-401' },
    });
    const next = gate.mint(lease, setpoint(1), 2_000_000);
    expect(next.ok && gate.dispatch(lease, next.value, 3)).toMatchObject({
      ok: false,
      error: { code: 'HALO-402' },
    });
    expect(world.written).toHaveLength(0);
  });

  it('ends a lease in the tick in which another life has opened the ledger, frame or no frame', () => {
    const world = new World();
    const gate = createGate(world.ports, IDENTITY);
    const lease = granted(gate);
    expect(gate.review(lease, 1)).toBeUndefined();
    world.currentEpoch = 4;
    expect(gate.review(lease, 2)).toMatchObject({ check: 'epoch-fence', code: 'HALO-407' });
    expect(lease.end?.code).toBe('HALO-407');
  });

  it('waits for a durable intent without ending the lease', () => {
    const world = new World();
    const gate = createGate(world.ports, IDENTITY);
    const lease = granted(gate);
    world.durableSeq = 0;
    expect(gate.dispatch(lease, mint(gate, lease), 1)).toMatchObject({
      ok: false,
      error: { code: 'HALO-411', endsLease: false },
    });
    world.durableSeq = 1;
    expect(gate.dispatch(lease, mint(gate, lease), 2).ok).toBe(true);
  });

  it.each([
    ['a detour off the segment', setpoint(1, { y: 0.2 }), 'HALO-412'],
    ['a target beyond the admitted one', setpoint(11), 'HALO-412'],
    ['a point that leaps ahead of the admitted speed', setpoint(5), 'HALO-412'],
    ['another yaw', setpoint(1, { yaw: 0.1 }), 'HALO-412'],
    ['another frame', setpoint(1, { coordinate_frame: 8 }), 'HALO-412'],
    ['another mask', setpoint(1, { type_mask: 0 }), 'HALO-412'],
    ['a velocity behind the mask', setpoint(1, { vx: 3 }), 'HALO-412'],
    ['another vehicle', setpoint(1, { target_system: 2 }), 'HALO-412'],
    ['not a number', setpoint(Number.NaN), 'HALO-412'],
    ['another message', { name: 'COMMAND_LONG', fields: { ...setpoint(1).fields } }, 'HALO-414'],
  ])('mints no token for %s', (_title, message, code) => {
    const world = new World();
    const gate = createGate(world.ports, IDENTITY);
    expect(gate.mint(granted(gate), message, 2_000_000)).toMatchObject({
      ok: false,
      error: { code },
    });
    expect(gate.view(0).framesRefused).toBe(1);
  });

  it('sends nothing more once it is closed', () => {
    const world = new World();
    const gate = createGate(world.ports, IDENTITY);
    const lease = granted(gate);
    const frame = mint(gate, lease);
    gate.close({ code: 'HALO-604', message: 'disk full', remedy: '' });
    expect(gate.dispatch(lease, frame, 1)).toMatchObject({
      ok: false,
      error: { code: 'HALO-413' },
    });
    expect(world.written).toHaveLength(0);
    expect(gate.view(0).leases).toHaveLength(0);
  });

  it('ends the lease when the link fails, instead of trying again', () => {
    const world = new World();
    const gate = createGate(world.ports, IDENTITY);
    const lease = granted(gate);
    world.linkUp = false;
    expect(gate.dispatch(lease, mint(gate, lease), 1)).toMatchObject({
      ok: false,
      error: { code: 'HALO-507', endsLease: true },
    });
    expect(lease.end?.code).toBe('HALO-507');
  });

  it('sends nothing whose binding was changed in place, whichever member it is', () => {
    const other = { ...EPOCHS, home: 9 };
    const changes: Partial<Record<keyof Binding, unknown>> = {
      ...{ runId: 'run-2', bootEpoch: 2, generation: 2, componentId: 'leg2' },
      ...{ componentDigest: 'c'.repeat(64), catalogDigest: 'c'.repeat(64), leaseId: 'l-3-9' },
      ...{ sequence: 9, targetSystem: 2, epochs: other, messageId: 85 },
      ...{ leaseDigest: 'c'.repeat(64), wireDigest: 'c'.repeat(64) },
    };
    const any = createGate(new World().ports, IDENTITY);
    const bound = mint(any, granted(any));
    expect(Object.keys(changes).sort()).toEqual(Object.keys(bound.binding).sort());
    for (const [member, value] of Object.entries(changes)) {
      const world = new World();
      const gate = createGate(world.ports, IDENTITY);
      const lease = granted(gate);
      const frame = mint(gate, lease);
      Object.assign(frame.binding, { [member]: value });
      expect(gate.dispatch(lease, frame, 1).ok, member).toBe(false);
      expect(world.written, member).toHaveLength(0);
    }
  });

  it('digests the canonical binding of a lease: a parameter that differs as JSON differs here', () => {
    const gate = createGate(new World().ports, IDENTITY);
    const first = granted(gate, { componentDigest: digestOf({ x: 0.1 }) });
    const second = granted(gate, { componentDigest: digestOf({ x: 0.10000000149 }) });
    const { leaseDigest, messageId, sequence, wireDigest, ...bound } = mint(gate, first).binding;
    expect(leaseDigest).toBe(digestOf(bound));
    expect(first.bindingDigest).toBe(leaseDigest);
    const other = mint(gate, second).binding;
    expect(other.leaseDigest).not.toBe(leaseDigest);
    // As float32 on the wire they are one number.
    expect([other.messageId, other.wireDigest]).toEqual([messageId, wireDigest]);
    expect(other.sequence).toBe(sequence + 1);
  });

  it('binds to what was granted, whatever becomes of the grant', () => {
    const world = new World();
    const gate = createGate(world.ports, IDENTITY);
    const epochs = { ...EPOCHS };
    const lease = granted(gate, { epochs });
    const frame = mint(gate, lease);
    epochs.estimator = 7;
    expect(frame.binding.epochs).toEqual(EPOCHS);
    expect(mint(gate, lease).binding.epochs).toEqual(EPOCHS);
  });
});
