# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Devices of known speed against each other."""

import contextlib
import os
import time
import unittest

import blktest
from devices import (GIB, MIB, loop, nbdkit_file, partition, random_file,
                     sparse_file)


@contextlib.contextmanager
def slow_device(delay, *arguments, connections=10):
    with nbdkit_file('--filter=delay', *arguments, 'memory', '1G',
                     f'rdelay={delay}', connections=connections) as path, \
            loop(path, '--direct-io=on') as node:
        yield node


class Versus(unittest.TestCase):
    def compare(self, *args, code=0):
        run = blktest.blkbench('-j', *args, timeout=120)
        self.assertEqual(run.code, code, run)
        return run

    def only_pair(self, run):
        pair, = run.json['comparison']['pairs']
        return pair

    def test_10_ms_is_faster_than_12_ms(self):
        with slow_device('10ms') as fast, slow_device('12ms') as slow:
            for first, second, verdict, ratio in (
                    (fast, slow, 'slower', 10.4 / 12.4),
                    (slow, fast, 'faster', 12.4 / 10.4)):
                pair = self.only_pair(self.compare(
                    '-s', '-Q', 1, '-r', 10, first, second))
                self.assertEqual(pair['verdict'], verdict, pair)
                self.assertAlmostEqual(pair['ratio'], ratio, delta=0.06)
                self.assertLess(pair['ratio_low'], pair['ratio'])
                self.assertGreater(pair['ratio_high'], pair['ratio'])
                self.assertIsNone(pair['seconds_needed'])

    def test_every_default_test_has_its_verdict_within_a_minute(self):
        # Far apart: what 8 reads of 1 MiB cost the processors weighs, too.
        with slow_device('10ms') as fast, slow_device('40ms') as slow:
            begin = time.monotonic()
            run = self.compare(fast, slow)
            self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual([(pair['test'], pair['queue_depth'], pair['verdict'])
                          for pair in run.json['comparison']['pairs']],
                         [('sequential', 8, 'slower'), ('timed', 1, 'slower'),
                          ('seek', 1, 'slower'), ('seek', 32, 'slower')])
        # What a device would have had alone it has here too.
        for device in run.json['devices']:
            for test in device['tests'][:2]:
                self.assertGreaterEqual(test['elapsed_ns'], 3e9)

    def test_of_three_the_odd_one_is_named(self):
        with slow_device('10ms') as first, slow_device('20ms') as odd, \
                slow_device('10ms') as third:
            devices = first, odd, third
            run = self.compare('-s', '-Q', 1, '-r', 2, '--equal', 10, *devices)
            text = blktest.blkbench('-s', '-Q', 1, '-r', 2, '--equal', 10,
                                    *devices)
        named, = run.json['comparison']['odd']
        self.assertEqual((named['path'], named['among']), (odd, 3))
        self.assertLess(named['score'], -3.5)
        self.assertEqual(named['value'], run.json['devices'][1]['tests'][0]
                         ['seeks_per_s'])
        self.assertRegex(text.out, f'{odd} is the odd one out, with [0-9.]+ '
                         'seeks/s: the two others are much more alike')

    def test_two_of_10_ms_are_not_told_apart(self):
        with slow_device('10ms') as first, slow_device('10ms') as second:
            pair = self.only_pair(self.compare('-s', '-Q', 1, '-r', 5,
                                               '--equal', 10, first, second))
        self.assertEqual(pair['verdict'], 'equal', pair)

    def test_one_that_hangs_drops_out_wherever_it_stands(self):
        with slow_device('10ms') as first, slow_device('10ms') as second, \
                slow_device('10', connections=1) as hung:
            for devices in ((hung, first, second), (first, hung, second),
                            (first, second, hung)):
                begin = time.monotonic()
                run = self.compare('-s', '-r', 4, *devices, code=1)
                self.assertLess(time.monotonic() - begin, 40)
                by_path = {device['path']: device
                           for device in run.json['devices']}
                self.assertEqual(by_path[hung]['status'], 'failed')
                single, several = by_path[hung]['tests']
                self.assertEqual(single['stalled']['requests'], 1)
                self.assertEqual(several['skipped'],
                                 'the device stalled before')
                for path in first, second:
                    self.assertEqual(by_path[path]['status'], 'ok')
                    for test in by_path[path]['tests']:
                        self.assertIs(test['partial'], False)
                    self.assertAlmostEqual(
                        by_path[path]['tests'][0]['access_ms'], 10.5,
                        delta=2)
                for pair in run.json['comparison']['pairs']:
                    is_hung = hung in (pair['a'], pair['b'])
                    self.assertEqual(pair['partial'], is_hung)
                pairs = [(pair['a'], pair['b'], pair['slices'] >= 6)
                         for pair in run.json['comparison']['pairs']
                         if not pair['partial']]
                self.assertIn((first, second, True), pairs)

    def test_read_errors_of_one_are_no_fault_of_the_other(self):
        with random_file(MIB) as path, loop(path) as bad, \
                random_file(64 * MIB) as good:
            # Where its file has ended, a loop device fails its reads.
            os.truncate(path, 0)
            for devices in (good, bad), (bad, good):
                run = self.compare('-q', '-r', 1, *devices, code=1)
                by_path = {device['path']: device
                           for device in run.json['devices']}
                self.assertEqual((by_path[bad]['status'],
                                  by_path[good]['status']), ('failed', 'ok'))
                test, = by_path[good]['tests']
                self.assertIs(test['partial'], False)
                self.assertGreater(test['rate_bytes_per_s'], 0)
                pair = self.only_pair(run)
                self.assertEqual((pair['verdict'], pair['partial']),
                                 ('undecided', True))


