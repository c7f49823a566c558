"""Sends setpoints through mavsdk_server (PyPI mavsdk-grpc), one each 4 ms when told to.

Enters: the UDP port to listen at, the TCP port of the server; on standard input `first count`.
Leaves: `ready` once the vehicle is there; for each line one line of JSON: monotonic nanoseconds of
each call. Never: a setpoint that nobody asked for, save those that the server repeats by itself.
"""
import asyncio
import json
import sys
import time

from mavsdk_grpc import System
from mavsdk_grpc.offboard import PositionNedYaw


async def main():
    drone = System(port=int(sys.argv[2]))
    await drone.connect(system_address=f'udpin://127.0.0.1:{sys.argv[1]}')
    async for state in drone.core.connection_state():
        if state.is_connected:
            break
    print('ready', flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        first, count = map(int, line.split())
        called = []
        due = time.monotonic()
        for index in range(first, first + count):
            due += 0.004
            await asyncio.sleep(max(0, due - time.monotonic()))
            called.append(time.monotonic_ns())
            await drone.offboard.set_position_ned(PositionNedYaw(index / 16, 0, -6, 0))
        print(json.dumps(called), flush=True)


asyncio.run(main())
