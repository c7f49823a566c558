/**
 * An agent's host on rclpy beside the real bridge: what the tests of the whole ask of both.
 * Enters: questions. Leaves: answers as plain data. Never: a wait without a deadline.
 */
import { ACTION, SERVICES, TOPICS } from '../../../src/ros/index.js';
import { Peer, until, type Heard, type Plain } from './peer.js';
import { RealBridge, type RealBridgeOptions } from './real-bridge.js';

export const listOf = (value: unknown): Plain[] => (Array.isArray(value) ? (value as Plain[]) : []);
export const plainOf = (value: unknown): Plain =>
  typeof value === 'object' && value !== null ? (value as Plain) : {};
export const topic = ({ name }: { name: string }): string => name.replace('~', '/halo_bridge');

const CHANGE_STATE = { type: 'lifecycle_msgs/srv/ChangeState', name: '~/change_state' };
const TRANSITIONS = { activate: 3, deactivate: 4 };

/** A vehicle that was switched on before passes its pre-arm checks at once. */
const READY_MS = 20_000;

export class AgentHost {
  private constructor(
    readonly real: RealBridge,
    readonly peer: Peer,
  ) {}

  /** Comes back when the vehicle can arm and the topics that happen are listened to. */
  static async start(options: RealBridgeOptions): Promise<AgentHost> {
    const [real, peer] = await Promise.all([RealBridge.start(options), Peer.start('agent_host')]);
    const host = new AgentHost(real, peer);
    const { progress, receipt, utterance, lease, diagnostics } = TOPICS;
    for (const { name, type } of [progress, receipt, utterance, lease, diagnostics]) {
      await peer.ask('listen', { topic: topic({ name }), type, qos: { depth: 50 } });
    }
    let ready = false;
    const look = async (): Promise<void> => {
      const { phase, vehicle, evidence } = await host.state();
      const ranging = listOf(evidence).some(({ field }) => field === 'range.front.max');
      ready = phase === 'idle' && plainOf(vehicle)['prearm_ok'] === true && ranging;
    };
    await until(() => ready, READY_MS, 'a vehicle that can arm, and its range finder', look);
    return host;
  }

  async stop(): Promise<void> {
    await this.peer.stop();
    await this.real.end();
  }

  async state(): Promise<Plain> {
    return plainOf((await this.peer.call(SERVICES.getState, {}))['state']);
  }

  async task(): Promise<Plain> {
    return plainOf((await this.state())['task']);
  }

  check(response_json: string): Promise<Plain> {
    return this.peer.call(SERVICES.check, { response_json });
  }

  submit(response_json: string): Promise<Plain> {
    return this.peer.call(SERVICES.submit, { response_json });
  }

  execute(response_json: string): Promise<Plain> {
    return this.peer.ask('goal', { ...ACTION, name: topic(ACTION), goal: { response_json } });
  }

  /** The end of the goal that was sent last. */
  async ended(timeoutMs: number): Promise<Heard> {
    const end = (): Heard | undefined => this.peer.heard.find(({ result }) => result !== undefined);
    await until(() => end() !== undefined, timeoutMs, 'the goal ends');
    return end() ?? {};
  }

  change(transition: keyof typeof TRANSITIONS): Promise<Plain> {
    return this.peer.call(CHANGE_STATE, { transition: { id: TRANSITIONS[transition] } });
  }

  /** Publishes the same message again and again, stamped when it is sent. */
  stream(name: string, type: string, message: Plain): Promise<Plain> {
    const at = { topic: name, type, message };
    return this.peer.ask('stream', { ...at, period_s: 0.1, stamp_offset_s: 0 });
  }

  /** The newest report of this name in /diagnostics. */
  diagnosis(name: string): Plain {
    const newest = this.peer.messages(TOPICS.diagnostics.name).at(-1) ?? {};
    return listOf(newest['status']).find((s) => s['name'] === `halo_bridge: ${name}`) ?? {};
  }

  /** What ~/progress told of a response, in order: `leg active`. */
  told(responseId: string): string[] {
    const own = this.peer
      .messages(topic(TOPICS.progress))
      .filter((p) => p['response_id'] === responseId);
    return own.map(({ id, state }) => `${String(id)} ${String(state)}`);
  }

  /** Until ~/progress has told of this change of a component: `leg active`. */
  async until(responseId: string, change: string, timeoutMs = 15_000): Promise<void> {
    const endMs = Date.now() + timeoutMs;
    while (!this.told(responseId).includes(change)) {
      if (Date.now() > endMs) {
        const { phase, components } = await this.state();
        const why = listOf(components).map((c) => `${String(c['id'])}: ${String(c['reason'])}`);
        throw new Error(`No "${change}" of ${responseId}; ${String(phase)}; ${why.join('; ')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** What the guardian has done so far. */
  guardian(): string[] {
    const lines = this.real.bridge.lines.filter(({ type }) => type === 'guardian');
    return lines.map(({ action }) => String(action));
  }
}
