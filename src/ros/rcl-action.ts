/**
 * Both sides of an action. Enters: rclnodejs. Leaves: the action part of the port.
 * Never: a goal without an end: whatever happens in `execute`, a result goes out.
 */
import { within } from '../platform/index.js';
import type {
  ActionHandlers,
  RosActionClient,
  RosClientGoal,
  RosGoal,
  RosMessage,
} from './rcl-port.js';
import type { RawNode, RawRcl, RawServerGoal } from './rcl-raw.js';
import type { RawRos } from './rcl-write.js';

/**
 * A client asks for the result while the goal runs; one that comes back a minute later has lost
 * it. The 15 minutes of rclnodejs would let a flood of refused goals fill the memory.
 */
const RESULT_KEPT_S = 60;

export function serveRawAction<F extends RosMessage, R extends RosMessage>(
  { raw, native, writer }: RawRos,
  node: RawNode,
  type: string,
  name: string,
  handlers: ActionHandlers<F, R>,
): void {
  const { Result, impl } = raw.require(type);
  const goals = new Map<RawServerGoal, RosGoal<F>>();
  const results = new WeakMap<object, R>();
  const execute = async (rawGoal: RawServerGoal): Promise<object> => {
    const goal = wrapGoal<F>(rawGoal);
    goals.set(rawGoal, goal);
    const end = await handlers.execute(goal);
    goals.delete(rawGoal);
    if (rawGoal.isActive) {
      // CANCELED is only legal for a goal whose cancelling was accepted.
      if (end.status === 'succeeded') rawGoal.succeed();
      else if (end.status === 'canceled' && rawGoal.isCancelRequested) rawGoal.canceled();
      else rawGoal.abort();
    }
    const deferred = rawGoal._deferred;
    const setResult = deferred.setResult.bind(deferred);
    deferred.setResult = (response) => {
      results.set(response, end.result);
      setResult(response);
    };
    return new Result();
  };
  const cancel = (rawGoal: RawServerGoal): number => {
    const goal = goals.get(rawGoal);
    if (goal === undefined) return raw.CancelResponse.REJECT;
    handlers.cancel(goal);
    return raw.CancelResponse.ACCEPT;
  };
  const server = new raw.ActionServer(node, type, name, execute, null, null, cancel, {
    resultTimeout: RESULT_KEPT_S,
  });
  server._sendResultResponse = (header, response: { readonly status?: number }) => {
    const message = { status: response.status, result: results.get(response) };
    const structure = writer.structure(impl.GetResultService.Response, message);
    native.actionSendResultResponse(server._handle, header, structure);
  };
}

function wrapGoal<F extends RosMessage>(rawGoal: RawServerGoal): RosGoal<F> {
  return {
    request: rawGoal.request.toPlainObject(false),
    feedback: (message) => {
      // rclnodejs warns on the console for each feedback of a goal that is being cancelled.
      if (rawGoal.isActive && !rawGoal.isCancelRequested) rawGoal.publishFeedback(message);
    },
    cancelRequested: () => rawGoal.isActive && rawGoal.isCancelRequested,
  };
}

export function wrapActionClient(
  raw: RawRcl,
  node: RawNode,
  type: string,
  name: string,
): RosActionClient {
  const client = new raw.ActionClient(node, type, name);
  return {
    wait: (timeoutMs) => client.waitForServer(timeoutMs),
    send: async (goal, onFeedback, timeoutMs): Promise<RosClientGoal | undefined> => {
      const handle = await within(client.sendGoal(goal, onFeedback), timeoutMs);
      if (handle === undefined || !handle.isAccepted()) return undefined;
      return {
        cancel: async () => {
          await handle.cancelGoal();
        },
        result: () => handle.getResult(),
      };
    },
  };
}
