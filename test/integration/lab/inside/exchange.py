#!/usr/bin/python3 -ESsB
"""exchange.py: asks answer.py, or hosts by echo requests, all at the same time, and says what they answer.

Reads a JSON list of exchanges on standard input: {"from"?: network namespace, "device"?: VRF or interface, "protocol": "tcp", "udp", "sctp" or "icmp",
"sourcePort"?, "to": address, "port"?, "size"?: bytes of a question, "rounds"?: how many questions, one after the other, "unanswered"?: whether no
answer is expected}.

First opens all sockets and connects them, then asks round by round, and closes all of them at the end. Once only those are left of which no answer is
expected, waits for them less long. Prints a JSON list with what became of each exchange:
{"answers": {text: how many}, "lost": how many, "lostRounds"?: which ones, if answers were expected, "error"?: why nothing could be asked}. The
text of an answer to an echo request is "reply". A question by SCTP is an INIT, and its answer the cookie of an INIT ACK.
"""

import errno
import json
import os
import select
import socket
import struct
import sys
import time

from namespaces import within
from sctp_packets import ABORT, INIT, INIT_ACK, SCTP, packet, parsed

ANSWER_DEADLINE, SECOND_DEADLINE = 7.5, 2.5  # seconds
# Seconds after all other answers: that to the second SYN would have come, which is sent after one second (RFC 6298, section 2).
UNANSWERED_DEADLINE = 2.5
FIRST_PORT, PORTS = 32768, 28232
IPV6_AUTOFLOWLABEL = 70
ECHO = {socket.AF_INET: (8, 0), socket.AF_INET6: (128, 129)}


class Exchange:
    def __init__(self, number, specification):
        self.specification = specification
        self.rounds = specification.get("rounds", 1)
        self.size = specification.get("size", 0)
        self.identifier = (os.getpid() * 64 + number) & 0xFFFF
        self.answers = {}
        self.lost = 0
        self.lost_rounds = []
        self.error = None
        self.socket = None
        self.is_unanswered = specification.get("unanswered", False)
        self.is_waiting = False

    def open(self):
        try:
            with within(self.specification.get("from")):
                self.socket = self.opened()
        except OSError as error:
            self.error = str(error)
            self.socket = None

    def opened(self):
        specification = self.specification
        family = socket.AF_INET6 if ":" in specification["to"] else socket.AF_INET
        protocol = specification["protocol"]
        kind = {"tcp": socket.SOCK_STREAM, "udp": socket.SOCK_DGRAM}.get(protocol, socket.SOCK_RAW)
        echo = socket.IPPROTO_ICMPV6 if family == socket.AF_INET6 else socket.IPPROTO_ICMP
        number = {"icmp": echo, "sctp": SCTP}.get(protocol, 0)
        opened = socket.socket(family, kind, number)
        if protocol == "sctp" and family == socket.AF_INET6:
            # The label would be that of the addresses alone, and load balancers choose by it where there is one.
            opened.setsockopt(socket.IPPROTO_IPV6, IPV6_AUTOFLOWLABEL, 0)
        if "device" in specification:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, specification["device"].encode() + b"\0")
        if "sourcePort" in specification and protocol != "sctp":
            # Only then: a kernel that chooses would give one port to several sockets, whose answers all went to one of them (socket(7)).
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind(("", specification["sourcePort"]))
        opened.setblocking(False)
        try:
            # A raw socket has no port.
            opened.connect((specification["to"], 0 if kind == socket.SOCK_RAW else specification.get("port", 0)))
        except BlockingIOError:
            self.is_waiting = True
        return opened

    def connect(self):
        self.is_waiting = False
        code = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code != 0:
            self.fail(OSError(code, os.strerror(code)))

    def give_up(self):
        self.fail("timed out")

    def fail(self, error):
        self.error = str(error)
        self.is_waiting = False
        self.socket.close()
        self.socket = None

    def ask(self, sequence):
        if self.socket is None or sequence >= self.rounds:
            return
        self.sequence = sequence
        try:
            self.socket.send(self.question())
            self.is_waiting = True
        except OSError as error:
            self.error = str(error)

    def question(self):
        protocol = self.specification["protocol"]
        if protocol == "sctp":
            return packet(self.ports(), 0, INIT, self.tag())
        if protocol != "icmp":
            return b"?".ljust(self.size or 1)
        # The kernel fills in the checksum of ICMPv6 itself.
        request, _ = ECHO[self.socket.family]
        header = struct.pack("!BBHHH", request, 0, 0, self.identifier, self.sequence)
        message = header + bytes(self.size)
        return header[:2] + struct.pack("!H", checksum(message)) + message[4:]

    def ports(self):
        """Those of SCTP."""
        own = self.specification.get("sourcePort", FIRST_PORT + self.identifier % PORTS)
        return own, self.specification["port"]

    def tag(self):
        return (self.identifier << 16) + self.sequence + 1

    def receive(self):
        try:
            text = self.text_of(self.socket.recv(65536))
        except OSError as error:
            self.error = str(error)
            self.is_waiting = False
            return
        if text is not None:
            self.answers[text] = self.answers.get(text, 0) + 1
            self.is_waiting = False

    def text_of(self, answer):
        """None where it is the answer to another question."""
        protocol = self.specification["protocol"]
        if protocol == "icmp":
            message = answer[(answer[0] & 15) * 4 :] if self.socket.family == socket.AF_INET else answer
            kind, _, _, identifier, sequence = struct.unpack("!BBHHH", message[:8])
            _, reply = ECHO[self.socket.family]
            return "reply" if (kind, identifier, sequence) == (reply, self.identifier, self.sequence) else None
        if protocol == "sctp":
            ports, verification, kind, _, cookie = parsed(self.socket.family, answer)
            if ports[::-1] != self.ports() or verification != self.tag():
                return None
            if kind == ABORT:
                raise OSError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
            return cookie.decode().strip() if kind == INIT_ACK else None
        is_whole = protocol == "tcp" or len(answer) >= self.size
        return answer.decode().strip() if is_whole else f"only {len(answer)} bytes"

    def lose(self):
        self.lost += 1
        if not self.is_unanswered:
            self.lost_rounds.append(self.sequence)
        self.is_waiting = False

    def outcome(self):
        error = {} if self.error is None else {"error": self.error}
        lost_rounds = {"lostRounds": self.lost_rounds} if self.lost_rounds and self.answers else {}
        return {"answers": self.answers, "lost": self.lost, **lost_rounds, **error}