class SameDisk(unittest.TestCase):
    """Both loop devices have the file for their disk."""

    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.path = stack.enter_context(sparse_file(GIB))
        self.first, self.second = (stack.enter_context(loop(self.path))
                                   for _ in range(2))
        # 2048 sectors on, for half of it.
        self.part = stack.enter_context(
            partition(self.second, 1, 2048, 1024 * 1024))

    def compare(self, *args):
        run = blktest.blkbench('-j', '-q', '-r', 0.1, *args)
        self.assertEqual((run.code, run.err), (0, ''), run)
        ranges = [(device['tests'][0]['offset_bytes'],
                   device['tests'][0]['length_bytes'])
                  for device in run.json['devices']]
        warnings = [[warning['text'] for warning in device['warnings']
                     if warning['code'] == 'zone']
                    for device in run.json['devices']]
        return ranges, warnings

    def test_none_is_read_where_the_other_is(self):
        for args in ((self.first, self.first), (self.first, self.second)):
            ranges, warnings = self.compare(*args)
            self.assertEqual(ranges, [(0, 480 * MIB),
                                      (544 * MIB, 480 * MIB)])
            self.assertEqual(warnings, [[], []])

    def test_a_partition_is_read_where_its_disk_is_not(self):
        # The disk from 545 MiB on, the partition up to its byte 480 MiB.
        for args, expected in (
                ((self.first, self.part), [545 * MIB, 0]),
                ((self.part, self.first), [0, 545 * MIB])):
            ranges, warnings = self.compare(*args)
            self.assertEqual([offset for offset, _ in ranges], expected)
            self.assertEqual([length for _, length in ranges], 2 * [479 * MIB])
            self.assertEqual(warnings, [[], []])

    def test_a_range_that_was_asked_for_is_kept_and_warned_of(self):
        ranges, warnings = self.compare('-l', '100M', self.first, self.second)
        self.assertEqual(ranges, 2 * [(0, 100 * MIB)])
        self.assertEqual(warnings, [[], [
            f'104.86 MB (100.00 MiB) of the same blocks of {self.path} are '
            f'read of {self.first} as well: a cache may have answered']])

    def test_three_are_read_side_by_side(self):
        with sparse_file(8 * GIB) as path, loop(path) as first, \
                loop(path) as second, loop(path) as third:
            ranges, warnings = self.compare(first, second, third)
        # A GiB of each around the middle, and the third one below.
        self.assertEqual(ranges, [(3 * GIB - 32 * MIB, GIB),
                                  (4 * GIB + 32 * MIB, GIB),
                                  (2 * GIB - 96 * MIB, GIB)])
        self.assertEqual(warnings, [[], [], []])

    def test_a_third_one_without_room_is_warned_of(self):
        ranges, warnings = self.compare(self.first, self.second, self.part)
        self.assertEqual(ranges[2], (0, 512 * MIB))
        self.assertEqual([len(texts) for texts in warnings], [0, 0, 1])

    def test_other_tools_read_all_of_each(self):
        run = blktest.blkbench('--format', 'hdparm', '-r', 0.1, self.first,
                               self.first)
        self.assertEqual((run.code, run.err), (0, ''), run)
        self.assertNotIn('compared', run.out)


if __name__ == '__main__':
    blktest.main()
