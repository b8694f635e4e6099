"""The agent inside a lab machine: runs programs in the namespaces of simulated nodes.

    agent.py DEVICE

Requests come in and answers go out on a serial device, one JSON document a line; each answer bears the "id" of its request, and
answers come in the order in which things get done. It first says {"id": 0, "value": null}, and {"received": N} after each N bytes that it
has taken from the device: requests beyond some kB would stop the kernel's serial line for good. Requests ("do"):

  run         "node", "programs": [{"words", "input"?, "deadline"}], "stopAtFailure": one program after the other, each by its
              argument vector. The value is a list of what became of each, {"exitCode", "stdout", "stderr"} or {"failure", ...}.
  begin-node  "node", "switch": a node in new namespaces. The value is null as soon as it can be used.
  end-node    "node": ends the node with every process of it.
  read-files  "node", "patterns": for each pattern, what is in the files that match, by their paths. One that cannot be read is left out.
  ask-switch  "node", "method", "params": asks the switch's database (RFC 7047). The value is the result.

What cannot be done is answered by {"id", "error"}. Python, because Open vSwitch brings it, it starts in a quarter of a second here,
and starting a program from it takes half as long as from Node.js. One thread, since only that may change namespaces.
"""

import contextlib
import ctypes
import glob
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import tty

FOLDER = os.path.dirname(os.path.abspath(__file__))
NAMESPACES = 0x00020000 | 0x04000000 | 0x20000000 | 0x40000000  # CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWPID, CLONE_NEWNET
LIFETIME = 24 * 3600  # seconds, for machines that nobody ends
libc = ctypes.CDLL(None, use_errno=True)


