/** The door of the Foxglove room: a live, read-only view of one engine. */
export { startFoxgloveServer } from './server.js';
export type { FoxgloveHandle, FoxgloveOptions } from './server.js';
export type { ViewerStats } from './messages.js';
