# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Kernels and containers that refuse io_uring."""

import os
import unittest

import blktest
from devices import MIB, loop, random_file

REFUSE = os.environ['BLKBENCH_REFUSE']


def refusing(error, *calls):
    return (REFUSE, error, *calls, '--')


class Refused(unittest.TestCase):
    def run_refused(self, *args, prefix):
        with random_file(16 * MIB) as path, loop(path) as node:
            return blktest.blkbench(*args, node, prefix=prefix)

    def check_fallback(self, error, calls, engine):
        run = self.run_refused('-j', '-r', '0.3',
                               prefix=refusing(error, *calls))
        self.assertEqual(run.code, 0, run)
        self.assertEqual(run.err, '')
        device = run.json['devices'][0]
        self.assertEqual(len(device['tests']), 4)
        for test in device['tests']:
            self.assertEqual(test['engine'], engine)
            self.assertGreater(test['requests'], 0)
        warnings = [warning for warning in device['warnings']
                    if warning['code'] == 'fallback']
        self.assertTrue(warnings)
        for warning in warnings:
            self.assertIn('io_uring', warning['text'])
        return warnings[0]['text']

    def test_without_permission_aio_reads_and_the_report_says_why(self):
        text = self.check_fallback('EPERM', ['io_uring_setup'], 'aio')
        self.assertIn('seccomp', text)

    def test_where_it_is_unknown_aio_reads_and_the_report_says_why(self):
        self.check_fallback('ENOSYS', ['io_uring_setup'], 'aio')

    def test_without_aio_too_pread_reads(self):
        self.check_fallback('EPERM', ['io_uring_setup', 'io_setup'], 'pread')

    def test_an_engine_that_may_be_made_but_not_used_is_none(self):
        for calls, engine in (
                (['io_uring_register'], 'aio'), (['io_uring_enter'], 'aio'),
                (['io_uring_enter', 'io_submit'], 'pread'),
                (['io_uring_enter', 'io_getevents'], 'pread')):
            for error in 'EPERM', 'ENOSYS':
                with self.subTest((error, *calls)):
                    text = self.check_fallback(error, calls, engine)
                    self.assertTrue(text.startswith(calls[0]), text)
                    self.assertIn('seccomp', text)

    def test_text_names_the_engine_and_the_reason(self):
        run = self.run_refused('-q', '-r', '0.3',
                               prefix=refusing('EPERM', 'io_uring_setup'))
        self.assertEqual(run.code, 0, run)
        self.assertRegex(run.out, r'\n  sequential .*; aio;')
        self.assertRegex(run.out, r'\n  warning +sequential: .*io_uring')

    def test_asked_for_io_uring_cannot_be_tested(self):
        for error in ('EPERM', 'ENOSYS'):
            run = self.run_refused('-q', '--engine', 'io_uring',
                                   prefix=refusing(error, 'io_uring_setup'))
            self.assertEqual(run.code, 3, run)
            self.assertIn('io_uring', run.err)


if __name__ == '__main__':
    blktest.main()
