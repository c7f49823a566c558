/**
 * The forward range sensor and the site's clearance as ROS 2 topics.
 * In: the true pose. Out: sensor_msgs/Range at 10 Hz, std_msgs/Bool at 2 Hz, sensor-data QoS.
 * Never loads ROS unless asked to, and never subscribes.
 */
import type { Autopilot } from './autopilot/index.js';
import { measureRange, RANGE_MAX_M, RANGE_MIN_M, type Tower } from './world.js';
import { seededRandom } from '../src/platform/index.js';
import { createSensorNode, loadRcl } from '../src/ros/index.js';

const RANGE_TOPIC = '/halo_sim/range/front';
const CLEAR_TOPIC = '/halo_sim/site_clear';
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

/** Rejects with a sentence and a remedy when there is no ROS 2 to be had. */
export async function startRangeNode(
  autopilot: Autopilot,
  tower: Tower,
  seed: number,
): Promise<RangeNode> {
  const rcl = await loadRcl();
  if (!rcl.ok) throw new Error(`${rcl.error.message} ${rcl.error.remedy}`);
  const opened = await createSensorNode(rcl.value, 'halo_sim');
  if (!opened.ok) throw new Error(`${opened.error.message} ${opened.error.remedy}`);
  const node = opened.value;
  // Another stream of chance than the vehicle's, so that ROS does not change a flight.
  const random = seededRandom((seed ^ 0x5eed) >>> 0);
  const rangeTimer = setInterval(() => {
    if (autopilot.status().rangeSilent) return;
    node.publish(RANGE_TOPIC, 'sensor_msgs/msg/Range', {
      header: { stamp: node.stamp(), frame_id: 'base_link' },
      radiation_type: RADIATION_INFRARED,
      field_of_view: FIELD_OF_VIEW_RAD,
      min_range: RANGE_MIN_M,
      max_range: RANGE_MAX_M,
      range: measureRange(tower, autopilot.truth(), random),
      variance: 0.0004,
    });
  }, RANGE_PERIOD_MS);
  const clearTimer = setInterval(() => {
    node.publish(CLEAR_TOPIC, 'std_msgs/msg/Bool', { data: true });
  }, CLEAR_PERIOD_MS);
  return {
    topic: RANGE_TOPIC,
    stop() {
      clearInterval(rangeTimer);
      clearInterval(clearTimer);
      node.close();
    },
  };
}
