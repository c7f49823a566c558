/**
 * How a task is carried through faults. Enters: a session, an agent, a fault. Leaves: what was
 * counted, and why it was invalid. All three fly through the same engine: catalog, admission, gate.
 *
 *   agentmirror   the ledger's state, all conditions, goes on from it after a crash; the agent is
 *                 given the recovery context whenever nothing of it is under way.
 *   basic-retry   after a fault the agent is asked for its whole response again. What counts as done
 *                 is what was acknowledged, reported or claimed, and receipts as they come. The
 *                 load's release is "seen" by its acknowledgement; a person's word goes with each
 *                 retry; a crash begins a fresh ledger. Arming and taking off still close by
 *                 evidence, since in the air no retry could be admitted otherwise.
 *   no-recovery   the same trust, and the first fault is the end: the contingency lands.
 *
 * Never: a look at the truth.
 */
import type { EngineEvent, RecoveryContext } from '../../src/contract/index.js';
import type { Agent, Move } from './agents.js';
import type { Fault, Strategic } from './faults.js';
import { audit, untrue, type Audit, type Counted } from './judge.js';
import type { Session } from './session.js';

export const STRATEGY_NAMES = ['no-recovery', 'basic-retry', 'agentmirror'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** Whole responses, or continuations: what an operator would sit through. */
const TURNS_MAX = 8;
/** A response that is not admitted whole is tried again for this long, then sent as it is. */
const SETTLE_US = 3_000_000;
/** What an attacker sets off, and a contingency, are over by then. */
const AFTER_US = 45_000_000;

interface Case {
  readonly session: Session;
  readonly agent: Agent;
  readonly fault: Fault;
}

export function carryThrough(name: StrategyName, of: Case): Audit {
  return name === 'agentmirror' ? mirror(of) : trusting(of, name === 'basic-retry' ? TURNS_MAX : 1);
}

/** The agent's next move; what befalls a model befalls its first answer. */
function ask(
  { session, agent, fault }: Case,
  turn: number,
  context?: RecoveryContext,
): Move | undefined {
  const told = {
    context,
    airborne: session.airborne,
    texts: session.texts,
  };
  const { value } = agent.next(told);
  if (value === undefined || turn > 0 || fault.warp === undefined) return value;
  const components = fault.warp(value.components);
  session.bitten ||= JSON.stringify(components) !== JSON.stringify(value.components);
  return { ...value, components };
}

/** Until the bridge can take a response, or the time is over. */
function untilIdle(session: Session): boolean {
  while (!session.idle && !session.late) session.step();
  return !session.late;
}

function mirror(of: Case): Audit {
  const { session, fault } = of;
  const { rig } = session;
  fault.arrange?.(session, {
    deliver: ({ receipt }) => {
      rig.tracker.settle(receipt, (kind, body) => rig.ledger.append(kind, body));
    },
    crash: (downUs) => session.kill(downUs, false),
  });
  for (let turn = 0; turn < TURNS_MAX && untilIdle(session); turn += 1) {
    const context = session.context();
    if (context === undefined) continue;
    const move = ask(of, turn, context);
    if (move === undefined) break;
    if (rig.tracker.completed) session.over = true;
    send(session, move);
  }
  finish(of);
  return audit(session);
}

/** Claims are no part of a response: with them it is refused as it stands. */
function send(session: Session, { components, claims }: Move): void {
  if (claims !== undefined) session.submit(components, { receipts: claims });
  const untilUs = session.rig.nowUs + SETTLE_US;
  while (session.rig.nowUs < untilUs) {
    const judged = session.check(components)?.verdict?.components ?? [];
    if (judged.length > 0 && judged.every(({ admitted }) => admitted)) break;
    for (let n = 0; n < 10; n += 1) session.step();
  }
  session.submit(components);
}

function trusting(of: Case, turns: number): Audit {
  const { session, fault } = of;
  const { rig, task } = session;
  const books = new Books(session);
  const asked = session.approves;
  const words = new Set<string>();
  session.approves = (component) => {
    const approved = (turns > 1 && words.has(component.id)) || asked(component);
    if (approved) words.add(component.id);
    return approved;
  };
  rig.loadGone = () => books.acknowledgedRelease;
  let lives = 1;
  const to: Strategic = {
    deliver: ({ duty }) => books.count(duty, 'brought'),
    crash: (downUs) => {
      lives += 1;
      books.forgetThisTick();
      session.kill(downUs, true);
    },
  };
  fault.arrange?.(session, to);
  for (let turn = 0; turn < turns && untilIdle(session); turn += 1) {
    const move = ask(of, turn);
    if (move === undefined) break;
    for (const duty of move.claims ?? []) books.count(duty, 'claim');
    const life = lives;
    const reply = session.submit(move.components);
    while (!session.late && lives === life && !session.idle) session.step();
    const states = rig.engine.state().components.map(({ state }) => state);
    const whole = lives === life && reply?.accepted === true && states.every(isDone);
    if (whole || books.has(task.steps.flatMap((s) => (s.goal ? [s.component.id] : [])))) break;
  }
  finish(of);
  return { counted: books.counted, invalid: untrue(session, books.counted) };
}

const isDone = (state: string): boolean => state === 'done' || state === 'delivered';

/** An attacker's turn, and then the rest of the flight. */
function finish({ session, fault }: Case): void {
  untilIdle(session);
  const untilUs = session.rig.nowUs + AFTER_US;
  const rest = (): void => {
    while (session.rig.nowUs < untilUs && !(session.idle && session.atRest)) session.step();
  };
  rest();
  session.over = true;
  session.endedUs = session.rig.nowUs;
  if (fault.replay === undefined) return;
  session.bitten = true;
  session.submit(fault.replay(session.task));
  rest();
}

const DO_GRIPPER = 211;
const DEVICES: Readonly<Record<number, string>> = {
  211: 'payload.release',
  2000: 'camera.capture',
  42600: 'payload.winch',
};
const ACCEPTED = 0;
/** An acknowledgement is news for this long. */
const NEWS_US = 1_500_000;

/** What a strategy without a ledger believes. */
class Books {
  readonly #session: Session;
  #counted: Counted[] = [];
  #releaseUs = -Infinity;

  constructor(session: Session) {
    this.#session = session;
    session.listeners.add((event) => this.#hear(event));
    session.rig.interferences.add((said) => {
      const { name, fields } = said.message;
      if (name === 'COMMAND_ACK') this.acknowledged(Number(fields['command']), fields['result']);
      return [said];
    });
    session.heardAck = (command) => this.acknowledged(command, ACCEPTED);
  }

  get counted(): readonly Counted[] {
    return this.#counted;
  }

  get acknowledgedRelease(): boolean {
    return this.#session.rig.nowUs - this.#releaseUs < NEWS_US;
  }

  has(duties: readonly string[]): boolean {
    return duties.every((id) => this.#counted.some(({ duty }) => duty === id));
  }

  count(duty: string, by: Counted['by']): void {
    if (this.has([duty])) return;
    this.#counted.push({ duty, by, atUs: this.#session.rig.nowUs });
  }

  forgetThisTick(): void {
    const { nowUs } = this.#session.rig;
    this.#counted = this.#counted.filter(({ atUs }) => atUs < nowUs);
  }

  acknowledged(command: number, result: unknown): void {
    const kind = DEVICES[command];
    if (kind === undefined || result !== ACCEPTED) return;
    if (command === DO_GRIPPER) this.#releaseUs = this.#session.rig.nowUs;
    const step = this.#session.task.steps.find(({ component }) => component.kind === kind);
    if (step !== undefined) this.count(step.component.id, 'acknowledgement');
  }

  #hear(event: EngineEvent): void {
    if (event.type !== 'progress' || !isDone(event.progress.state)) return;
    const { id } = event.progress;
    const step = this.#session.task.steps.find(({ component }) => component.id === id);
    if (step?.goal !== undefined) this.count(id, 'report');
  }
}
