# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Devices alone and all at the same time."""

import contextlib
import os
import signal
import subprocess
import time
import unittest

import blktest
from devices import (GIB, MIB, loop, nbdkit_file, partition, random_file,
                     sparse_file)
from throttle import throttled

RATE = 64 * MIB
SECTOR = 512


class OneThrottle(unittest.TestCase):
    """Four disks, which are partitions of one that a throttle holds back."""

    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        path = stack.enter_context(sparse_file(2 * GIB))
        self.whole = stack.enter_context(loop(path, '--direct-io=on'))
        part = 256 * MIB // SECTOR
        self.disks = [stack.enter_context(
            partition(self.whole, number, number * part, part))
            for number in range(1, 5)]
        self.prefix = stack.enter_context(throttled(self.whole, RATE))

    def assert_near(self, value, expected):
        self.assertLess(abs(value / expected - 1), 0.05, (value, expected))

    def measure(self, *args):
        run = blktest.blkbench('-j', '--parallel', *args, *self.disks,
                               prefix=self.prefix, timeout=120)
        self.assertEqual((run.code, run.err), (0, ''), run)
        return run.json

    def test_total_and_share_are_those_of_the_throttle(self):
        # On a busy machine a slice may come late: then once more.
        for _ in range(2):
            document = self.measure('-q', '-r', 8)
            joint, = document['parallel']
            total = joint['total']
            if abs(total['together_figure'] / RATE - 1) < 0.05 and \
                    abs(total['share_percent'] / 25 - 1) < 0.05:
                break
        self.assertEqual((total['devices'], total['verdict']),
                         (4, 'limited'), joint)
        self.assert_near(total['alone_figure'], 4 * RATE)
        self.assert_near(total['together_figure'], RATE)
        self.assert_near(total['share_percent'], 25)
        self.assertLess(total['share_low_percent'], total['share_percent'])
        self.assertGreater(total['share_high_percent'],
                           total['share_percent'])
        self.assertAlmostEqual(sum(device['together_figure']
                                   for device in joint['devices']),
                               total['together_figure'], delta=RATE / 100)
        self.assertEqual([device['path'] for device in joint['devices']],
                         self.disks)
        self.assertIsNone(document['comparison'])
        for device in document['devices']:
            rate = device['tests'][0]['rate_bytes_per_s']
            self.assertAlmostEqual(rate / RATE, 1, delta=0.1)

    def test_that_they_share_a_disk_is_said(self):
        document = self.measure('-q', '-r', 0.2)
        texts = [[warning['text'] for warning in device['warnings']
                  if warning['code'] == 'shared']
                 for device in document['devices']]
        name = os.path.basename(self.whole)
        self.assertEqual(texts, [[]] + 3 * [[
            f'it lies on {name}, as does {self.disks[0]}: at the same time '
            'they have what that one gives']])


@contextlib.contextmanager
def slow_device(delay, connections=10):
    with nbdkit_file('--filter=delay', 'memory', '1G', f'rdelay={delay}',
                     connections=connections) as path, \
            loop(path, '--direct-io=on') as node:
        yield node


class NothingInCommon(unittest.TestCase):
    def measure(self, *args, code=0):
        run = blktest.blkbench('-j', '--parallel', *args, timeout=120)
        self.assertEqual(run.code, code, run)
        return run.json

    def test_two_of_10_ms_are_not_limited(self):
        with slow_device('10ms') as first, slow_device('10ms') as second:
            document = self.measure('-s', '-Q', 1, '-r', 4, '--equal', 10,
                                    first, second)
        joint, = document['parallel']
        self.assertEqual(joint['total']['verdict'], 'not limited', joint)
        self.assertAlmostEqual(joint['total']['alone_figure'], 2 / 0.0105,
                               delta=20)

    def test_one_that_hangs_does_not_hold_the_others(self):
        with slow_device('10ms') as first, slow_device('10ms') as second, \
                slow_device('10', connections=1) as hung:
            begin = time.monotonic()
            document = self.measure('-s', '-Q', 1, '-r', 1, first, hung,
                                    second, code=1)
            self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual([device['status'] for device in document['devices']],
                         ['ok', 'failed', 'ok'])
        joint, = document['parallel']
        self.assertEqual(joint['total']['devices'], 2)
        self.assertEqual([(device['partial'], device['slices'] > 0)
                          for device in joint['devices']],
                         [(False, True), (True, False), (False, True)])

    def test_read_errors_of_one_are_no_fault_of_the_others(self):
        with random_file(MIB) as path, loop(path) as bad, \
                random_file(64 * MIB) as good, random_file(MIB) as other:
            # Where its file has ended, a loop device fails its reads.
            os.truncate(path, 0)
            document = self.measure('-q', '-r', 1, bad, good, other, code=1)
        self.assertEqual([device['status'] for device in document['devices']],
                         ['failed', 'ok', 'ok'])
        joint, = document['parallel']
        self.assertEqual(joint['total']['devices'], 2)
        self.assertGreater(joint['total']['together_figure'], 0)

    def test_signals_end_all_of_them(self):
        with slow_device('10ms') as first, slow_device('20ms') as second:
            for after in 1, 5:
                argv = [blktest.BLKBENCH, '-j', '--parallel', '-s', '-Q', '1',
                        '-r', '3', first, second]
                with subprocess.Popen(argv, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL,
                                      text=True) as process:
                    time.sleep(after)
                    begin = time.monotonic()
                    process.send_signal(signal.SIGINT)
                    out, _ = process.communicate(timeout=20)
                    self.assertLess(time.monotonic() - begin, 5)
                run = blktest.Run(argv, subprocess.CompletedProcess(
                    argv, process.returncode, out, ''))
                self.assertEqual(run.code, 130)
                self.assertEqual([device['status']
                                  for device in run.json['devices']],
                                 2 * ['interrupted'])
                joint, = run.json['parallel']
                self.assertIs(joint['total']['partial'], True)
                self.assertGreater(
                    run.json['devices'][0]['tests'][0]['requests'], 0)


if __name__ == '__main__':
    blktest.main()
