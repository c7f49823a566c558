/**
 * The topics that the bridge speaks on. Enters: engine events and states. Leaves: messages.
 * Never: a message while the node is not active, but for diagnostics.
 */
import type { EngineEvent, EngineState, TaskStateView } from '../contract/index.js';
import {
  stampNow,
  toBridgeState,
  toDispatch,
  toLease,
  toLocalized,
  toProgress,
  toReceipt,
  toTask,
  toUtterance,
  toVehicle,
  toVerdict,
  type Clocks,
} from './convert.js';
import { toDiagnosticArray, type DiagnosticReport } from './diagnostics.js';
import type * as msg from './messages.js';
import { QOS } from './qos.js';
import type { RosNode, RosPublisher } from './rcl-port.js';
import { TOPICS } from './topics.js';

export class Publishers {
  readonly #node: RosNode;
  readonly #clocks: Clocks;
  readonly #state: RosPublisher<msg.BridgeStateMsg>;
  readonly #task: RosPublisher<msg.TaskStateMsg>;
  readonly #vehicle: RosPublisher<msg.VehicleStateMsg>;
  readonly #dispatch: RosPublisher<msg.DispatchStatusMsg>;
  readonly #verdict: RosPublisher<msg.VerdictMsg>;
  readonly #obligation: RosPublisher<msg.LocalizedObligationMsg>;
  readonly #progress: RosPublisher<msg.ComponentProgressMsg>;
  readonly #lease: RosPublisher<msg.LeaseMsg>;
  readonly #receipt: RosPublisher<msg.ReceiptMsg>;
  readonly #utterance: RosPublisher<msg.UtteranceMsg>;
  readonly #diagnostics: RosPublisher<msg.DiagnosticArrayMsg>;
  #active = false;
  #taskTold = '';

  constructor(node: RosNode, clocks: Clocks) {
    const make = <M extends object>(topic: (typeof TOPICS)[keyof typeof TOPICS]) =>
      node.publisher<M>(topic.type, topic.name, QOS[topic.qos]);
    this.#node = node;
    this.#clocks = clocks;
    this.#state = make(TOPICS.state);
    this.#task = make(TOPICS.task);
    this.#vehicle = make(TOPICS.vehicle);
    this.#dispatch = make(TOPICS.dispatch);
    this.#verdict = make(TOPICS.verdict);
    this.#obligation = make(TOPICS.obligation);
    this.#progress = make(TOPICS.progress);
    this.#lease = make(TOPICS.lease);
    this.#receipt = make(TOPICS.receipt);
    this.#utterance = make(TOPICS.utterance);
    this.#diagnostics = make(TOPICS.diagnostics);
  }

  setActive(active: boolean): void {
    this.#active = active;
    this.#taskTold = '';
  }

  /** The state topics, at their rate. */
  state(state: EngineState): void {
    if (!this.#active) return;
    this.#state.publish(toBridgeState(state, this.#clocks));
    this.#dispatch.publish(toDispatch(state.dispatch, this.#clocks));
    if (this.#vehicle.subscribers() > 0) {
      this.#vehicle.publish(toVehicle(state.vehicle, this.#clocks));
    }
    this.#advance(state.task);
  }

  /** Once for each advance, whether an event told of it or only the state shows it. */
  #advance(task: TaskStateView): void {
    const { frontier, generation, obligations, budgetAttemptsLeft } = task;
    const states = obligations.map(({ state }) => state).join();
    const told = [frontier, generation, budgetAttemptsLeft, states].join(' ');
    if (told === this.#taskTold) return;
    this.#taskTold = told;
    this.#task.publish(toTask(task, this.#clocks));
  }

  verdict(verdict: msg.VerdictMsg): void {
    if (this.#active) this.#verdict.publish(verdict);
  }

  diagnostics(reports: readonly DiagnosticReport[]): void {
    const name = this.#node.fullName.slice(1);
    this.#diagnostics.publish(toDiagnosticArray(name, reports, stampNow(this.#clocks)));
  }

  event(event: EngineEvent): void {
    if (!this.#active) return;
    const clocks = this.#clocks;
    switch (event.type) {
      case 'verdict':
        return this.#verdict.publish(toVerdict(event.verdict, clocks));
      case 'obligation':
        return this.#obligation.publish(toLocalized(event.obligation, clocks));
      case 'progress':
        return this.#progress.publish(toProgress(event.progress));
      case 'lease':
        return this.#lease.publish(toLease(event.lease, clocks));
      case 'receipt':
        return this.#receipt.publish(
          toReceipt(event.receipt, event.ledgerSeq, event.obligationId, clocks),
        );
      case 'task':
        return this.#advance(event.task);
      case 'utterance':
        return this.#utterance.publish(toUtterance(event.utterance, clocks));
      case 'receipt-refused': {
        const { code, message } = event.error;
        return this.#node.log('warn', `${code} receipt ${event.receiptId}: ${message}`);
      }
      case 'epoch':
        return this.#node.log('info', `Epoch of ${event.moved.join(', ')} moved: ${event.reason}`);
      case 'guardian':
        return this.#node.log('warn', `Guardian: ${event.action}. ${event.reason}`);
      case 'notice':
        return this.#node.log(event.level, event.message);
      case 'response-ended':
        return this.#advance(event.report.task);
    }
  }
}
