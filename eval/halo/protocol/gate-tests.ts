/** The gate's protocol, one sentence each. Enters: nothing. Leaves: tests. */
import assert from 'node:assert/strict';
import type { LeaseEnd } from '../../../src/contract/index.js';
import { createGate, type Gate, type Grant, type MintedFrame } from '../../../src/gate/index.js';
import { finding } from '../../../src/platform/index.js';
import { EPOCHS, grantOf, setpoint, World } from '../../../test/gate/fixture.js';
import type { ProtocolTest } from './cases.js';

class Scene {
  readonly world = new World();
  readonly gate: Gate = createGate(this.world.ports, { runId: 'run-1', bootEpoch: 3 });
  readonly lease;
  nowUs = 1_000_000;

  constructor(changes: Partial<Grant> = {}, intentSeq = 1) {
    this.lease = this.gate.grant(grantOf(changes), 0);
    this.gate.recordIntent(this.lease, intentSeq);
  }

  mint(x = 1, changes: Record<string, number> = {}): MintedFrame {
    const minted = this.gate.mint(this.lease, setpoint(x, changes), this.nowUs);
    assert(minted.ok, 'the frame is minted');
    return minted.value;
  }

  mintCode(x: number, changes: Record<string, number> = {}): string {
    const minted = this.gate.mint(this.lease, setpoint(x, changes), this.nowUs);
    return minted.ok ? 'minted' : minted.error.code;
  }

  /** `sent`, or the code of the refusal. */
  send(frame: MintedFrame): string {
    const sent = this.gate.dispatch(this.lease, frame, this.nowUs);
    return sent.ok ? 'sent' : sent.error.code;
  }

  get frames(): number {
    return this.world.written.length;
  }
}

const LOST: LeaseEnd = { code: 'HALO-408', message: 'support was lost' };

