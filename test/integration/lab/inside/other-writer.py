#!/usr/bin/python3 -ESsB
"""other-writer.py ENTRIES: another program that keeps entries of its own in ovn-bridge-mappings, and changes them all the time.

Reads the text, adds an entry of its own or takes one away, and writes it if it is still what was read (RFC 7047, "wait"). Ends when the file
/run/other-writer.end is there; then says how many rounds it took, how many of them somebody else had won, what it misses, and what its entries are.
"""

import json
import os
import socket
import sys

END = "/run/other-writer.end"
KEY = "ovn-bridge-mappings"
MINE = "ovn-uplinks-bridge-mappings"


class Database:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect("/run/openvswitch/db.sock")
        self.decoder = json.JSONDecoder()
        self.received = ""

    def transact(self, *operations):
        self.socket.sendall(json.dumps({"id": 0, "method": "transact", "params": ["Open_vSwitch", *operations]}).encode())
        while True:
            while not self.received.strip():
                self.receive()
            try:
                message, end = self.decoder.raw_decode(self.received)
            except ValueError:
                self.receive()
                continue
            self.received = self.received[end:].lstrip()
            if message.get("method") == "echo":
                self.socket.sendall(json.dumps({"id": message["id"], "result": message["params"], "error": None}).encode())
            else:
                return message["result"]

    def receive(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise EOFError
        self.received += piece.decode()


def entries_of(text):
    return [entry for entry in text.split(",") if entry.strip()]


def main():
    database = Database()
    own = []
    lost = []
    rounds = beaten = number = 0
    most = int(sys.argv[1])
    while not os.path.exists(END):
        [result] = database.transact({"op": "select", "table": "Open_vSwitch", "where": [], "columns": ["external_ids"]})
        before = result["rows"][0]["external_ids"]
        ids = dict(before[1])
        text = ids.get(KEY, "")
        entries = entries_of(text)
        rounds += 1
        lost += [f"round {rounds}: {entry} is missing in {text}" for entry in own if entries.count(entry) != 1]
        signed = entries_of(ids.get(MINE, ""))
        lost += [f"round {rounds}: {entry} of ovn-uplinks is missing in {text}" for entry in signed if entry not in entries]
        adds = len(own) < most and (not own or rounds % 2 == 0)
        if adds:
            number += 1
            entry = f"other{number}:br-other"
            wanted = f"{entry},{text}" if number % 3 == 0 else f"{text},{entry}"
        else:
            entry = own[0]
            wanted = ",".join(each for each in text.split(",") if each != entry)
        after = ["map", [[key, value] for key, value in before[1] if key != KEY] + [[KEY, wanted]]]
        results = database.transact(
            {
                "op": "wait",
                "timeout": 0,
                "table": "Open_vSwitch",
                "where": [],
                "columns": ["external_ids"],
                "until": "==",
                "rows": [{"external_ids": before}],
            },
            {"op": "update", "table": "Open_vSwitch", "where": [], "row": {"external_ids": after}},
        )
        if any(each and each.get("error") for each in results):
            beaten += 1
        elif adds:
            own.append(entry)
        else:
            own.remove(entry)
    print(json.dumps({"rounds": rounds, "beaten": beaten, "lost": lost[:5], "own": own}))


main()
