# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Ends that are not the usual one: signals, and a report nobody gets."""

import os
import signal
import subprocess
import time

import blktest
from clitest import MIB, FileTest


class Interrupt(FileTest):
    def setUp(self):
        self.file = self.make_file('file', 16 * MIB)

    def interrupt(self, number, *args):
        """A run that is sent a signal after a second, well before its end."""
        argv = [blktest.BLKBENCH, *args, '-r', '30', self.file]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        sent = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        self.assertLess(time.monotonic() - sent, 3)
        return blktest.Run(argv, subprocess.CompletedProcess(
            argv, process.returncode, out, err))

    def test_ctrl_c_prints_what_was_measured(self):
        run = self.interrupt(signal.SIGINT, '-q', '-s')
        self.assert_exit(run, 130)
        self.assertRegex(run.out,
                         r'\n  sequential +\d+\.\d\d MB/s .*; PARTIAL\n')
        self.assertEqual(run.out.count('  seek        skipped (interrupted)\n'),
                         2, run.out)
        self.assertEqual(run.err, f'blkbench: {self.file}: sequential: '
                                  'interrupted: the figures are partial\n')

    def test_json_is_complete_when_interrupted(self):
        run = self.interrupt(signal.SIGINT, '-j', '-q', '-s')
        self.assert_exit(run, 130)
        device, = run.json['devices']
        self.assertEqual(device['status'], 'interrupted')
        first, second, third = device['tests']
        self.assertTrue(first['partial'])
        self.assertGreater(first['rate_bytes_per_s'], 0)
        self.assertAlmostEqual(first['elapsed_ns'] / 1e9, 1, delta=0.5)
        for test in second, third:
            self.assertEqual(test['skipped'], 'interrupted')
            self.assertIsNone(test['rate_bytes_per_s'])
            self.assertEqual(test.keys(), first.keys())

    def test_sigterm_and_sighup_have_codes_of_their_own(self):
        run = self.interrupt(signal.SIGTERM, '-q')
        self.assert_exit(run, 143)
        self.assertIn('PARTIAL', run.out)
        self.assert_exit(self.interrupt(signal.SIGHUP, '-q'), 129)

    def test_repeats_end_with_the_one_that_was_interrupted(self):
        run = self.interrupt(signal.SIGINT, '-q', '-s', '-n', '1000')
        self.assert_exit(run, 130)
        self.assertEqual(run.out.count('skipped (interrupted)'), 2, run.out)
        self.assertEqual(run.out.count(
            '\n  skipped     999 of 1000 repeats (interrupted)\n'), 1, run.out)
        run = self.interrupt(signal.SIGINT, '-j', '-q', '-s', '-n', '1000')
        device, = run.json['devices']
        self.assertEqual(device['repeats_skipped'], 999)
        self.assertEqual([test['repeat'] for test in device['tests']],
                         [1, 1, 1])

    def test_the_header_is_there_before_the_first_test_ends(self):
        process = subprocess.Popen(
            [blktest.BLKBENCH, '-q', '-r', '30', self.file],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [process.stdout.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertTrue(lines[0].startswith(self.file))
        self.assertTrue(lines[2].startswith('  alignment'))


class Output(FileTest):
    def setUp(self):
        self.file = self.make_file('file', MIB)

    def test_a_closed_stderr_is_not_what_the_device_is_opened_as(self):
        script = 'exec strace -o "$0" -e trace=openat,write "$@" 2>&-'
        trace = os.path.join(self.directory, 'trace')
        subprocess.run(['sh', '-c', script, trace, blktest.BLKBENCH, '-i',
                        self.file, '/no/such/device'], check=False,
                       stdout=subprocess.DEVNULL,
                       # Nothing can look for leaks in a traced process.
                       env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
        with open(trace, encoding='utf-8') as file:
            calls = file.read()
        self.assertIn('write(2, "blkbench: /no/such/device', calls)
        self.assertRegex(calls, r'openat\(AT_FDCWD, "[^"]*/file", '
                                r'O_RDONLY\|O_DIRECT\|O_CLOEXEC\) = [3-9]')

    def test_no_progress_is_shown_where_stderr_is_no_terminal(self):
        run = blktest.blkbench('-q', '-r', 0.5, self.file)
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')


if __name__ == '__main__':
    blktest.main()
