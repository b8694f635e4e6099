#!/usr/bin/python3 -ESsB
"""forge.py FROM TO DEVICE: sends frames from the device of a network namespace to that of another one, which are on one link.

Standard input has a JSON object: {"own": [IPv4, IPv6], "to": [IPv4, IPv6], "forged": [MAC, IPv4, IPv6]}. Each frame has something of the forged ones, but for
those whose names begin with "own": these are sent after the others, until all of them have arrived.
Prints the names of the frames that have arrived, as a JSON list.
"""

import json
import select
import struct
import sys
import time

from echo_frames import binary, echo, echo6, ethernet, icmpv6, opened

DEADLINE = 10  # seconds
ROUND = 0.2
ROUNDS = 2
BROADCAST, UNKNOWN = b"\xff" * 6, bytes(6)
REQUEST, REPLY = 1, 2
SOLICITATION, ADVERTISEMENT = 135, 136
OVERRIDE = 0x20000000
MARK = b"forge.py:"


def arp(to, sender, kind, hardware, source, target_hardware, target):
    words = struct.pack("!HHBBH", 1, 0x0800, 6, 4, kind)
    return ethernet(to, sender, 0x0806, words + hardware + source + target_hardware + target)


def neighbour(to, sender, kind, source, destination, target, hardware):
    """A neighbour solicitation or advertisement (RFC 4861, 4.3 and 4.4), with the link-layer address of whoever sends it."""
    flags, option = (OVERRIDE, 2) if kind == ADVERTISEMENT else (0, 1)
    message = struct.pack("!BBHI", kind, 0, 0, flags) + target + bytes((option, 1)) + hardware
    return icmpv6(to, sender, source, destination, message)


def frames(mac, peer, own, to, forged):
    (own4, own6), (to4, to6), (other, other4, other6) = own, to, forged
    absent4, absent6 = to4[:3] + b"\xfa", to6[:15] + b"\xfa"
    solicited = b"\xff\x02" + bytes(9) + b"\x01\xff" + absent6[13:]
    link_local = b"\xfe\x80" + bytes(13) + b"\x01"
    return {
        "IPv4 from another address": echo(peer, mac, other4, to4),
        "IPv4 from another MAC": echo(peer, other, own4, to4),
        "IPv6 from another address": echo6(peer, mac, other6, to6),
        "IPv6 from another address of the link": echo6(peer, mac, link_local, to6),
        "IPv6 from another MAC": echo6(peer, other, own6, to6),
        "ARP request of another address": arp(BROADCAST, mac, REQUEST, mac, other4, UNKNOWN, absent4),
        "ARP request of another MAC": arp(BROADCAST, mac, REQUEST, other, own4, UNKNOWN, absent4),
        "ARP request from another MAC": arp(BROADCAST, other, REQUEST, mac, own4, UNKNOWN, absent4),
        "ARP reply of another address": arp(peer, mac, REPLY, mac, other4, peer, to4),
        "ARP reply of another MAC": arp(peer, mac, REPLY, other, own4, peer, to4),
        "solicitation from another address": neighbour(
            b"\x33\x33" + solicited[12:], mac, SOLICITATION, other6, solicited, absent6, mac
        ),
        "solicitation with another MAC": neighbour(
            b"\x33\x33" + solicited[12:], mac, SOLICITATION, own6, solicited, absent6, other
        ),
        "advertisement of another address": neighbour(peer, mac, ADVERTISEMENT, own6, to6, other6, mac),
        "advertisement of another MAC": neighbour(peer, mac, ADVERTISEMENT, own6, to6, own6, other),
        "own IPv4": echo(peer, mac, own4, to4),
        "own IPv6": echo6(peer, mac, own6, to6),
        "own ARP request": arp(BROADCAST, mac, REQUEST, mac, own4, UNKNOWN, absent4),
        "own ARP reply": arp(peer, mac, REPLY, mac, own4, peer, to4),
        "own solicitation": neighbour(b"\x33\x33" + solicited[12:], mac, SOLICITATION, own6, solicited, absent6, mac),
        "own advertisement": neighbour(peer, mac, ADVERTISEMENT, own6, to6, own6, mac),
    }


sender, receiver, device = sys.argv[1:]
asked = json.load(sys.stdin)
(packets, mac), (arriving, peer) = opened(sender, device), opened(receiver, device)
own, to = ([binary(address) for address in asked[key]] for key in ("own", "to"))
forged = [bytes.fromhex(asked["forged"][0].replace(":", "")), *map(binary, asked["forged"][1:])]
# Whoever forwards a frame leaves what follows its packet, up to the least length of a frame and more.
sent = {name: frame + MARK + name.encode() + b"\n" for name, frame in frames(mac, peer, own, to, forged).items()}
expected = {name for name in sent if name.startswith("own")}
arrived, rounds, end = set(), 0, time.monotonic() + DEADLINE
while time.monotonic() < end and (rounds < ROUNDS or not expected <= arrived):
    for frame in sent.values():
        packets.send(frame)
    rounds += 1
    late = time.monotonic() + ROUND
    while (left := late - time.monotonic()) > 0 and select.select([arriving], [], [], left)[0]:
        _, found, rest = arriving.recv(65536).partition(MARK)
        if found:
            arrived.add(rest.split(b"\n")[0].decode())
print(json.dumps(sorted(arrived)))