def checksum(packet):
    total = sum(struct.unpack(f"!{len(packet) // 2}H", packet[: len(packet) // 2 * 2]))
    total += (packet[-1] << 8) if len(packet) % 2 else 0
    total = (total & 0xFFFF) + (total >> 16)
    return ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF


def wait(exchanges, is_readable, go_on, give_up):
    """Goes on with each exchange that waits once its socket is ready, and gives up those that are not in time.

    Waits a second time for those of which an answer is expected: a machine that stood still during the first one has their answers still to come.
    """
    others_end = time.monotonic()
    end = others_end + ANSWER_DEADLINE
    is_second = False
    while waiting := [exchange for exchange in exchanges if exchange.is_waiting]:
        now = time.monotonic()
        is_rest = all(exchange.is_unanswered for exchange in waiting)
        if not is_rest:
            others_end = now
        timeout = max(0, (others_end + UNANSWERED_DEADLINE if is_rest else end) - now)
        sockets = [exchange.socket for exchange in waiting]
        readable, writable, _ = select.select(sockets if is_readable else [], [] if is_readable else sockets, [], timeout)
        ready = readable + writable
        if not ready and not is_rest and not is_second:
            is_second = True
            end = time.monotonic() + SECOND_DEADLINE
            continue
        for exchange in waiting:
            if not ready:
                give_up(exchange)
            elif exchange.socket in ready:
                go_on(exchange)


exchanges = [Exchange(number, specification) for number, specification in enumerate(json.load(sys.stdin))]
for exchange in exchanges:
    exchange.open()
wait(exchanges, False, Exchange.connect, Exchange.give_up)
for sequence in range(max(exchange.rounds for exchange in exchanges)):
    for exchange in exchanges:
        exchange.ask(sequence)
    wait(exchanges, True, Exchange.receive, Exchange.lose)
print(json.dumps([exchange.outcome() for exchange in exchanges]))
