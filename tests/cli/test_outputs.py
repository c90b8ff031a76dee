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


if __name__ == '__main__':
    blktest.main()
