"""A pilot made of pymavlink alone, for tests of the simulated vehicle.

Argument 1: the UDP port to listen on. Argument 2: the flight to fly. Prints one JSON object a line;
the last one is {"done": true}. Knows nothing of this project but MAVLink.
"""

import json
import math
import struct
import sys
import time

from pymavlink import mavutil

PREARM_CHECK = 0x10000000
OFFBOARD, AUTO, LAND, RTL = 6, 4, 6, 5
POSITION_ONLY = 0b100111111000
ON_GROUND, IN_AIR = 1, 2


def say(**facts):
    print(json.dumps(facts), flush=True)


class Pilot:
    def __init__(self, port):
        self.link = mavutil.mavlink_connection(
            f"udpin:127.0.0.1:{port}", source_system=1, source_component=191, dialect="common"
        )
        self.start = time.time()
        self.last = {}
        self.goal = None
        self.next_setpoint = 0.0
        self.setpoints = 0

    def now(self):
        return round(time.time() - self.start, 3)

    def pump(self):
        """Takes one message, if there is one, and keeps the stream of setpoints going."""
        if self.goal is not None and time.time() >= self.next_setpoint:
            self.next_setpoint = time.time() + 0.05
            self.setpoints += 1
            self.link.mav.set_position_target_local_ned_send(
                0, 1, 1, 1, POSITION_ONLY, *self.goal, 0, 0, 0, 0, 0, 0, 0, 0
            )
        message = self.link.recv_match(blocking=True, timeout=0.01)
        if message is None:
            return
        name = message.get_type()
        self.last[name] = message
        if name == "COMMAND_ACK":
            say(ack=message.command, result=message.result, at=self.now())
        if name == "UNKNOWN_410":
            # EVENT, which this dialect lacks: its id is the first field after the header.
            say(event=struct.unpack("<I", bytes(message.data)[10:14])[0], at=self.now())

    def until(self, what, done, limit):
        end = time.time() + limit
        while not done():
            if time.time() > end:
                say(failed=what, mode=hex(self.mode), at=self.now())
                sys.exit(1)
            self.pump()
        say(reached=what, at=self.now())

    def wait(self, seconds):
        end = time.time() + seconds
        while time.time() < end:
            self.pump()

    @property
    def mode(self):
        heartbeat = self.last.get("HEARTBEAT")
        return heartbeat.custom_mode if heartbeat else 0

    @property
    def armed(self):
        return bool(self.last["HEARTBEAT"].base_mode & 128)

    @property
    def landed_state(self):
        return self.last["EXTENDED_SYS_STATE"].landed_state

    def ready(self):
        status = self.last.get("SYS_STATUS")
        return status and status.onboard_control_sensors_health & PREARM_CHECK

    def command(self, number, *params):
        padded = list(params) + [0] * (7 - len(params))
        self.link.mav.command_long_send(1, 1, number, 0, *padded)
        self.wait(0.3)

    def near(self, radius):
        at = self.last["LOCAL_POSITION_NED"]
        return math.dist((at.x, at.y, at.z), self.goal) < radius

    def take_off(self):
        self.until("ready", self.ready, 15)
        self.goal = (0, 0, -3)
        self.wait(0.6)
        self.command(176, 1, OFFBOARD, 0)
        self.command(400, 1)
        self.until("airborne", lambda: self.landed_state == IN_AIR, 8)
        self.until("three metres", lambda: self.near(0.5), 25)


def waypoints(pilot):
    pilot.take_off()
    for leg in ((5, 0, -3), (5, 4, -4)):
        pilot.goal = leg
        pilot.until(f"waypoint {leg}", lambda: pilot.near(0.5), 25)
    pilot.command(176, 1, AUTO, LAND)
    pilot.goal = None
    pilot.until("landed", lambda: pilot.landed_state == ON_GROUND, 25)
    pilot.until("disarmed", lambda: not pilot.armed, 8)
    pilot.command(512, 148)
    say(version=pilot.last["AUTOPILOT_VERSION"].flight_sw_version, mode=hex(pilot.mode))
    pilot.link.mav.param_request_read_send(1, 1, b"NAV_RCL_ACT", -1)
    pilot.until("parameter", lambda: "PARAM_VALUE" in pilot.last, 3)
    value = pilot.last["PARAM_VALUE"]
    bits = struct.unpack("<i", struct.pack("<f", value.param_value))[0]
    say(param=value.param_id, bits=bits, type=value.param_type)


def stream_stops(pilot):
    pilot.take_off()
    pilot.goal = None
    silent = pilot.now()
    say(silent=silent)
    pilot.until("failsafe", lambda: pilot.last["HEARTBEAT"].system_status == 5, 4)
    say(mode=hex(pilot.mode))
    pilot.until("disarmed", lambda: not pilot.armed, 30)


def refusals(pilot):
    pilot.until("heartbeat", lambda: "HEARTBEAT" in pilot.last, 5)
    pilot.command(400, 1)
    pilot.until("ready", pilot.ready, 15)
    pilot.command(176, 1, OFFBOARD, 0)
    pilot.command(400, 1)
    pilot.command(176, 1, 99, 0)
    pilot.command(31000)
    pilot.command(246, 1)
    known = {name for name in pilot.last if not name.startswith("UNKNOWN")}
    systems = sorted({pilot.last[name].get_srcSystem() for name in known})
    say(systems=systems, kinds=sorted(pilot.last))


if __name__ == "__main__":
    flights = {"waypoints": waypoints, "stream-stops": stream_stops, "refusals": refusals}
    flights[sys.argv[2]](Pilot(int(sys.argv[1])))
    say(done=True)
