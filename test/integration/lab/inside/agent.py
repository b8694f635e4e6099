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
import glob
import json
import os
import socket
import subprocess
import sys
import time
import tty

from loop import Loop
from nodes import Machine, Node
from program import Program

LIFETIME = 24 * 3600  # seconds, for machines that nobody ends


def read_file(path):
    """As open(path, "rb").read(), with half of the system calls."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return b"".join(iter(lambda: os.read(descriptor, 1 << 20), b""))
    finally:
        os.close(descriptor)


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
