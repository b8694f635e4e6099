#!/usr/bin/python3 -ESsB
"""steady.py STREAM...: asks answer.py at a steady rate by UDP, or by one connection of TCP, until it is ended by SIGTERM.

A stream is JSON: {"from"?: network namespace, "device"?: VRF or interface, "protocol"?: "tcp", "to": address, "port", "sourcePort"?, "rate": questions a
second}. By TCP a question waits for the answer to the one before.

First asks now and then until it is answered, as the first question waits for neighbours on the way to be resolved, and more than a few would be lost
meanwhile (RFC 4861, section 7.2.2). These questions do not count.

Prints a line whenever something changes: "NUMBER answers TEXT" with the number of the stream, where an answer differs from the one before, and "NUMBER
silent for MS ms" once one comes after a silence. At the end waits for the answers under way and prints a JSON list with {"sent", "rate": questions a
second, "lost", "silence": the longest one in milliseconds} of each stream.
"""

import json
import select
import signal
import socket
import sys
import time

from namespaces import within

SILENCE = 0.1  # seconds
ANSWER_DEADLINE = 5  # seconds after the last answer: answers may still be queued on a busy machine
FIRST_INTERVAL = 0.25  # seconds
FIRST_QUESTION = b"?" * 200  # Its answer is longer than any other.
BUFFER = 8 << 20  # bytes
SO_RCVBUFFORCE = 33


class Stream:
    def __init__(self, number, specification):
        self.number, self.interval = number, 1 / specification["rate"]
        self.is_connection = specification.get("protocol") == "tcp"
        self.sent = self.received = 0
        self.silence = 0.0
        self.last_answer = self.last_text = None
        with within(specification.get("from")):
            self.socket = self.opened(specification)
        self.begin = self.end = None
        self.due = time.monotonic()

    def opened(self, specification):
        family = socket.AF_INET6 if ":" in specification["to"] else socket.AF_INET
        opened = socket.socket(family, socket.SOCK_STREAM if self.is_connection else socket.SOCK_DGRAM)
        opened.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
        if "device" in specification:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, specification["device"].encode() + b"\0")
        if "sourcePort" in specification:
            opened.bind(("", specification["sourcePort"]))
        # Not connected: errors of the network and a change of the own address are none of the socket.
        self.to = (specification["to"], specification["port"])
        if self.is_connection:
            opened.settimeout(ANSWER_DEADLINE)
            opened.connect(self.to)
        opened.setblocking(False)
        return opened

    def ask(self, now):
        while self.due <= now:
            if self.begin is None:
                self.due = now + (ANSWER_DEADLINE if self.is_connection else FIRST_INTERVAL)
                self.send(FIRST_QUESTION)
                return
            self.due += self.interval
            if self.is_connection and self.received < self.sent:
                continue
            self.sent += 1
            self.send(b"?")

    def send(self, question):
        try:
            if self.is_connection:
                self.socket.sendall(question)
            else:
                self.socket.sendto(question, self.to)
        except OSError:
            # It counts as lost.
            pass

    def receive(self):
        while True:
            try:
                answer, _ = self.socket.recvfrom(65536)
            except OSError:
                return
            if not answer:
                # The other end has closed the connection.
                del sockets[self.socket]
                return
            now = time.monotonic()
            is_first = self.begin is None
            if is_first:
                self.begin = self.due = now
            text = " ".join(answer.decode().split()[:2])
            silence = 0 if self.last_answer is None else now - self.last_answer
            self.silence = max(self.silence, silence)
            if silence >= SILENCE:
                print(f"{self.number} silent for {silence * 1000:.0f} ms", flush=True)
            if text != self.last_text:
                print(f"{self.number} answers {text}", flush=True)
            self.last_answer, self.last_text = now, text
            self.received += not is_first if self.is_connection else len(answer) < len(FIRST_QUESTION)

    def summary(self):
        rate = 0 if self.begin is None else round(self.sent / (self.end - self.begin))
        silence = round(self.silence * 1000)
        return {"sent": self.sent, "rate": rate, "lost": self.sent - self.received, "silence": silence}


is_ended = False


def end(*_):
    global is_ended
    is_ended = True


signal.signal(signal.SIGTERM, end)
streams = [Stream(number, json.loads(word)) for number, word in enumerate(sys.argv[1:])]
sockets = {stream.socket: stream for stream in streams}


def receive(wait):
    ready = select.select(list(sockets), [], [], max(0, wait))[0]
    for each in ready:
        sockets[each].receive()
    return ready


while not is_ended:
    for stream in streams:
        stream.ask(time.monotonic())
    receive(min(stream.due for stream in streams) - time.monotonic())
for stream in streams:
    stream.end = time.monotonic()
while any(stream.received < stream.sent for stream in streams) and receive(ANSWER_DEADLINE):
    pass
print(json.dumps([stream.summary() for stream in streams]), flush=True)
