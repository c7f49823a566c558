/**
 * The lifecycle part of the port: transitions and declared parameters. Enters: rclnodejs.
 * Leaves: {@link RosLifecycleNode}. Never: a transition callback that is not synchronous.
 */
import type {
  DeclaredParameter,
  LifecycleState,
  ParameterValue,
  RosLifecycleNode,
  RosNode,
} from './rcl-port.js';
import type { RawLifecycleNode, RawRcl, RawTransition } from './rcl-raw.js';

const CALLBACKS = {
  configure: 'Configure',
  activate: 'Activate',
  deactivate: 'Deactivate',
  cleanup: 'Cleanup',
  shutdown: 'Shutdown',
} as const satisfies Record<string, RawTransition>;

/** Ids of lifecycle_msgs/msg/State. */
const STATES: Readonly<Record<number, LifecycleState>> = {
  1: 'unconfigured',
  2: 'inactive',
  3: 'active',
  4: 'finalized',
};

export function wrapLifecycleNode(
  raw: RawRcl,
  node: RawLifecycleNode,
  base: RosNode,
): RosLifecycleNode {
  const { SUCCESS, FAILURE } = raw.lifecycle.CallbackReturnCode;
  refuseImpossible(node);
  return {
    ...base,
    onTransition: (transition, allow) => {
      node[`registerOn${CALLBACKS[transition]}`](() => (allow() ? SUCCESS : FAILURE));
    },
    trigger: (transition) => {
      try {
        node[transition]();
      } catch {
        // Not possible from this state: the caller reads the state, which has not changed.
      }
    },
    lifecycle: () => STATES[node.currentState.id] ?? 'changing',
    declare: (parameters, refuse) => {
      for (const parameter of parameters) declareOne(raw, node, parameter);
      node.addOnSetParametersCallback((changes) => {
        const reason = changes.map(({ name, value }) => refuse(name, plain(value))).find(Boolean);
        return { successful: reason === undefined, reason: reason ?? '' };
      });
    },
    parameter: (name) => plain(node.getParameter(name).value),
    useSimTime: () => {
      const type = raw.ParameterType.PARAMETER_BOOL;
      node.setParameter(new raw.Parameter('use_sim_time', type, true));
    },
  };
}

/**
 * A transition that the state does not have ends the whole process in rclnodejs, whoever asks for
 * it: a second `activate` would take the bridge out of the air. It is answered with false.
 */
function refuseImpossible(node: RawLifecycleNode): void {
  const answer = node._onChangeState.bind(node);
  node._onChangeState = (request, response) => {
    const { id, label } = request.transition;
    const possible = node.availableTransitions.some(({ transition }) =>
      label === '' ? transition.id === id : transition.label === label,
    );
    if (possible) answer(request, response);
    else response.send({ success: false });
  };
}

/** ROS integers come as bigint; every integer parameter of ours is far below 2^53. */
function plain(value: unknown): ParameterValue | undefined {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined;
}

function declareOne(raw: RawRcl, node: RawLifecycleNode, parameter: DeclaredParameter): void {
  const { name, description, range } = parameter;
  const type = {
    string: raw.ParameterType.PARAMETER_STRING,
    integer: raw.ParameterType.PARAMETER_INTEGER,
    double: raw.ParameterType.PARAMETER_DOUBLE,
    bool: raw.ParameterType.PARAMETER_BOOL,
  }[parameter.type];
  const value = parameter.type === 'integer' ? BigInt(parameter.value) : parameter.value;
  const descriptor = new raw.ParameterDescriptor(name, type, description, false);
  if (range !== undefined) {
    // rclnodejs leaves a range out of its own description (it reads a field that is never set),
    // and its refusal does not name the range; so the range is told and checked here.
    const message = descriptor.toMessage();
    const told =
      parameter.type === 'integer'
        ? {
            integer_range: [
              { from_value: BigInt(range.min), to_value: BigInt(range.max), step: 1n },
            ],
          }
        : {
            floating_point_range: [{ from_value: range.min, to_value: range.max, step: 0 }],
          };
    descriptor.toMessage = () => ({ ...message, ...told });
  }
  // Overrides are ours alone: rclnodejs drops those that name a node with its namespace.
  node.declareParameter(new raw.Parameter(name, type, value), descriptor, true);
}
