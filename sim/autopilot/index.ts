/** The door of the embedded autopilot. */
export { Autopilot, STEP_US } from './autopilot.js';
export { eventId } from './events.js';
export { FrameReader, FrameWriter } from './wire.js';
export { length, subtract, toGeo, type GeoPoint, type Ned } from './ned.js';
export type {
  AutopilotOptions,
  AutopilotStatus,
  Fault,
  FaultName,
  FieldValue,
  Fields,
  IncomingMessage,
  OutgoingMessage,
  Truth,
} from './types.js';
