#!/usr/bin/python3 -ESsB
"""network.py ADDRESS/LENGTH: a network for lab machines on this machine: a Linux bridge with an address, in a network namespace of its own, that of this
process. Ends when its standard input does; the namespace goes with the last process in it.

Requests come in on standard input and answers go out on standard output, one JSON document a line, in the same order. It first says null.

  {"card": NAME}            adds a tap device to the bridge, for a machine. The answer is null.
  {"reach": [HOST, PORT]}   listens on the loopback interface of the namespace that it was started in, and passes connections on to that port
                            of the network. The answer is the port.
"""

import asyncio
import ctypes
import json
import os
import socket
import subprocess
import sys

CLONE_NEWNET = 0x40000000
BRIDGE = "lab"
libc = ctypes.CDLL(None, use_errno=True)


def succeed(result):
    """Raises what the last call into libc failed with, if it did."""
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def ip(*words):
    subprocess.run(["ip", *words], check=True)


async def copy(reader, writer):
    try:
        while piece := await reader.read(1 << 18):
            writer.write(piece)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


def listening_outside():
    """A socket that listens outside: it belongs to the namespace that its thread was in when it was made."""
    succeed(libc.setns(outside, CLONE_NEWNET))
    return socket.create_server(("127.0.0.1", 0))


async def reach(host, port):
    async def pass_on(reader, writer):
        try:
            there, back = await asyncio.open_connection(host, port)
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(copy(reader, back), copy(there, writer))
        back.close()
        writer.close()

    # In a thread of its own: programs are started in the namespace of this one.
    server = await asyncio.start_server(pass_on, sock=await asyncio.to_thread(listening_outside))
    return server.sockets[0].getsockname()[1]


async def answer(request):
    if "reach" in request:
        return await reach(*request["reach"])
    ip("tuntap", "add", request["card"], "mode", "tap")
    ip("link", "set", request["card"], "master", BRIDGE, "up")
    return None


async def serve():
    requests = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(requests), sys.stdin)
    print("null", flush=True)
    while line := await requests.readline():
        print(json.dumps(await answer(json.loads(line))), flush=True)


outside = os.open("/proc/self/ns/net", os.O_RDONLY)
succeed(libc.unshare(CLONE_NEWNET))
ip("link", "set", "lo", "up")
ip("link", "add", BRIDGE, "type", "bridge")
ip("address", "add", sys.argv[1], "dev", BRIDGE)
ip("link", "set", BRIDGE, "up")
asyncio.run(serve())
