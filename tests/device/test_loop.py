# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Loop devices of all sizes and sectors: what they are, and what is read."""

import os
import unittest

import blktest
from devices import MIB, loop, partition, random_file, sparse_file

SHORT = ('-r', '0.2')


def report(*args):
    """The one device of a JSON report."""
    run = blktest.blkbench('-j', *args)
    return run, run.json['devices'][0]


class Loop(unittest.TestCase):
    def check_all_measured(self, run, device):
        self.assertEqual((run.code, run.err), (0, ''), run)
        self.assertEqual([test['test'] for test in device['tests']],
                         ['sequential', 'timed', 'seek', 'seek'])
        for test in device['tests']:
            self.assertGreater(test['rate_bytes_per_s'], 0)
            self.assertEqual(test['errors'], 0)
            self.assertEqual(test['short_reads'], 0)

    def check_sectors(self, size):
        with random_file(8 * MIB) as path, \
                loop(path, f'--sector-size={size}') as node:
            run, device = report(*SHORT, node)
            self.check_all_measured(run, device)
            self.assertEqual(device['kind'], 'loop')
            self.assertEqual(device['size_bytes'], 8 * MIB)
            self.assertEqual(device['topology']['logical_sector_bytes'], size)
            self.assertEqual(device['tests'][2]['block_bytes'], 4096)
            self.assertAlmostEqual(device['tests'][2]['access_ms'],
                                   device['tests'][2]['latency_ns']['mean'] /
                                   1e6, delta=1e-6)

    def test_sectors_of_512_bytes(self):
        self.check_sectors(512)

    def test_sectors_of_4096_bytes(self):
        self.check_sectors(4096)

    def test_blocks_of_512_bytes_are_refused_on_larger_sectors(self):
        with sparse_file(MIB) as path, \
                loop(path, '--sector-size=4096') as node:
            run = blktest.blkbench('-s', '-b', '512', node)
            self.assertEqual(run.code, 2)
            self.assertIn('512', run.err)
            self.assertIn('logical sector (4096', run.err)
            self.assertEqual(run.out, '')

    def test_a_device_of_one_sector(self):
        with random_file(512) as path, loop(path) as node:
            run, device = report(*SHORT, node)
            self.check_all_measured(run, device)
            self.assertEqual(device['size_bytes'], 512)
            for test in device['tests']:
                self.assertEqual(test['block_bytes'], 512)
                self.assertEqual(test['passes'], test['requests'])
            self.assertIn('small', [warning['code']
                                    for warning in device['warnings']])

    def test_a_device_smaller_than_a_timed_read(self):
        with random_file(MIB) as path, loop(path) as node:
            run, device = report(*SHORT, node)
            self.check_all_measured(run, device)
            self.assertEqual(device['tests'][1]['block_bytes'], MIB)

    def test_an_odd_size_is_read_to_its_last_sector(self):
        size = 5 * MIB + 3 * 512
        with random_file(size + 100) as path, loop(path) as node:
            run, device = report(*SHORT, node)
            self.check_all_measured(run, device)
            self.assertEqual(device['size_bytes'], size)
            self.assertEqual(device['tests'][0]['length_bytes'], size)

    def test_a_read_only_device(self):
        with random_file(4 * MIB) as path, loop(path, '--read-only') as node:
            run, device = report(*SHORT, node)
            self.check_all_measured(run, device)
            self.assertIs(device['read_only'], True)

    def test_the_backing_file_is_named(self):
        with sparse_file(MIB) as path, loop(path) as node:
            run = blktest.blkbench('-i', node)
            self.assertEqual(run.code, 0, run)
            self.assertIn(f'loop on {path},', run.out)

    def test_a_device_without_a_medium_cannot_be_tested(self):
        with sparse_file(MIB) as path:
            with loop(path) as node:
                pass
        run = blktest.blkbench(node)
        self.assertEqual(run.code, 3, run)
        self.assertEqual(run.out, '')
        self.assertRegex(run.err, rf'^blkbench: {node}: [^\n]+\n$')

    def test_reads_that_fail_are_counted_apart(self):
        with random_file(8 * MIB) as path, loop(path) as node:
            os.truncate(path, 4 * MIB)
            run, device = report('-q', '-s', '-b', '4k', '-Q', '1', *SHORT,
                                 node)
            self.assertEqual(run.code, 1, run)
            self.assertEqual(device['status'], 'failed')
            seek = device['tests'][1]
            self.assertGreater(seek['errors'], 0)
            self.assertEqual(seek['bytes'], 4096 * seek['requests'])
            for error in seek['error_list']:
                self.assertGreaterEqual(error['offset_bytes'], 4 * MIB)
                self.assertEqual(error['text'], 'Input/output error')
            self.assertIn('Input/output error', run.err)
            self.assertNotIn('Success', run.err + run.out)

    def test_a_device_that_fails_has_no_figures(self):
        with random_file(8 * MIB) as path, loop(path) as node:
            os.truncate(path, 0)
            run = blktest.blkbench('-q', '-s', *SHORT, node)
            self.assertEqual(run.code, 1, run)
            self.assertRegex(run.out, r'\n  sequential +n/a')
            self.assertRegex(run.out, r'\n  seek +n/a')
            self.assertNotIn('Success', run.err + run.out)

    def test_a_mounted_or_otherwise_open_device_is_no_obstacle(self):
        with random_file(4 * MIB) as path, loop(path) as node:
            holder = os.open(node, os.O_RDONLY | os.O_EXCL)
            try:
                run, device = report(*SHORT, node)
            finally:
                os.close(holder)
            self.check_all_measured(run, device)

    def test_a_bad_device_does_not_stop_a_good_one(self):
        with random_file(4 * MIB) as path, loop(path) as node:
            run = blktest.blkbench('-j', *SHORT, '/dev/null', node)
            self.assertEqual(run.code, 3, run)
            bad, good = run.json['devices']
            self.assertEqual(bad['status'], 'untested')
            self.assertEqual(good['status'], 'ok')


