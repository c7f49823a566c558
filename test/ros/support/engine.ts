/**
 * A small engine behind the node: it records what the doors ask, and says what a test tells it.
 * Enters: requests and observations. Leaves: constructed answers, states and events.
 */
import type {
  ComponentProgress,
  EngineEvent,
  EnginePort,
  EngineRequest,
  EngineState,
  ExternalEvidence,
  ExternalSilence,
  LocalizedObligation,
  Receipt,
  RecoveryContext,
  ResponseReport,
  SubmitReply,
  TaskStateView,
  VehicleView,
  Verdict,
} from '../../../src/contract/index.js';

export class TestEngine implements EnginePort {
  readonly requests: EngineRequest[] = [];
  readonly observed: ExternalEvidence[] = [];
  /** Why each field hears nothing, as last told. */
  readonly silences = new Map<string, string | undefined>();
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  inboxFull = false;
  submitReply: SubmitReply = { accepted: true, verdict: verdict(), findings: [] };
  current: EngineState = state();
  /** Runs after each answered request, in the same turn. */
  afterReply: (request: EngineRequest) => void = () => undefined;

  offer(request: EngineRequest): boolean {
    if (this.inboxFull) return false;
    this.requests.push(request);
    setImmediate(() => {
      this.#answer(request);
      this.afterReply(request);
    });
    return true;
  }

  observe(evidence: ExternalEvidence | ExternalSilence): boolean {
    if ('silence' in evidence) this.silences.set(evidence.field, evidence.silence);
    else this.observed.push(evidence);
    return true;
  }

  state(): EngineState {
    return this.current;
  }

  onEvent(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #answer(request: EngineRequest): void {
    switch (request.type) {
      case 'submit':
      case 'check':
        return request.reply(this.submitReply);
      case 'recovery-context':
        return request.reply(recoveryContext);
      case 'approve':
        return request.reply({ recorded: request.approval.validS > 0, findings: [] });
      case 'abort':
        return request.reply({ accepted: true, action: 'hold' });
    }
  }
}

const epochs = { vehicle: 1, estimator: 2, arming: 3, home: 4, link: 5, mode: 6 };

export const vehicle = (over: Partial<VehicleView> = {}): VehicleView => ({
  connected: true,
  systemId: 7,
  armed: true,
  mode: 'OFFBOARD',
  landed: 'in_air',
  failsafe: false,
  prearmOk: true,
  positionEnuM: [1.5, -2.5, 3.5],
  velocityEnuMS: [0.1, 0.2, 0.3],
  yawEnuRad: Math.PI / 2,
  batteryFraction: 0.75,
  batteryV: NaN,
  linkLossPercent: 1.25,
  heartbeatAgeMs: 120,
  epochs,
  ...over,
});

export const task = (): TaskStateView => ({
  task: 'inspect-tower-7',
  runId: 'run-1',
  frontier: 'f'.repeat(64),
  ledgerSeq: 4_294_967_299,
  generation: 2,
  obligations: [
    { id: 'north', state: 'satisfied', after: [], targetKind: 'flight.goto', receiptId: 'rc-1' },
    { id: 'home', state: 'open', after: ['north'], targetKind: 'flight.land' },
  ],
  budgetTimeLeftS: 480.5,
  budgetAttemptsLeft: 2,
});

export const progress = (over: Partial<ComponentProgress> = {}): ComponentProgress => ({
  responseId: 'r-1',
  id: 'leg1',
  kind: 'flight.goto',
  state: 'active',
  reason: 'on the way',
  evidenceAgeMs: -1,
  detail: '3.2 m to go',
  targetEnuM: [10, 0, 6],
  ...over,
});

