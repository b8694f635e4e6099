#!/usr/bin/python3 -ESsB
"""association.py: begins associations of SCTP between network namespaces of the node (ip-netns(8)): INIT, and INIT ACK to whoever has sent it (RFC 9260,
section 5.1).

Reads a JSON list on standard input: {"from": namespace, "to": namespace, "address": of the latter, "sourcePort", "port"}. Prints a JSON list with the
address that the latter has seen, or null where no INIT ACK arrives in time. A kernel without SCTP passes the packets on as well.
"""

import json
import select
import socket
import struct
import sys
import time

from namespaces import within

SCTP = 132  # Assigned Internet Protocol Numbers
INIT, INIT_ACK = 1, 2
DEADLINE = 10  # seconds


def crc32c(data):
    """The checksum of RFC 9260, appendix A; connection tracking takes packets with another one for invalid."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def packet(ports, verification, kind, tag):
    header = struct.pack("!HHI", *ports, verification)
    chunk = struct.pack("!BBHIIHHI", kind, 0, 20, tag, 1 << 16, 1, 1, 1)
    return header + struct.pack("<I", crc32c(header + bytes(4) + chunk)) + chunk


class Association:
    def __init__(self, number, specification):
        self.family = socket.AF_INET6 if ":" in specification["address"] else socket.AF_INET
        self.ports = (specification["sourcePort"], specification["port"])
        self.tag = number + 1
        self.seen = None
        self.is_answered = False
        self.server = self.opened(specification["to"])
        # It answers from there.
        self.server.bind((specification["address"], 0))
        self.client = self.opened(specification["from"])
        self.client.sendto(packet(self.ports, 0, INIT, self.tag), (specification["address"], 0))

    def opened(self, namespace):
        with within(namespace):
            return socket.socket(self.family, socket.SOCK_RAW, SCTP)

    def received(self, opened):
        found, (address, *_) = opened.recvfrom(65536)
        content = found[(found[0] & 15) * 4 :] if self.family == socket.AF_INET else found
        source, _, verification = struct.unpack("!HHI", content[:8])
        kind, _, _, tag = struct.unpack("!BBHI", content[12:20])
        return address, source, verification, kind, tag

    def serve(self):
        address, port, _, kind, tag = self.received(self.server)
        if (kind, tag) == (INIT, self.tag) and self.seen is None:
            self.seen = address
            self.server.sendto(packet((self.ports[1], port), tag, INIT_ACK, tag + 1000), (address, 0))

    def take(self):
        _, _, verification, kind, _ = self.received(self.client)
        self.is_answered = self.is_answered or (kind, verification) == (INIT_ACK, self.tag)


associations = [Association(number, specification) for number, specification in enumerate(json.load(sys.stdin))]
end = time.monotonic() + DEADLINE
while time.monotonic() < end and not all(each.is_answered for each in associations):
    handlers = {}
    for each in associations:
        handlers |= {each.server: each.serve, each.client: each.take}
    for ready in select.select(list(handlers), [], [], max(0, end - time.monotonic()))[0]:
        handlers[ready]()
print(json.dumps([each.seen if each.is_answered else None for each in associations]))
