# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""A disk whose rate is known at each of its bytes: an NBD server, behind FUSE."""

import contextlib
import os
import socket
import struct
import subprocess
import threading
import time

from devices import directory, wait_for

# The words of the protocol:
# https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md
GREETING = struct.pack('>8s8sH', b'NBDMAGIC', b'IHAVEOPT', 1)  # fixed newstyle
OPTION_REPLY = 0x3e889045565a9
REQUEST, REPLY = 0x25609513, 0x67446698
OPT_EXPORT_NAME, OPT_ABORT, OPT_GO = 1, 2, 7
REP_ACK, REP_INFO, REP_ERR_UNSUP = 1, 3, (1 << 31) + 1
HAS_FLAGS, READ_ONLY = 1, 2
CMD_READ, CMD_DISC = 0, 2

# What requests take besides, on a busy machine too, is made up for by the next
# ones; an idle time, longer than this, is not.
IDLE_S = 0.3

ZEROS = bytes(32 << 20)


class Server(threading.Thread):
    """One connection; one read after the other, in the time that it has to
    take: rate_at(offset) is in bytes per second."""

    def __init__(self, path, size, rate_at):
        super().__init__(daemon=True)
        self.size = size
        self.rate_at = rate_at
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)
        self.free = 0

    def run(self):
        connection, _ = self.listener.accept()
        with connection, contextlib.suppress(ConnectionError):
            self.serve(connection)

    def receive(self, connection, form):
        size = struct.calcsize(form)
        data = connection.recv(size, socket.MSG_WAITALL)
        if len(data) < size:
            raise ConnectionError
        return struct.unpack(form, data)

    def serve(self, connection):
        connection.sendall(GREETING)
        self.receive(connection, '>L')
        while not self.negotiate(connection):
            pass
        while self.answer(connection):
            pass

    def negotiate(self, connection):
        """Returns whether the reads begin."""
        flags = HAS_FLAGS | READ_ONLY
        _, option, length = self.receive(connection, '>QLL')
        connection.recv(length, socket.MSG_WAITALL)
        if option == OPT_ABORT:
            raise ConnectionError
        if option == OPT_EXPORT_NAME:
            connection.sendall(struct.pack('>QH124x', self.size, flags))
            return True
        if option != OPT_GO:
            connection.sendall(struct.pack('>QLLL', OPTION_REPLY, option,
                                           REP_ERR_UNSUP, 0))
            return False
        connection.sendall(struct.pack('>QLLLHQH', OPTION_REPLY, option,
                                       REP_INFO, 12, 0, self.size, flags))
        connection.sendall(struct.pack('>QLLL', OPTION_REPLY, option,
                                       REP_ACK, 0))
        return True

    def answer(self, connection):
        """Returns whether there is more to come."""
        magic, _, command, cookie, offset, length = self.receive(
            connection, '>LHHQQL')
        assert magic == REQUEST
        if command == CMD_DISC:
            return False
        assert command == CMD_READ
        self.pace(length / self.rate_at(offset))
        connection.sendall(struct.pack('>LLQ', REPLY, 0, cookie))
        connection.sendall(memoryview(ZEROS)[:length])
        return True

    def pace(self, seconds):
        now = time.monotonic()
        if now - self.free > IDLE_S:
            self.free = now
        self.free += seconds
        if self.free > now:
            time.sleep(self.free - now)


@contextlib.contextmanager
def paced_file(size, rate_at):
    with directory() as place:
        uri = f'nbd+unix:///?socket={place}/socket'
        mount = os.path.join(place, 'mount')
        path = os.path.join(mount, 'disk')
        os.mkdir(mount)
        server = Server(f'{place}/socket', size, rate_at)
        server.start()
        with subprocess.Popen(['nbdfuse', '-r', path, uri],
                              stdin=subprocess.DEVNULL) as fuse:
            try:
                wait_for(lambda: os.path.exists(path) or
                         fuse.poll() is not None, path)
                yield path
            finally:
                wait_for(lambda: fuse.poll() is not None or
                         subprocess.run(['umount', mount], check=False,
                                        stderr=subprocess.DEVNULL
                                        ).returncode == 0, f'umount {mount}')
        server.join(20)
