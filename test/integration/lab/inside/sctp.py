#!/usr/bin/python3 -ESsB
"""sctp.py: sends packets of SCTP with one chunk each between network namespaces of the node (ip-netns(8)), and says which arrive.

Reads a JSON list on standard input: {"from": namespace, "to": namespace, "address": of the latter, "sourcePort", "port", "chunk": its type (RFC 9260,
section 3.2)}. Prints a JSON list with true for each that arrives within two seconds. A kernel without SCTP passes them on as well.
"""

import json
import select
import socket
import struct
import sys
import time

from namespaces import within

SCTP = 132  # Assigned Internet Protocol Numbers
DEADLINE = 2  # seconds


def raw(namespace, family):
    with within(namespace):
        return socket.socket(family, socket.SOCK_RAW, SCTP)


class Packet:
    def __init__(self, number, specification):
        self.family = socket.AF_INET6 if ":" in specification["address"] else socket.AF_INET
        self.address = specification["address"]
        # The verification tag tells packets apart.
        header = struct.pack("!HHII", specification["sourcePort"], specification["port"], number + 1, 0)
        self.content = header + struct.pack("!BBH", specification["chunk"], 0, 20) + bytes(16)
        self.receiver = raw(specification["to"], self.family)
        self.sender = raw(specification["from"], self.family)
        self.has_arrived = False

    def send(self):
        try:
            self.sender.sendto(self.content, (self.address, 0))
        except PermissionError:
            # Dropped where it leaves.
            pass

    def receive(self):
        packet = self.receiver.recv(65536)
        content = packet[(packet[0] & 15) * 4 :] if self.family == socket.AF_INET else packet
        self.has_arrived = self.has_arrived or content == self.content


packets = [Packet(number, specification) for number, specification in enumerate(json.load(sys.stdin))]
for packet in packets:
    packet.send()
end = time.monotonic() + DEADLINE
while time.monotonic() < end and not all(packet.has_arrived for packet in packets):
    readable, _, _ = select.select([packet.receiver for packet in packets], [], [], max(0, end - time.monotonic()))
    for packet in packets:
        if packet.receiver in readable:
            packet.receive()
print(json.dumps([packet.has_arrived for packet in packets]))
