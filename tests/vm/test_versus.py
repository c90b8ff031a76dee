#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""A partition, a logical volume of the same disk, and a slower one."""

import unittest

import blktest
from devices import MIB, run
from vmdevices import dm, logical_volume, partitions, scsi_debug, volume_group


class Versus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # 4 ms for each read. The second half is a volume group.
        disk, = scsi_debug(dev_size_mb=128, ndelay=4000000)
        cls.partition, member = partitions(disk, 2048, 2048 + 128 * 1024)
        volume_group('vg', member)
        cls.volume = logical_volume('vg', 'lv', '--extents=100%FREE')

    def compare(self, *args):
        done = blktest.blkbench('-j', *args, timeout=120)
        self.assertEqual((done.code, done.err), (0, ''), done)
        pair, = done.json['comparison']['pairs']
        return done.json['devices'], pair

    def test_a_partition_and_a_volume_of_its_disk_are_equal(self):
        devices, pair = self.compare('-s', '-Q', 1, '-r', 15, self.partition,
                                     self.volume)
        self.assertIn(pair['verdict'], ('equal', 'undecided'), pair)
        self.assertAlmostEqual(pair['ratio'], 1, delta=0.03)
        for device in devices:
            self.assertEqual(device['status'], 'ok')

    def test_a_delay_makes_a_volume_slower_by_the_right_factor(self):
        # It counts in steps of 4 ms: what it really adds, the figures tell.
        # Little time, so that these are of what was read in turns.
        slow = dm('slow', 'delay', self.volume, 0, 8)
        self.addCleanup(run, 'dmsetup', 'remove', slow)
        devices, pair = self.compare('-s', '-Q', 1, '-r', 3, self.partition,
                                     slow)
        fast_ms, slow_ms = (device['tests'][0]['access_ms']
                            for device in devices)
        self.assertEqual(pair['verdict'], 'slower', pair)
        self.assertGreater(slow_ms, fast_ms + 4)
        factor = pair['b_figure'] / pair['a_figure']
        self.assertAlmostEqual(pair['ratio'], factor, delta=0.05 * factor)

    def test_a_volume_is_not_read_where_its_partition_is(self):
        below = run('pvs', '--noheadings', '--options', 'pv_name').strip()
        devices, _ = self.compare('-q', '-r', 0.5, below, self.volume)
        first, second = (device['tests'][0] for device in devices)
        self.assertEqual(first['length_bytes'], second['length_bytes'])
        # The volume begins 1 MiB into its partition; 64 MiB have a gap of 8.
        distance = abs(second['offset_bytes'] + MIB - first['offset_bytes'])
        self.assertGreaterEqual(distance, first['length_bytes'] + 7 * MIB)


if __name__ == '__main__':
    blktest.main()