def succeed(result):
    """Raises what the last call into libc failed with, if it did."""
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def read_file(path):
    """As open(path, "rb").read(), with half of the system calls."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return b"".join(iter(lambda: os.read(descriptor, 1 << 20), b""))
    finally:
        os.close(descriptor)


class Loop:
    """Calls back when a descriptor can be read, and when a moment has come."""

    def __init__(self):
        self.poll = select.poll()
        self.readers = {}
        self.alarms = {}

    def watch(self, descriptor, reader):
        self.readers[descriptor] = reader
        self.poll.register(descriptor, select.POLLIN)

    def forget(self, descriptor):
        del self.readers[descriptor]
        self.poll.unregister(descriptor)

    def turn(self):
        wait = min(self.alarms.values(), default=None)
        events = self.poll.poll(None if wait is None else max(0, wait - time.monotonic()) * 1000 + 1)
        for descriptor, reader in [(descriptor, self.readers[descriptor]) for descriptor, _ in events]:
            # An earlier event of the same turn may have closed it, and something else may have its number now.
            if self.readers.get(descriptor) is reader:
                reader()
        for alarm, moment in list(self.alarms.items()):
            if moment <= time.monotonic() and alarm in self.alarms:
                alarm()


class Machine:
    """The namespaces of the machine itself, and the nodes on it by name."""

    def __init__(self):
        self.own = os.pidfd_open(1)
        self.nodes = {}

    @contextlib.contextmanager
    def on(self, node):
        """Does something in the namespaces of a node."""
        succeed(libc.setns(self.nodes[node].pidfd, NAMESPACES))
        try:
            yield
        finally:
            succeed(libc.setns(self.own, NAMESPACES))

    @staticmethod
    def start(words, **options):
        """Starts a program in the namespaces of this process. Every descriptor of ours is closed on exec already."""
        return subprocess.Popen(words, stdout=subprocess.PIPE, close_fds=False, start_new_session=True, **options)


class Node:
    """A node: the process that holds its namespaces."""

    def __init__(self, machine, name, with_switch):
        words = [f"{FOLDER}/node-init", name, "with-switch" if with_switch else "without-switch"]
        succeed(libc.unshare(NAMESPACES))
        try:
            self.process = machine.start(words, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
        finally:
            succeed(libc.setns(machine.own, NAMESPACES))
        self.pidfd = os.pidfd_open(self.process.pid)

    def end(self, loop, done):
        """With the first process of its process namespace all others end. It is the last, once those that we started are waited for."""

        def ended():
            loop.forget(self.pidfd)
            os.close(self.pidfd)
            self.process.wait()
            done()

        self.process.kill()
        loop.watch(self.pidfd, ended)


class Program:
    """One program that runs, until it has exited or its deadline has passed."""

    def __init__(self, loop, process, deadline, done):
        self.loop, self.process, self.done = loop, process, done
        self.output = {stream: b"" for stream in (process.stdout, process.stderr)}
        for stream in self.output:
            os.set_blocking(stream.fileno(), False)
            loop.watch(stream.fileno(), lambda stream=stream: self.read(stream))
        self.pidfd = os.pidfd_open(process.pid)
        loop.watch(self.pidfd, self.exited)
        loop.alarms[self.late] = time.monotonic() + deadline / 1000

    def read(self, stream):
        """Takes what a stream has; gives whether there may be more at once."""
        try:
            piece = os.read(stream.fileno(), 65536)
        except BlockingIOError:
            return False
        self.output[stream] += piece
        if not piece:
            self.loop.forget(stream.fileno())
            stream.close()
        return piece != b""

    def exited(self):
        # What a child of it that lives on may still print is not waited for.
        exit_code = self.process.wait()
        self.close()
        if exit_code < 0:
            self.done({"failure": "signal", "signal": signal.Signals(-exit_code).name})
        else:
            stdout, stderr = self.output.values()
            self.done({"exitCode": exit_code, "stdout": stdout.decode("latin-1"), "stderr": stderr.decode("latin-1")})

    def late(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.close()
        self.done({"failure": "deadline"})

    def close(self):
        for stream in self.output:
            while not stream.closed and self.read(stream):
                pass
            if not stream.closed:
                self.loop.forget(stream.fileno())
                stream.close()
        self.loop.forget(self.pidfd)
        os.close(self.pidfd)
        del self.loop.alarms[self.late]


class Agent:
    def __init__(self, device):
        self.line = os.open(device, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.line)
        self.received = b""
        self.loop = Loop()
        self.loop.watch(self.line, self.receive)
        self.loop.alarms[sys.exit] = time.monotonic() + LIFETIME
        self.machine = Machine()

    def receive(self):
        piece = os.read(self.line, 65536)
        if not piece:
            sys.exit()
        self.send({"received": len(piece)})
        *lines, self.received = (self.received + piece).split(b"\n")
        for line in lines:
            self.obey(json.loads(line))

    def send(self, answer):
        data = json.dumps(answer).encode() + b"\n"
        while data:
            data = data[os.write(self.line, data) :]

    def obey(self, request):
        def answer(value):
            self.send({"id": request["id"], "value": value})

        try:
            if (request["node"] in self.machine.nodes) == (request["do"] == "begin-node"):
                raise ValueError(f"there is {'already a' if request['do'] == 'begin-node' else 'no'} node {request['node']}")
            getattr(self, request["do"].replace("-", "_"))(request, answer)
        except (OSError, ValueError) as error:
            self.send({"id": request["id"], "error": str(error)})

    def run(self, request, answer):
        outcomes = []
        programs = iter(request["programs"])

        def ended(outcome):
            outcomes.append(outcome)
            if request["stopAtFailure"] and outcome.get("exitCode") != 0:
                answer(outcomes)
            else:
                start_next()

        def start_next():
            program = next(programs, None)
            if program is None:
                answer(outcomes)
                return
            try:
                process = self.start(request["node"], program["words"], program.get("input"))
            except FileNotFoundError:
                ended({"failure": "not-found"})
            except (OSError, ValueError) as error:
                ended({"failure": "not-started", "reason": str(error)})
            else:
                Program(self.loop, process, program["deadline"], ended)

        start_next()

    def start(self, node, words, text):
        if text is None:
            with self.machine.on(node):
                return self.machine.start(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # A file in memory, so that nothing has to be written while the program runs.
        with open(os.memfd_create("input"), "w+b") as file:
            file.write(text.encode())
            file.seek(0)
            with self.machine.on(node):
                return self.machine.start(words, stdin=file, stderr=subprocess.PIPE)

    def begin_node(self, request, answer):
        name = request["node"]
        node = self.machine.nodes[name] = Node(self.machine, name, request["switch"])
        output = node.process.stdout.fileno()
        printed = b""

        def read():
            nonlocal printed
            piece = os.read(output, 65536)
            printed += piece
            if piece and not printed.endswith(b"ready\n"):
                return
            self.loop.forget(output)
            if piece:
                answer(None)
            else:
                self.machine.nodes.pop(name).end(self.loop, failed)

        def failed():
            self.send({"id": request["id"], "error": f"node {name} did not come up: {printed.decode(errors='replace')}"})

        self.loop.watch(output, read)

    def end_node(self, request, answer):
        self.machine.nodes.pop(request["node"]).end(self.loop, lambda: answer(None))

    def read_files(self, request, answer):
        with self.machine.on(request["node"]):
            answer([self.contents(pattern) for pattern in request["patterns"]])

    @staticmethod
    def contents(pattern):
        contents = {}
        for path in glob.glob(pattern):
            with contextlib.suppress(OSError):
                contents[path] = read_file(path).decode("latin-1")
        return contents

    def ask_switch(self, request, answer):
        with self.machine.on(request["node"]), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect("/run/openvswitch/db.sock")
            connection.sendall(json.dumps({"id": 0, "method": request["method"], "params": request["params"]}).encode())
            received = b""
            while True:
                piece = connection.recv(1 << 20)
                if not piece:
                    raise OSError("the database closed the connection")
                received += piece
                with contextlib.suppress(ValueError):
                    reply = json.loads(received)
                    break
        if reply["error"] is not None:
            raise ValueError(f"the database said {json.dumps(reply['error'])}")
        answer(reply["result"])


if __name__ == "__main__":
    agent = Agent(sys.argv[1])
    agent.send({"id": 0, "value": None})
    while True:
        agent.loop.turn()
