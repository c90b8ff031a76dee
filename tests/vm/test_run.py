# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""The virtual machine itself: it runs a script and says how that ended."""

import os
import subprocess
import tempfile
import unittest

import blktest

RUN = os.path.join(os.path.dirname(os.path.realpath(__file__)), 'run')


class Run(unittest.TestCase):
    def run_script(self, text, *arguments, timeout=60):
        with tempfile.TemporaryDirectory() as directory:
            script = os.path.join(directory, 'script')
            with open(script, 'w', encoding='ascii') as file:
                file.write(text)
            os.chmod(script, 0o755)
            done = subprocess.run(
                [RUN, '--timeout', str(timeout), script, *arguments],
                text=True, check=False, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        *lines, last = done.stderr.splitlines()
        log = last.removeprefix('run: the log of the kernel is ')
        self.assertTrue(os.path.exists(log), done.stderr)
        os.unlink(log)
        return done.returncode, done.stdout, lines

    def test_output_and_exit_code_are_those_of_the_script(self):
        answer = self.run_script(
            '#!/bin/sh\n'
            'echo "$1, $#"; id -u\n'
            'seq 20000\n'
            'echo trouble >/dev/stderr; exit 7\n', 'two words', "it's")
        numbers = ''.join(f'{number}\n' for number in range(1, 20001))
        self.assertEqual(answer, (
            7, f'two words, 2\n0\n{numbers}', ['trouble']))

    def test_a_guest_that_takes_too_long_is_ended(self):
        code, out, lines = self.run_script(
            '#!/bin/sh\nwhile :; do echo on; done\n', timeout=10)
        self.assertEqual((code, lines), (124, ['run: no end within 10 s']))
        self.assertLessEqual(set(out.split('\n')[:-1]), {'on'})

    def test_a_disk_that_is_not_there_cannot_be_pulled_out(self):
        code, _, lines = self.run_script(
            '#!/bin/bash\necho unplug 7 >/dev/vport*p4; sleep 60\n')
        self.assertEqual((code, lines), (
            125, ["run: device_del: Device 'disk7' not found"]))

    def test_a_disk_that_cannot_be_had_is_refused(self):
        code, out, lines = self.run_script('#!/bin/sh\n# vm: tape 1G\n')
        self.assertEqual((code, out), (125, ''))
        self.assertIn('not a disk: tape 1G; wanted: cd|nvme|scsi '
                      'SIZE', lines[0])


if __name__ == '__main__':
    blktest.main()
