/**
 * The gate against policy engines, and what the benches of a flight need of it.
 * Enters: nothing. Leaves: ratios. Never: a gate that leaves out a check, or a peer that is asked
 * for more than the gate: the peers bind nothing, digest nothing and spend no token.
 */
import { supportFindings, type TypedComponent } from '../../src/admission/index.js';
import type { Epochs, KindEntry, Predicate, WireMessage } from '../../src/contract/index.js';
import { createGate, type Gate, type GatePorts, type Lease } from '../../src/gate/index.js';
import { encodePayload } from '../../src/link/index.js';
import { assert, randomHex } from '../../src/platform/index.js';
import { compare, type Subject } from '../measure.js';
import { compared, type Ratio } from '../ratio.js';
import { casbinSubject, cedarSubject } from './gate-peers.js';
import { CATALOG, NOW_US, snapshotOf } from './world.js';

export const DEPENDENCIES = 16;

/** Sixteen kinds of evidence, each with an age limit and a floor. */
const PREDICATES = Array.from({ length: DEPENDENCIES }, (_, i): Predicate => ({
  field: `sensor.s${i}`,
  maxAgeMs: 1000,
  min: 0.1,
}));
export const SNAPSHOT = snapshotOf(
  Object.fromEntries(PREDICATES.map(({ field }, i) => [field, 0.5 + i / 100])),
);

export const typedComponent = (): TypedComponent => {
  const goto = CATALOG.kinds['flight.goto'];
  assert(goto !== undefined, 'the catalog has flight.goto');
  const params = { frame: 'local_enu', positionM: [900, 0, 6], speedMS: 100 } as const;
  const entry: KindEntry = { ...goto, footprint: PREDICATES };
  return {
    component: { id: 'leg', kind: 'flight.goto', params: { ...params } },
    entry,
    typed: { does: 'goto', params: { ...params, positionM: [900, 0, 6] } },
  };
};

/** NED: north to `x` metres, 6 m up. Frame 1, position and yaw only. */
export const setpoint = (x: number): WireMessage => ({
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
  },
});

/** What differs between a gate alone and one in flight. */
export type LivePorts = Pick<
  GatePorts,
  'write' | 'support' | 'isDurable' | 'currentEpoch' | 'liveEpochs'
>;

interface LeaseOptions {
  readonly bootEpoch: number;
  readonly epochs: Epochs;
  /** Ledger sequence of the intent. */
  readonly intent: number;
  readonly nowUs: number;
}

/** A gate with one lease that lasts for the bench. */
export function benchGate(
  live: LivePorts,
  { bootEpoch, epochs, intent, nowUs }: LeaseOptions,
): { gate: Gate; lease: Lease } {
  const gate = createGate(
    {
      encode: (message) => {
        const encoded = encodePayload(message);
        assert(encoded.ok, 'the setpoint of the bench can be encoded');
        return { ok: true, value: encoded };
      },
      ...live,
      prerequisitesReady: () => true,
      newToken: () => randomHex(16),
    },
    { runId: 'bench', bootEpoch },
  );
  const lease = gate.grant(
    {
      componentId: 'leg',
      componentDigest: 'a'.repeat(64),
      kind: 'flight.goto',
      authority: 'agent',
      generation: 1,
      catalogDigest: CATALOG.digest,
      envelope: {
        targetSystem: 1,
        targetComponent: 1,
        allowed: [
          {
            type: 'setpoint',
            coordinateFrame: 1,
            typeMask: 0b100111111000,
            fromNedM: [0, 0, -6],
            toNedM: [900, 0, -6],
            yawNedRad: 0,
            speedMS: 100,
          },
        ],
      },
      framesAllowed: Number.MAX_SAFE_INTEGER,
      deadlineUs: Number.MAX_SAFE_INTEGER,
      epochs,
      boundEpochs: ['vehicle', 'estimator', 'link', 'mode'],
    },
    nowUs,
  );
  gate.recordIntent(lease, intent);
  return { gate, lease };
}

/** Mint and dispatch one setpoint: encode, digests, token, all checks, write. */
function gateSubject(): Subject {
  let written = 0;
  const component = typedComponent();
  const basisEpochs = SNAPSHOT.epochs;
  const { gate, lease } = benchGate(
    {
      write: () => ({ ok: true, value: { sequence: (written += 1) } }),
      support: (_lease, at) =>
        supportFindings({ component, snapshot: SNAPSHOT, nowUs: at, stage: 'flight', basisEpochs }),
      isDurable: (seq) => seq <= 1,
      currentEpoch: () => 1,
      liveEpochs: () => SNAPSHOT.epochs,
    },
    { bootEpoch: 1, epochs: SNAPSHOT.epochs, intent: 1, nowUs: NOW_US },
  );
  const message = setpoint(0);
  return {
    name: 'gate',
    run: () => {
      const minted = gate.mint(lease, message, NOW_US);
      assert(minted.ok, 'the setpoint of the bench is inside its envelope');
      const sent = gate.dispatch(lease, minted.value, NOW_US);
      assert(sent.ok, 'the frame of the bench passes all checks');
      return sent;
    },
  };
}

export async function gateRatios(): Promise<readonly Ratio[]> {
  const gate = gateSubject();
  const names = `gate, ${DEPENDENCIES} dependencies, full binding`;
  const cedar = compare(cedarSubject(), gate);
  const casbin = compare(gate, await casbinSubject());
  return [
    compared(
      'cedar-wasm preparsed / gate',
      ['>=', 15],
      ['cedar-wasm 4.13.0 statefulIsAuthorized', names],
      cedar,
    ),
    compared('gate / casbin', ['<=', 1], [names, 'casbin 5.51.1 enforceSync'], casbin),
  ];
}
