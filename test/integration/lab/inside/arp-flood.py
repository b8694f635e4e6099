#!/usr/bin/python3 -ESsB
"""arp-flood.py NAMESPACE RATE SECONDS: broadcasts ARP requests from eth0 of a network namespace, each from another address, for hosts that are not there.

Prints a JSON object: {"sent": how many, "cpu": seconds of CPU that ovs-vswitchd has used meanwhile}.
"""

import json
import os
import socket
import struct
import sys
import time

from namespaces import within

name, rate, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of_switch():
    with open("/run/openvswitch/ovs-vswitchd.pid", encoding="ascii") as file:
        process = int(file.read())
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    # User and kernel time (proc_pid_stat(5)).
    return (int(fields[11]) + int(fields[12])) / TICKS


def request(number):
    sender = bytes((2, 0, 0x77)) + struct.pack("!I", number)[1:]
    address, target = socket.inet_aton(f"192.0.2.{100 + number % 100}"), socket.inet_aton(f"192.0.2.{200 + number % 50}")
    ethernet = b"\xff" * 6 + sender + b"\x08\x06"
    return ethernet + struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + sender + address + bytes(6) + target


with within(name):
    flood = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
flood.bind(("eth0", 0))
before, begin, sent = cpu_of_switch(), time.monotonic(), 0
while (elapsed := time.monotonic() - begin) < seconds:
    while sent < elapsed * rate:
        flood.send(request(sent))
        sent += 1
    time.sleep(0.002)
print(json.dumps({"sent": sent, "cpu": round(cpu_of_switch() - before, 2)}))
