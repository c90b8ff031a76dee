#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Disks with bad sectors: what is named, and what still counts."""

import errno
import unittest

import blktest
from devices import run
from vmdevices import (disk_with_serial, dm, dm_table, remove_scsi_debug,
                       scsi_debug)

# vm: scsi 256M serial=SICK

SECTOR = 512
HOLE = (81925, 8)


def sectors(disk):
    return int(run('blockdev', '--getsz', disk))


def with_hole(name, disk):
    """As the disk, but for 8 sectors that cannot be read."""
    start, count = HOLE
    end = start + count
    return dm_table(name, f'0 {start} linear {disk} 0',
                    f'{start} {count} error',
                    f'{end} {sectors(disk) - end} linear {disk} {end}')


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # 1 GiB of zeros, each request takes 20 ms by a timer, whatever the
        # processor does meanwhile, and however many there are.
        run('modprobe', 'null_blk', 'gb=1', 'irqmode=2',
            'completion_nsec=20000000', 'max_sectors=2048',
            'hw_queue_depth=256')
        cls.slow = '/dev/nullb0'

    def blkbench(self, *args):
        """Of a run on one sick device: (run, its part of the report)."""
        found = blktest.blkbench('-j', *args)
        self.assertEqual(found.code, 1, found)
        self.assertNotIn('Success', found.out + found.err)
        device, = found.json['devices']
        self.assertEqual(device['status'], 'failed')
        self.assertEqual(found.err,
                         ''.join(f'blkbench: {args[-1]}: {line}\n' for line in
                                 self.messages(found)), found)
        return found, device

    def messages(self, found):
        lines = found.err.splitlines()
        start = f'blkbench: {found.argv[-1]}: '
        for line in lines:
            self.assertTrue(line.startswith(start), found)
        self.assertEqual(found.json['devices'][0]['message'],
                         lines[0].removeprefix(start))
        return [line.removeprefix(start) for line in lines]

    def check_figures(self, test):
        """Of good reads only, over the time that is told; without the tail."""
        self.assertEqual(test['bytes'], test['requests'] * test['block_bytes'])
        self.assertLess(test['elapsed_ns'], test['runtime_ns'] + 0.5e9)
        tail = test['tail'] or {'requests': 0, 'bytes': 0, 'elapsed_ns': 0}
        seconds = (test['elapsed_ns'] - tail['elapsed_ns']) / 1e9
        self.assertAlmostEqual(
            test['rate_bytes_per_s'] * seconds /
            (test['bytes'] - tail['bytes']), 1, delta=1e-6)
        if test['test'] == 'seek':
            self.assertAlmostEqual(
                test['seeks_per_s'] * seconds /
                (test['requests'] - tail['requests']), 1, delta=1e-6)

    def check_ranges(self, test, *ranges):
        """(first sector, how many, errno) of each bad range."""
        self.assertEqual([(bad['offset_bytes'], bad['length_bytes'],
                           bad['errno']) for bad in test['bad_list']],
                         [(start * SECTOR, count * SECTOR, number)
                          for start, count, number in ranges])
        for error in test['error_list']:
            self.assertEqual(error['reread'], 'bad')
        self.assertEqual(sum(e['reads'] for e in test['error_list']),
                         test['errors'])

    def test_a_hole_of_8_sectors_is_named_and_leaves_the_rate_alone(self):
        whole = dm('whole', 'linear', self.slow, 0)
        hole = with_hole('hole', self.slow)
        rates = {whole: [], hole: []}
        for device in 3 * (whole, hole):
            found = blktest.blkbench('-q', '-j', '-r', 1, '--engine', 'aio',
                                     device)
            test, = found.json['devices'][0]['tests']
            rates[device].append(test['rate_bytes_per_s'])
            self.assertEqual(found.code, 1 if device == hole else 0, found)
            self.check_figures(test)
            self.assertIs(test['partial'], False)
            self.assertEqual(test['errors'] > 0, device == hole, found)
            if device == hole:
                self.check_ranges(test, (*HOLE, errno.EIO))
        run('dmsetup', 'remove', whole)
        run('dmsetup', 'remove', hole)
        # What else this machine does only makes them slower.
        self.assertAlmostEqual(max(rates[hole]) / max(rates[whole]), 1,
                               delta=0.05, msg=rates)

    def test_the_text_names_the_sectors(self):
        device = with_hole('text', disk_with_serial('SICK'))
        found = blktest.blkbench('-t', '-r', 1, device)
        self.assertEqual(found.code, 1, found)
        start, count = HOLE
        self.assertRegex(found.out, (
            rf'\n  error +timed: {count * SECTOR} B at offset {start * SECTOR} '
            rf'\(sectors {start} to {start + count - 1} of 512 B\): '
            r'Input/output error(, \d+ times)?\n'))
        self.assertRegex(found.err, (
            rf'^blkbench: {device}: timed: \d+ read errors?, the first at '
            rf'offset {start * SECTOR}: Input/output error\n$'))
        run('dmsetup', 'remove', device)

    def test_seeks_on_a_map_that_is_half_error_count_good_reads_only(self):
        half = sectors(self.slow) // 2
        device = dm_table('half', f'0 {half} linear {self.slow} 0',
                          f'{half} {half} error')
        options = ('-s', '-r', 3, '--engine', 'aio')
        _, ended = self.blkbench(*options, device)
        _, sick = self.blkbench(*options, '--max-errors', 1000000, device)
        good = blktest.blkbench(*options, '-l', '50%', '-j', device)
        run('dmsetup', 'remove', 'half')

        for test, depth in zip(ended['tests'], (1, 32)):
            self.assertIs(test['partial'], True)
            self.assertIn(test['errors'], range(16, 16 + depth))
            self.check_figures(test)
            for error in test['error_list']:
                self.assertGreaterEqual(error['offset_bytes'], half * SECTOR)
                self.assertEqual(error['reread'], 'bad')
        self.assertEqual(good.code, 0, good)
        for test, other in zip(sick['tests'],
                               good.json['devices'][0]['tests']):
            self.assertIs(test['partial'], False)
            self.check_figures(test)
            # Within six standard deviations of a fair coin.
            reads = test['requests'] + test['errors']
            self.assertGreater(reads, 100)
            self.assertAlmostEqual(test['requests'], reads / 2,
                                   delta=6 * reads ** 0.5 / 2)
            # Errors come at once: the good half is as fast as by itself.
            self.assertAlmostEqual(
                test['seeks_per_s'] / other['seeks_per_s'], 1, delta=0.15)

    def test_a_device_that_is_down_every_other_second_is_timed_when_up(self):
        disk = disk_with_serial('SICK')
        steady = blktest.blkbench('-q', '-j', '-r', 2, '-b', '64k', disk)
        device = dm('flakey', 'flakey', disk, 0, 1, 1)
        _, sick = self.blkbench('-q', '-r', 4, '-b', '64k', '--engine',
                                'io_uring', '--max-errors', 1000000000, device)
        test, = sick['tests']
        self.check_figures(test)
        self.assertIs(test['partial'], False)
        self.assertGreater(test['errors'], 1000)
        # Two of the four seconds.
        self.assertAlmostEqual(test['elapsed_ns'] / 1e9, 2, delta=0.6)
        # Of later passes too, which the host may have in its memory.
        whole, = steady.json['devices'][0]['tests']
        rate = whole['bytes'] / whole['elapsed_ns'] * 1e9
        self.assertLess(test['rate_bytes_per_s'], 1.5 * rate)
        run('dmsetup', 'remove', 'flakey')

    def test_a_medium_error_is_called_by_its_name_and_located(self):
        # Of 10 sectors from 0x1234 on, says scsi_debug.c.
        disk, = scsi_debug(dev_size_mb=64, opts=2)
        bad = (0x1234, 10, errno.ENODATA)
        for args in (('-q',), ('-t',), ('-t', '-b', '4k', '-o', '2M')):
            with self.subTest(args):
                _, sick = self.blkbench(*args, '-r', 1, disk)
                test, = sick['tests']
                self.check_ranges(test, bad)
                self.check_figures(test)
                self.assertEqual(test['bad_list'][0]['text'],
                                 'critical medium error (No data available)')
        with self.subTest('through the page cache'):
            _, sick = self.blkbench('-t', '--buffered', '-r', 1, disk)
            pages = (0x1234 // 8 * 8, 16, errno.EIO)
            self.check_ranges(sick['tests'][0], pages)
        remove_scsi_debug()


if __name__ == '__main__':
    blktest.main()
