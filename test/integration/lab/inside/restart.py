#!/usr/bin/python3 -ESsB
"""restart.py [--exit] DAEMON...: kills daemons of the node one after the other and starts each again, as node-init did; starts those that do not run. With
--exit each is told to exit (ovn-controller(8)), and cleans up before.

Daemons: ovsdb-server, ovs-vswitchd; ovnnb_db, ovnsb_db, ovn-northd, ovn-controller.
"""

import os
import select
import signal
import subprocess
import sys

SWITCH, OVN = "/run/openvswitch", "/run/ovn"


def ovn_database(name):
    files, log = f"{OVN}/{name}", f"/var/log/ovn/ovsdb-server-{name[3:5]}.log"
    words = ["ovsdb-server", f"{files}.db", f"--remote=punix:{files}.sock", f"--unixctl={files}.ctl", f"--log-file={log}"]
    return f"{files}.pid", [*words, f"--pidfile={files}.pid"]


def ordinary(folder, name, *words):
    return f"{folder}/{name}.pid", [name, *words, "--pidfile", "--log-file"]


DAEMONS = {
    "ovsdb-server": ordinary(SWITCH, "ovsdb-server", f"{SWITCH}/conf.db", f"--remote=punix:{SWITCH}/db.sock"),
    "ovs-vswitchd": ordinary(SWITCH, "ovs-vswitchd"),
    "ovnnb_db": ovn_database("ovnnb_db"),
    "ovnsb_db": ovn_database("ovnsb_db"),
    "ovn-northd": ordinary(OVN, "ovn-northd"),
    "ovn-controller": ordinary(OVN, "ovn-controller"),
}


def end(file, is_told):
    with open(file, encoding="ascii") as pid:
        before = int(pid.read())
    pidfd = os.pidfd_open(before)
    if is_told:
        subprocess.run(["ovs-appctl", "-t", f"{file.removesuffix('.pid')}.{before}.ctl", "exit"], check=True)
    else:
        os.kill(before, signal.SIGKILL)
    # Readable once it has ended.
    select.select([pidfd], [], [])
    os.close(pidfd)


def restart(daemon, is_told):
    file, words = DAEMONS[daemon]
    if os.path.exists(file):
        end(file, is_told)
    subprocess.run([*words, "--detach", "-vconsole:off"], check=True)


names = [word for word in sys.argv[1:] if word != "--exit"]
for name in names:
    restart(name, "--exit" in sys.argv)
