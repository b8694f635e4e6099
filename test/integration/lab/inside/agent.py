"""The agent inside a lab machine: runs programs in the namespaces of simulated nodes.

    agent.py DEVICE

Requests come in and answers go out on a serial device, one JSON document a line; each answer bears the "id" of its request, and
answers come in the order in which things get done. It first says {"id": 0, "value": null}, and {"received": N} after each N bytes that it
has taken from the device: requests beyond some kB would stop the kernel's serial line for good. Requests ("do"):

  run         "node", "programs": [{"words", "input"?, "deadline"}], "stopAtFailure": one program after the other, each by its
              argument vector. The value is a list of what became of each, {"exitCode", "stdout", "stderr"} or {"failure", ...}.
  begin-node  "node", "daemons", "networkCard": a node in new namespaces, with the daemons that node-init starts, and the machine's network card if
              that is true. The value is null as soon as it can be used.
  end-node    "node": ends the node with every process of it.
  read-files  "node", "patterns": for each pattern, what is in the files that match, by their paths: a * in place of a name
              stands for all in the folder. One that cannot be read is left out.
  ask-ip      "node", "questions", "anew": for each of them, {"options", "lines", "deadline"}, what an ip -batch with these options prints for
              these lines, a line each: null where it complains, or takes longer. It goes on and is asked again, unless it is to be anew.
  ask-switch  "node", "method", "params": asks the switch's database (RFC 7047). The value is the result.
  start       "node", "words", "output": starts a program that goes on by itself, and writes all that it says to a file. The value is a
              number for it.
  signal      "node", "process", "signal": sends a started program, and what it has started, a signal by its name.
  exit        "node", "process": answers when a started program has exited: {"exitCode"} or {"signal"}.
  until       "node", "programs", "path", "pattern", "deadline": one program after the other, of which all have to succeed, and then waits
              until a file matches a regular expression; its folder has to be there. The value is the seconds from the beginning of the last
              program to the last change of the file; less than 0 where the file was like that before.

What cannot be done is answered by {"id", "error"}. Python, because Open vSwitch brings it, it starts in a quarter of a second here,
and starting a program from it takes half as long as from Node.js. One thread, since only that may change namespaces.
"""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
import tty

from loop import Loop
from folder import FolderWatch
from nodes import Machine, Node
from program import Batch, Program, Started

LIFETIME = 24 * 3600  # seconds, for machines that nobody ends
SETTINGS = "/proc/sys/"


def read_file(path):
    """As open(path, "rb").read(), with half of the system calls."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return b"".join(iter(lambda: os.read(descriptor, 1 << 20), b""))
    finally:
        os.close(descriptor)


def read_setting(path):
    """As read_file, of a setting of the kernel, which gives all that it has at once."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 4096)
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
        self.processes = []

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
            getattr(self, "obey_" + request["do"].replace("-", "_"))(request, answer)
        except (OSError, ValueError) as error:
            self.send({"id": request["id"], "error": str(error)})

    def obey_run(self, request, answer):
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

    def obey_begin_node(self, request, answer):
        name = request["node"]
        node = self.machine.nodes[name] = Node(self.machine, name, request["daemons"], request["networkCard"])
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

    def obey_end_node(self, request, answer):
        self.machine.nodes.pop(request["node"]).end(self.loop, lambda: answer(None))

    def obey_read_files(self, request, answer):
        folders = {}

        def paths(pattern):
            folder, star, rest = pattern.partition("*")
            if not star:
                return [pattern]
            if folder not in folders:
                folders[folder] = os.listdir(folder) if os.path.exists(folder) else []
            return [folder + name + rest for name in folders[folder]]

        with self.machine.on(request["node"]):
            answer([self.contents(paths(pattern)) for pattern in request["patterns"]])

    @staticmethod
    def contents(paths):
        contents = {}
        for path in paths:
            with contextlib.suppress(OSError):
                contents[path] = (read_setting(path) if path.startswith(SETTINGS) else read_file(path)).decode("latin-1")
        return contents

    def obey_ask_ip(self, request, answer):
        batches = self.machine.nodes[request["node"]].batches
        while request["anew"] and batches:
            batches.popitem()[1].end()
        answer([self.ask_ip(request["node"], **question) for question in request["questions"]])

    def ask_ip(self, node, options, lines, deadline):
        batches = self.machine.nodes[node].batches
        words = ("ip", *options, "-json", "-details", "-batch", "-")
        if words not in batches:
            with self.machine.on(node):
                process = self.machine.start(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            batches[words] = Batch(self.loop, process)
        printed = batches[words].ask(lines, deadline)
        if printed is None:
            batches.pop(words).end()
        return printed

    def obey_start(self, request, answer):
        with self.machine.on(request["node"]), open(request["output"], "ab") as output:
            process = subprocess.Popen(
                request["words"], stdin=subprocess.DEVNULL, stdout=output, stderr=output, close_fds=False, start_new_session=True
            )
        self.processes.append(Started(self.loop, process))
        answer(len(self.processes) - 1)

    def obey_signal(self, request, answer):
        self.processes[request["process"]].signal(request["signal"])
        answer(None)

    def obey_exit(self, request, answer):
        self.processes[request["process"]].when_exited(answer)

    def obey_until(self, request, answer):
        programs = request["programs"]
        path = request["path"]
        pattern = re.compile(request["pattern"].encode(), re.DOTALL)
        beginning = 0.0

        def failed(reason):
            self.send({"id": request["id"], "error": reason})

        def run(index):
            nonlocal beginning
            beginning = time.time()
            if index == len(programs):
                wait()
                return
            program = programs[index]

            def ended(outcome):
                if outcome.get("exitCode") != 0:
                    failed(f"{' '.join(program['words'])}: {json.dumps(outcome)}")
                elif index + 1 < len(programs):
                    run(index + 1)
                else:
                    wait()

            Program(self.loop, self.start(request["node"], program["words"], program.get("input")), program["deadline"], ended)

        def is_there():
            # A test that is out of time ends its node, whatever it still waits for.
            return request["node"] in self.machine.nodes

        def matches():
            with self.machine.on(request["node"]), contextlib.suppress(OSError):
                if pattern.search(read_file(path)):
                    return os.stat(path).st_mtime
            return None

        def wait():
            with self.machine.on(request["node"]):
                watch = FolderWatch(os.path.dirname(path))

            def end():
                self.loop.forget(watch.descriptor)
                watch.close()
                del self.loop.alarms[late]

            def look():
                watch.drain()
                moment = matches() if is_there() else None
                if moment is not None:
                    end()
                    answer(moment - beginning)

            def late():
                end()
                if not is_there():
                    failed(f"{request['node']} has ended")
                    return
                with self.machine.on(request["node"]):
                    content = read_file(path).decode(errors="replace") if os.path.exists(path) else "nothing"
                failed(f"{path} does not match {request['pattern']} after {request['deadline']} ms; it holds {content}")

            self.loop.watch(watch.descriptor, look)
            self.loop.alarms[late] = time.monotonic() + request["deadline"] / 1000
            look()

        run(0)

    def obey_ask_switch(self, request, answer):
        with self.machine.on(request["node"]), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
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
