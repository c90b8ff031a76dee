# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What the tests of the program print is TAP, also where they fail."""

import subprocess
import sys
import unittest

import blktest

CASES = '''
import unittest
import blktest


class Case(unittest.TestCase):
    def test_1_good(self):
        with self.subTest('x'):
            pass

    def test_2_bad(self):
        self.fail('outside')

    def test_3_bad_parts(self):
        for value in ('one', 'two', 'three'):
            with self.subTest(value):
                self.assertEqual(value, 'two')

    def test_4_bad_part_and_whole(self):
        with self.subTest('four'):
            self.fail('inside')
        raise OSError('after')


blktest.main()
'''


class Tap(unittest.TestCase):
    def setUp(self):
        process = subprocess.run([sys.executable, '-c', CASES],
                                 stdout=subprocess.PIPE, text=True,
                                 check=False)
        self.code = process.returncode
        self.lines = process.stdout.splitlines()

    def test_every_test_has_one_result(self):
        results = [line for line in self.lines if not line.startswith('#')]
        self.assertEqual(results, [
            '1..4',
            'ok 1 - Case.test_1_good',
            'not ok 2 - Case.test_2_bad',
            'not ok 3 - Case.test_3_bad_parts',
            'not ok 4 - Case.test_4_bad_part_and_whole'])
        self.assertEqual(self.code, 1)

    def test_every_failure_is_explained_before_its_result(self):
        begin = self.lines.index('not ok 2 - Case.test_2_bad')
        end = self.lines.index('not ok 3 - Case.test_3_bad_parts')
        text = '\n'.join(self.lines[begin:end])
        self.assertIn('[one]', text)
        self.assertIn("'one' != 'two'", text)
        self.assertIn("'three' != 'two'", text)
        text = '\n'.join(self.lines[end:])
        self.assertIn('inside', text)
        self.assertIn('OSError: after', text)


if __name__ == '__main__':
    blktest.main()
