/** The door of the ROS room: the only code that imports rclnodejs, and that only when asked to. */
export {
  createHaloClient,
  type ExecuteOptions,
  type HaloClient,
  type HaloClientOptions,
  type TopicMessages,
} from './client.js';
export type { DiagnosticLevel, DiagnosticReport } from './diagnostics.js';
export type * from './messages.js';
export {
  startBridgeNode,
  type BridgeHandle,
  type BridgeNodeOptions,
  type RunningNode,
} from './node.js';
export { PARAMETERS, type BridgeParams } from './params.js';
export { createSensorNode, type SensorNode } from './publisher.js';
export { QOS } from './qos.js';
export { loadRcl } from './rcl.js';
export type { LifecycleState, Rcl } from './rcl-port.js';
export { ACTION, NODE_NAME, RESPONSE_TOPIC, SERVICES, TOPICS } from './topics.js';
