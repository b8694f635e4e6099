"""Network namespaces of a node (ip-netns(8))."""

import contextlib
import ctypes
import os

CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


def enter(path):
    with open(path, "rb") as namespace:
        if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)


@contextlib.contextmanager
def within(name):
    """Does something in a network namespace; without a name in that of the node."""
    enter(f"/run/netns/{name}" if name else "/proc/1/ns/net")
    try:
        yield
    finally:
        enter("/proc/1/ns/net")
