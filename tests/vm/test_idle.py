#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""The priority of the reads, as the scheduler of the disk sees it."""

import os
import subprocess
import time

import blktest
from devices import run, write_text
from vmdevices import DeviceCase, kernel_name, scsi_debug

DEBUG = '/sys/kernel/debug'


class Idle(DeviceCase):
    @classmethod
    def setUpClass(cls):
        # Of which each read takes 5 ms.
        cls.disk, = scsi_debug(dev_size_mb=64, delay=0, ndelay=5000000)
        cls.name = kernel_name(cls.disk)
        write_text(f'/sys/block/{cls.name}/queue/scheduler', 'mq-deadline')
        if not os.path.isdir(f'{DEBUG}/block'):
            run('mount', '-t', 'debugfs', 'debugfs', DEBUG)

    def classes_seen(self, *args):
        """Of the reads that the disk has: the sums for real time, best effort
        and idle, as mq-deadline counts them."""
        path = f'{DEBUG}/block/{self.name}/sched/owned_by_driver'
        sums = [0, 0, 0]
        with subprocess.Popen([blktest.BLKBENCH, '-q', '-b', '4k', '-r', '3',
                               *args, self.disk], text=True,
                              stdout=subprocess.PIPE) as process:
            # Not at its end, when it looks for what the disk contains.
            end = time.monotonic() + 1.5
            while time.monotonic() < end:
                with open(path, encoding='ascii') as file:
                    counts = map(int, file.read().split())
                sums = [a + b for a, b in zip(sums, counts)]
            out, _ = process.communicate()
        self.assertEqual(process.returncode, 0, out)
        self.assertEqual('; idle priority' in out, '--idle' in args)
        return sums

    def test_reads_are_idle_with_each_engine(self):
        for engine in 'io_uring', 'aio', 'pread':
            with self.subTest(engine):
                realtime, best, idle = self.classes_seen('--idle', '--engine',
                                                         engine)
                self.assertEqual((realtime, best), (0, 0))
                self.assertGreater(idle, 100)

    def test_reads_are_as_others_without_it(self):
        for engine in 'io_uring', 'aio', 'pread':
            with self.subTest(engine):
                _, best, idle = self.classes_seen('--engine', engine)
                self.assertEqual(idle, 0)
                self.assertGreater(best, 100)


if __name__ == '__main__':
    blktest.main()
