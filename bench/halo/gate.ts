/**
 * The gate against policy engines, and at the pace of a flight.
 * Enters: nothing. Leaves: ratios. Never: a gate that leaves out a check, or a peer that is asked
 * for more than the gate: the peers bind nothing, digest nothing and spend no token.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { supportFindings, type TypedComponent } from '../../src/admission/index.js';
import type { KindEntry, Predicate, WireMessage } from '../../src/contract/index.js';
import { createGate, type Gate, type GatePorts, type Lease } from '../../src/gate/index.js';
import { encodePayload } from '../../src/link/index.js';
import { assert, randomHex } from '../../src/platform/index.js';
import { compare, nowUs, timesOf, type Subject } from '../measure.js';
import { compared, ratioOf, type Ratio } from '../ratio.js';
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

const typedComponent = (): TypedComponent => {
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

/** A gate with one lease that lasts for the bench; `write` is where frames go. */
export function benchGate(write: GatePorts['write']): { gate: Gate; lease: Lease } {
  const component = typedComponent();
  const basisEpochs = SNAPSHOT.epochs;
  const gate = createGate(
    {
      encode: (message) => {
        const encoded = encodePayload(message);
        assert(encoded.ok, 'the setpoint of the bench can be encoded');
        return { ok: true, value: encoded };
      },
      write,
      support: (_lease, at) =>
        supportFindings({ component, snapshot: SNAPSHOT, nowUs: at, stage: 'flight', basisEpochs }),
      prerequisitesReady: () => true,
      isDurable: (seq) => seq <= 1,
      currentEpoch: () => 1,
      liveEpochs: () => SNAPSHOT.epochs,
      newToken: () => randomHex(16),
    },
    { runId: 'bench', bootEpoch: 1 },
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
      epochs: SNAPSHOT.epochs,
      boundEpochs: ['vehicle', 'estimator', 'link', 'mode'],
    },
    NOW_US,
  );
  gate.recordIntent(lease, 1);
  return { gate, lease };
}

/** Mint and dispatch one setpoint: encode, digests, token, all checks, write. */
function gateSubject(): Subject {
  let written = 0;
  const { gate, lease } = benchGate(() => ({ ok: true, value: { sequence: (written += 1) } }));
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

const PERIOD_MS = 20;
const PACED = 500;

/** One gate in each period, as in flight: caches are cold and the timer has just fired. */
export async function pacedRatio(): Promise<Ratio> {
  const gate = gateSubject();
  const samplesUs: number[] = [];
  const startMs = performance.now();
  for (let tick = 0; tick < PACED + 50; tick += 1) {
    const at = nowUs();
    gate.run();
    // The first second belongs to the compiler.
    if (tick >= 50) samplesUs.push(nowUs() - at);
    await sleep(Math.max(0, startMs + (tick + 1) * PERIOD_MS - performance.now()));
  }
  const times = timesOf(samplesUs);
  return ratioOf(
    'gate p99 at 50 Hz / period',
    times.p99Us / (PERIOD_MS * 1000),
    ['<=', 0.01],
    [['gate, once in 20 ms', times]],
  );
}
