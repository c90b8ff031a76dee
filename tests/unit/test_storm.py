# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Some of the storm; and whether it would find what it is looking for."""

import re
import resource
import subprocess
import sys
import unittest

import blktest

STORM = sys.argv[1]
COMPLETIONS = 500000

# A device that lies is found out long before.
LIES = ('byte', 'error', 'age', 'twice', 'lost', 'late')
LYING_COMPLETIONS = 50000


def storm(*args):
    return subprocess.run([STORM, *map(str, args)], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Storm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_of_all = storm('--seed', 1, '--count', COMPLETIONS)

    def test_loop_stands_half_a_million_completions(self):
        run = self.run_of_all
        self.assertEqual(run.stderr, '')
        self.assertEqual(run.returncode, 0)
        self.assertGreaterEqual(int(re.search(r'(\d+) completions',
                                              run.stdout)[1]), COMPLETIONS)

    def test_scripts_meet_every_trouble_and_every_ending(self):
        for word in ('met', 'ended'):
            line = re.search(rf'^{word}: (.*)$', self.run_of_all.stdout,
                             re.MULTILINE)[1]
            counts = re.findall(r'([\w-]+) (\d+)', line)
            self.assertGreater(len(counts), 8)
            for name, count in counts:
                self.assertGreater(int(count), 0, name)

    def test_lies_are_found_out_and_found_out_again_by_the_seed(self):
        for lie in LIES:
            with self.subTest(lie):
                found = storm('--seed', 1, '--count', LYING_COMPLETIONS,
                              '--break', lie)
                self.assertNotEqual(found.returncode, 0)
                seed = re.search(rf'again by: storm --seed (\d+) '
                                 rf'--break {lie}$', found.stderr,
                                 re.MULTILINE)[1]
                again = storm('--seed', seed, '--break', lie)
                self.assertEqual(again.returncode, found.returncode)
                self.assertEqual(again.stderr, found.stderr)
                self.assertEqual(storm('--seed', seed).returncode, 0)

    def test_failure_tells_where_in_the_script_it_was(self):
        run = storm('--seed', 1, '--count', LYING_COMPLETIONS,
                    '--break', 'lost')
        self.assertRegex(run.stderr, r'^storm: seed \d+, after \d+ completions, '
                                     r'at \d+ ns: ')


if __name__ == '__main__':
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # some lies abort it
    blktest.main()
