/**
 * The part of rclnodejs that this room uses, as version 2.2.0 behaves (its own types say otherwise
 * in places). Enters: nothing. Leaves: types for the adapter. Never: imported outside this room.
 */

import type { MessageDefinition } from './cdr.js';

export interface RawQos {
  readonly reliability: number;
}

export interface RawMessageClass {
  new (plain?: object): { toRawROS(): Buffer };
  readonly ROSMessageDef: MessageDefinition;
  type(): { readonly pkgName: string; readonly subFolder: string; readonly interfaceName: string };
}

/** What `require` gives for a message, a service or an action. */
export interface RawInterface extends RawMessageClass {
  readonly Response: RawMessageClass;
  readonly Result: new () => object;
  readonly impl: { readonly GetResultService: { readonly Response: RawMessageClass } };
}

/** The addon itself, below rclnodejs. */
export interface RawNative {
  deserialize(pkg: string, subFolder: string, name: string, bytes: Buffer, structure: Buffer): void;
  sendResponse(service: unknown, structure: Buffer, header: unknown): void;
  actionSendResultResponse(server: unknown, header: unknown, structure: Buffer): void;
}

export interface RawPublisher {
  /** Wire bytes go out as they are. */
  publish(bytes: Buffer): void;
  readonly subscriptionCount: number;
}

export interface RawServiceResponse {
  readonly _header: unknown;
  readonly service: { readonly _handle: unknown };
  sent: boolean;
  send(plain: object): void;
}

export interface RawClient {
  waitForService(timeoutMs: number): Promise<boolean>;
  sendRequestAsync(request: object, options: { timeout: number }): Promise<unknown>;
}

export interface RawServerGoal {
  readonly request: { toPlainObject(typedArrays: boolean): unknown };
  readonly isActive: boolean;
  readonly isCancelRequested: boolean;
  readonly _deferred: { setResult(response: { readonly status: number }): void };
  publishFeedback(feedback: object): void;
  succeed(): void;
  abort(): void;
  canceled(): void;
}

export interface RawActionServer {
  readonly _handle: unknown;
  /** Answers one request for a result; replaced on the instance. */
  _sendResultResponse(header: unknown, response: object): void;
}

export interface RawClientGoal {
  readonly status: number;
  isAccepted(): boolean;
  cancelGoal(): Promise<unknown>;
  getResult(): Promise<unknown>;
}

export interface RawActionClient {
  waitForServer(timeoutMs: number): Promise<boolean>;
  sendGoal(goal: object, feedback: (feedback: unknown) => void): Promise<RawClientGoal>;
  destroy(): void;
}

export interface RawParameter {
  readonly name: string;
  readonly value: unknown;
}

export interface RawParameterDescriptor {
  additionalConstraints: string;
  toMessage(): object;
}

export interface RawTopicEndpoint {
  readonly node_name: string;
  readonly node_namespace: string;
  readonly topic_type: string;
  readonly qos_profile: { readonly reliability: number };
}

export interface RawMessageInfo {
  readonly publisherGid: Buffer;
}

export interface RawService {
  processRequest(header: unknown, request: unknown): void;
}

export interface RawNode {
  readonly _services: readonly RawService[];
  name(): string;
  namespace(): string;
  now(): { readonly nanoseconds: bigint };
  spin(timeoutMs?: number): void;
  destroy(): void;
  createPublisher(type: string, topic: string, options: { qos: RawQos }): RawPublisher;
  createSubscription(
    type: string,
    topic: string,
    options: { qos: RawQos; enableTypedArray: boolean },
    /** Given the second argument only when it declares two. */
    callback: (message: unknown, info: RawMessageInfo) => void,
  ): object;
  destroySubscription(subscription: object): void;
  createService(
    type: string,
    name: string,
    options: { qos: RawQos },
    callback: (request: unknown, response: RawServiceResponse) => Promise<void>,
  ): object;
  createClient(type: string, name: string, options: { qos: RawQos }): RawClient;
  resolveTopicName(topic: string): string;
  countPublishers(topic: string): number;
  /** Each node of the graph, this one among them. */
  getNodeNamesAndNamespaces(): readonly { readonly name: string; readonly namespace: string }[];
  getPublishersInfoByTopic(topic: string): readonly RawTopicEndpoint[];
  declareParameter(
    parameter: RawParameter,
    descriptor: RawParameterDescriptor,
    ignoreOverride: boolean,
  ): void;
  getParameter(name: string): RawParameter;
  setParameter(parameter: RawParameter): { successful: boolean; reason: string };
  addOnSetParametersCallback(
    callback: (parameters: readonly RawParameter[]) => { successful: boolean; reason: string },
  ): void;
  getLogger(): Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>;
}

export type RawTransition = 'Configure' | 'Activate' | 'Deactivate' | 'Cleanup' | 'Shutdown';

export interface RawLifecycleNode
  extends RawNode, Record<`registerOn${RawTransition}`, (callback: () => number) => void> {
  readonly currentState: { readonly id: number; readonly label: string };
  readonly availableTransitions: readonly {
    readonly transition: { readonly id: number; readonly label: string };
  }[];
  /** What answers the service change_state; replaced on the instance. */
  _onChangeState(
    request: { readonly transition: { readonly id: number; readonly label: string } },
    response: RawServiceResponse,
  ): void;
  configure(): unknown;
  activate(): unknown;
  deactivate(): unknown;
  cleanup(): unknown;
  shutdown(): unknown;
}

export interface RawContext {
  shutdown(): void;
}

export interface RawRcl {
  init(context: RawContext, argv: readonly string[]): Promise<void>;
  require(type: string): RawInterface;
  removeSignalHandlers(): void;
  readonly Context: new () => RawContext;
  readonly Node: new (name: string, namespace: string, context: RawContext) => RawNode;
  readonly QoS: {
    new (history: number, depth: number, reliability: number, durability: number): RawQos;
    readonly HistoryPolicy: Readonly<Record<'RMW_QOS_POLICY_HISTORY_KEEP_LAST', number>>;
    readonly ReliabilityPolicy: Readonly<
      Record<
        'RMW_QOS_POLICY_RELIABILITY_RELIABLE' | 'RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT',
        number
      >
    >;
    readonly DurabilityPolicy: Readonly<
      Record<
        'RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL' | 'RMW_QOS_POLICY_DURABILITY_VOLATILE',
        number
      >
    >;
  };
  readonly Parameter: new (name: string, type: number, value: unknown) => RawParameter;
  readonly ParameterDescriptor: new (
    name: string,
    type: number,
    description: string,
    readOnly: boolean,
  ) => RawParameterDescriptor;
  readonly ParameterType: Readonly<
    Record<'PARAMETER_BOOL' | 'PARAMETER_INTEGER' | 'PARAMETER_DOUBLE' | 'PARAMETER_STRING', number>
  >;
  readonly lifecycle: {
    readonly LifecycleNode: new (
      name: string,
      namespace: string,
      context: RawContext,
    ) => RawLifecycleNode;
    readonly CallbackReturnCode: Readonly<Record<'SUCCESS' | 'FAILURE' | 'ERROR', number>>;
  };
  readonly ActionServer: new (
    node: RawNode,
    type: string,
    name: string,
    execute: (goal: RawServerGoal) => Promise<object>,
    accept: null,
    handleAccepted: null,
    cancel: (goal: RawServerGoal) => number,
    options: { resultTimeout: number },
  ) => RawActionServer;
  readonly ActionClient: new (node: RawNode, type: string, name: string) => RawActionClient;
  readonly CancelResponse: Readonly<Record<'ACCEPT' | 'REJECT', number>>;
}
