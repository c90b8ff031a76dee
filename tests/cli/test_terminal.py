# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What is shown on a terminal while a run goes on, and left there after it."""

import fcntl
import os
import struct
import subprocess
import termios
import time

import blktest
from clitest import MIB, FileTest

ERASE_LINE = b'\r\x1b[K'


class Terminal(FileTest):
    """The program with its messages going to a terminal, its own or not."""

    def setUp(self):
        self.file = self.make_file('file', 16 * MIB)
        self.master, self.slave = os.openpty()

    def tearDown(self):
        os.close(self.master)

    def set_columns(self, count):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ,
                    struct.pack('HHHH', 24, count, 0, 0))

    def start(self, *args, term='xterm', is_controlling=False,
              prefix=()):
        def prepare():
            if is_controlling:
                fcntl.ioctl(2, termios.TIOCSCTTY, 0)

        env = {**os.environ, 'TERM': term}
        if term is None:
            del env['TERM']
        return subprocess.Popen(
            [*prefix, blktest.BLKBENCH, *args, self.file], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.slave, env=env,
            start_new_session=is_controlling, preexec_fn=prepare)

    def end(self, process, code):
        """All that the terminal was sent."""
        out, _ = process.communicate(timeout=20)
        os.close(self.slave)
        shown = b''
        while True:
            try:
                shown += os.read(self.master, 65536)
            except OSError:
                break
        self.assertEqual(process.returncode, code, (out, shown))
        return shown

    def test_progress_is_erased_at_the_end(self):
        shown = self.end(self.start('-q', '-r', '0.5'), 0)
        self.assertIn(b'sequential', shown)
        self.assertTrue(shown.endswith(ERASE_LINE), shown[-20:])

    def test_progress_is_erased_before_a_message_at_ctrl_c(self):
        process = self.start('-q', '-s', '-r', '30', is_controlling=True)
        time.sleep(1)
        os.write(self.master, b'\x03')
        *progress, last = self.end(process, 130).split(ERASE_LINE)
        self.assertIn(b'sequential', b''.join(progress))
        self.assertEqual(last.decode(), f'blkbench: {self.file}: sequential: '
                         'interrupted: the figures are partial\r\n')

    def test_progress_fits_into_every_width(self):
        for columns in 1, 2, 10, 40, 1000:
            with self.subTest(columns):
                self.set_columns(columns)
                shown = self.end(self.start('-q', '-r', '0.4'), 0)
                lines = shown.split(ERASE_LINE)
                self.assertGreater(len(lines), 2)
                if columns >= 2:
                    self.assertLess(max(map(len, lines)), columns)
                self.master, self.slave = os.openpty()

    def test_a_terminal_that_cannot_erase_is_shown_nothing(self):
        for term in None, 'dumb':
            with self.subTest(term):
                shown = self.end(self.start('-q', '-r', '0.4', term=term), 0)
                self.assertEqual(shown, b'')
                self.master, self.slave = os.openpty()

    def test_in_the_background_nothing_is_shown(self):
        # A shell with job control gives the job a process group of its own.
        shell = ('bash', '-mc', '"$@" & wait $!', 'bash')
        process = self.start('-q', '-r', '0.5', is_controlling=True,
                             prefix=shell)
        shown = self.end(process, 0)
        self.assertNotIn(b'sequential', shown)
        self.assertNotIn(ERASE_LINE, shown)


if __name__ == '__main__':
    blktest.main()
