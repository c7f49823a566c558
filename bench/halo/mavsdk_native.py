"""Sends setpoints with the native MAVSDK library (PyPI mavsdk), one each 4 ms when told to.

Enters: the UDP port to listen at; on standard input lines `first count`.
Leaves: `ready` once the vehicle is there; for each line one line of JSON: monotonic nanoseconds of
each call. Never: a setpoint that nobody asked for, save those that the library repeats by itself.
"""
import json
import sys
import time

from mavsdk import ComponentType, Configuration, Mavsdk
from mavsdk.plugins.offboard import Offboard, PositionNedYaw

mavsdk = Mavsdk(Configuration.create_with_component_type(ComponentType.GROUND_STATION))
mavsdk.add_any_connection(f'udpin://127.0.0.1:{sys.argv[1]}')
system = mavsdk.first_autopilot(20)
if system is None:
    sys.exit('no autopilot was found')
offboard = Offboard(system)
print('ready', flush=True)
for line in sys.stdin:
    first, count = map(int, line.split())
    called = []
    due = time.monotonic()
    for index in range(first, first + count):
        due += 0.004
        time.sleep(max(0, due - time.monotonic()))
        called.append(time.monotonic_ns())
        offboard.set_position_ned(PositionNedYaw(index / 16, 0, -6, 0))
    print(json.dumps(called), flush=True)
