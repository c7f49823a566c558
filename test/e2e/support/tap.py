"""A tap between a bridge and a vehicle, made of pymavlink alone.

Arguments: the port that the vehicle sends to, the vehicle's own port, the port that the bridge
listens on, and the file to write. Hands every datagram on as it is. Writes one JSON object a line:
each frame of the bridge as pymavlink decodes it, and the ids of the vehicle's events. Prints
{"ready": true} when it listens. Knows nothing of this project but MAVLink.
"""

import hashlib
import json
import math
import os
import select
import socket
import struct
import sys
import time

os.environ["MAVLINK20"] = "1"
from pymavlink.dialects.v20 import common  # noqa: E402

SO_TIMESTAMPNS = 35
EVENT = 410
HOST = "127.0.0.1"


def listen(port):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    s.bind((HOST, port))
    return s


def receive(s):
    """A datagram, and when the kernel took it, on the monotonic clock, in microseconds."""
    data, ancillary, _, _ = s.recvmsg(2048, 64)
    now_ns, wall_ns = time.monotonic_ns(), time.time_ns()
    for level, kind, value in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
            seconds, nanoseconds = struct.unpack("qq", value[:16])
            wall_ns = seconds * 1_000_000_000 + nanoseconds
            return data, (wall_ns - time.time_ns() + time.monotonic_ns()) // 1000
    return data, now_ns // 1000


def untruncated(message):
    """The payload with the zeros that MAVLink 2 leaves away at its end."""
    frame = bytes(message.get_msgbuf())
    # pymavlink's own get_payload() counts the header of MAVLink 1, which is 4 bytes shorter.
    return frame[10 : 10 + frame[1]].ljust(type(message).unpacker.size, b"\0")


def described(message, at_us):
    name, number = message.get_type(), message.get_msgId()
    header = message.get_header()
    line = {"atUs": at_us, "name": name, "id": number, "sequence": message.get_seq()}
    line["system"], line["component"] = message.get_srcSystem(), message.get_srcComponent()
    line["version"] = 2 if message.get_msgbuf()[0] == 0xFD else 1
    line["flags"] = header.incompat_flags
    payload = untruncated(message)
    line["digest"] = hashlib.sha256(number.to_bytes(3, "little") + payload).hexdigest()
    if name == "COMMAND_LONG":
        line["command"] = message.command
        values = [getattr(message, f"param{n}") for n in range(1, 8)]
        line["params"] = [None if math.isnan(value) else value for value in values]
    if name == "SET_POSITION_TARGET_LOCAL_NED":
        line["ned"] = [message.x, message.y, message.z]
        line["target"] = [message.target_system, message.target_component]
    return line


def event_of(data):
    """The id of PX4's event in a MAVLink 2 datagram of the vehicle, which the dialect lacks."""
    if len(data) < 16 or data[0] != 0xFD or int.from_bytes(data[7:10], "little") != EVENT:
        return None
    return struct.unpack("<I", data[10:14])[0]


def main():
    from_vehicle, vehicle, bridge = (int(n) for n in sys.argv[1:4])
    out = open(sys.argv[4], "w", buffering=1, encoding="utf-8")
    to_vehicle, to_bridge = listen(from_vehicle), listen(0)
    parser = common.MAVLink(None)
    parser.robust_parsing = True
    print(json.dumps({"ready": True}), flush=True)
    while True:
        ready, _, _ = select.select([to_vehicle, to_bridge, sys.stdin], [], [])
        if to_bridge in ready:
            data, at_us = receive(to_bridge)
            for message in parser.parse_buffer(data) or []:
                out.write(json.dumps(described(message, at_us)) + "\n")
            to_vehicle.sendto(data, (HOST, vehicle))
        if to_vehicle in ready:
            data, at_us = receive(to_vehicle)
            event = event_of(data)
            if event is not None:
                out.write(json.dumps({"atUs": at_us, "event": event}) + "\n")
            to_bridge.sendto(data, (HOST, bridge))
        if sys.stdin in ready and sys.stdin.read(1) == "":
            return


if __name__ == "__main__":
    main()
