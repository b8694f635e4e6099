"""Frames with echo requests, and sockets for frames (packet(7))."""

import socket
import struct

from namespaces import within

ALL = 0x0003  # ETH_P_ALL
ICMPV6 = 58


def opened(name, device):
    with within(name):
        packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
    packets.bind((device, ALL))
    return packets, packets.getsockname()[4]


def checksum(data):
    words = struct.unpack(f"!{len(data) // 2}H", data)
    total = sum(words)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~total & 0xFFFF)


def ethernet(to, sender, kind, payload):
    return to + sender + struct.pack("!H", kind) + payload


def echo(to, sender, source, destination):
    """An echo request in IPv4."""
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28, 1, 0, 64, 1, 0, source, destination)
    message = struct.pack("!BBHHH", 8, 0, 0, 7, 1)
    header = header[:10] + checksum(header) + header[12:]
    return ethernet(to, sender, 0x0800, header + message[:2] + checksum(message) + message[4:])


def icmpv6(to, sender, source, destination, message):
    pseudo = source + destination + struct.pack("!II", len(message), ICMPV6)
    header = struct.pack("!IHBB", 6 << 28, len(message), ICMPV6, 255) + source + destination
    return ethernet(to, sender, 0x86DD, header + message[:2] + checksum(pseudo + message) + message[4:])


def echo6(to, sender, source, destination):
    return icmpv6(to, sender, source, destination, struct.pack("!BBHHH", 128, 0, 0, 7, 1))


def binary(address):
    return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)
