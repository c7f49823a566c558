"""Listens between a bridge and a vehicle, and decodes with pymavlink alone.

Arguments: the port that the vehicle sends to, the vehicle's own port, the bridge's port. Hands every
datagram on as it is. Prints one JSON line for each frame of the bridge that moves a vehicle: a
setpoint, or a command to take off or to change the mode, with the monotonic time in microseconds.
Ends with its standard input.
"""

import json
import os
import select
import socket
import sys
import time

os.environ["MAVLINK20"] = "1"
from pymavlink.dialects.v20 import common  # noqa: E402

HOST = "127.0.0.1"
MOVING_COMMANDS = {22, 176}  # NAV_TAKEOFF, DO_SET_MODE


def listen(port):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind((HOST, port))
    return s


def moving(message):
    name = message.get_type()
    if name.startswith("SET_POSITION_TARGET") or name == "SET_ATTITUDE_TARGET":
        return name
    if name in ("COMMAND_LONG", "COMMAND_INT") and message.command in MOVING_COMMANDS:
        return f"{name} {message.command}"
    return None


def main():
    from_vehicle, vehicle, bridge = (int(n) for n in sys.argv[1:4])
    to_vehicle, to_bridge = listen(from_vehicle), listen(0)
    parser = common.MAVLink(None)
    parser.robust_parsing = True
    print(json.dumps({"ready": True}), flush=True)
    while True:
        ready, _, _ = select.select([to_vehicle, to_bridge, sys.stdin], [], [])
        if to_bridge in ready:
            data = to_bridge.recv(2048)
            at_us = time.monotonic_ns() // 1000
            for message in parser.parse_buffer(data) or []:
                name = moving(message)
                if name is not None:
                    print(json.dumps({"atUs": at_us, "moves": name}), flush=True)
            to_vehicle.sendto(data, (HOST, vehicle))
        if to_vehicle in ready:
            to_bridge.sendto(to_vehicle.recv(2048), (HOST, bridge))
        if sys.stdin in ready and sys.stdin.readline() == "":
            return


if __name__ == "__main__":
    main()
