# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Loop devices with a file that is shorter than they are."""

import errno
import json
import os
import subprocess
import time
import unittest

import blktest
from devices import MIB, loop, random_file

SECTOR = 512
# 7 MiB, a page and a sector: the block that reads across it is bad in part. There
# are as many bad sectors as a slow machine reads in the time there is for it.
LEFT = 7 * MIB + 4096 + SECTOR


class Truncated(unittest.TestCase):
    def check(self, found, path):
        """Of a test that was given up in a file of 8 MiB that was cut."""
        device, = found['devices']
        self.assertEqual(device['status'], 'failed')
        test = device['tests'][0]
        self.assertIs(test['partial'], True)
        self.assertGreaterEqual(test['errors'], 16)
        self.assertEqual(test['bytes'], test['requests'] * MIB)
        self.assertEqual(test['lost'], {'what': 'shrunk', 'layer': path})
        self.assertIsNone(test['failing_since_ns'])
        bad, = test['bad_list']
        self.assertEqual((bad['offset_bytes'], bad['length_bytes']),
                         (LEFT, 8 * MIB - LEFT))
        self.assertEqual((bad['errno'], bad['text']),
                         (errno.EIO, 'Input/output error'))
        self.assertEqual(bad['reads'], test['errors'])
        self.assertEqual(
            device['message'],
            f'sequential: {path} is smaller than what was to be read of it: '
            f'{test["errors"]} read errors, the first at offset {LEFT}: '
            'Input/output error')
        return device

    def test_before_the_run(self):
        with random_file(8 * MIB) as path, loop(path) as node:
            os.truncate(path, LEFT)
            run = blktest.blkbench('-q', '-j', node)
            self.assertEqual(run.code, 1, run)
            device = self.check(run.json, path)
            self.assertEqual(run.err,
                             f'blkbench: {node}: {device["message"]}\n')
            self.assertNotIn('Success', run.out)

    def test_in_mid_run(self):
        with random_file(8 * MIB) as path, loop(path) as node:
            with subprocess.Popen(
                    [blktest.BLKBENCH, '-q', '-j', '-r', '60', node],
                    text=True, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE) as process:
                time.sleep(1)
                os.truncate(path, LEFT)
                cut = time.monotonic()
                out, err = process.communicate(timeout=30)
            self.assertLess(time.monotonic() - cut, 10)
            self.assertEqual(process.returncode, 1)
            device = self.check(json.loads(out), path)
            self.assertEqual(err, f'blkbench: {node}: {device["message"]}\n')
            self.assertGreater(device['tests'][0]['elapsed_ns'], 5e8)

    def test_the_text_says_what_is_bad_and_why(self):
        with random_file(8 * MIB) as path, loop(path) as node:
            os.truncate(path, LEFT)
            run = blktest.blkbench('-q', node)
        self.assertEqual(run.code, 1, run)
        self.assertRegex(run.out, r'\n  sequential +\d+\.\d+ MB/s .*; PARTIAL\n'
                         r'  error       sequential: 1043968 B at offset '
                         r'7344640 \(sectors 14345 to 16383 of 512 B\): '
                         r'Input/output error, \d+ times\n'
                         rf'  lost        sequential: {path} is smaller than '
                         r'what was to be read of it\n')

    def test_errors_are_read_on_for_as_long_as_asked(self):
        with random_file(8 * MIB) as path, loop(path) as node:
            os.truncate(path, 4 * MIB)
            for most in (1, 100):
                run = blktest.blkbench('-s', '-Q', '1', '-j', '--max-errors',
                                       most, node)
                self.assertEqual(run.code, 1, run)
                test, = run.json['devices'][0]['tests']
                self.assertEqual(test['errors'], most)
                self.assertIs(test['partial'], True)


if __name__ == '__main__':
    blktest.main()
