# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What a run takes: time and memory."""

import os
import subprocess
import time
import unittest

import blktest
from devices import GIB, loop, random_file


def measure(*args):
    """Returns the seconds it took and its largest size in memory, in KiB."""
    start = time.monotonic()
    process = subprocess.Popen([blktest.BLKBENCH, *args],
                               stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.monotonic() - start, usage.ru_maxrss


class DefaultRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.file = random_file(GIB)
        cls.device = loop(cls.file.__enter__())
        cls.node = cls.device.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.device.__exit__(None, None, None)
        cls.file.__exit__(None, None, None)

    def test_it_ends_within_20_s_in_32_mib(self):
        seconds, kib = measure(self.node)
        self.assertLess(seconds, 20)
        self.assertLess(kib, 32 * 1024)

    def test_a_longer_run_takes_no_more_memory(self):
        _, short = measure('-q', '-s', '-r', '1', self.node)
        _, long = measure('-q', '-s', '-r', '10', self.node)
        self.assertLess(long, 32 * 1024)
        self.assertLess(long, short * 1.05)


if __name__ == '__main__':
    blktest.main()
