#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Disks that take a known time for a read, one at a time and 32 at once."""

import unittest

import blktest
from vmdevices import dm, scsi_debug


class Latency(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # 4 ms for each read, however many there are.
        cls.disk, = scsi_debug(dev_size_mb=64, ndelay=4000000)

    def seek(self, device):
        run = blktest.blkbench('-s', '-j', '-r', 3, device)
        self.assertEqual((run.code, run.err), (0, ''), run)
        single, several = run.json['devices'][0]['tests']
        self.assertEqual((single['queue_depth'], several['queue_depth']),
                         (1, 32))
        return single, several

    def test_a_disk_of_4_ms_has_that_access_time_and_overlaps_32_reads(self):
        single, several = self.seek(self.disk)
        self.assertGreater(single['latency_ns']['min'], 4000000)
        # An emulated processor adds half a millisecond.
        self.assertAlmostEqual(single['access_ms'], 4.5, delta=4.5 * 0.25)
        self.assertGreater(several['seeks_per_s'] / single['seeks_per_s'], 4)

    def test_a_dm_delay_of_20_ms_adds_that_and_overlaps_32_reads(self):
        single, several = self.seek(dm('slow', 'delay', self.disk, 0, 20))
        # It counts in steps of 4 ms, the first of them begun already.
        self.assertGreater(single['latency_ns']['min'], 16000000 + 4000000)
        self.assertLess(single['access_ms'], 40)
        self.assertGreater(several['seeks_per_s'] / single['seeks_per_s'], 4)


if __name__ == '__main__':
    blktest.main()
