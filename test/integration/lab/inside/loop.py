"""Waits for many things at once."""

import select
import time


class Loop:
    """Calls back when a descriptor can be read, and when a moment has come."""

    def __init__(self):
        self.poll = select.poll()
        self.readers = {}
        self.alarms = {}

    def watch(self, descriptor, reader):
        self.readers[descriptor] = reader
        self.poll.register(descriptor, select.POLLIN)

    def forget(self, descriptor):
        del self.readers[descriptor]
        self.poll.unregister(descriptor)

    def turn(self):
        wait = min(self.alarms.values(), default=None)
        events = self.poll.poll(None if wait is None else max(0, wait - time.monotonic()) * 1000 + 1)
        for descriptor, reader in [(descriptor, self.readers[descriptor]) for descriptor, _ in events]:
            # An earlier event of the same turn may have closed it, and something else may have its number now.
            if self.readers.get(descriptor) is reader:
                reader()
        for alarm, moment in list(self.alarms.items()):
            if moment <= time.monotonic() and alarm in self.alarms:
                alarm()
