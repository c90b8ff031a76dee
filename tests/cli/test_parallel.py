# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Several devices at the same time: what is measured, and what is refused."""

import os

import blktest
from clitest import MIB, FileTest


class Parallel(FileTest):
    def setUp(self):
        self.a, self.b, self.c = (self.make_file(name, 16 * MIB)
                                  for name in 'abc')

    def measure(self, *args, code=0):
        run = blktest.blkbench('-j', '--parallel', *args)
        self.assert_exit(run, code)
        return run

    def assert_refused(self, why, *args):
        run = blktest.blkbench('--parallel', *args)
        self.assert_exit(run, 2)
        self.assertEqual((run.out, run.err),
                         ('', f'blkbench: option --parallel: {why}\n'))

    def test_each_test_is_done_alone_and_together(self):
        run = self.measure('-q', '-s', '-r', 0.5, self.a, self.b, self.c)
        self.assertEqual([(joint['test'], joint['queue_depth'],
                           joint['figure'])
                          for joint in run.json['parallel']],
                         [('sequential', 8, 'rate_bytes_per_s'),
                          ('seek', 1, 'seeks_per_s'),
                          ('seek', 32, 'seeks_per_s')])
        for joint in run.json['parallel']:
            self.assertEqual([device['path'] for device in joint['devices']],
                             [self.a, self.b, self.c])
            total = joint['total']
            self.assertEqual(total['devices'], 3)
            self.assertGreater(total['together_figure'], 0)
            self.assertAlmostEqual(
                total['share_percent'],
                total['together_figure'] / total['alone_figure'] * 100)
        self.assertIsNone(run.json['comparison'])

    def test_the_tests_of_a_device_are_those_alone(self):
        run = self.measure('-q', '-r', 0.3, self.a, self.b)
        for device in run.json['devices']:
            self.assertEqual(device['status'], 'ok')
            test, = device['tests']
            self.assertEqual((test['runtime_ns'], test['partial']),
                             (300000000, False))
            self.assertGreater(test['rate_bytes_per_s'], 0)

    def test_too_little_time_is_no_verdict(self):
        run = self.measure('-q', '-r', 0.01, self.a, self.b)
        joint, = run.json['parallel']
        self.assertEqual((joint['total']['verdict'],
                          joint['total']['share_low_percent']),
                         ('undecided', None))
        for device in run.json['devices']:
            self.assertGreater(device['tests'][0]['requests'], 0)

    def test_repeats_are_measured_each(self):
        run = self.measure('-q', '-n', 2, '-r', 0.1, self.a, self.b)
        self.assertEqual([joint['repeat'] for joint in run.json['parallel']],
                         [1, 2])

    def test_memory_is_not_measured_together(self):
        run = self.measure('-T', '-r', 0.2, self.a, self.b)
        joint, = run.json['parallel']
        self.assertEqual((joint['test'], joint['direct']), ('cached', True))

    def test_every_engine_has_its_threads(self):
        for engine in 'io_uring', 'pread':
            run = self.measure('-s', '-r', 0.3, '--engine', engine, self.a,
                               self.b)
            for device in run.json['devices']:
                self.assertEqual([test['engine'] for test in device['tests']],
                                 [engine, engine])

    def test_one_that_cannot_be_opened_does_not_stop_the_others(self):
        missing = os.path.join(self.directory, 'missing')
        for paths in ((missing, self.a, self.b), (self.a, self.b, missing)):
            run = self.measure('-q', '-r', 0.1, *paths, code=3)
            joint, = run.json['parallel']
            self.assertEqual([device['path'] for device in joint['devices']],
                             [self.a, self.b])
        run = self.measure('-q', '-r', 0.1, self.a, missing, code=3)
        self.assertIsNone(run.json['parallel'])
        self.assertGreater(
            run.json['devices'][0]['tests'][0]['rate_bytes_per_s'], 0)

    def test_without_it_there_is_none(self):
        run = blktest.blkbench('-j', '-q', '-r', 0.1, self.a, self.b)
        self.assertIsNone(run.json['parallel'])

    def test_one_device_is_refused(self):
        self.assert_refused('needs two DEVICEs or more', '-q', self.a)

    def test_information_alone_is_refused(self):
        self.assert_refused('-i reads no data; allowed are -q, -t, -T and -s',
                            '-i', self.a, self.b)

    def test_formats_of_other_tools_are_refused(self):
        for name in 'hdparm', 'seeker':
            self.assert_refused('is for --format text and json', '--format',
                                name, self.a, self.b)

    def test_text_has_the_total_and_each_share(self):
        run = blktest.blkbench('--parallel', '-q', '-r', 0.5, self.a, self.b)
        self.assert_exit(run, 0)
        lines = run.out[run.out.index('\nall at the same time:\n'):]
        self.assertRegex(lines, r'  sequential +2 devices: [0-9.]+ of [0-9.]+ '
                         r'MB/s alone: [0-9.]+ %')
        for path in self.a, self.b:
            self.assertRegex(lines, f'    {path}: [0-9.]+ of [0-9.]+ MB/s '
                             'alone: [0-9.]+ %')


if __name__ == '__main__':
    blktest.main()
