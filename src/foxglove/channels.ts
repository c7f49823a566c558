/**
 * What a viewer can subscribe to, in one table. Enters: nothing. Leaves: topics, schemas, lanes and
 * rates. Never: a topic that is advertised elsewhere, or one that takes something in.
 */
import { Log, PoseInFrame, SceneUpdate } from '@foxglove/schemas/jsonschema.js';
import * as shapes from './shapes.js';

/**
 * `telemetry` is worth only its newest value: a slow viewer misses some of it. A `record` says that
 * something happened: it is queued for a slow viewer, and kept for one that comes late.
 */
export type Lane = 'telemetry' | 'record';

export interface ChannelSpec {
  readonly topic: string;
  readonly schemaName: string;
  readonly schema: object;
  readonly lane: Lane;
  /**
   * Telemetry goes out on every n-th publishing tick. Pose at the full rate, for a smooth picture;
   * what people read at half of it or slower.
   */
  readonly everyTicks?: number;
}

export const PUBLISH_RATE_HZ = 10;

export const CHANNELS = {
  state: {
    topic: '/halo/state',
    schemaName: 'halo.State',
    schema: shapes.state,
    lane: 'telemetry',
    everyTicks: 2,
  },
  components: {
    topic: '/halo/components',
    schemaName: 'halo.Components',
    schema: shapes.components,
    lane: 'telemetry',
    // A response may have 1000 components: 2 Hz keeps the worst case near 0.5 MB/s.
    everyTicks: 5,
  },
  dispatch: {
    topic: '/halo/dispatch',
    schemaName: 'halo.Dispatch',
    schema: shapes.dispatch,
    lane: 'telemetry',
    everyTicks: 2,
  },
  task: {
    topic: '/halo/task',
    schemaName: 'halo.Task',
    schema: shapes.task,
    lane: 'telemetry',
    everyTicks: 5,
  },
  pose: {
    topic: '/halo/pose',
    schemaName: 'foxglove.PoseInFrame',
    schema: PoseInFrame,
    lane: 'telemetry',
    everyTicks: 1,
  },
  scene: {
    topic: '/halo/scene',
    schemaName: 'foxglove.SceneUpdate',
    schema: SceneUpdate,
    lane: 'telemetry',
    everyTicks: 2,
  },
  verdict: {
    topic: '/halo/verdict',
    schemaName: 'halo.Verdict',
    schema: shapes.verdict,
    lane: 'record',
  },
  obligation: {
    topic: '/halo/obligation',
    schemaName: 'halo.LocalizedObligation',
    schema: shapes.obligation,
    lane: 'record',
  },
  receipt: {
    topic: '/halo/receipt',
    schemaName: 'halo.Receipt',
    schema: shapes.receipt,
    lane: 'record',
  },
  log: { topic: '/halo/log', schemaName: 'foxglove.Log', schema: Log, lane: 'record' },
} as const satisfies Record<string, ChannelSpec>;

export type ChannelName = keyof typeof CHANNELS;

/** One message on its way to the viewers. */
export interface Outgoing {
  readonly channel: ChannelName;
  readonly payload: object;
}
