#!/usr/bin/python3 -ESsB
"""advertise.py INTERFACE: says to everybody on the link that it is a router, for half an hour (RFC 4861, 4.2)."""

import socket
import struct
import sys

ALL_NODES = "ff02::1"
LIFETIME = 1800  # seconds

interface = socket.if_nametoindex(sys.argv[1])
# Type, code, checksum, which the kernel computes, hop limit, flags, lifetime, reachable time, retransmission timer.
advertisement = struct.pack("!BBHBBHII", 134, 0, 0, 64, 0, LIFETIME, 0, 0)
with socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as opened:
    # A lower limit would say that it was forwarded.
    opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
    opened.sendto(advertisement, (ALL_NODES, 0, 0, interface))
