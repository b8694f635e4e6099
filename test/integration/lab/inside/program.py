"""What becomes of a program."""

import os
import select
import signal
import time


class Program:
    """One program that runs, until it has exited or its deadline has passed."""

    def __init__(self, loop, process, deadline, done):
        self.loop, self.process, self.done = loop, process, done
        self.output = {stream: b"" for stream in (process.stdout, process.stderr)}
        for stream in self.output:
            os.set_blocking(stream.fileno(), False)
            loop.watch(stream.fileno(), lambda stream=stream: self.read(stream))
        self.pidfd = os.pidfd_open(process.pid)
        loop.watch(self.pidfd, self.exited)
        loop.alarms[self.late] = time.monotonic() + deadline / 1000

    def read(self, stream):
        """Takes what a stream has; gives whether there may be more at once."""
        try:
            piece = os.read(stream.fileno(), 65536)
        except BlockingIOError:
            return False
        self.output[stream] += piece
        if not piece:
            self.loop.forget(stream.fileno())
            stream.close()
        return piece != b""

    def exited(self):
        # What a child of it that lives on may still print is not waited for.
        exit_code = self.process.wait()
        self.close()
        if exit_code < 0:
            self.done({"failure": "signal", "signal": signal.Signals(-exit_code).name})
        else:
            stdout, stderr = self.output.values()
            self.done({"exitCode": exit_code, "stdout": stdout.decode("latin-1"), "stderr": stderr.decode("latin-1")})

    def late(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.close()
        self.done({"failure": "deadline"})

    def close(self):
        for stream in self.output:
            while not stream.closed and self.read(stream):
                pass
            if not stream.closed:
                self.loop.forget(stream.fileno())
                stream.close()
        self.loop.forget(self.pidfd)
        os.close(self.pidfd)
        del self.loop.alarms[self.late]


class Started:
    """A program that goes on by itself. Its end is waited for in any case: the process namespace of a node ends with the last of its processes."""

    def __init__(self, loop, process):
        self.loop, self.process = loop, process
        self.waiting = []
        self.pidfd = os.pidfd_open(process.pid)
        loop.watch(self.pidfd, self.exited)

    def exited(self):
        self.process.wait()
        self.loop.forget(self.pidfd)
        os.close(self.pidfd)
        for answer in self.waiting:
            answer(self.outcome())

    def outcome(self):
        code = self.process.returncode
        return {"exitCode": code} if code >= 0 else {"signal": signal.Signals(-code).name}

    def when_exited(self, answer):
        if self.process.returncode is None:
            self.waiting.append(answer)
        else:
            answer(self.outcome())

    def signal(self, name):
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.Signals[name])


class Batch:
    """A program that prints a line for each line that it is told, and goes on until it does not: then it is ended, and of no more use."""

    def __init__(self, loop, process):
        self.process = process
        for stream in (process.stdout, process.stderr):
            os.set_blocking(stream.fileno(), False)
        # The end of a node waits for its processes to be waited for.
        self.started = Started(loop, process)

    def ask(self, lines, deadline):
        """What it prints for some lines; nothing where it complains, ends, or has not printed it when the deadline has passed. Waits for that."""
        try:
            return self.printed(lines, time.monotonic() + deadline / 1000)
        except (OSError, EOFError):
            return None

    def printed(self, lines, end):
        os.write(self.process.stdin.fileno(), "".join(f"{line}\n" for line in lines).encode())
        poll = select.poll()
        for stream in (self.process.stdout, self.process.stderr):
            poll.register(stream, select.POLLIN)
        printed = b""
        while poll.poll(max(0, end - time.monotonic()) * 1000):
            printed += self.read(self.process.stdout)
            # What it has to complain of it says before it ends the line.
            if self.read(self.process.stderr):
                return None
            if printed.count(b"\n") >= len(lines):
                return printed.decode("latin-1")
        return None

    @staticmethod
    def read(stream):
        try:
            piece = os.read(stream.fileno(), 1 << 20)
        except BlockingIOError:
            return b""
        if not piece:
            raise EOFError
        return piece

    def end(self):
        self.started.signal("SIGKILL")
