# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Where a report goes: into pipes that are slow or closed, and full disks."""

import fcntl
import os
import select
import signal
import subprocess
import time

import blktest
from clitest import MIB, FileTest


class SlowPipe(FileTest):
    def setUp(self):
        self.file = self.make_file('file', 16 * MIB)

    def signal_while_printing(self, number, *args):
        """A signal after all was measured, while the reader of the pipe keeps
        the program waiting in the middle of its report."""
        reader, writer = os.pipe()
        size = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        argv = [blktest.BLKBENCH, *args, self.file]
        process = subprocess.Popen(argv, stdout=writer, text=True,
                                   stderr=subprocess.PIPE)
        os.close(writer)
        select.select([reader], [], [], 30)
        time.sleep(0.5)
        process.send_signal(number)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), 'the report fits into the pipe')
        with open(reader, encoding='utf-8') as file:
            out = file.read()
        self.assertGreater(len(out), size)
        return blktest.Run(argv, subprocess.CompletedProcess(
            argv, process.wait(timeout=20), out, process.stderr.read()))

    def test_a_signal_while_the_report_is_printed_cuts_nothing_off(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            with self.subTest(number):
                run = self.signal_while_printing(number, '-j', '-q', '-s',
                                                 '-r', '0.3')
                self.assert_exit(run, 128 + number)
                self.assertEqual(run.err, '')
                device, = run.json['devices']
                self.assertEqual(device['status'], 'ok')
                self.assertEqual(len(device['tests']), 3)
                for test in device['tests']:
                    self.assertIs(test['partial'], False)
                    self.assertGreater(test['rate_bytes_per_s'], 0)


class Lost(FileTest):
    """What does not get out is no success."""

    ALL = (['-i'], ['-q', '-r', '0.2'], ['-j', '-i'],
           ['-j', '-s', '-n', '20', '-r', '0.01'], ['-t', '--format', 'hdparm'],
           ['-s', '--format', 'seeker', '-r', '0.2'], ['--help'], ['--version'])

    def setUp(self):
        self.file = self.make_file('file', MIB)

    def run_into(self, stdout, *args, **options):
        process = subprocess.run(
            [blktest.BLKBENCH, *args], stdout=stdout, stderr=subprocess.PIPE,
            text=True, timeout=30, check=False, **options)
        return process.returncode, process.stderr

    def test_on_a_full_disk(self):
        for args in self.ALL:
            with self.subTest(args), open('/dev/full', 'w') as full:
                self.assertEqual(
                    self.run_into(full, *args, self.file),
                    (1, 'blkbench: cannot write to standard output: '
                        'No space left on device\n'))

    def test_where_stdout_is_closed(self):
        for args in self.ALL:
            with self.subTest(args):
                self.assertEqual(
                    self.run_into(None, *args, self.file,
                                  preexec_fn=lambda: os.close(1)),
                    (1, 'blkbench: cannot write to standard output: '
                        'Bad file descriptor\n'))

    def test_a_code_that_says_more_stays(self):
        with open('/dev/full', 'w') as full:
            code, err = self.run_into(full, '-i', self.file, '/no/such')
        self.assertEqual(code, 3)
        self.assertEqual(err, 'blkbench: /no/such: cannot open: No such file '
                         'or directory\nblkbench: cannot write to standard '
                         'output: No space left on device\n')

    def test_into_a_closed_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        for args in self.ALL:
            with self.subTest(args):
                self.assertEqual(self.run_into(writer, *args, self.file),
                                 (-signal.SIGPIPE, ''))
                # As under a parent that has it ignored.
                self.assertEqual(
                    self.run_into(writer, *args, self.file,
                                  restore_signals=False),
                    (1, 'blkbench: cannot write to standard output: '
                        'Broken pipe\n'))
        os.close(writer)

    def test_into_a_pipe_that_is_closed_in_mid_run(self):
        process = subprocess.run(
            ['bash', '-c', '"$@" | head -1; echo ${PIPESTATUS[0]}', 'bash',
             blktest.BLKBENCH, '-q', '-r', '0.5', self.file],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=30, check=False)
        first, code = process.stdout.splitlines()
        self.assertTrue(first.startswith(f'{self.file}: regular file'))
        self.assertEqual(code, '141')
        self.assertEqual(process.stderr, '')


if __name__ == '__main__':
    blktest.main()
