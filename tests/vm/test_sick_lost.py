#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Devices that go away in mid-run: found at once, and told apart."""

import json
import subprocess
import time
import unittest

import blktest
from devices import run, write_text
from vmdevices import (disk_with_serial, dm, kernel_name, unplug,
                       wait_for_reads)

# vm: nvme 64M serial=PULLED
# vm: scsi 64M serial=TABLE
# vm: scsi 64M serial=OFFLINE
# vm: scsi 64M serial=DELETED
# vm: scsi 64M serial=BELOW


def write_state(device, attribute, value):
    write_text(f'/sys/block/{kernel_name(device)}/device/{attribute}',
               f'{value}\n')


class Lost(unittest.TestCase):
    def lose(self, device, lose, *args):
        """
        Runs the tests of args for 60 s each, does it in the midst of them,
        and returns the program's messages and its first test.
        """
        begin = time.monotonic()
        with subprocess.Popen(
                [blktest.BLKBENCH, '-j', '-r', '60', *args, device], text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                wait_for_reads(device)
                lose()
                lost = time.monotonic()
                out, err = process.communicate(timeout=30)
                took = time.monotonic() - lost
            finally:
                process.kill()
        self.assertEqual(process.returncode, 1, out + err)
        self.assertLess(took, 3)
        self.assertNotIn('Success', out + err)
        report, = json.loads(out)['devices']
        self.assertEqual(report['status'], 'failed')
        repeats = int(args[-1]) if '-n' in args else 1
        self.assertEqual(report['repeats_skipped'], repeats - 1)
        first, *others = report['tests']
        self.check_partial(first, lost - begin)
        for other in others:
            self.assertEqual(other['skipped'], 'the device was lost before')
        # It is said once, and nothing is read of it any more.
        self.assertEqual(err, f'blkbench: {device}: {report["message"]}\n')
        self.assertNotIn('content', [w['code'] for w in report['warnings']])
        return err, first

    def check_partial(self, test, seconds):
        self.assertIs(test['partial'], True)
        self.assertGreater(test['requests'], 0)
        self.assertEqual(test['bytes'], test['requests'] * test['block_bytes'])
        self.assertLess(test['elapsed_ns'] / 1e9, seconds + 0.5)
        self.assertEqual(test['failing_since_ns'] // 10**9,
                         test['elapsed_ns'] // 10**9)
        # Four in a row, and those in flight then, twice over.
        self.assertIn(test['errors'],
                      range(1, 5 + 2 * test['queue_depth']))

    def check(self, answer, what, device, words):
        err, test = answer
        self.assertEqual(test['lost'], {'what': what,
                                        'layer': kernel_name(device)})
        self.assertRegex(err, rf': {test["test"]}: {kernel_name(device)} '
                         rf'{words}; no read succeeded from \S+ s on: \d+ '
                         r'read errors?, the first at offset \d+: ')

    def test_a_table_that_is_replaced_by_errors(self):
        device = dm('wiped', 'linear', disk_with_serial('TABLE'), 0)
        words = 'has nothing but errors in its device-mapper table'
        table = run('dmsetup', 'table', 'wiped')
        for args in (('-q', '-t'), ('-s',), ('-s', '-Q', '1')):
            with self.subTest(args):
                self.check(self.lose(device, lambda: run(
                    'dmsetup', 'wipe_table', '--force', 'wiped'), *args),
                    'table', device, words)
                run('dmsetup', 'load', 'wiped', '--table', table)
                run('dmsetup', 'resume', 'wiped')

    def test_a_disk_that_is_set_offline(self):
        disk = disk_with_serial('OFFLINE')
        self.check(self.lose(disk, lambda: write_state(
            disk, 'state', 'offline'), '-q', '-s'),
            'offline', disk, 'is offline')

    def test_a_disk_that_is_deleted(self):
        disk = disk_with_serial('DELETED')
        self.check(self.lose(disk, lambda: write_state(disk, 'delete', 1),
                             '-s'), 'removed', disk, 'was removed')

    def test_a_disk_that_is_deleted_below(self):
        disk = disk_with_serial('BELOW')
        device = dm('above', 'linear', disk, 0)
        self.check(self.lose(device, lambda: write_state(disk, 'delete', 1),
                             '-q', '-n', '3'),
                   'removed', disk, 'was removed')

    def test_a_drive_that_is_pulled_out(self):
        disk = disk_with_serial('PULLED')
        self.check(self.lose(disk, lambda: unplug(0), '-q'),
                   'removed', disk, 'was removed')


if __name__ == '__main__':
    blktest.main()
