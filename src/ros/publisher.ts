/**
 * A node that only publishes: a sensor. Enters: messages as plain data. Leaves: ROS topics.
 * Never: a subscription, a service, or a way to the bridge other than the topic.
 */
import { fail, ok, type Result } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import { toTime } from './convert.js';
import type { TimeMsg } from './messages.js';
import { QOS } from './qos.js';
import type { Rcl, RosPublisher } from './rcl-port.js';

export interface SensorNode {
  /** HALO-802 when messages of this type cannot be spoken here. */
  publish(topic: string, type: string, message: object): Result<void>;
  /** ROS time, for a header. */
  stamp(): TimeMsg;
  close(): void;
}

export async function createSensorNode(
  rcl: Rcl,
  name: string,
  argv: readonly string[] = [],
): Promise<Result<SensorNode>> {
  const context = await rcl.open(argv);
  if (!context.ok) return context;
  const node = context.value.node(name);
  const publishers = new Map<string, RosPublisher<object>>();
  return ok({
    publish: (topic, type, message) => {
      let publisher = publishers.get(topic);
      if (publisher === undefined) {
        if (!rcl.hasType(type)) {
          return fail(haloError('HALO-802', `No JavaScript has been generated for ${type}.`));
        }
        publisher = node.publisher(type, topic, QOS.sensor);
        publishers.set(topic, publisher);
      }
      publisher.publish(message);
      return ok(undefined);
    },
    stamp: () => toTime(node.nowNs()),
    close: () => context.value.close(),
  });
}
