#!/usr/bin/python3 -ESsB
"""many-pods.py: sends echo requests from the pods of many networks, which all have the same addresses.

The pods are the VLANs of one device, as of a port that has others behind it: number N of VLAN N. Reads a JSON object on standard input:
{"device": name, "pods": how many, "from": address, "macAddress": of every pod, "router": MAC address of every router, "to": address,
"interval": seconds between two requests of a pod, "deadline": seconds, "run"?: [program, argument, ...]}.

All pods send a request an interval, spread over it. With "run", they first do so until all have been answered, then the program is run, and only
answers to requests that were sent after its end count. Ends when every pod has been answered, or at the deadline. Prints a JSON object:
{"milliseconds": {pod: until its first answer}, "requests": how many were sent, "unanswered": [pods], "elsewhere": how many answers came to another
pod than the one that had asked}; times are from the first request of all, or from the end of the program.
"""

import json
import select
import socket
import struct
import subprocess
import sys
import time

SOL_PACKET, PACKET_AUXDATA = 263, 8
MARK = b"many-pods"

settings = json.load(sys.stdin)
pods = range(1, settings["pods"] + 1)
is_ipv6 = ":" in settings["to"]
family = socket.AF_INET6 if is_ipv6 else socket.AF_INET
source, target = (socket.inet_pton(family, settings[name]) for name in ("from", "to"))
request, reply = (128, 129) if is_ipv6 else (8, 0)


def mac(text):
    return bytes.fromhex(text.replace(":", ""))


def checksum(data):
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF


def frame(pod, moment):
    data = MARK + struct.pack("!Id", pod, moment)
    message = struct.pack("!BBHHH", request, 0, 0, pod, 1) + data
    if is_ipv6:
        pseudo = source + target + struct.pack("!II", len(message), socket.IPPROTO_ICMPV6)
        header = struct.pack("!IHBB", 6 << 28, len(message), socket.IPPROTO_ICMPV6, 64) + source + target
    else:
        pseudo = b""
        header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(message), 0, 0, 64, socket.IPPROTO_ICMP, 0) + source + target
        header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    message = message[:2] + struct.pack("!H", checksum(pseudo + message)) + message[4:]
    ethernet = mac(settings["router"]) + mac(settings["macAddress"])
    return ethernet + struct.pack("!HHH", 0x8100, pod, 0x86DD if is_ipv6 else 0x0800) + header + message


class Pods:
    def __init__(self):
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self.socket.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, 33, 8 << 20)
        self.socket.bind((settings["device"], 0))
        self.requests = self.elsewhere = 0

    def answer(self):
        """The pod that is answered and when it had asked; nothing for any other frame."""
        data, control, _, address = self.socket.recvmsg(2048, 256)
        at = data.find(MARK)
        if address[2] == socket.PACKET_OUTGOING or at < 8 or data[at - 8] != reply or len(data) < at + len(MARK) + 12:
            return None
        pod, moment = struct.unpack("!Id", data[at + len(MARK) : at + len(MARK) + 12])
        vlan = next((struct.unpack("=IIIHHHH", value[:20])[5] & 0xFFF for _, _, value in control), None)
        if vlan != pod:
            self.elsewhere += 1
            return None
        return pod, moment

    def ask_until_answered(self, since, end):
        """Milliseconds from a moment until each pod is answered that has asked after it."""
        answered = {}
        step = settings["interval"] / len(pods)
        number = 0
        begin = time.monotonic()
        while len(answered) < len(pods) and time.monotonic() < end:
            while begin + number * step <= time.monotonic():
                pod = pods[number % len(pods)]
                if pod not in answered:
                    self.socket.send(frame(pod, time.monotonic()))
                    self.requests += 1
                number += 1
            ready, _, _ = select.select([self.socket], [], [], max(0, begin + number * step - time.monotonic()))
            found = self.answer() if ready else None
            if found is not None and found[1] >= since and found[0] not in answered:
                answered[found[0]] = round((time.monotonic() - since) * 1000)
        return answered


asking = Pods()
deadline = time.monotonic() + settings["deadline"]
if "run" in settings:
    before = asking.ask_until_answered(time.monotonic(), deadline)
    if len(before) < len(pods):
        sys.exit(f"only {len(before)} pods are answered before anything is changed")
    subprocess.run(settings["run"], check=True)
    asking.requests = 0
answered = asking.ask_until_answered(time.monotonic(), deadline)
print(
    json.dumps(
        {
            "milliseconds": answered,
            "requests": asking.requests,
            "unanswered": [pod for pod in pods if pod not in answered],
            "elsewhere": asking.elsewhere,
        }
    )
)
