"""A stand-in for an autopilot, for timing arrivals. Python 3 standard library only.

Enters: the UDP port to call at; on standard input `report` or end of file.
Leaves: heartbeats of a PX4 at 5 Hz, acknowledgements, AUTOPILOT_VERSION; for each `report` one line
of JSON: index of the setpoint -> monotonic nanoseconds of its first arrival.
Never: flies, or decides what a setpoint means: its index is its x in sixteenths of a metre.
"""
import json
import select
import socket
import struct
import sys
import time

CRC_EXTRA = {0: 50, 77: 143, 148: 178}
SETPOINT = 84
COMMAND_LONG = 76
REQUEST_MESSAGE = 512
AUTOPILOT_VERSION = 148

sequence = 0


def crc(data):
    value = 0xFFFF
    for byte in data:
        step = byte ^ (value & 0xFF)
        step ^= (step << 4) & 0xFF
        value = (value >> 8) ^ (step << 8) ^ (step << 3) ^ (step >> 4)
        value &= 0xFFFF
    return value


def frame(message, payload):
    global sequence
    sequence = (sequence + 1) & 0xFF
    head = struct.pack('<BBBBBB', len(payload), 0, 0, sequence, 1, 1)
    body = head + message.to_bytes(3, 'little') + payload
    return b'\xfd' + body + struct.pack('<H', crc(body + bytes([CRC_EXTRA[message]])))


def heartbeat():
    # Quadrotor, PX4, disarmed, standby, MAVLink 2.
    return frame(0, struct.pack('<IBBBBB', 0, 2, 12, 0x01, 3, 3))


def version():
    capabilities = 0x2000 | 0x80 | 0x100
    return frame(AUTOPILOT_VERSION, struct.pack('<QQIIIIHH8s8s8s', capabilities, 1, 0, 0, 0, 0, 0, 0, b'', b'', b''))


def answers(command, wanted):
    if command == REQUEST_MESSAGE and wanted == AUTOPILOT_VERSION:
        return [frame(77, struct.pack('<HB', command, 0)), version()]
    return [frame(77, struct.pack('<HB', command, 0))]


def main():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(('127.0.0.1', 0))
    target = ('127.0.0.1', int(sys.argv[1]))
    arrived = {}
    next_beat = 0.0
    while True:
        ready, _, _ = select.select([sock, sys.stdin], [], [], 0.05)
        if sock in ready:
            data = sock.recv(512)
            at = time.monotonic_ns()
            if len(data) > 20 and data[0] == 0xFD:
                message = int.from_bytes(data[7:10], 'little')
                payload = data[10:-2].ljust(64, b'\x00')
                if message == SETPOINT:
                    (x,) = struct.unpack_from('<f', payload, 4)
                    arrived.setdefault(round(x * 16), at)
                elif message == COMMAND_LONG:
                    (wanted,) = struct.unpack_from('<f', payload, 0)
                    (command,) = struct.unpack_from('<H', payload, 28)
                    for answer in answers(command, round(wanted)):
                        sock.sendto(answer, target)
        if sys.stdin in ready:
            if sys.stdin.readline() == '':
                return
            print(json.dumps(arrived), flush=True)
        if time.monotonic() >= next_beat:
            next_beat = time.monotonic() + 0.2
            sock.sendto(heartbeat(), target)


main()
