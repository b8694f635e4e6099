#!/usr/bin/python3 -ESsB
"""answer.py PORT NAMESPACE...: answers TCP, UDP and SCTP in network namespaces of the node (ip-netns(8)), as exchange.py asks.

The answer says which namespace it is, and which address and port the question came from. An answer to a datagram is as long as the datagram, one to a
request of HTTP is a page without the port, and one to an INIT of SCTP is in the cookie of an INIT ACK.
Prints "ready" once it answers everywhere.
"""

import selectors
import socket
import sys

from namespaces import within
from sctp_packets import INIT, INIT_ACK, SCTP, packet, parsed

BUFFER = 8 << 20  # bytes, for datagrams that come while others are answered
SO_RCVBUFFORCE = 33
IP_PKTINFO = 8

selector = selectors.DefaultSelector()


def accept(server, name):
    connection, sender = server.accept()
    selector.register(connection, selectors.EVENT_READ, lambda: answer(connection, name, sender))


def answer(connection, name, sender):
    try:
        question = connection.recv(65536)
        if question:
            connection.sendall(page(name, sender) if question.startswith(b"GET ") else text(name, sender))
            return
    except OSError:
        # The other end is gone.
        pass
    selector.unregister(connection)
    connection.close()


def answer_datagram(server, name):
    # The control message has the address asked, which the answer has to come from (ipv6(7), IPV6_PKTINFO).
    question, control, _, sender = server.recvmsg(65536, 256)
    try:
        server.sendmsg([text(name, sender).ljust(len(question))], control, 0, sender)
    except OSError:
        # Whoever asked is gone.
        pass


def answer_init(server, name, port):
    received, control, _, sender = server.recvmsg(65536, 256)
    (source, destination), verification, kind, tag, _ = parsed(server.family, received)
    if destination != port or kind != INIT or verification != 0:
        return
    cookie = text(name, (sender[0], source))
    try:
        server.sendmsg([packet((destination, source), tag, INIT_ACK, tag + 1, cookie)], control, 0, (sender[0], 0))
    except OSError:
        # Whoever asked is gone.
        pass


def address(sender):
    return sender[0].removeprefix("::ffff:")


def text(name, sender):
    return f"{name} {address(sender)} {sender[1]}\n".encode()


def page(name, sender):
    content = f"{name} sees {address(sender)}\n"
    return f"HTTP/1.0 200 OK\r\nContent-Length: {len(content)}\r\n\r\n{content}".encode()


def listen(kind, port):
    server = socket.socket(socket.AF_INET6, kind)
    server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVPKTINFO, 1)
    server.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
    server.bind(("::", port))
    return server


def listen_for_init(family):
    server = socket.socket(family, socket.SOCK_RAW, SCTP)
    # As for datagrams (ip(7), IP_PKTINFO).
    if family == socket.AF_INET:
        server.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
    else:
        server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVPKTINFO, 1)
    return server


port, *names = sys.argv[1:]
for name in names:
    with within(name):
        stream, datagram = listen(socket.SOCK_STREAM, int(port)), listen(socket.SOCK_DGRAM, int(port))
        raw = [listen_for_init(family) for family in (socket.AF_INET, socket.AF_INET6)]
    stream.listen(64)
    selector.register(stream, selectors.EVENT_READ, lambda server=stream, name=name: accept(server, name))
    selector.register(datagram, selectors.EVENT_READ, lambda server=datagram, name=name: answer_datagram(server, name))
    for each in raw:
        selector.register(each, selectors.EVENT_READ, lambda server=each, name=name: answer_init(server, name, int(port)))
print("ready", flush=True)
while True:
    for key, _ in selector.select():
        key.data()
