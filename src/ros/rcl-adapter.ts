/**
 * rclnodejs behind our own port. Enters: the loaded module. Leaves: {@link Rcl}.
 * Never: a type or an error of rclnodejs on the other side.
 */
import { fail, ok, type Result } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import type { QosProfile } from './qos.js';
import { serveRawAction, wrapActionClient } from './rcl-action.js';
import { wrapLifecycleNode } from './rcl-lifecycle.js';
import type { Rcl, RosClient, RosContext, RosEndpoint, RosMessage, RosNode } from './rcl-port.js';
import type {
  RawContext,
  RawMessageInfo,
  RawNative,
  RawNode,
  RawQos,
  RawRcl,
  RawTopicEndpoint,
} from './rcl-raw.js';
import { MessageWriter, type RawRos } from './rcl-write.js';
import { QOS } from './qos.js';

export function adaptRcl(
  raw: RawRcl,
  native: RawNative,
  types: Pick<Rcl, 'hasType' | 'shapeOf'>,
): Rcl {
  const ros = { raw, native, writer: new MessageWriter(raw, native) };
  return {
    ...types,
    open: async (argv) => {
      const context = new raw.Context();
      try {
        await raw.init(context, argv);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return fail(haloError('HALO-708', `ROS 2 refuses the arguments: ${firstLine(reason)}.`));
      }
      return ok(wrapContext(ros, context));
    },
  };
}

const firstLine = (text: string): string => text.split('\n')[0]?.replace(/\.$/, '') ?? text;

function wrapContext(ros: RawRos, context: RawContext): RosContext {
  const { raw } = ros;
  let closed = false;
  return {
    node: (name) => {
      const node = new raw.Node(name, '', context);
      node.spin();
      return wrapNode(ros, node);
    },
    lifecycleNode: (name) => {
      const node = new raw.lifecycle.LifecycleNode(name, '', context);
      node.spin();
      return wrapLifecycleNode(raw, node, wrapNode(ros, node));
    },
    close: () => {
      if (closed) return;
      closed = true;
      context.shutdown();
    },
  };
}

/** Reliability and durability only count through the constructor: the setters are not read. */
function toQos(raw: RawRcl, profile: QosProfile): RawQos {
  return new raw.QoS(
    raw.QoS.HistoryPolicy.RMW_QOS_POLICY_HISTORY_KEEP_LAST,
    profile.depth,
    profile.reliability === 'reliable'
      ? raw.QoS.ReliabilityPolicy.RMW_QOS_POLICY_RELIABILITY_RELIABLE
      : raw.QoS.ReliabilityPolicy.RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
    profile.durability === 'transient_local'
      ? raw.QoS.DurabilityPolicy.RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL
      : raw.QoS.DurabilityPolicy.RMW_QOS_POLICY_DURABILITY_VOLATILE,
  );
}

function wrapNode(ros: RawRos, node: RawNode): RosNode {
  const { raw, native, writer } = ros;
  const services = { qos: toQos(raw, QOS.services) };
  const namespace = node.namespace();
  guardServices(node);
  return {
    fullName: `${namespace === '/' ? '' : namespace}/${node.name()}`,
    nowNs: () => node.now().nanoseconds,
    publisher: (type, topic, profile) => {
      const messageClass = raw.require(type);
      const publisher = node.createPublisher(type, topic, { qos: toQos(raw, profile) });
      return {
        publish: (message) => publisher.publish(writer.encode(messageClass, message)),
        subscribers: () => publisher.subscriptionCount,
      };
    },
    subscribe: (type, topic, profile, listen) => {
      const options = { qos: toQos(raw, profile), enableTypedArray: false };
      const subscription = node.createSubscription(type, topic, options, guarded(listen));
      return () => node.destroySubscription(subscription);
    },
    serve: (type, name, answer) => {
      const { Response } = raw.require(type);
      node.createService(type, name, services, async (request, response) => {
        const structure = writer.structure(Response, await answer(request));
        native.sendResponse(response.service._handle, structure, response._header);
        response.sent = true;
      });
    },
    client: (type, name) => wrapClient(raw, node, type, name),
    serveAction: (type, name, handlers) => serveRawAction(ros, node, type, name, handlers),
    actionClient: (type, name) => wrapActionClient(raw, node, type, name),
    resolveTopic: (topic) => node.resolveTopicName(topic),
    publishersOf: (topic) => node.getPublishersInfoByTopic(topic).map((e) => endpoint(raw, e)),
    namesakes: () => {
      const all = node.getNodeNamesAndNamespaces();
      return all.filter((n) => n.name === node.name() && n.namespace === namespace).length - 1;
    },
    log: (level, message) => node.getLogger()[level](message),
  };
}

/**
 * rclnodejs's own services (parameters, lifecycle) throw on some requests, such as a parameter of
 * a type that does not exist; without this, one such request from anybody ends the process.
 */
function guardServices(node: RawNode): void {
  for (const service of node._services) {
    const process = service.processRequest.bind(service);
    service.processRequest = (header, request) => {
      try {
        process(header, request);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        node.getLogger().error(`A request was not answered: ${firstLine(reason)}`);
      }
    };
  }
}

/**
 * An exception that reaches rclnodejs ends the process on the spot. Thrown a turn later, it meets
 * the process's own handler, which holds the vehicle first.
 */
function guarded(
  listen: (message: unknown, writer: string) => void,
): (message: unknown, info: RawMessageInfo) => void {
  return (message, info) => {
    try {
      listen(message, info.publisherGid.toString('hex'));
    } catch (error) {
      setImmediate(() => {
        throw error;
      });
    }
  };
}

function endpoint(raw: RawRcl, found: RawTopicEndpoint): RosEndpoint {
  const namespace = found.node_namespace === '/' ? '' : found.node_namespace;
  const { RMW_QOS_POLICY_RELIABILITY_RELIABLE: reliable } = raw.QoS.ReliabilityPolicy;
  return {
    node: `${namespace}/${found.node_name}`,
    type: found.topic_type,
    reliable: found.qos_profile.reliability === reliable,
  };
}

function wrapClient(raw: RawRcl, node: RawNode, type: string, name: string): RosClient {
  const client = node.createClient(type, name, { qos: toQos(raw, QOS.services) });
  return {
    wait: (timeoutMs) => client.waitForService(timeoutMs),
    call: async (request: RosMessage, timeoutMs: number): Promise<Result<unknown>> => {
      try {
        return ok(await client.sendRequestAsync(request, { timeout: timeoutMs }));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return fail(haloError('HALO-804', `${name} did not answer: ${firstLine(reason)}.`));
      }
    },
  };
}
