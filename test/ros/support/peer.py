"""A ROS 2 peer on rclpy: JSON commands on stdin, JSON answers and events on stdout, one a line."""

import json
import sys
import threading
from importlib import import_module

import rclpy
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

ANSWER_S = 6.0

rclpy.init()
node = rclpy.create_node(sys.argv[1])
executor = SingleThreadedExecutor()
executor.add_node(node)
lock = threading.Lock()
made = {}


def say(line):
    with lock:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def interface(name):
    package, kind, cls = name.split("/")
    return getattr(import_module(f"{package}.{kind}"), cls)


def to_plain(value):
    if hasattr(value, "get_fields_and_field_types"):
        fields = value.get_fields_and_field_types()
        return {field: to_plain(getattr(value, field)) for field in fields}
    if isinstance(value, bytes):
        return value[0] if len(value) == 1 else list(value)
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    return [to_plain(item) for item in value]


def fill(message, plain):
    for field, value in plain.items():
        current = getattr(message, field)
        if hasattr(current, "get_fields_and_field_types"):
            fill(current, value)
        elif isinstance(value, dict):
            kind = interface(value["of"])
            setattr(message, field, [fill(kind(), item) for item in value["items"]])
        elif isinstance(current, float):
            setattr(message, field, float(value))
        else:
            setattr(message, field, value)
    return message


def stamped(message, offset_s):
    nanoseconds = node.get_clock().now().nanoseconds + int(offset_s * 1e9)
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(nanoseconds, 10**9)


def profile(qos):
    return QoSProfile(
        depth=qos.get("depth", 10),
        reliability=ReliabilityPolicy.BEST_EFFORT
        if qos.get("best_effort")
        else ReliabilityPolicy.RELIABLE,
        durability=DurabilityPolicy.TRANSIENT_LOCAL
        if qos.get("transient_local")
        else DurabilityPolicy.VOLATILE,
    )


def keep(key, make):
    if key not in made:
        made[key] = make()
    return made[key]


def wait(future, timeout_s=ANSWER_S):
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    if not done.wait(timeout_s):
        raise TimeoutError("no answer")
    return future.result()


def call(command):
    kind = interface(command["type"])
    client = keep(("client", command["name"]), lambda: node.create_client(kind, command["name"]))
    if not client.wait_for_service(ANSWER_S):
        raise TimeoutError("no service " + command["name"])
    future = client.call_async(fill(kind.Request(), command["request"]))
    return to_plain(wait(future, command.get("timeout_s", ANSWER_S)))


def listen(command):
    topic = command["topic"]
    node.create_subscription(
        interface(command["type"]),
        topic,
        lambda message: say({"topic": topic, "message": to_plain(message)}),
        profile(command.get("qos", {})),
    )


def advertise(command):
    kind = interface(command["type"])
    key = ("publisher", command["topic"], command.get("publisher", 0))
    return keep(
        key, lambda: node.create_publisher(kind, command["topic"], profile(command.get("qos", {})))
    )


def publish(command):
    kind = interface(command["type"])
    publisher = advertise(command)
    message = fill(kind(), command["message"])
    if "stamp_offset_s" in command:
        stamped(message, command["stamp_offset_s"])
    publisher.publish(message)


def unpublish(command):
    end_stream(command["topic"])
    key = ("publisher", command["topic"], command.get("publisher", 0))
    node.destroy_publisher(made.pop(key))


def stream(command):
    publish(command)
    timer = node.create_timer(command["period_s"], lambda: publish(command))
    made[("timer", command["topic"])] = timer


def end_stream(topic):
    timer = made.pop(("timer", topic), None)
    if timer is not None:
        node.destroy_timer(timer)


def goal(command):
    kind = interface(command["type"])
    client = keep(("action", command["name"]), lambda: ActionClient(node, kind, command["name"]))
    if not client.wait_for_server(ANSWER_S):
        raise TimeoutError("no action server")
    handle = wait(
        client.send_goal_async(
            fill(kind.Goal(), command["goal"]),
            feedback_callback=lambda f: say({"feedback": to_plain(f.feedback)}),
        )
    )
    if not handle.accepted:
        return {"accepted": False}
    made["goal"] = handle
    handle.get_result_async().add_done_callback(
        lambda f: say({"status": f.result().status, "result": to_plain(f.result().result)})
    )
    return {"accepted": True}


def cancel(_command):
    return {"canceling": len(wait(made["goal"].cancel_goal_async()).goals_canceling)}


OPS = {
    "call": call,
    "listen": listen,
    "advertise": lambda command: advertise(command) and None,
    "publish": publish,
    "unpublish": unpublish,
    "stream": stream,
    "goal": goal,
    "cancel": cancel,
}


def serve():
    for line in sys.stdin:
        command = json.loads(line)
        try:
            say({"id": command["id"], "answer": OPS[command["op"]](command)})
        except Exception as error:  # noqa: BLE001 - whatever it is, the test must see it
            say({"id": command["id"], "error": repr(error)})
    rclpy.shutdown()


threading.Thread(target=serve, daemon=True).start()
say({"ready": True})
try:
    executor.spin()
except Exception:  # noqa: BLE001 - the context was shut down: the test is over
    pass
