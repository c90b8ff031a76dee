# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Several devices: what is compared with what, and said of it."""

import os

import blktest
from clitest import MIB, FileTest


class Versus(FileTest):
    def setUp(self):
        self.a, self.b, self.c = (self.make_file(name, 16 * MIB)
                                  for name in 'abc')

    def compare(self, *args, code=0):
        run = blktest.blkbench('-j', *args)
        self.assert_exit(run, code)
        return run

    def pairs(self, run):
        return [(pair['test'], pair['repeat'], pair['a'], pair['b'])
                for pair in run.json['comparison']['pairs']]

    def test_each_test_is_compared_with_the_first_device(self):
        run = self.compare('-q', '-s', '-r', 0.2, self.a, self.b, self.c)
        self.assertEqual(self.pairs(run), [
            (test, 1, self.a, path) for test in ('sequential', 'seek', 'seek')
            for path in (self.b, self.c)])
        self.assertEqual([pair['queue_depth']
                          for pair in run.json['comparison']['pairs']],
                         [8, 8, 1, 1, 32, 32])
        self.assertEqual([pair['figure']
                          for pair in run.json['comparison']['pairs']],
                         2 * ['rate_bytes_per_s'] + 4 * ['seeks_per_s'])
        self.assertEqual(run.json['comparison']['equal_percent'], 2)

    def test_the_devices_have_their_own_results(self):
        run = self.compare('-q', '-t', '-s', '-r', 0.2, self.a, self.b)
        for path, device in zip((self.a, self.b), run.json['devices']):
            self.assertEqual((device['path'], device['status']), (path, 'ok'))
            self.assertEqual([test['test'] for test in device['tests']],
                             ['sequential', 'timed', 'seek', 'seek'])
            for test in device['tests']:
                self.assertIs(test['partial'], False)
                self.assertGreater(test['rate_bytes_per_s'], 0)
        for pair in run.json['comparison']['pairs']:
            for side, device in zip('ab', run.json['devices']):
                test, = (test for test in device['tests']
                         if (test['test'], test['queue_depth']) ==
                         (pair['test'], pair['queue_depth']))
                self.assertEqual(pair[f'{side}_figure'], test[pair['figure']])

    def test_a_runtime_is_that_of_each_device_and_test(self):
        run = self.compare('-q', '-t', '-r', 0.5, self.a, self.b)
        for device in run.json['devices']:
            for test in device['tests']:
                self.assertAlmostEqual(test['elapsed_ns'] / 1e9, 0.5,
                                       delta=0.1)

    def test_too_little_time_is_no_verdict(self):
        run = self.compare('-q', '-r', 0.2, self.a, self.b)
        pair, = run.json['comparison']['pairs']
        self.assertEqual((pair['verdict'], pair['ratio_low'],
                          pair['seconds_needed'], pair['partial']),
                         ('undecided', None, None, False))

    def test_repeats_are_compared_each(self):
        run = self.compare('-q', '-n', 2, '-r', 0.1, self.a, self.b)
        self.assertEqual(self.pairs(run), [
            ('sequential', repeat, self.a, self.b) for repeat in (1, 2)])
        for device in run.json['devices']:
            self.assertEqual([test['repeat'] for test in device['tests']],
                             [1, 2])
            self.assertEqual(device['repeats_skipped'], 0)

    def test_memory_is_not_compared_with_memory(self):
        run = self.compare('-T', '-r', 0.2, self.a, self.b)
        pair, = run.json['comparison']['pairs']
        self.assertEqual((pair['test'], pair['direct']), ('cached', True))
        for device in run.json['devices']:
            self.assertEqual([test['direct'] for test in device['tests']],
                             [False, True])

    def test_one_that_cannot_be_opened_drops_out(self):
        missing = os.path.join(self.directory, 'missing')
        for paths in ((missing, self.a, self.b), (self.a, missing, self.b),
                      (self.a, self.b, missing)):
            run = self.compare('-q', '-r', 0.1, *paths, code=3)
            self.assertEqual(self.pairs(run),
                             [('sequential', 1, self.a, self.b)])
            self.assertEqual(run.err, f'blkbench: {missing}: cannot open: '
                                      'No such file or directory\n')

    def test_one_alone_is_compared_with_nothing(self):
        missing = os.path.join(self.directory, 'missing')
        for args in ((self.a,), (self.a, missing)):
            run = blktest.blkbench('-j', '-q', '-r', 0.1, *args)
            self.assertIsNone(run.json['comparison'])
            test, = run.json['devices'][0]['tests']
            self.assertGreater(test['rate_bytes_per_s'], 0)

    def test_information_is_not_compared(self):
        run = self.compare('-i', self.a, self.b)
        self.assertIsNone(run.json['comparison'])
        text = blktest.blkbench('-i', self.a, self.b)
        self.assertNotIn('compared', text.out)

    def test_formats_of_other_tools_have_no_comparison(self):
        for name in 'hdparm', 'seeker':
            run = blktest.blkbench('--format', name, '-r', 0.1, self.a, self.b)
            self.assert_exit(run, 0)
            self.assertNotIn('compared', run.out)
            self.assertIn(self.b, run.out)

    def test_what_is_not_alike_is_warned_of(self):
        short = self.make_file('short', 4 * MIB)
        # Left to themselves, the engines may win by chance.
        alike = '-q', '-s', '-r', 0.1, '--engine', 'pread', self.a
        args = *alike, short, '-n', 2
        comparison = self.compare(*args).json['comparison']
        self.assertEqual(
            [(warning['code'], warning['test'], warning['text'])
             for warning in comparison['warnings']],
            [('differs', 'seek', f'range: 16.78 MB (16.00 MiB) for {self.a}, '
                                 f'4.19 MB (4.00 MiB) for {short}')])
        text = blktest.blkbench(*args)
        self.assertEqual(text.out.count('  warning     seek: range: '), 1)
        comparison = self.compare(*alike, self.b).json['comparison']
        self.assertEqual(comparison['warnings'], [])

    def test_what_is_equal_has_a_range(self):
        for value in '0', '0.009', '50.1', '-1', 'x', '2%', '':
            run = blktest.blkbench('--equal', value, self.a, self.b)
            self.assert_exit(run, 2)
            self.assertEqual(run.err, f"blkbench: option --equal: '{value}' is "
                                      'not a percentage from 0.01 to 50\n')
        run = self.compare('-q', '-r', 0.1, '--equal', 0.01, self.a, self.b)
        self.assertEqual(run.json['comparison']['equal_percent'], 0.01)

    def test_too_little_time_is_said_in_words(self):
        run = blktest.blkbench('-q', '-r', 0.1, self.a, self.b)
        self.assert_exit(run, 0)
        self.assertTrue(run.out.endswith(
            'undecided: too little was measured to tell (-r)\n'), run.out)


if __name__ == '__main__':
    blktest.main()
