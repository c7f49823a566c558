/**
 * An engine whose state and events the test decides: the port is small enough to be it.
 * Enters: what a test sets and emits. Leaves: what the server reads. Never: an answer of its own.
 */
import type {
  ComponentProgress,
  EngineEvent,
  EnginePort,
  EngineRequest,
  EngineState,
  ExternalEvidence,
  LocalizedObligation,
  Receipt,
  Verdict,
} from '../../src/contract/index.js';

const zeros = '0'.repeat(64);
const epochs = { vehicle: 0, estimator: 0, arming: 0, home: 0, link: 0, mode: 0 };

export const component = (
  id: string,
  state: ComponentProgress['state'],
  targetEnuM?: readonly [number, number, number],
): ComponentProgress => ({
  responseId: 'r-1',
  id,
  kind: targetEnuM === undefined ? 'report.battery' : 'flight.goto',
  state,
  reason: '',
  evidenceAgeMs: 40,
  detail: '',
  ...(targetEnuM === undefined ? {} : { targetEnuM }),
});

export const quietState = (): EngineState => ({
  nowUs: 5_000_000,
  phase: 'idle',
  snapshotId: 's-7',
  vehicle: {
    connected: true,
    systemId: 1,
    armed: false,
    mode: 'AUTO.LOITER',
    landed: 'on_ground',
    failsafe: false,
    prearmOk: true,
    positionEnuM: [1, 2, 3],
    velocityEnuMS: [0, 0, 0],
    yawEnuRad: 0,
    batteryFraction: 0.82,
    batteryV: 15.9,
    linkLossPercent: 0,
    heartbeatAgeMs: 120,
    epochs,
  },
  evidence: [
    { field: 'vehicle.battery', value: 0.82, source: 'mavlink:BATTERY', receivedUs: 4_900_000 },
    { field: 'range.front', value: [1, 2, 3], source: 'ros:/front', receivedUs: 4_000_000 },
  ],
  task: {
    task: 'inspect',
    runId: 'run-1',
    frontier: zeros,
    ledgerSeq: 3,
    generation: 1,
    obligations: [],
    budgetTimeLeftS: 500,
    budgetAttemptsLeft: 3,
  },
  components: [],
  obligations: [],
  dispatch: {
    leases: [],
    framesDispatched: 0,
    framesRefused: 0,
    bootEpoch: 1,
    lastFrameDigest: '',
    lastRefusalCode: '',
  },
  guidance: [],
});

export const verdict = (responseId = 'r-1'): Verdict => ({
  responseId,
  responseDigest: zeros,
  generation: 1,
  snapshotId: 's-7',
  outcome: 'partial',
  components: [
    { id: 'arm', kind: 'flight.arm', admitted: true, findings: [], rootCauses: [] },
    {
      id: 'leg1',
      kind: 'flight.goto',
      admitted: false,
      findings: [
        { rule: 'evidence', code: 'HALO-211', message: 'Battery 0.1 is below 0.3', remedy: 'Wait' },
      ],
      rootCauses: ['leg1'],
    },
  ],
  findings: [],
});

export const receipt = (id: string, padding = ''): Receipt => ({
  id,
  runId: 'run-1',
  frontier: zeros,
  generation: 1,
  componentId: 'arm',
  kind: 'flight.arm',
  componentDigest: zeros,
  outcome: 'observed',
  ensured: false,
  observed: { 'vehicle.armed': true, note: padding },
  evidenceDigest: zeros,
  snapshotId: 's-7',
  observedUs: 4_900_000,
  bootEpoch: 1,
  keyId: 'k',
  signature: 'sig',
});

export const obligation = (): LocalizedObligation => ({
  id: 'o-1',
  state: 'open',
  responseId: 'r-1',
  generation: 1,
  componentId: 'leg1',
  reason: 'battery too low for leg1',
  findings: [],
  scope: { componentIds: ['leg1'], kinds: ['flight.return'] },
  triesLeft: 3,
  openedUs: 5_000_000,
  expiresUs: 20_000_000,
});

export class HandEngine implements EnginePort {
  current = quietState();
  readonly requests: EngineRequest[] = [];
  readonly observations: ExternalEvidence[] = [];
  readonly #listeners = new Set<(event: EngineEvent) => void>();

  offer(request: EngineRequest): boolean {
    this.requests.push(request);
    return true;
  }

  observe(evidence: ExternalEvidence): boolean {
    this.observations.push(evidence);
    return true;
  }

  state(): EngineState {
    return this.current;
  }

  onEvent(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  emit(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  set(change: Partial<EngineState>): void {
    this.current = { ...this.current, ...change };
  }
}
