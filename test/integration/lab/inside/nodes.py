"""The namespaces of simulated nodes."""

import contextlib
import ctypes
import os
import socket
import subprocess

FOLDER = os.path.dirname(os.path.abspath(__file__))
NAMESPACES = 0x00020000 | 0x04000000 | 0x20000000 | 0x40000000  # CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWPID, CLONE_NEWNET
RTMGRP_LINK = 1
CARD = "vec0"
CARD_DEADLINE = 60  # seconds
libc = ctypes.CDLL(None, use_errno=True)


def succeed(result):
    """Raises what the last call into libc failed with, if it did."""
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


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


def wait_for_card():
    """The network card of the machine comes back some time after the node that had it has ended."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as events:
        events.settimeout(CARD_DEADLINE)
        events.bind((0, RTMGRP_LINK))
        while CARD not in (name for _, name in socket.if_nameindex()):
            events.recv(65536)


class Node:
    """A node: the process that holds its namespaces."""

    def __init__(self, machine, name, daemons, network_card):
        words = [f"{FOLDER}/node-init", name, daemons]
        succeed(libc.unshare(NAMESPACES))
        try:
            self.process = machine.start(words, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
        finally:
            succeed(libc.setns(machine.own, NAMESPACES))
        self.pidfd = os.pidfd_open(self.process.pid)
        if network_card:
            wait_for_card()
            subprocess.run(["ip", "link", "set", CARD, "netns", str(self.process.pid)], check=True)
        # Programs of ip(8) that are asked time and again, by their words.
        self.batches = {}

    def end(self, loop, done):
        """With the first process of its process namespace all others end. It is the last, once those that we started are waited for."""

        def ended():
            loop.forget(self.pidfd)
            os.close(self.pidfd)
            self.process.wait()
            done()

        self.process.kill()
        loop.watch(self.pidfd, ended)
