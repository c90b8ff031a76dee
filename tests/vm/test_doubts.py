#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What makes figures doubtful and takes real layers of the kernel's."""

import unittest

import blktest
from devices import setting
from vmdevices import dm, kernel_name, scsi_debug

REST = {'asleep', 'busy', 'cache', 'throttled', 'punted'}


class Doubts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.disk, = scsi_debug(dev_size_mb=64)
        # Device-mapper takes no reads for it without waiting, if need be.
        cls.secret = dm('secret', 'crypt', 'aes-xts-plain64', '00' * 32, 0,
                        cls.disk, 0)

    def seek(self, device, *options):
        """The engine, and the warnings by their codes."""
        run = blktest.blkbench('-j', '-s', '-r', 1, *options, device)
        self.assertEqual((run.code, run.err), (0, ''), run)
        report, = run.json['devices']
        return (report['tests'][-1]['engine'],
                {warning['code']: warning['text']
                 for warning in report['warnings']})

    def test_a_plain_disk_is_not_doubted(self):
        engine, warnings = self.seek(self.disk)
        self.assertEqual(engine, 'io_uring')
        self.assertEqual(set(warnings) & REST, set(), warnings)

    def test_a_target_without_nowait_is_punted_and_what_that_costs_is_told(self):
        engine, warnings = self.seek(self.secret)
        self.assertRegex(
            warnings['punted'],
            r'^io_uring hands the reads of this device to worker threads: '
            r'\d+ reads/s in a trial, \d+ with (aio|pread), which '
            r'(was used instead|is not clearly faster)$')
        self.assertEqual('used instead' in warnings['punted'],
                         engine != 'io_uring')

    def test_that_is_told_of_io_uring_by_name_as_well(self):
        engine, warnings = self.seek(self.secret, '--engine', 'io_uring')
        self.assertEqual(engine, 'io_uring')
        self.assertRegex(
            warnings['punted'],
            r': \d+ reads/s in a trial, \d+ with (aio|pread), which '
            r'(was not asked for|is not clearly faster)$')

    def test_a_unit_that_takes_few_reads_at_a_time_is_told(self):
        name = kernel_name(self.disk)
        with setting(f'/sys/block/{name}/device/queue_depth', 4):
            for device in self.disk, self.secret:
                _, warnings = self.seek(device)
                self.assertIn(f'32 reads were in flight, of which {name} takes '
                              '4 at a time (device/queue_depth)',
                              warnings['throttled'])


if __name__ == '__main__':
    blktest.main()
