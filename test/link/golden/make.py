#!/usr/bin/env python3
"""Makes the golden frames of this folder with pymavlink, an independent implementation.

Enters: MAVLink's own XML files minimal, standard and common (github.com/mavlink/mavlink).
Leaves: frames.json: for each message three cases (zero, extremes, mixed), with the field values,
and the whole frame. Never run by the tests: they read frames.json.

  python3 -m venv v && v/bin/pip install setuptools pymavlink==2.4.50
  v/bin/python make.py <folder with common.xml>

A dialect is generated from the XML, because the one that pymavlink ships lacks the messages that
are marked as work in progress, and PX4 sends those.
"""
import importlib.util
import json
import os
import random
import struct
import sys
import tempfile

from pymavlink.generator import mavgen

NAMES = """
HEARTBEAT SYS_STATUS SYSTEM_TIME PING SET_MODE PARAM_REQUEST_READ PARAM_REQUEST_LIST PARAM_VALUE
PARAM_SET PARAM_ERROR GPS_RAW_INT SCALED_PRESSURE ATTITUDE ATTITUDE_QUATERNION LOCAL_POSITION_NED
GLOBAL_POSITION_INT SERVO_OUTPUT_RAW MISSION_CURRENT MISSION_ITEM_INT MISSION_COUNT MISSION_ACK
MISSION_REQUEST_INT MISSION_CLEAR_ALL MISSION_ITEM_REACHED VFR_HUD COMMAND_INT COMMAND_LONG
COMMAND_ACK ATTITUDE_TARGET SET_ATTITUDE_TARGET SET_POSITION_TARGET_LOCAL_NED
POSITION_TARGET_LOCAL_NED SET_POSITION_TARGET_GLOBAL_INT HIGHRES_IMU TIMESYNC
HIL_STATE_QUATERNION BATTERY_STATUS AUTOPILOT_VERSION DISTANCE_SENSOR ALTITUDE ESTIMATOR_STATUS
HOME_POSITION EXTENDED_SYS_STATE VIBRATION STATUSTEXT OBSTACLE_DISTANCE ODOMETRY
PROTOCOL_VERSION ESC_INFO ESC_STATUS LINK_NODE_STATUS TIME_ESTIMATE_TO_TARGET
COMPONENT_METADATA EVENT CURRENT_EVENT_SEQUENCE REQUEST_EVENT RESPONSE_EVENT_ERROR
AVAILABLE_MODES CURRENT_MODE AVAILABLE_MODES_MONITOR MESSAGE_INTERVAL SERIAL_CONTROL
GIMBAL_DEVICE_ATTITUDE_STATUS PARAM_EXT_ACK WHEEL_DISTANCE TUNNEL
MISSION_REQUEST MISSION_SET_CURRENT MISSION_REQUEST_LIST
""".split()
INTEGERS = {'uint8_t': (8, 0), 'int8_t': (8, 1), 'uint16_t': (16, 0), 'int16_t': (16, 1),
            'uint32_t': (32, 0), 'int32_t': (32, 1), 'uint64_t': (64, 0), 'int64_t': (64, 1)}
FLT_MAX = struct.unpack('<f', b'\xff\xff\x7f\x7f')[0]
# Nearly nothing, the smallest subnormal, a third that float32 rounds, and FLT_MAX of both signs.
FLOATS = [FLT_MAX, -FLT_MAX, 1.401298464324817e-45, 1 / 3, -1.5, 16777217.0]


def load_dialect(folder):
    out = os.path.join(tempfile.mkdtemp(), 'dialect.py')
    options = mavgen.Opts(out, wire_protocol='2.0', language='Python3', validate=False)
    mavgen.mavgen(options, [os.path.join(folder, 'common.xml')])
    spec = importlib.util.spec_from_file_location('dialect', out)
    dialect = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(dialect)
    return dialect


def scalar(kind, case, rng, turn):
    if kind in INTEGERS:
        bits, signed = INTEGERS[kind]
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        return {'zero': 0, 'extremes': low if turn % 2 and signed else high,
                'mixed': rng.randint(low, high)}[case]
    if case == 'zero':
        return 0.0
    if kind == 'double':
        return [1.7976931348623157e308, -5e-324, 0.1][turn % 3]
    return FLOATS[turn % len(FLOATS)] if case == 'extremes' else rng.uniform(-1e4, 1e4)


def value_of(kind, length, case, rng, turn):
    if kind == 'char':
        count = {'zero': 0, 'extremes': max(1, length), 'mixed': rng.randint(0, max(1, length))}[case]
        return ''.join(chr(rng.randint(33, 126)) for _ in range(count))
    if length == 0:
        return scalar(kind, case, rng, turn)
    return [scalar(kind, case, rng, turn + i) for i in range(length)]


def plain(kind, value):
    """JSON has no 64-bit integers: they go as text, which the test turns into bigints."""
    if kind in ('uint64_t', 'int64_t'):
        return {'int64': str(value)}
    return value


def make(dialect, message_class, case, rng, sequence):
    names = message_class.fieldnames
    kinds = dict(zip(names, message_class.fieldtypes))
    lengths = dict(zip(message_class.ordered_fieldnames, message_class.array_lengths))
    values = {}
    for turn, name in enumerate(names):
        values[name] = value_of(kinds[name], lengths[name], case, rng, turn)
    if message_class.msgname in ('PARAM_VALUE', 'PARAM_SET'):
        values['param_type'] = 9  # REAL32: the other types are tested apart, bit by bit.
    if message_class.msgname == 'HEARTBEAT':
        values['mavlink_version'] = 3  # pymavlink writes nothing else here.
    sender = dialect.MAVLink(None, srcSystem=rng.randint(1, 255), srcComponent=rng.randint(1, 255))
    sender.seq = sequence
    given = {n: v.encode('ascii') if kinds[n] == 'char' else v for n, v in values.items()
             if n != 'mavlink_version'}
    message = getattr(sender, message_class.msgname.lower() + '_encode')(**given)
    frame = bytes(message.pack(sender, force_mavlink1=False))
    return {
        'message': message_class.msgname, 'id': message_class.id, 'case': case,
        'sequence': sequence, 'systemId': sender.srcSystem, 'componentId': sender.srcComponent,
        'fields': {n: plain(kinds[n], v) for n, v in values.items()},
        'frame': frame.hex(),
    }


def main():
    dialect = load_dialect(sys.argv[1])
    by_name = {c.msgname: c for c in dialect.mavlink_map.values()}
    rng = random.Random(20251)
    cases = []
    for name in NAMES:
        for case in ('zero', 'extremes', 'mixed'):
            cases.append(make(dialect, by_name[name], case, rng, len(cases) % 256))
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, 'frames.json'), 'w', encoding='utf-8') as out:
        out.write('[\n' + ',\n'.join(json.dumps(c) for c in cases) + '\n]\n')
    print(len(cases), 'frames')


main()
