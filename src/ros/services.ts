/**
 * The services and the topic door. Enters: requests of ROS clients. Leaves: the engine's answers.
 * Never: a request that stays without an answer: trouble is a finding in the answer.
 */
import type {
  ApprovalRequest,
  Finding,
  HaloError,
  RecoveryContext,
  SubmitReply,
} from '../contract/index.js';
import { noVerdict, toBridgeState, toFinding, toVerdict, type Clocks } from './convert.js';
import type * as msg from './messages.js';
import { QOS } from './qos.js';
import type { RosNode } from './rcl-port.js';
import { findingOf, type Requests } from './requests.js';
import { RESPONSE_TOPIC, SERVICES } from './topics.js';

export interface ServiceDeps {
  readonly node: RosNode;
  readonly clocks: Clocks;
  readonly requests: Requests;
  /** Verdicts for the topic door, where there is no answer to put them into. */
  readonly publishVerdict: (verdict: msg.VerdictMsg) => void;
}

export function serveAll(deps: ServiceDeps): void {
  const { node } = deps;
  const { submit, check, getState, recoveryContext, approve, abort } = SERVICES;
  node.serve(submit.type, submit.name, (request) => judge(deps, 'submit', request));
  node.serve(check.type, check.name, (request) => judge(deps, 'check', request));
  node.serve(getState.type, getState.name, () => Promise.resolve(answerState(deps)));
  node.serve(recoveryContext.type, recoveryContext.name, () => answerContext(deps));
  node.serve(approve.type, approve.name, (request) => answerApproval(deps, request));
  node.serve(abort.type, abort.name, (request) => answerAbort(deps, request));
  node.subscribe(RESPONSE_TOPIC.type, RESPONSE_TOPIC.name, QOS[RESPONSE_TOPIC.qos], (message) => {
    void takeFromTopic(deps, message);
  });
}

const findingsOf = (error: HaloError): readonly msg.FindingMsg[] => [toFinding(findingOf(error))];

async function judge(
  deps: ServiceDeps,
  type: 'submit' | 'check',
  request: unknown,
): Promise<msg.SubmitResponseMsg> {
  const text = textIn(request, 'response_json');
  const reply = await deps.requests.ask<SubmitReply>((answer) => ({ type, text, reply: answer }));
  return reply.ok
    ? submitMessage(reply.value, deps.clocks)
    : {
        accepted: false,
        verdict: noVerdict([findingOf(reply.error)], deps.clocks),
        findings: findingsOf(reply.error),
      };
}

export const submitMessage = (reply: SubmitReply, clocks: Clocks): msg.SubmitResponseMsg => ({
  accepted: reply.accepted,
  verdict:
    reply.verdict === undefined
      ? noVerdict(reply.findings, clocks)
      : toVerdict(reply.verdict, clocks),
  findings: reply.findings.map(toFinding),
});

function answerState({ requests, clocks }: ServiceDeps): msg.GetStateMsg | GetStateRefused {
  const engine = requests.engine();
  return engine.ok
    ? { available: true, state: toBridgeState(engine.value.state(), clocks), findings: [] }
    : { available: false, findings: findingsOf(engine.error) };
}

/** The state that is left out is all empty on the wire. */
type GetStateRefused = Omit<msg.GetStateMsg, 'state'>;

async function answerContext({ requests }: ServiceDeps): Promise<msg.RecoveryContextMsg> {
  const reply = await requests.ask<RecoveryContext>((answer) => ({
    type: 'recovery-context',
    reply: answer,
  }));
  if (!reply.ok) {
    return {
      available: false,
      context_json: '',
      text: '',
      frontier: '',
      snapshot_id: '',
      open_obligations: [],
      unknown_obligations: [],
      findings: findingsOf(reply.error),
    };
  }
  const context = reply.value;
  return {
    available: true,
    context_json: JSON.stringify(context),
    text: context.text,
    frontier: context.frontier,
    snapshot_id: context.snapshotId,
    open_obligations: context.open.map(({ id }) => id),
    unknown_obligations: [...context.unknown],
    findings: [],
  };
}

async function answerApproval(deps: ServiceDeps, request: unknown): Promise<msg.ApproveMsg> {
  const approval = {
    componentDigest: textIn(request, 'component_digest'),
    approver: textIn(request, 'approver'),
    approved: valueIn(request, 'approved') === true,
    validS: Number(valueIn(request, 'valid_s')),
  };
  const unfit = unfitPart(approval);
  if (unfit !== undefined) return { recorded: false, findings: [toFinding(unfit)] };
  const reply = await deps.requests.ask<{
    recorded: boolean;
    findings: SubmitReply['findings'];
  }>((answer) => ({ type: 'approve', approval, reply: answer }));
  return reply.ok
    ? { recorded: reply.value.recorded, findings: reply.value.findings.map(toFinding) }
    : { recorded: false, findings: findingsOf(reply.error) };
}

/** A shift of a day: an approval that outlives the one who gave it is none. */
const VALID_MAX_S = 86_400;

function unfitPart(approval: ApprovalRequest): Finding | undefined {
  const unfit = (path: string, message: string, remedy: string): Finding => {
    return { rule: 'door', code: 'HALO-202', message, remedy, path };
  };
  const { componentDigest, approver, validS } = approval;
  if (!/^[0-9a-f]{64}$/.test(componentDigest)) {
    const remedy = 'Give the whole digest that the component waits with.';
    return unfit('component_digest', 'This is not a SHA-256 in lower-case hex.', remedy);
  }
  if (approver.trim() === '') {
    return unfit('approver', 'Nobody is named who approves.', 'Name who decides.');
  }
  // Written so that a number that is not one is refused as well.
  if (!(validS > 0 && validS <= VALID_MAX_S)) {
    const remedy = `Give seconds above 0, at most ${VALID_MAX_S}.`;
    return unfit('valid_s', `An approval cannot hold for ${validS} s.`, remedy);
  }
  return undefined;
}

async function answerAbort(deps: ServiceDeps, request: unknown): Promise<msg.AbortMsg> {
  const reason = textIn(request, 'reason');
  const reply = await deps.requests.ask<{ accepted: boolean; action: string }>((answer) => ({
    type: 'abort',
    reason,
    reply: answer,
  }));
  return reply.ok
    ? { ...reply.value, findings: [] }
    : { accepted: false, action: '', findings: findingsOf(reply.error) };
}

/** A verdict is published as every other; what could not be judged at all is published here. */
async function takeFromTopic(deps: ServiceDeps, message: unknown): Promise<void> {
  const text = textIn(message, 'data');
  const reply = await deps.requests.ask<SubmitReply>((answer) => ({
    type: 'submit',
    text,
    reply: answer,
  }));
  if (!reply.ok) {
    deps.node.log('warn', `A response on ${RESPONSE_TOPIC.name}: ${reply.error.message}`);
    deps.publishVerdict(noVerdict([findingOf(reply.error)], deps.clocks));
  } else if (reply.value.verdict === undefined) {
    deps.publishVerdict(noVerdict(reply.value.findings, deps.clocks));
  }
}

/** A field of a ROS message that arrived: its definition gives the type, not the sender. */
export function valueIn(message: unknown, field: string): unknown {
  return typeof message === 'object' && message !== null
    ? (message as Readonly<Record<string, unknown>>)[field]
    : undefined;
}

export function textIn(message: unknown, field: string): string {
  const value = valueIn(message, field);
  return typeof value === 'string' ? value : '';
}
