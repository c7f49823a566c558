"""Listens to the simulated range sensor with rclpy and prints what came, as one JSON object."""

import json
import time

import rclpy
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Range
from std_msgs.msg import Bool

LISTEN_S = 3.0

rclpy.init()
node = rclpy.create_node("range_listener")
ranges, clear = [], []
node.create_subscription(
    Range, "/halo_sim/range/front", lambda message: ranges.append(message), qos_profile_sensor_data
)
node.create_subscription(
    Bool, "/halo_sim/site_clear", lambda message: clear.append(message.data), qos_profile_sensor_data
)
deadline = time.monotonic() + 20
while not ranges and time.monotonic() < deadline:
    rclpy.spin_once(node, timeout_sec=0.1)
deadline = time.monotonic() + LISTEN_S
while time.monotonic() < deadline:
    rclpy.spin_once(node, timeout_sec=0.1)
print(
    json.dumps(
        {
            "count": len(ranges),
            "ranges": [message.range for message in ranges],
            "frames": sorted({message.header.frame_id for message in ranges}),
            "max": ranges[0].max_range if ranges else None,
            "clear": clear,
        }
    )
)
rclpy.shutdown()
