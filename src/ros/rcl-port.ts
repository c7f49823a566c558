/**
 * ROS as the rest of this room sees it: small, typed, ours. Enters: nothing. Leaves: types.
 * Never: a type of rclnodejs.
 */
import type { ShapeOf } from './message-shape.js';
import type { Result } from '../contract/index.js';
import type { QosProfile } from './qos.js';

/** A ROS message as plain data, by the field names of its definition. */
export type RosMessage = object;

export interface RosPublisher<M extends RosMessage> {
  publish(message: M): void;
  subscribers(): number;
}

export interface RosEndpoint {
  readonly node: string;
  readonly type: string;
  readonly reliable: boolean;
}

/** One goal on the server's side; `finish` may be called once. */
export interface RosGoal<F extends RosMessage> {
  readonly request: unknown;
  feedback(message: F): void;
  cancelRequested(): boolean;
}

export interface GoalEnd<R extends RosMessage> {
  readonly status: 'succeeded' | 'aborted' | 'canceled';
  readonly result: R;
}

export interface ActionHandlers<F extends RosMessage, R extends RosMessage> {
  /** Must not reject: every end is a {@link GoalEnd}. */
  execute(goal: RosGoal<F>): Promise<GoalEnd<R>>;
  cancel(goal: RosGoal<F>): void;
}

export interface RosClient {
  /** False when no server shows up in time. */
  wait(timeoutMs: number): Promise<boolean>;
  /** The answer as plain data; HALO-804 when none comes in time. */
  call(request: RosMessage, timeoutMs: number): Promise<Result<unknown>>;
}

export interface RosClientGoal {
  cancel(): Promise<void>;
  /** Never comes when the server dies: the caller holds a deadline against it. */
  result(): Promise<unknown>;
}

export interface RosActionClient {
  wait(timeoutMs: number): Promise<boolean>;
  /** Undefined when the server does not take the goal in time. */
  send(
    goal: RosMessage,
    onFeedback: (feedback: unknown) => void,
    timeoutMs: number,
  ): Promise<RosClientGoal | undefined>;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface RosNode {
  /** Namespace and name, after remapping: `/uav1/halo_bridge`. */
  readonly fullName: string;
  /** ROS time in nanoseconds: wall clock, or simulated time where the node was told so. */
  nowNs(): bigint;
  publisher<M extends RosMessage>(type: string, topic: string, qos: QosProfile): RosPublisher<M>;
  /**
   * Returns the function that ends the subscription. `writer` tells one publisher of the topic
   * from another, and nothing else: it need not be what the graph calls it.
   */
  subscribe(
    type: string,
    topic: string,
    qos: QosProfile,
    listen: (message: unknown, writer: string) => void,
  ): () => void;
  /** `answer` must not reject. */
  serve<S extends RosMessage>(
    type: string,
    name: string,
    answer: (request: unknown) => Promise<S>,
  ): void;
  client(type: string, name: string): RosClient;
  serveAction<F extends RosMessage, R extends RosMessage>(
    type: string,
    name: string,
    handlers: ActionHandlers<F, R>,
  ): void;
  actionClient(type: string, name: string): RosActionClient;
  /** Absolute name after expansion and remapping. */
  resolveTopic(topic: string): string;
  publishersOf(topic: string): readonly RosEndpoint[];
  /** How many other nodes of the graph have this node's full name. */
  namesakes(): number;
  log(level: LogLevel, message: string): void;
}

export type ParameterValue = string | number | boolean;

export interface DeclaredParameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'double' | 'bool';
  readonly description: string;
  readonly range?: { readonly min: number; readonly max: number };
  readonly value: ParameterValue;
}

export const TRANSITIONS = ['configure', 'activate', 'deactivate', 'cleanup', 'shutdown'] as const;
export type Transition = (typeof TRANSITIONS)[number];

export type LifecycleState = 'unconfigured' | 'inactive' | 'active' | 'finalized' | 'changing';

export interface RosLifecycleNode extends RosNode {
  /** True lets the transition through. Synchronous: rclnodejs ends the process on a promise. */
  onTransition(transition: Transition, allow: () => boolean): void;
  /** Makes the transition; judge its success by `lifecycle()`. */
  trigger(transition: Transition): void;
  lifecycle(): LifecycleState;
  /** `refuse` gives the reason why a new value may not be set from outside. */
  declare(
    parameters: readonly DeclaredParameter[],
    refuse: (name: string, value: unknown) => string | undefined,
  ): void;
  parameter(name: string): ParameterValue | undefined;
  useSimTime(): void;
}

/** One participant of the ROS graph with its own arguments; closing it ends its nodes. */
export interface RosContext {
  node(name: string): RosNode;
  lifecycleNode(name: string): RosLifecycleNode;
  close(): void;
}

export interface Rcl {
  /** `argv` as the process got it; errors in `--ros-args` come back as HALO-708. */
  open(argv: readonly string[]): Promise<Result<RosContext>>;
  /** Whether messages of this type can be spoken here: `sensor_msgs/msg/Range`. */
  hasType(type: string): boolean;
  /** Fields of an installed message type; undefined for any other. */
  readonly shapeOf: ShapeOf;
}
