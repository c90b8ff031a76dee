#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""A clock that is set while a run goes on: only the time that passes counts."""

import subprocess
import time
import unittest

import blktest
from vmdevices import scsi_debug

DAY = 86400


def step_clock(seconds):
    now = time.clock_gettime(time.CLOCK_REALTIME)
    time.clock_settime(time.CLOCK_REALTIME, now + seconds)


class Clock(unittest.TestCase):
    LIMIT = 1.2  # seconds, for each test

    @classmethod
    def setUpClass(cls):
        # 4 ms for each read, however many there are.
        cls.disk, = scsi_debug(dev_size_mb=64, ndelay=4000000)

    def run_with_steps(self, *args):
        """The clock goes back by a day and, later, forth by two."""
        argv = [blktest.BLKBENCH, *args, '-r', str(self.LIMIT), self.disk]
        begin = time.monotonic()
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.PIPE)
        for step in -DAY, 2 * DAY, -DAY:
            time.sleep(0.7)
            step_clock(step)
        out, err = process.communicate(timeout=60)
        took = time.monotonic() - begin
        run = blktest.Run(argv, subprocess.CompletedProcess(
            argv, process.returncode, out, err))
        self.assertEqual((run.code, run.err), (0, ''), run)
        return run, took

    def test_figures_and_limits_do_not_notice(self):
        for engine in 'io_uring', 'aio', 'pread':
            with self.subTest(engine):
                run, took = self.run_with_steps('-j', '-q', '-s', '--engine',
                                                engine)
                tests = run.json['devices'][0]['tests']
                limits = [test['runtime_ns'] for test in tests]
                # The two parts of -s share its time.
                self.assertEqual(sum(limits), 2 * self.LIMIT * 1e9)
                self.assertGreater(took, 2 * self.LIMIT)
                self.assertLess(took, 2 * self.LIMIT + 6)
                for test, limit in zip(tests, limits):
                    self.assertGreater(test['elapsed_ns'], limit * 0.95)
                    self.assertLess(test['elapsed_ns'], limit + 1e9)
                    self.assertIsNone(test['stalled'])
                    self.assertLess(test['latency_ns']['max'], 1e9)
                    self.assertGreater(test['latency_ns']['min'], 4000000)
                    self.assertLess(max(slice['elapsed_ns'] for slice
                                        in test['slices']), 1e9)
                single = tests[1]
                self.assertLess(single['access_ms'], 4 * 2)
                # Of each second, most is access time; the rest goes by on
                # an emulated processor.
                busy = single['seeks_per_s'] * single['access_ms'] / 1000
                self.assertGreater(busy, 0.6)
                self.assertLess(busy, 1.02)

    def test_text_does_not_notice(self):
        run, took = self.run_with_steps('-q', '-s')
        self.assertLess(took, 2 * self.LIMIT + 6)
        self.assertRegex(run.out, r'\n  sequential +\d+\.\d\d MB/s .* in 1\.\d+ s ')
        self.assertRegex(run.out, r'\n  seek +[4-7]\.\d+ ms .* one at a time')


if __name__ == '__main__':
    blktest.main()