export const GATE_TESTS: readonly ProtocolTest[] = [
  {
    name: 'a token opens the gate for one frame and for no second',
    run: () => {
      const scene = new Scene();
      const frame = scene.mint();
      assert.deepEqual([scene.send(frame), scene.send(frame)], ['sent', 'HALO-401']);
      assert.equal(scene.frames, 1);
    },
  },
  {
    name: 'a token is spent even when its frame is refused',
    run: () => {
      const scene = new Scene({}, 2);
      const frame = scene.mint();
      assert.equal(scene.send(frame), 'HALO-411');
      scene.world.durableSeq = 2;
      assert.equal(scene.send(frame), 'HALO-401');
      assert.equal(scene.frames, 0);
    },
  },
  {
    name: 'a token of another gate is unknown',
    run: () => {
      const [one, two] = [new Scene(), new Scene()];
      one.mint();
      const foreign = { ...two.mint(), token: '3.999' };
      assert.equal(one.send(foreign), 'HALO-401');
    },
  },
  {
    name: 'a second process that opened the ledger fences this one',
    run: () => {
      const scene = new Scene();
      assert.equal(scene.send(scene.mint()), 'sent');
      scene.world.currentEpoch = 4;
      assert.equal(scene.send(scene.mint()), 'HALO-407');
      assert.equal(scene.frames, 1);
    },
  },
  {
    name: 'a binding that was edited after minting does not leave',
    run: () => {
      const scene = new Scene();
      const frame = scene.mint();
      const edited = { ...frame, binding: { ...frame.binding, generation: 2 } };
      assert.equal(scene.send(edited), 'HALO-405');
      assert.equal(scene.frames, 0);
    },
  },
  {
    name: 'bytes that differ in the sign of a zero do not leave',
    run: () => {
      const scene = new Scene();
      const frame = scene.mint();
      const payload = frame.payload.slice();
      new DataView(payload.buffer).setFloat32(8, -0, true); // y, which is 0.
      assert.equal(scene.send({ ...frame, payload }), 'HALO-406');
    },
  },
  {
    name: 'numbers that are one float32 on the wire are one frame',
    run: () => {
      const scene = new Scene();
      const [a, b] = [scene.mint(0.1), scene.mint(0.10000000149)];
      assert.equal(a.binding.wireDigest, b.binding.wireDigest);
      assert.notEqual(a.binding.sequence, b.binding.sequence);
    },
  },
  {
    name: 'a point off the admitted line is not minted',
    run: () => assert.equal(new Scene().mintCode(1, { y: 0.5 }), 'HALO-412'),
  },
  {
    name: 'a point that runs ahead of the admitted speed is not minted',
    run: () => assert.equal(new Scene().mintCode(9), 'HALO-412'),
  },
  {
    name: 'a frame for another vehicle is not minted',
    run: () => assert.equal(new Scene().mintCode(1, { target_system: 2 }), 'HALO-412'),
  },
  {
    name: 'a number that is not finite is not minted',
    run: () => assert.notEqual(new Scene().mintCode(Number.NaN), 'minted'),
  },
  {
    name: 'another message than the effect’s own is not minted',
    run: () => {
      const { gate, lease } = new Scene();
      const fields = { target_system: 1, target_component: 1, command: 400, confirmation: 0 };
      const params = {
        param1: 1,
        param2: 0,
        param3: 0,
        param4: 0,
        param5: 0,
        param6: 0,
        param7: 0,
      };
      const message = { name: 'COMMAND_LONG', fields: { ...fields, ...params } };
      const minted = gate.mint(lease, message, 1_000_000);
      assert.equal(minted.ok ? 'minted' : minted.error.code, 'HALO-414');
    },
  },
  {
    name: 'a lease draws as many frames as were admitted and no more',
    run: () => {
      const scene = new Scene({ framesAllowed: 2 });
      const told = [1, 2, 3].map(() => scene.send(scene.mint()));
      assert.deepEqual(told, ['sent', 'sent', 'HALO-403']);
    },
  },
  {
    name: 'nothing leaves after the deadline of the lease',
    run: () => {
      const scene = new Scene({ deadlineUs: 2_000_000 });
      scene.nowUs = 2_000_001;
      assert.equal(scene.send(scene.mint()), 'HALO-404');
    },
  },
  {
    name: 'a lease that ended stays ended when its cause is over',
    run: () => {
      const scene = new Scene();
      scene.gate.end(scene.lease, LOST);
      scene.world.findings = [];
      assert.equal(scene.send(scene.mint()), 'HALO-402');
    },
  },
  {
    name: 'no frame before its intent is on disk, and the lease waits',
    run: () => {
      const scene = new Scene({}, 2);
      assert.equal(scene.send(scene.mint()), 'HALO-411');
      scene.world.durableSeq = 2;
      assert.equal(scene.send(scene.mint()), 'sent');
    },
  },
  {
    name: 'an epoch that moved ends the lease for good',
    run: () => {
      const scene = new Scene();
      scene.world.epochs = { ...EPOCHS, estimator: 2 };
      assert.equal(scene.send(scene.mint()), 'HALO-409');
      scene.world.epochs = EPOCHS;
      assert.equal(scene.send(scene.mint()), 'HALO-402');
    },
  },
  {
    name: 'an epoch that the kind is not bound to does not matter',
    run: () => {
      const scene = new Scene();
      scene.world.epochs = { ...EPOCHS, arming: 1 };
      assert.equal(scene.send(scene.mint()), 'sent');
    },
  },
  {
    name: 'lost support ends the lease in the turn that sees it, with a frame at hand or without',
    run: () => {
      const [framed, idle] = [new Scene(), new Scene()];
      for (const { world } of [framed, idle]) {
        world.findings = [finding('evidence', 'HALO-209', 'vehicle.position is 2000 ms old.')];
      }
      assert.equal(framed.send(framed.mint()), 'HALO-408');
      assert.equal(idle.gate.review(idle.lease, idle.nowUs)?.code, 'HALO-408');
      assert.deepEqual([framed.lease.end?.code, idle.lease.end?.code], ['HALO-408', 'HALO-408']);
    },
  },
  {
    name: 'no frame while a prerequisite has no receipt',
    run: () => {
      const scene = new Scene();
      scene.world.ready = false;
      assert.equal(scene.send(scene.mint()), 'HALO-410');
    },
  },
  {
    name: 'a closed gate lets nothing through and ends every lease',
    run: () => {
      const scene = new Scene();
      scene.gate.close({ code: 'HALO-604', message: 'the disk is full', remedy: 'make room' });
      assert.equal(scene.send(scene.mint()), 'HALO-413');
      assert.equal(scene.lease.end?.code, 'HALO-604');
    },
  },
  {
    name: 'a write that fails ends the lease, and is not tried again',
    run: () => {
      const scene = new Scene();
      scene.world.linkUp = false;
      assert.equal(scene.send(scene.mint()), 'HALO-507');
      scene.world.linkUp = true;
      assert.equal(scene.send(scene.mint()), 'HALO-402');
    },
  },
];
