# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""zram: 4096-byte sectors, and reads that io_uring cannot start at once."""

import os
import unittest

import blktest
from devices import MIB, zram


class Zram(unittest.TestCase):
    def test_a_filled_device_is_measured(self):
        with zram(32 * MIB) as node:
            with open(node, 'r+b', buffering=0) as file:
                for _ in range(32):
                    file.write(os.urandom(MIB))
            run = blktest.blkbench('-j', '-r', '0.3', node)
        self.assertEqual(run.code, 0, run)
        device = run.json['devices'][0]
        self.assertEqual(device['kind'], 'zram')
        self.assertEqual(device['topology']['logical_sector_bytes'], 4096)
        for test in device['tests']:
            self.assertGreater(test['rate_bytes_per_s'], 0)

    def test_another_engine_than_io_uring_is_taken_and_named(self):
        with zram(32 * MIB) as node:
            auto = blktest.blkbench('-j', '-s', '-Q', '1', '-r', '0.5', node)
            text = blktest.blkbench('-s', '-Q', '1', '-r', '0.5', node)
            ring = blktest.blkbench('-j', '-s', '-Q', '1', '-r', '0.5',
                                    '--engine', 'io_uring', node)
        self.assertEqual((auto.code, text.code, ring.code), (0, 0, 0))
        device = auto.json['devices'][0]
        chosen = device['tests'][0]
        self.assertIn(chosen['engine'], ('aio', 'pread'))
        self.assertIn(('punted', 'seek'), [(warning['code'], warning['test'])
                                           for warning in device['warnings']])
        self.assertIn(f'; {chosen["engine"]};', text.out)
        self.assertIn('worker threads', text.out)
        forced = ring.json['devices'][0]['tests'][0]
        self.assertEqual(forced['engine'], 'io_uring')
        warning, = [warning['text']
                    for warning in ring.json['devices'][0]['warnings']
                    if warning['code'] == 'punted']
        self.assertRegex(warning, r'threads: \d+ reads/s in a trial, \d+ with '
                                  r'(aio|pread), which was not asked for')
        self.assertGreater(chosen['seeks_per_s'], forced['seeks_per_s'])

    def test_blocks_below_a_sector_are_refused(self):
        with zram(MIB) as node:
            run = blktest.blkbench('-s', '-b', '2048', node)
        self.assertEqual(run.code, 2, run)
        self.assertIn('4096', run.err)


if __name__ == '__main__':
    blktest.main()
