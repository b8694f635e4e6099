#!/usr/bin/python3 -ESsB
"""begun.py NAMESPACE ADDRESS PORT RATE: asks answer.py by UDP, each time from a new port, so that each question begins a connection, RATE times a second until it is ended.

Prints "answers NAME" whenever an answer comes from another server than the one before.
"""

import collections
import select
import socket
import sys
import time

from namespaces import within

OPEN = 100  # sockets, whose answers may still come

namespace, address, port, rate = sys.argv[1:]
family = socket.AF_INET6 if ":" in address else socket.AF_INET
sockets = collections.deque()
last = None
due = time.monotonic()
with within(namespace):
    while True:
        if due <= time.monotonic():
            due += 1 / float(rate)
            sockets.append(socket.socket(family, socket.SOCK_DGRAM))
            if len(sockets) > OPEN:
                sockets.popleft().close()
            sockets[-1].sendto(b"?" * 200, (address, int(port)))
        for each in select.select(sockets, [], [], max(0, due - time.monotonic()))[0]:
            try:
                name = each.recv(65536).decode().split()[0]
            except OSError:
                # It was refused.
                name = "nobody"
            if name != last:
                print(f"answers {name}", flush=True)
            last = name