class Partition(unittest.TestCase):
    """start is in units of 512 bytes, whatever the sector size."""

    def check(self, node, start):
        device = report('-i', node)[1]
        self.assertEqual(device['kind'], 'partition')
        self.assertEqual(device['topology']['start_bytes'], start * 512)
        return device['alignment'], blktest.blkbench('-i', '-v', node).out

    def test_start_at_sector_63_is_told_in_numbers(self):
        with sparse_file(8 * MIB) as path, loop(path) as disk, \
                partition(disk, 1, 63, 2000) as node:
            alignment, text = self.check(node, 63)
            remainders = {finding['boundary_bytes']: finding['remainder_bytes']
                          for finding in alignment['findings']}
            self.assertEqual(remainders[4096], 3584)
            self.assertEqual(remainders[MIB], 32256)
            self.assertIn('byte 32256 (sector 63)', text)
            self.assertIn('3584 B past a 4 KiB boundary', text)
            self.assertIn('next aligned start 32768', text)

    def test_start_at_sector_2048_is_on_every_boundary(self):
        with sparse_file(8 * MIB) as path, loop(path) as disk, \
                partition(disk, 2, 2048, 4096) as node:
            alignment, text = self.check(node, 2048)
            self.assertNotEqual(alignment['verdict'], 'misaligned')
            self.assertEqual({finding['remainder_bytes']
                              for finding in alignment['findings']}, {0})
            self.assertIn('byte 1048576 (sector 2048)', text)

    def test_a_stripe_that_is_no_power_of_two(self):
        with sparse_file(8 * MIB) as path, loop(path) as disk, \
                partition(disk, 1, 2048, 4096) as node:
            run, device = report('-i', '--stripe', '192k', node)
            self.assertEqual(run.code, 0, run)
            self.assertEqual(device['alignment']['verdict'], 'misaligned')
            finding = [finding for finding in device['alignment']['findings']
                       if finding['boundary_bytes'] == 196608][0]
            self.assertEqual(finding['remainder_bytes'], 65536)
            self.assertEqual(finding['next_start_bytes'], 1179648)
            text = blktest.blkbench('-i', '--stripe', '192k', node).out
            self.assertRegex(text, r'\n  alignment +MISALIGNED: ')

    def test_misalignment_is_an_exit_code_when_asked_for(self):
        with sparse_file(8 * MIB) as path, loop(path) as disk, \
                partition(disk, 1, 2048, 4096) as node:
            options = ('-i', '-j', '--require-aligned', '--stripe')
            run = blktest.blkbench(*options, '192k', node)
            self.assertEqual(run.code, 4, run)
            self.assertEqual(run.err, f'blkbench: {node}: is misaligned\n')
            self.assertEqual(run.json['devices'][0]['status'], 'unmet')
            # A device that cannot be tested is worse.
            run = blktest.blkbench(*options, '192k', node, '/dev/null')
            self.assertEqual(run.code, 3, run)
            # Not known is not misaligned.
            run = blktest.blkbench(*options, '512k', node)
            self.assertEqual(run.code, 0, run)

    def test_start_on_sectors_of_4096_bytes(self):
        with sparse_file(8 * MIB) as path, \
                loop(path, '--sector-size=4096') as disk, \
                partition(disk, 1, 64, 4096) as node:
            alignment, _ = self.check(node, 64)
            self.assertNotEqual(alignment['verdict'], 'misaligned')

    def test_only_the_partition_is_read(self):
        with random_file(4 * MIB) as path, loop(path) as disk, \
                partition(disk, 1, 63, 2001) as node:
            run, device = report(*SHORT, node)
            self.assertEqual(run.code, 0, run)
            for test in device['tests']:
                self.assertEqual(test['offset_bytes'], 0)
                self.assertEqual(test['length_bytes'], 2001 * 512)


if __name__ == '__main__':
    blktest.main()
