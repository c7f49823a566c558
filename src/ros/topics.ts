/**
 * Every name by which ROS reaches the bridge, once. Enters: nothing. Leaves: the tables.
 * Never: a topic, service or action of the bridge that is not listed here. Topics that carry
 * evidence are the operator's, and are listed in the evidence map.
 */
import type { QosName } from './qos.js';

export interface TopicEntry {
  readonly name: string;
  readonly type: string;
  readonly qos: QosName;
  readonly what: string;
}

export interface ServiceEntry {
  readonly name: string;
  readonly type: string;
  readonly what: string;
}

export const NODE_NAME = 'halo_bridge';

/** Private names: `~` becomes `/halo_bridge`, below the node's namespace. */
export const TOPICS = {
  state: {
    name: '~/state',
    type: 'halo_interfaces/msg/BridgeState',
    qos: 'state',
    what: 'everything at one moment, with the snapshot id to answer on',
  },
  task: {
    name: '~/task',
    type: 'halo_interfaces/msg/TaskState',
    qos: 'state',
    what: 'the task, whenever it advances',
  },
  vehicle: {
    name: '~/vehicle',
    type: 'halo_interfaces/msg/VehicleState',
    qos: 'telemetry',
    what: 'the vehicle as its own telemetry shows it',
  },
  dispatch: {
    name: '~/dispatch',
    type: 'halo_interfaces/msg/DispatchStatus',
    qos: 'state',
    what: 'what crossed the gate, and what did not',
  },
  verdict: {
    name: '~/verdict',
    type: 'halo_interfaces/msg/Verdict',
    qos: 'events',
    what: 'each decision about a response',
  },
  obligation: {
    name: '~/obligation',
    type: 'halo_interfaces/msg/LocalizedObligation',
    qos: 'events',
    what: 'each denial, and each change of one',
  },
  progress: {
    name: '~/progress',
    type: 'halo_interfaces/msg/ComponentProgress',
    qos: 'events',
    what: 'each change of a component',
  },
  lease: {
    name: '~/lease',
    type: 'halo_interfaces/msg/Lease',
    qos: 'events',
    what: 'each lease as it begins and as it ends',
  },
  receipt: {
    name: '~/receipt',
    type: 'halo_interfaces/msg/Receipt',
    qos: 'events',
    what: 'each signed receipt',
  },
  utterance: {
    name: '~/utterance',
    type: 'halo_interfaces/msg/Utterance',
    qos: 'events',
    what: 'reports and messages, delivered',
  },
  diagnostics: {
    name: '/diagnostics',
    type: 'diagnostic_msgs/msg/DiagnosticArray',
    qos: 'diagnostics',
    what: 'health, once a second',
  },
} as const satisfies Record<string, TopicEntry>;

/** Read by the bridge: the door for agents that can only publish. The answer is on `~/verdict`. */
export const RESPONSE_TOPIC = {
  name: '~/response',
  type: 'std_msgs/msg/String',
  qos: 'events',
  what: 'a response as JSON text',
} as const satisfies TopicEntry;

/** ROS time, where `use_sim_time` says that it is not the wall clock. */
export const CLOCK_TOPIC = { name: '/clock', type: 'rosgraph_msgs/msg/Clock' } as const;

export const SERVICES = {
  submit: {
    name: '~/submit',
    type: 'halo_interfaces/srv/SubmitResponse',
    what: 'hands in a response; returns once judged',
  },
  check: {
    name: '~/check',
    type: 'halo_interfaces/srv/CheckResponse',
    what: 'judges a response and changes nothing',
  },
  /** Not `~/get_state`: every lifecycle node answers that with its lifecycle state. */
  getState: {
    name: '~/get_bridge_state',
    type: 'halo_interfaces/srv/GetState',
    what: 'the state with the snapshot id to answer on',
  },
  recoveryContext: {
    name: '~/recovery_context',
    type: 'halo_interfaces/srv/GetRecoveryContext',
    what: 'what an agent needs to continue the task',
  },
  approve: {
    name: '~/approve',
    type: 'halo_interfaces/srv/Approve',
    what: 'an operator’s word on one exact component',
  },
  abort: {
    name: '~/abort',
    type: 'halo_interfaces/srv/Abort',
    what: 'ends all leases; the guardian acts',
  },
} as const satisfies Record<string, ServiceEntry>;

export const ACTION = {
  name: '~/execute_response',
  type: 'halo_interfaces/action/ExecuteResponse',
  what: 'hands in a response and follows it to its end',
} as const satisfies ServiceEntry;

/** Generated before the node can start: own interfaces and those that it always speaks. */
export const REQUIRED_TYPES: readonly string[] = [
  ...Object.values(TOPICS).map((topic) => topic.type),
  ...Object.values(SERVICES).map((service) => service.type),
  RESPONSE_TOPIC.type,
  ACTION.type,
];
