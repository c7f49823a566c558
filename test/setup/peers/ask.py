"""Calls the answering node through rclpy and prints what came back as one JSON object."""

import json
import sys
import time

import rclpy
from rclpy.action import ActionClient
from halo_interfaces.action import ExecuteResponse
from halo_interfaces.srv import SubmitResponse

LIMIT_S = 10.0


def wait(node, future):
    rclpy.spin_until_future_complete(node, future, timeout_sec=LIMIT_S)
    if not future.done():
        sys.exit("no answer in time")
    return future.result()


rclpy.init()
node = rclpy.create_node("asking_node")

service = node.create_client(SubmitResponse, "submit")
if not service.wait_for_service(timeout_sec=LIMIT_S):
    sys.exit("no service")
answer = wait(node, service.call_async(SubmitResponse.Request(response_json='{"id": "r-ü1"}')))
component = answer.verdict.components[0]

client = ActionClient(node, ExecuteResponse, "execute")
if not client.wait_for_server(timeout_sec=LIMIT_S):
    sys.exit("no action server")
seen = []
goal = ExecuteResponse.Goal(response_json='{"id": "r-2"}')
handle = wait(node, client.send_goal_async(goal, feedback_callback=lambda m: seen.append(m.feedback)))
result = wait(node, handle.get_result_async()).result
deadline = time.monotonic() + LIMIT_S
while not seen and time.monotonic() < deadline:
    rclpy.spin_once(node, timeout_sec=0.1)
if not seen:
    sys.exit("no feedback in time")

print(json.dumps({
    "accepted": answer.accepted,
    "response_id": answer.verdict.response_id,
    "generation": answer.verdict.generation,
    "withheld_because": list(component.withheld_because),
    "code": component.findings[0].code,
    "age_ms": component.findings[0].age_ms,
    "position_enu_m": list(seen[0].vehicle.position_enu_m),
    "estimator_epoch": seen[0].vehicle.epochs.estimator,
    "outcome": result.outcome,
    "summary_json": result.summary_json,
}))
rclpy.shutdown()
