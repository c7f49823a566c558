/**
 * JSON Schemas of the messages that are ours. Enters: nothing. Leaves: schemas that a viewer fills
 * its path completion and plots from. Never: unions or references, which viewers cannot read; a
 * field whose type varies is left out of the schema and still travels in the message.
 */

export interface Shape {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const integer = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const list = (items: Shape): Shape => ({ type: 'array', items });
const object = (properties: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  properties,
});
const said = (shape: Shape, description: string): Shape => ({ ...shape, description });

const epochs = object({
  vehicle: integer,
  estimator: integer,
  arming: integer,
  home: integer,
  link: integer,
  mode: integer,
});

const vehicle = object({
  connected: flag,
  systemId: integer,
  armed: flag,
  mode: text,
  landed: text,
  failsafe: flag,
  prearmOk: flag,
  positionEnuM: said(list(number), '[east, north, up] in m, local frame'),
  velocityEnuMS: said(list(number), '[east, north, up] in m/s'),
  yawEnuRad: said(number, '0 = east, counter-clockwise positive'),
  batteryFraction: said(number, '0 to 1'),
  batteryV: number,
  linkLossPercent: number,
  heartbeatAgeMs: number,
  epochs,
});

export const state = object({
  phase: text,
  snapshotId: text,
  vehicle,
  evidence: list(
    object({
      field: text,
      text: said(text, 'the value as text'),
      number: said(number, 'the value, where it is a number'),
      source: text,
      ageMs: number,
      conflict: text,
    }),
  ),
  guidance: list(text),
  viewers: object({
    connected: integer,
    telemetryDropped: said(integer, 'messages that slow viewers missed'),
    viewersClosed: said(integer, 'viewers sent away because they read too slowly'),
    eventsLost: said(integer, 'events that came faster than they could be shown'),
  }),
});

export const components = object({
  components: list(
    object({
      responseId: text,
      id: text,
      kind: text,
      state: text,
      reason: text,
      evidenceAgeMs: said(number, '-1: rests on no evidence'),
      detail: text,
      targetEnuM: list(number),
    }),
  ),
});

const finding = object({
  rule: text,
  code: text,
  message: text,
  remedy: text,
  field: text,
  observed: text,
  limit: text,
  source: text,
  ageMs: number,
  path: text,
});

export const verdict = object({
  responseId: text,
  responseDigest: text,
  generation: integer,
  snapshotId: text,
  outcome: text,
  components: list(
    object({
      id: text,
      kind: text,
      admitted: flag,
      findings: list(finding),
      rootCauses: list(text),
    }),
  ),
  findings: list(finding),
});

export const obligation = object({
  id: text,
  state: text,
  responseId: text,
  generation: integer,
  componentId: text,
  reason: text,
  findings: list(finding),
  scope: object({ componentIds: list(text), kinds: list(text) }),
  triesLeft: integer,
  expiresInS: number,
});

export const dispatch = object({
  leases: list(
    object({
      id: text,
      componentId: text,
      authority: text,
      state: text,
      endReason: object({ code: text, message: text }),
      framesAllowed: integer,
      framesDrawn: integer,
      remainingS: number,
    }),
  ),
  framesDispatched: integer,
  framesRefused: integer,
  bootEpoch: integer,
  lastFrameDigest: text,
  lastRefusalCode: text,
});

export const receipt = object({
  id: text,
  runId: text,
  frontier: text,
  generation: integer,
  componentId: text,
  kind: text,
  componentDigest: text,
  fulfils: text,
  outcome: text,
  ensured: flag,
  evidenceDigest: text,
  snapshotId: text,
  observedUs: integer,
  bootEpoch: integer,
  keyId: text,
  signature: text,
  ledgerSeq: integer,
  obligationId: said(text, 'the task obligation that it closed'),
});

export const task = object({
  task: text,
  runId: text,
  frontier: text,
  ledgerSeq: integer,
  generation: integer,
  obligations: list(
    object({
      id: text,
      state: text,
      after: list(text),
      targetKind: text,
      receiptId: text,
      undone: said(
        object({ reason: text, neededBy: list(text) }),
        'set while it is open again because the world undid it',
      ),
    }),
  ),
  budgetTimeLeftS: number,
  budgetAttemptsLeft: integer,
  budgetEnergyLeft: said(number, 'of a full battery; absent when the contract bounds none'),
});
