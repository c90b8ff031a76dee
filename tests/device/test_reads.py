# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Which reads reach a device, as the server behind it has seen them."""

import collections
import unittest

import blktest
from devices import GIB, MIB, TIB, logged_file, loop

BLOCK = 4096


def measured(log, test):
    """All but the first read, which warms up, and those after the test."""
    return log.reads()[1:1 + test['requests']]


def split(reads):
    """In blocks: the kernel merges neighbours that wait at the same time."""
    return [(offset, BLOCK) for start, length in reads
            for offset in range(start, start + length, BLOCK)]


class Reads(unittest.TestCase):
    def run_seek(self, node, *args):
        run = blktest.blkbench('-j', '-s', '--engine', 'io_uring', *args, node)
        self.assertEqual(run.code, 0, run)
        return run.json['devices'][0]['tests']

    def check_coverage(self, size, sector, depth):
        """Every block of the device once before any of them twice."""
        blocks = -(-size // BLOCK)
        with logged_file('null', size) as (path, log), \
                loop(path, '--direct-io=on', f'--sector-size={sector}') as node:
            log.clear()
            if depth == 1:
                test = self.run_seek(node, '-Q', '1', '-r', '1')[0]
                reads = measured(log, test)
            else:
                single, test = self.run_seek(node, '-Q', str(depth),
                                             '-r', '2')
                reads = split(log.reads()[single['requests'] + 2:])
                reads = reads[:test['requests']]
        self.assertGreater(len(reads), blocks)
        for offset, length in reads:
            self.assertEqual(length, BLOCK)
            self.assertEqual(offset % sector, 0)
            self.assertLessEqual(offset + length, size)
        expected = {*range(0, size - BLOCK + 1, BLOCK), size - BLOCK}
        self.assertEqual(len(expected), blocks)
        if depth == 1:
            self.assertEqual({offset for offset, _ in reads[:blocks]},
                             expected)
        counts = collections.Counter(offset for offset, _ in reads)
        self.assertEqual(set(counts), expected)
        # Reads that are in flight together end in any order.
        slack = 0 if depth == 1 else 1
        self.assertLessEqual(max(counts.values()) - min(counts.values()),
                             1 + slack)

    def test_every_block_is_read_once_before_any_is_read_twice(self):
        self.check_coverage(8 * MIB, 512, 1)

    def test_the_last_block_of_an_odd_size_is_read_and_none_past_it(self):
        self.check_coverage(8 * MIB + 3 * 512, 512, 1)

    def test_every_block_of_4096_byte_sectors_is_read(self):
        self.check_coverage(8 * MIB + BLOCK, 4096, 1)

    def test_every_block_is_read_with_32_in_flight(self):
        self.check_coverage(8 * MIB + 512, 512, 32)

    def test_sequential_reads_are_each_next_to_the_one_before(self):
        size = 10 * MIB + 512
        with logged_file('null', size) as (path, log), \
                loop(path, '--direct-io=on') as node:
            log.clear()
            run = blktest.blkbench('-j', '-t', '-b', '256k', '-r', '0.5',
                                   '--engine', 'io_uring', node)
            self.assertEqual(run.code, 0, run)
            reads = measured(log, run.json['devices'][0]['tests'][0])
        starts = [i for i, (offset, _) in enumerate(reads) if offset == 0]
        self.assertGreater(len(starts), 2)
        position = 0
        for offset, length in reads[starts[0]:starts[1]]:
            self.assertEqual(offset, position)
            position += length
        self.assertEqual(position, size)

    def test_all_of_9_tib_is_reached(self):
        with logged_file('null', 9 * TIB) as (path, log), \
                loop(path, '--direct-io=on') as node:
            log.clear()
            test = self.run_seek(node, '-Q', '1', '-r', '1')[0]
            offsets = [offset for offset, _ in measured(log, test)]
        self.assertGreater(len(offsets), 900)
        places = collections.Counter(offset // TIB for offset in offsets)
        # Each ninth has a ninth of the reads, within six standard deviations.
        share = len(offsets) / 9
        for place in range(9):
            self.assertAlmostEqual(places[place], share, delta=6 * share ** .5)
        self.assertLess(max(offsets), 9 * TIB)
        self.assertEqual(len(set(offsets)), len(offsets))

    def test_the_last_block_of_9_tib_is_read(self):
        size = 9 * TIB
        with logged_file('null', size) as (path, log), \
                loop(path, '--direct-io=on') as node:
            log.clear()
            self.run_seek(node, '-Q', '1', '-r', '0.1', '-o', size - 64 * 1024)
            self.assertIn((size - BLOCK, BLOCK), log.reads())

    def test_a_range_is_kept(self):
        with logged_file('null', GIB) as (path, log), \
                loop(path, '--direct-io=on') as node:
            log.clear()
            test = self.run_seek(node, '-Q', '1', '-r', '0.3', '-o', '50%',
                                 '-l', '1M')[0]
            offsets = {offset for offset, _ in measured(log, test)}
        self.assertEqual(offsets, set(range(GIB // 2, GIB // 2 + MIB, BLOCK)))

    def test_the_same_seed_reads_the_same_offsets(self):
        runs = []
        with logged_file('null', GIB) as (path, log), \
                loop(path, '--direct-io=on') as node:
            for seed in ('7', '7', '8'):
                log.clear()
                test = self.run_seek(node, '-Q', '1', '-r', '0.1', '--seed',
                                     seed)[0]
                runs.append(measured(log, test)[:100])
        self.assertEqual(len(runs[0]), 100)
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_info_alone_reads_nothing(self):
        with logged_file('null', GIB) as (path, log), \
                loop(path, '--direct-io=on') as node:
            log.clear()
            self.assertEqual(blktest.blkbench('-i', node).code, 0)
            self.assertEqual(log.reads(), [])

    def test_a_bad_option_reads_nothing(self):
        with logged_file('null', GIB) as (path, log), \
                loop(path, '--direct-io=on') as node:
            log.clear()
            for args in (('-b', '513'), ('-o', '2G'), ('-l', '0'),
                         ('-Q', '100000'), ('-r', 'nan')):
                self.assertEqual(blktest.blkbench(*args, node).code, 2)
            self.assertEqual(log.reads(), [])


if __name__ == '__main__':
    blktest.main()
