#!/usr/bin/python3 -ESsB
"""send.py NAMESPACE DEVICE: sends echo requests as frames from a device in a network namespace, with its own MAC address, whatever its kernel would do with them.

Standard input has a JSON list of {"to": MAC address, "source": address, "destination": address}.
"""

import json
import sys

from echo_frames import binary, echo, echo6, opened

namespace, device = sys.argv[1:]
packets, own = opened(namespace, device)
for frame in json.load(sys.stdin):
    to = bytes.fromhex(frame["to"].replace(":", ""))
    source, destination = binary(frame["source"]), binary(frame["destination"])
    packets.send((echo if len(source) == 4 else echo6)(to, own, source, destination))
