/** A gate over a wire that keeps what was written: enough world to show what each check stops. */
import type { Epochs, Envelope, Finding, WireMessage } from '../../src/contract/index.js';
import type { GatePorts, Grant } from '../../src/gate/index.js';
import { encodePayload } from '../../src/link/index.js';

export const EPOCHS: Epochs = { vehicle: 1, estimator: 1, arming: 0, home: 1, link: 1, mode: 0 };

export const ENVELOPE: Envelope = {
  targetSystem: 1,
  targetComponent: 1,
  allowed: [
    {
      type: 'setpoint',
      coordinateFrame: 1,
      typeMask: 0b100111111000,
      fromNedM: [0, 0, -6],
      toNedM: [10, 0, -6],
      yawNedRad: 0,
      speedMS: 2,
    },
  ],
};

type Ned = readonly [number, number, number];

/** Straight legs from corner to corner, at 2 m/s, with one heading. */
export const pathOf = (...corners: readonly Ned[]): Envelope => ({
  ...ENVELOPE,
  allowed: corners.slice(1).map((toNedM, i) => ({
    ...{ type: 'setpoint' as const, coordinateFrame: 1, typeMask: 0b100111111000 },
    ...{ fromNedM: corners[i] ?? toNedM, toNedM, yawNedRad: 0, speedMS: 2 },
  })),
});

/** Out, a metre aside, and back beside the way out. */
export const HAIRPIN = pathOf([0, 0, -6], [10, 0, -6], [10, 1, -6], [0, 1, -6]);

export const setpoint = (x: number, changes: Record<string, number> = {}): WireMessage => ({
  name: 'SET_POSITION_TARGET_LOCAL_NED',
  fields: {
    time_boot_ms: 0,
    target_system: 1,
    target_component: 1,
    coordinate_frame: 1,
    type_mask: 0b100111111000,
    x,
    y: 0,
    z: -6,
    vx: 0,
    vy: 0,
    vz: 0,
    afx: 0,
    afy: 0,
    afz: 0,
    yaw: 0,
    yaw_rate: 0,
    ...changes,
  },
});

export const grantOf = (changes: Partial<Grant> = {}): Grant => ({
  componentId: 'leg1',
  componentDigest: 'a'.repeat(64),
  kind: 'flight.goto',
  authority: 'agent',
  generation: 1,
  catalogDigest: 'b'.repeat(64),
  envelope: ENVELOPE,
  framesAllowed: 100,
  deadlineUs: 60_000_000,
  epochs: EPOCHS,
  boundEpochs: ['vehicle', 'estimator', 'link', 'mode'],
  ...changes,
});

export class World {
  readonly written: { readonly id: number; readonly payload: Uint8Array }[] = [];
  epochs: Epochs = EPOCHS;
  findings: readonly Finding[] = [];
  ready = true;
  durableSeq = 1;
  linkUp = true;
  currentEpoch = 3;
  #tokens = 0;

  readonly ports: GatePorts = {
    encode: (message) => {
      const encoded = encodePayload({ name: message.name, fields: message.fields });
      return encoded.ok
        ? { ok: true, value: { id: encoded.id, payload: encoded.payload } }
        : { ok: false, error: { code: 'HALO-505', message: encoded.message, remedy: '' } };
    },
    write: (id, payload) => {
      if (!this.linkUp) {
        return { ok: false, error: { code: 'HALO-507', message: 'link is down', remedy: '' } };
      }
      this.written.push({ id, payload: payload.slice() });
      return { ok: true, value: { sequence: this.written.length } };
    },
    support: () => this.findings,
    prerequisitesReady: () => this.ready,
    isDurable: (seq) => seq <= this.durableSeq,
    currentEpoch: () => this.currentEpoch,
    liveEpochs: () => this.epochs,
    newToken: () => String((this.#tokens += 1)),
  };
}
