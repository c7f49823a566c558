/**
 * The forward range sensor and the site's clearance as ROS 2 topics.
 * In: the true pose. Out: sensor_msgs/Range at 10 Hz, std_msgs/Bool at 2 Hz.
 * This is the one file of the simulator that speaks ROS; it loads rclnodejs only when asked to.
 */
import type { Autopilot } from './autopilot/index.js';
import { measureRange, RANGE_MAX_M, RANGE_MIN_M, type Tower } from './world.js';
import { seededRandom } from '../src/platform/index.js';

export const RANGE_TOPIC = '/halo_sim/range/front';
export const CLEAR_TOPIC = '/halo_sim/site_clear';
const RANGE_PERIOD_MS = 100;
const CLEAR_PERIOD_MS = 500;
/** Range.INFRARED: the nearest the message has to a laser. */
const RADIATION_INFRARED = 1;
/** Full width of the beam: 2 degrees. */
const FIELD_OF_VIEW_RAD = 0.035;

export interface RangeNode {
  readonly topic: string;
  stop(): void;
}

/** Rejects with a sentence when there is no ROS 2 to be had. */
export async function startRangeNode(
  autopilot: Autopilot,
  tower: Tower,
  seed: number,
): Promise<RangeNode> {
  const { default: rclnodejs } = await import('rclnodejs');
  await rclnodejs.init();
  const node = rclnodejs.createNode('halo_sim');
  const range = node.createPublisher('sensor_msgs/msg/Range', RANGE_TOPIC, {
    qos: rclnodejs.QoS.profileSensorData,
  });
  const clear = node.createPublisher('std_msgs/msg/Bool', CLEAR_TOPIC);
  const random = seededRandom(seed ^ 0x5eed);
  const rangeTimer = setInterval(() => {
    if (autopilot.status().rangeSilent) return;
    range.publish({
      header: { stamp: node.now().toMsg(), frame_id: 'base_link' },
      radiation_type: RADIATION_INFRARED,
      field_of_view: FIELD_OF_VIEW_RAD,
      min_range: RANGE_MIN_M,
      max_range: RANGE_MAX_M,
      range: measureRange(tower, autopilot.truth(), random),
      variance: 0.0004,
    });
  }, RANGE_PERIOD_MS);
  const clearTimer = setInterval(() => clear.publish({ data: true }), CLEAR_PERIOD_MS);
  return {
    topic: RANGE_TOPIC,
    stop() {
      clearInterval(rangeTimer);
      clearInterval(clearTimer);
      rclnodejs.shutdown();
    },
  };
}
