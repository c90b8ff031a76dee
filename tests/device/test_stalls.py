#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""A device whose server stops, with more in flight than its queue can hold."""

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
import unittest

import jsonschema

import blktest
from devices import GIB, loop, nbdkit_file, run


@contextlib.contextmanager
def stopped(path):
    """The nbdkit that serves the file; who reads it waits."""
    place = os.path.dirname(path)
    servers = [int(pid) for pid in
               run('pgrep', '--full', f'^nbdkit .*{place}').split()]
    for pid in servers:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in servers:
            os.kill(pid, signal.SIGCONT)


class Stalls(unittest.TestCase):
    def check(self, engine):
        """The kernel has 128 requests for a loop device."""
        self.output = []
        with nbdkit_file('memory', 64 * GIB) as path, \
                loop(path) as device, \
                subprocess.Popen(
                    [blktest.BLKBENCH, '-q', '-b', '4k', '-Q', '512', '-j',
                     '-r', '2', '--engine', engine, device],
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True) as process:
            begin = time.monotonic()
            time.sleep(1)
            with stopped(path):
                # Not communicate(): the process may outlive its output.
                reader = threading.Thread(target=lambda: self.output.extend(
                    (process.stdout.read(), process.stderr.read())))
                reader.start()
                reader.join(30)
                seconds = time.monotonic() - begin
            reader.join()
            self.assertEqual(process.wait(60), 1)
        out, err = self.output
        self.assertLess(seconds, 2 + 2 + 3)
        self.assertIn('sequential: stalled: 512 reads outstanding', err)
        document = json.loads(out)
        jsonschema.validate(document, blktest.load_schema())
        test, = document['devices'][0]['tests']
        self.assertEqual(test['engine'], engine)
        self.assertEqual(test['stalled']['requests'], 512)
        self.assertGreater(test['stalled']['age_ns'], 2e9)

    def test_a_full_queue_does_not_hold_up_the_time_limit(self):
        for engine in ('io_uring', 'aio', 'pread'):
            with self.subTest(engine=engine):
                self.check(engine)


if __name__ == '__main__':
    blktest.main()
