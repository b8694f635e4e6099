#!/usr/bin/python3 -ESsB
"""outage.py: runs commands while answer.py is asked fifty times a second, and says for how long it was not answered.

Reads JSON on standard input: {"streams": [{"from"?: network namespace, "device"?: VRF or interface, "to": address, "port",
"answerer": namespace}], "commands": [words], "bridges": [name]}. First waits until all streams are answered. Ends once the commands have exited, the bridges have as many flows of the agent as before,
and all streams have been answered for half a second.

Prints JSON: {"lost": [questions without answer, by stream], "traffic": milliseconds from the start of the commands until all streams are answered for good,
"flows": milliseconds until the bridges have their flows}. Both are 0 where nothing was missing.
"""

import json
import select
import socket
import struct
import subprocess
import sys
import threading
import time

from namespaces import within

INTERVAL = 0.02  # seconds between two questions of a stream, and between two looks at the flows
ANSWER_DEADLINE = 0.3  # seconds
QUIET = 0.5  # seconds without loss
DEADLINE = 60  # seconds
SHORTEST = 64  # bytes; an answer is as long as its question, which tells them apart
LENGTHS = 1000
COOKIE = 0x75706C6B


class Stream:
    def __init__(self, specification):
        family = socket.AF_INET6 if ":" in specification["to"] else socket.AF_INET
        with within(specification.get("from")):
            self.socket = socket.socket(family, socket.SOCK_DGRAM)
        if "device" in specification:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, specification["device"].encode() + b"\0")
        self.socket.setblocking(False)
        self.to = (specification["to"], specification["port"])
        self.answerer = specification["answerer"].encode()
        self.due = time.monotonic()
        self.number = 0
        self.asked = {}
        self.is_answered = False
        self.begin(self.due)

    def begin(self, now):
        """Counts from now on."""
        self.lost = 0
        self.quiet_since = now

    def ask(self, now):
        while self.due <= now:
            self.due += INTERVAL
            self.number = (self.number + 1) % LENGTHS
            self.asked[SHORTEST + self.number] = now
            try:
                self.socket.sendto(bytes(SHORTEST + self.number), self.to)
            except OSError:
                # Without a route, or with a neighbour that does not answer: lost.
                pass

    def receive(self):
        while True:
            try:
                answer = self.socket.recv(65536)
            except BlockingIOError:
                return
            except OSError:
                # A question from before was not delivered.
                continue
            if answer.split()[0] == self.answerer:
                self.asked.pop(len(answer), None)
                self.is_answered = True

    def expire(self, now):
        late = [(length, moment) for length, moment in self.asked.items() if moment < now - ANSWER_DEADLINE]
        for length, moment in late:
            del self.asked[length]
            self.lost += 1
            self.quiet_since = max(self.quiet_since, moment + INTERVAL)

    def is_quiet(self, now):
        return self.quiet_since < now - QUIET - ANSWER_DEADLINE


def message(kind, body):
    """Of OpenFlow 1.4, whose version is 5."""
    return struct.pack("!BBHI", 5, kind, 8 + len(body), 1) + body


class Bridge:
    """Counts the agent's flows of a bridge (OpenFlow 1.4, OFPMP_AGGREGATE)."""

    def __init__(self, name):
        self.path = f"/run/openvswitch/{name}.mgmt"
        self.socket = None

    def flows(self):
        """None while there is no switch."""
        try:
            if self.socket is None:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.settimeout(DEADLINE)
                self.socket.connect(self.path)
                self.socket.sendall(message(0, b""))
            request = struct.pack("!HHIB3xII4xQQHH4x", 2, 0, 0, 0xFF, 0xFFFFFFFF, 0xFFFFFFFF, COOKIE, 2**64 - 1, 1, 4)
            self.socket.sendall(message(18, request))
            while True:
                kind, body = self.receive()
                if kind == 19:
                    return struct.unpack("!8xQQI", body[:28])[2]
        except OSError:
            self.socket.close()
            self.socket = None
            return None

    def receive(self):
        _, kind, length, _ = struct.unpack("!BBHI", self.exactly(8))
        return kind, self.exactly(length - 8)

    def exactly(self, size):
        read = b""
        while len(read) < size:
            piece = self.socket.recv(size - len(read))
            if not piece:
                raise ConnectionResetError
            read += piece
        return read


class Watch(threading.Thread):
    """Looks at the flows of bridges all the time."""

    def __init__(self, names):
        super().__init__(daemon=True)
        self.bridges = [Bridge(name) for name in names]
        self.before = self.count()
        self.back = None
        self.is_missing = False

    def count(self):
        return [bridge.flows() for bridge in self.bridges]

    def run(self):
        while True:
            is_missing = self.count() != self.before
            if self.is_missing and not is_missing:
                self.back = time.monotonic()
            self.is_missing = is_missing
            time.sleep(INTERVAL)


class Commands:
    def __init__(self, commands):
        self.left = list(commands)
        self.process = None

    def are_done(self):
        """Goes on with the next one once one has exited."""
        if self.process is not None and self.process.poll() is None:
            return False
        if self.process is not None and self.process.returncode != 0:
            sys.exit(f"{self.process.args} exited with status {self.process.returncode}")
        if not self.left:
            return True
        self.process = subprocess.Popen(self.left.pop(0), stdout=subprocess.DEVNULL)
        return False


specification = json.load(sys.stdin)
streams = [Stream(each) for each in specification["streams"]]


def go_on_until(condition):
    end = time.monotonic() + DEADLINE
    while not condition(now := time.monotonic()):
        if now > end:
            return False
        for stream in streams:
            stream.expire(now)
            stream.ask(now)
        wait = min([stream.due for stream in streams], default=time.monotonic() + INTERVAL) - time.monotonic()
        ready, _, _ = select.select([stream.socket for stream in streams], [], [], max(0, wait))
        for stream in streams:
            if stream.socket in ready:
                stream.receive()
    return True


if not go_on_until(lambda _: all(stream.is_answered for stream in streams)):
    sys.exit(f"no answer: {[stream.to for stream in streams if not stream.is_answered]}")
watch = Watch(specification["bridges"])
watch.start()
begin = time.monotonic()
for stream in streams:
    stream.begin(begin)
commands = Commands(specification["commands"])


def is_over(now):
    return commands.are_done() and not watch.is_missing and all(stream.is_quiet(now) for stream in streams)


if not go_on_until(is_over):
    sys.exit(f"after {DEADLINE} s: {[stream.lost for stream in streams]} not answered, flows {watch.count()}, expected {watch.before}")


def milliseconds(moment):
    return round((moment - begin) * 1000)


traffic = max([stream.quiet_since for stream in streams], default=begin)
print(
    json.dumps(
        {
            "lost": [stream.lost for stream in streams],
            "traffic": milliseconds(traffic),
            "flows": milliseconds(watch.back or begin),
        }
    )
)
