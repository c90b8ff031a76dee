# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Where the kernel refuses io_uring."""

import os
import re

import blktest
from clitest import MIB, FileTest

REFUSE = os.environ['BLKBENCH_REFUSE']


class Refused(FileTest):
    def setUp(self):
        self.file = self.make_file('file', 16 * MIB)

    def refused(self, error, *args):
        return blktest.blkbench(
            *args, self.file,
            prefix=[REFUSE, error, 'io_uring_setup', '--'])

    def test_the_report_is_the_same_and_names_the_reason(self):
        for error in ('EPERM', 'ENOSYS', 'ENOMEM'):
            with self.subTest(error):
                run = self.refused(error, '-q', '-s', '-r', 0.2)
                self.assert_exit(run, 0)
                self.assertEqual(run.err, '')
                self.assertRegex(run.out, r'\n  sequential +\d+\.\d\d MB/s .*'
                                          r'; (aio|pread)[;\n]')
                self.assertRegex(run.out, r'\n  warning +sequential and seek: '
                                          r'.*io_uring')

    def test_json_has_engine_and_reason(self):
        run = self.refused('EPERM', '-j', '-q', '-r', 0.2)
        self.assert_exit(run, 0)
        device, = run.json['devices']
        self.assertIn(device['tests'][0]['engine'], ('aio', 'pread'))
        self.assertIn('fallback',
                      [warning['code'] for warning in device['warnings']])

    def test_an_engine_that_was_asked_for_is_not_replaced(self):
        for error in ('EPERM', 'ENOSYS'):
            with self.subTest(error):
                run = self.refused(error, '-q', '--engine', 'io_uring')
                self.assert_exit(run, 3)
                self.assertRegex(run.out,
                                 r'\n  sequential  skipped \(.*io_uring')
                self.assertRegex(
                    run.err, f'^blkbench: {re.escape(self.file)}: .*io_uring'
                             r'.*\n$')

    def test_aio_does_no_reads_through_the_page_cache(self):
        run = blktest.blkbench('-j', '-T', '-r', 0.2, '--engine', 'aio',
                               self.file)
        self.assert_exit(run, 3)
        buffered, direct = run.json['devices'][0]['tests']
        self.assertRegex(buffered['skipped'], 'aio: only direct reads')
        self.assertEqual(direct['engine'], 'aio')

    def test_every_engine_does_all_that_it_can(self):
        for engine, tests in (('io_uring', '-qtTs'), ('aio', '-qts'),
                              ('pread', '-qtTs')):
            run = blktest.blkbench('-j', tests, '-r', 0.2, '--engine', engine,
                                   self.file)
            self.assert_exit(run, 0)
            for test in run.json['devices'][0]['tests']:
                with self.subTest(engine, test=test['test']):
                    self.assertEqual(test['engine'], engine)
                    self.assertGreater(test['rate_bytes_per_s'], 0)


if __name__ == '__main__':
    blktest.main()
