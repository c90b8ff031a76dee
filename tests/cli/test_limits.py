# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Limits that were met, and such as were not."""

import re

import blktest
from clitest import MIB, FileTest

# What any device does, and what none does.
EASY = ('--min-rate', '0.001', '--min-seeks', '0.001', '--max-access', '60000')
HARD = ('--min-rate', '1000000000', '--min-seeks', '1000000000',
        '--max-access', '0.000001')
OPTIONS = EASY[::2]

# The first tests that each limit is for, and the words of what was not met.
CASES = (
    ('min_rate', ('-q',), r'sequential: [\d.]+ MB/s, below --min-rate '
                          r'1000000000'),
    ('min_rate', ('-t',), r'timed: [\d.]+ MB/s, below --min-rate 1000000000'),
    ('min_rate', ('-z2',), r'zones: [\d.]+ MB/s at the slowest place, below '
                           r'--min-rate 1000000000'),
    ('min_seeks', ('-s',), r'seek: [\d.]+ seeks/s, below --min-seeks '
                           r'1000000000'),
    ('max_access', ('-s',), r'seek: [\d.]+ ms, above --max-access 1e-06'),
)


def option_of(limit, options):
    index = options.index('--' + limit.replace('_', '-'))
    return options[index:index + 2]


class Limits(FileTest):
    def setUp(self):
        self.files = [self.make_file(name, 16 * MIB) for name in 'ab']

    def test_what_is_met_is_exit_0_and_no_line(self):
        for limit, tests, _ in CASES:
            with self.subTest(limit, tests=tests):
                run = blktest.blkbench(*tests, '-r', 0.2,
                                       *option_of(limit, EASY), *self.files)
                self.assert_exit(run, 0)
                self.assertEqual(run.err, '')
                self.assertNotIn('unmet', run.out)

    def test_what_is_not_met_is_exit_4_and_a_line_for_each_device(self):
        for limit, tests, words in CASES:
            with self.subTest(limit, tests=tests):
                run = blktest.blkbench(*tests, '-r', 0.2,
                                       *option_of(limit, HARD), *self.files)
                self.assert_exit(run, 4)
                lines = run.err.splitlines()
                self.assertEqual(len(lines), 2)
                for path, line in zip(self.files, lines):
                    self.assertRegex(line, f'^blkbench: {path}: {words}$')
                self.assertEqual(len(re.findall(rf'^  unmet       {words}$',
                                                run.out, re.M)), 2)

    def test_json_has_what_was_asked_and_what_was_measured(self):
        for options, is_met in (EASY, True), (HARD, False):
            run = blktest.blkbench('-j', '-q', '-s', '-z2', '-r', 0.2,
                                   *options, *self.files)
            self.assert_exit(run, 0 if is_met else 4)
            for device in run.json['devices']:
                self.assertEqual(device['status'], 'ok' if is_met else 'unmet')
                self.assertEqual(
                    [(limit['limit'], limit['test'], limit['queue_depth'],
                      limit['figure']) for limit in device['limits']],
                    [('min_rate', 'sequential', 8, 'rate_bytes_per_s'),
                     ('max_access', 'seek', 1, 'access_ms'),
                     ('min_seeks', 'seek', 32, 'seeks_per_s'),
                     ('min_rate', 'zones', 8, 'min_rate_bytes_per_s')])
                sequential, single, many, zones = device['tests']
                self.assertEqual([limit['measured']
                                  for limit in device['limits']],
                                 [sequential['rate_bytes_per_s'],
                                  single['access_ms'], many['seeks_per_s'],
                                  zones['curve']['min_rate_bytes_per_s']])
                for limit in device['limits']:
                    self.assertIs(limit['met'], is_met)
                factor = [1e6, 1, 1, 1e6]
                asked = [float(option_of(limit['limit'], options)[1])
                         for limit in device['limits']]
                for limit, unit, value in zip(device['limits'], factor, asked):
                    self.assertAlmostEqual(limit['asked'] / unit / value, 1)

    def test_each_of_several_limits_has_its_line(self):
        run = blktest.blkbench('-q', '-s', '-r', 0.2, *HARD, *self.files)
        self.assert_exit(run, 4)
        self.assertEqual(len(run.err.splitlines()), 6)

    def test_of_repeats_the_median_counts(self):
        run = blktest.blkbench('-j', '-q', '-n', 3, '-r', 0.1,
                               *option_of('min_rate', HARD), self.files[0])
        self.assert_exit(run, 4)
        device, = run.json['devices']
        self.assertEqual(device['limits'][0]['measured'],
                         device['spreads'][0]['median'])
        self.assertIn('MB/s (median of 3), below --min-rate', run.err)

    def test_a_device_that_cannot_be_tested_is_worse(self):
        run = blktest.blkbench('-q', '-r', 0.1, *option_of('min_rate', HARD),
                               self.files[0], '/dev/null')
        self.assert_exit(run, 3)
        self.assertEqual(len(run.err.splitlines()), 2)

    def test_a_limit_without_its_test_is_refused_before_any_read(self):
        for tests, limit, needs in (
                (('-s',), 'min_rate', '-q, -t or -z'),
                (('-T',), 'min_rate', '-q, -t or -z'),
                (('-q',), 'min_seeks', '-s'), (('-z',), 'max_access', '-s'),
                (('-i',), 'max_access', '-s')):
            with self.subTest(limit, tests=tests):
                option = option_of(limit, EASY)
                run = blktest.blkbench(*tests, *option, self.files[0])
                self.assert_exit(run, 2)
                self.assertEqual(run.out, '')
                self.assertEqual(run.err,
                                 f'blkbench: option {option[0]}: needs '
                                 f'{needs}, which measures it\n')

    def test_bad_limits_are_refused(self):
        for option in OPTIONS:
            for value in '0', '-1', 'x', '1x', '', 'inf':
                with self.subTest(option, value=value):
                    run = blktest.blkbench('-qs', option, value,
                                           self.files[0])
                    self.assert_exit(run, 2)
                    self.assertIn(f"option {option}: '{value}' is not a "
                                  'number above 0', run.err)


if __name__ == '__main__':
    blktest.main()
