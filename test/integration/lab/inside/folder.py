"""Tells when something in a folder changes."""

import ctypes
import os

EVENTS = 0x00000002 | 0x00000008 | 0x00000080 | 0x00000100 | 0x00000200  # IN_MODIFY, IN_CLOSE_WRITE, IN_MOVED_TO, IN_CREATE, IN_DELETE
NON_BLOCKING = os.O_NONBLOCK | os.O_CLOEXEC
libc = ctypes.CDLL(None, use_errno=True)


class FolderWatch:
    """A descriptor that can be read once something has changed (inotify(7))."""

    def __init__(self, folder):
        self.descriptor = libc.inotify_init1(NON_BLOCKING)
        if libc.inotify_add_watch(self.descriptor, os.fsencode(folder), EVENTS) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), folder)

    def drain(self):
        try:
            while os.read(self.descriptor, 65536):
                pass
        except BlockingIOError:
            pass

    def close(self):
        os.close(self.descriptor)
