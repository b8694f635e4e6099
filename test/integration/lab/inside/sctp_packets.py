"""Packets that begin associations of SCTP (RFC 9260, section 5.1), for raw sockets: the kernel of the lab passes SCTP on and has no sockets of it."""

import socket
import struct

SCTP = 132  # Assigned Internet Protocol Numbers
INIT, INIT_ACK, ABORT = 1, 2, 6
STATE_COOKIE = 7


def crc32c(data):
    """The checksum of RFC 9260, appendix A; connection tracking takes packets with another one for invalid."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def packet(ports, verification, kind, tag, cookie=b""):
    """An INIT, or an INIT ACK with a state cookie, which is filled up with spaces."""
    filled = cookie.ljust(-(-len(cookie) // 4) * 4)
    parameter = struct.pack("!HH", STATE_COOKIE, 4 + len(filled)) + filled if filled else b""
    header = struct.pack("!HHI", *ports, verification)
    chunk = struct.pack("!BBHIIHHI", kind, 0, 20 + len(parameter), tag, 1 << 16, 1, 1, 1) + parameter
    return header + struct.pack("<I", crc32c(header + bytes(4) + chunk)) + chunk


def parsed(family, received):
    """(ports, verification tag, kind of the first chunk, its tag, its cookie); an ABORT has no tag."""
    content = received[(received[0] & 15) * 4 :] if family == socket.AF_INET else received
    source, destination, verification = struct.unpack("!HHI", content[:8])
    kind, _, length = struct.unpack("!BBH", content[12:16])
    tag = struct.unpack("!I", content[16:20])[0] if kind in (INIT, INIT_ACK) else None
    return (source, destination), verification, kind, tag, content[36 : 12 + length]