export const localized = (): LocalizedObligation => ({
  id: 'o-1',
  state: 'open',
  responseId: 'r-1',
  generation: 2,
  componentId: 'leg2',
  reason: 'The battery does not support the leg.',
  findings: [
    {
      rule: 'evidence',
      code: 'HALO-211',
      message: 'Battery is 0.20, at least 0.30 is needed.',
      remedy: 'Wait for the world or propose otherwise.',
      field: 'vehicle.battery',
      observed: '0.20',
      limit: '0.30',
      source: 'mavlink:BATTERY_STATUS',
      ageMs: 42.5,
    },
  ],
  scope: { componentIds: ['leg2', 'leg3'], kinds: ['flight.land'] },
  triesLeft: 3,
  openedUs: 0,
  expiresUs: 1e15,
});

export const verdict = (over: Partial<Verdict> = {}): Verdict => ({
  responseId: 'r-1',
  responseDigest: 'd'.repeat(64),
  generation: 2,
  snapshotId: 's-1042',
  outcome: 'partial',
  components: [
    { id: 'leg1', kind: 'flight.goto', admitted: true, findings: [], rootCauses: [] },
    {
      id: 'leg2',
      kind: 'flight.goto',
      admitted: false,
      findings: localized().findings,
      rootCauses: ['leg2'],
    },
    { id: 'leg3', kind: 'flight.goto', admitted: false, findings: [], rootCauses: ['leg2'] },
  ],
  findings: [],
  ...over,
});

export const report = (over: Partial<ResponseReport> = {}): ResponseReport => ({
  outcome: 'partial',
  verdict: verdict(),
  components: [progress({ state: 'done' }), progress({ id: 'leg2', state: 'withheld' })],
  obligations: [localized()],
  task: task(),
  ...over,
});

export const receipt: Receipt = {
  id: 'rc-1',
  runId: 'run-1',
  frontier: 'f'.repeat(64),
  generation: 2,
  componentId: 'leg1',
  kind: 'flight.goto',
  componentDigest: 'c'.repeat(64),
  fulfils: 'north',
  outcome: 'observed',
  ensured: false,
  observed: { 'vehicle.position': [10, 0, 6] },
  evidenceDigest: 'e'.repeat(64),
  snapshotId: 's-1050',
  observedUs: 0,
  bootEpoch: 3,
  keyId: 'k-1',
  signature: 'c2lnbmVk',
};

export const recoveryContext: RecoveryContext = {
  task: 'inspect-tower-7',
  snapshotId: 's-1042',
  frontier: 'f'.repeat(64),
  open: [{ id: 'home', target: { kind: 'flight.land' }, blockedBy: [], irreversible: false }],
  unknown: ['north'],
  satisfied: [],
  missed: [],
  invalidated: [],
  denied: [],
  budgetTimeLeftS: 100,
  budgetAttemptsLeft: 1,
  text: 'Open: home.',
};

export const state = (over: Partial<EngineState> = {}): EngineState => ({
  nowUs: 1_000_000,
  phase: 'executing',
  snapshotId: 's-1042',
  vehicle: vehicle(),
  evidence: [
    { field: 'range.front', value: 4.5, source: 'ros:/front/range', receivedUs: 900_000 },
    {
      field: 'range.rear',
      value: 1,
      source: 'ros:/rear/range',
      receivedUs: 900_000,
      stampUs: 3_000_000,
      conflict: '2 publishers',
    },
  ],
  task: task(),
  components: [progress()],
  obligations: [localized()],
  dispatch: {
    leases: [
      {
        id: 'l-1',
        componentId: 'leg1',
        authority: 'agent',
        state: 'ended',
        endReason: { code: 'HALO-408', message: 'Support lost.' },
        framesAllowed: 200,
        framesDrawn: 57,
        grantedUs: 0,
        deadlineUs: 30_000_000,
      },
    ],
    framesDispatched: 9_007_199_254_740_991,
    framesRefused: 1,
    bootEpoch: 3,
    lastFrameDigest: 'a'.repeat(64),
    lastRefusalCode: 'HALO-409',
  },
  guidance: ['Replace leg2 and leg3; flight.land is in scope.'],
  ...over,
});
