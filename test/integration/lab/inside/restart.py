#!/usr/bin/python3 -ESsB
"""restart.py ovsdb-server|ovs-vswitchd: kills a daemon of the node and starts it again, as node-init did.

The devices of a bridge outlive ovs-vswitchd on a real node, where they are the kernel's. Here they are taps, which go with the process that
holds them, unless they are told to stay (TUNSETPERSIST) until the next one holds them.
"""

import ctypes
import fcntl
import os
import select
import signal
import subprocess
import sys

PIDFD_GETFD = 438
TUNSETPERSIST = 0x400454CB
FOLDER = "/run/openvswitch"
WORDS = {
    "ovsdb-server": ["ovsdb-server", f"{FOLDER}/conf.db", f"--remote=punix:{FOLDER}/db.sock"],
    "ovs-vswitchd": ["ovs-vswitchd"],
}
libc = ctypes.CDLL(None, use_errno=True)


def process_of(daemon):
    with open(f"{FOLDER}/{daemon}.pid", encoding="ascii") as file:
        return int(file.read())


def let_taps_stay(process, stay):
    """Has the taps of a process stay when it ends, or no longer."""
    pidfd = os.pidfd_open(process)
    for name in os.listdir(f"/proc/{process}/fd"):
        try:
            path = os.readlink(f"/proc/{process}/fd/{name}")
        except FileNotFoundError:
            # Closed meanwhile.
            continue
        if path != "/dev/net/tun":
            continue
        descriptor = libc.syscall(PIDFD_GETFD, pidfd, int(name), 0)
        if descriptor < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        fcntl.ioctl(descriptor, TUNSETPERSIST, stay)
        os.close(descriptor)
    os.close(pidfd)


def restart(daemon):
    before = process_of(daemon)
    if daemon == "ovs-vswitchd":
        let_taps_stay(before, 1)
    pidfd = os.pidfd_open(before)
    os.kill(before, signal.SIGKILL)
    # Readable once it has ended.
    select.select([pidfd], [], [])
    os.close(pidfd)
    subprocess.run([*WORDS[daemon], "--detach", "--pidfile", "--log-file", "-vconsole:off"], check=True)
    if daemon == "ovs-vswitchd":
        let_taps_stay(process_of(daemon), 0)


for daemon in sys.argv[1:]:
    restart(daemon)
