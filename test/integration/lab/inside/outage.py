#!/usr/bin/python3 -ESsB
"""outage.py: runs commands while answer.py is asked fifty times a second, and says for how long it was not answered.

Reads JSON on standard input: {"streams": [{"from"?: network namespace, "device"?: VRF or interface, "to": address, "port",
"answerer": namespace}], "commands": [words], "bridges": [name], "settings"?: whether to look at settings of bridges too}. First waits until all streams
are answered. Ends once the commands have exited, the bridges have as many flows of the agent as before, and as many ports without flooding and static
entries of their MAC learning tables where these are looked at, and all streams have been answered for half a second.

Prints JSON: {"lost": [questions without answer, by stream], "traffic": milliseconds from the start of the commands until all streams are answered for good,
"flows": milliseconds until the bridges have their flows, "ports" and "entries": the same of their settings}. Each is 0 where nothing was missing.
"""

import glob
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
DEADLINE = 240  # seconds
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


class Connection:
    """To a bridge, in a version of OpenFlow; counts something of the bridge."""

    version = 0

    def __init__(self, bridge):
        self.bridge = bridge
        self.socket = None

    def count(self):
        """None while there is no switch."""
        try:
            if self.socket is None:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.settimeout(DEADLINE)
                self.socket.connect(f"/run/openvswitch/{self.bridge}.mgmt")
                self.send(0, b"")
            return self.counted()
        except OSError:
            self.socket.close()
            self.socket = None
            return None

    def counted(self):
        raise NotImplementedError

    def send(self, kind, body):
        self.socket.sendall(struct.pack("!BBHI", self.version, kind, 8 + len(body), 1) + body)

    def answer(self, kind, body, expected):
        """The body of the answer to a message."""
        self.send(kind, body)
        while True:
            _, received, length, _ = struct.unpack("!BBHI", self.exactly(8))
            answer = self.exactly(length - 8)
            if received == expected:
                return answer

    def exactly(self, size):
        read = b""
        while len(read) < size:
            piece = self.socket.recv(size - len(read))
            if not piece:
                raise ConnectionResetError
            read += piece
        return read


class Flows(Connection):
    """Those of the agent (OpenFlow 1.4, OFPMP_AGGREGATE)."""

    version = 5

    def counted(self):
        request = struct.pack("!HHIB3xII4xQQHH4x", 2, 0, 0, 0xFF, 0xFFFFFFFF, 0xFFFFFFFF, COOKIE, 2**64 - 1, 1, 4)
        return struct.unpack("!8xQQI", self.answer(18, request, 19)[:28])[2]


class PortsWithoutFlooding(Connection):
    """OpenFlow 1.0, OFPT_FEATURES_REPLY: 24 bytes, and 48 of each port, with OFPPC_NO_FLOOD in its configuration."""

    version = 1

    def counted(self):
        ports = struct.iter_unpack("!24xI20x", self.answer(5, b"", 6)[24:])
        return sum((configuration >> 4) & 1 for (configuration,) in ports)


class StaticEntries:
    """Those of a bridge's MAC learning table (ovs-vswitchd(8), fdb/show)."""

    def __init__(self, bridge):
        self.request = json.dumps({"id": 0, "method": "fdb/show", "params": [bridge]}).encode()

    def count(self):
        """None while there is no switch."""
        for path in glob.glob("/run/openvswitch/ovs-vswitchd.*.ctl"):
            try:
                with socket.socket(socket.AF_UNIX) as control:
                    control.settimeout(DEADLINE)
                    control.connect(path)
                    control.sendall(self.request)
                    text = b""
                    while True:
                        text += control.recv(65536) or b"{}"
                        try:
                            return (json.loads(text).get("result") or "").count("static")
                        except json.JSONDecodeError:
                            continue
            except OSError:
                # Of one that was killed.
                continue
        return None


class Watch(threading.Thread):
    """Counts something of bridges all the time."""

    def __init__(self, counted):
        super().__init__(daemon=True)
        self.counted = counted
        self.before = self.count()
        self.back = None
        self.is_missing = False

    def count(self):
        return [each.count() for each in self.counted]

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
kinds = {"flows": Flows}
if specification.get("settings", False):
    kinds.update({"ports": PortsWithoutFlooding, "entries": StaticEntries})
watches = {name: Watch([kind(bridge) for bridge in specification["bridges"]]) for name, kind in kinds.items()}
for watch in watches.values():
    watch.start()
begin = time.monotonic()
for stream in streams:
    stream.begin(begin)
commands = Commands(specification["commands"])


def is_over(now):
    is_complete = not any(watch.is_missing for watch in watches.values())
    return commands.are_done() and is_complete and all(stream.is_quiet(now) for stream in streams)


if not go_on_until(is_over):
    counts = {name: (watch.count(), watch.before) for name, watch in watches.items()}
    sys.exit(f"after {DEADLINE} s: {[stream.lost for stream in streams]} not answered, found and expected: {counts}")


def milliseconds(moment):
    return round((moment - begin) * 1000)


traffic = max([stream.quiet_since for stream in streams], default=begin)
print(
    json.dumps(
        {
            "lost": [stream.lost for stream in streams],
            "traffic": milliseconds(traffic),
            **{name: milliseconds(watch.back or begin) for name, watch in watches.items()},
        }
    )
)
