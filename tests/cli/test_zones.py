# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""The curve over a file, in text and JSON."""

import os
import re
import signal
import subprocess
import time

import blktest
from clitest import MIB, FileTest


class Zones(FileTest):
    def sparse(self, size):
        path = os.path.join(self.directory, f'sparse{size}')
        with open(path, 'wb') as file:
            file.truncate(size)
        return path

    def zones(self, *args):
        run = blktest.blkbench('-j', *args)
        self.assert_exit(run, 0)
        test, = run.json['devices'][0]['tests']
        self.assertEqual((test['test'], test['pattern']), ('zones', 'places'))
        return test

    def test_places_go_from_the_first_block_to_the_last(self):
        test = self.zones('-z', self.sparse(4096 * MIB))
        zones = test['zones']
        self.assertEqual(len(zones), 50)
        self.assertEqual(zones[0]['offset_bytes'], 0)
        self.assertEqual(zones[-1]['offset_bytes'] +
                         zones[-1]['length_bytes'], 4096 * MIB)
        for zone, after in zip(zones, zones[1:]):
            step = after['offset_bytes'] - zone['offset_bytes']
            self.assertAlmostEqual(step, (4096 - 64) * MIB / 49, delta=MIB)
            self.assertLessEqual(zone['length_bytes'], step)
            self.assertGreater(zone['rate_bytes_per_s'], 0)
            self.assertIsNone(zone['text'])
        # Some may have been read again.
        self.assertGreaterEqual(test['bytes'],
                                sum(zone['length_bytes'] for zone in zones))

    def test_minimum_mean_and_maximum_are_those_of_the_places(self):
        test = self.zones('-z=8', self.sparse(1024 * MIB))
        curve = test['curve']
        zones = sorted(test['zones'],
                       key=lambda zone: zone['rate_bytes_per_s'])
        for zone, word in (zones[0], 'min'), (zones[-1], 'max'):
            self.assertEqual(curve[f'{word}_rate_bytes_per_s'],
                             zone['rate_bytes_per_s'])
            self.assertEqual(curve[f'{word}_offset_bytes'],
                             zone['offset_bytes'])
        mean = sum(zone['rate_bytes_per_s'] for zone in zones) / len(zones)
        self.assertAlmostEqual(curve['mean_rate_bytes_per_s'] / mean, 1)

    def test_other_tests_have_no_zones(self):
        run = blktest.blkbench('-j', '-q', '-r', 0.1, self.sparse(MIB))
        test, = run.json['devices'][0]['tests']
        for key in 'zones', 'curve', 'slow_spots':
            self.assertIsNone(test[key])

    def test_the_number_of_places_can_be_written_in_each_way(self):
        path = self.sparse(1024 * MIB)
        for option in '-z16', '-z=16', '--zones=16':
            with self.subTest(option):
                self.assertEqual(len(self.zones(option, path)['zones']), 16)

    def test_a_bad_number_of_places_is_refused(self):
        for value in '0', '1025', '1.5', 'x', '', '-1':
            with self.subTest(value):
                run = blktest.blkbench(f'--zones={value}', self.sparse(MIB))
                self.assert_exit(run, 2)
                self.assertIn(f"option -z, --zones: '{value}' is not a whole "
                              'number from 1 to 1024', run.err)

    def test_small_files_have_fewer_places(self):
        for size, places in (512, 1), (MIB, 1), (64 * MIB, 8):
            with self.subTest(size):
                test = self.zones('-z', self.sparse(size))
                self.assertEqual(len(test['zones']), places)
                self.assertEqual(sum(zone['length_bytes']
                                     for zone in test['zones']), size)

    def test_places_lie_in_the_range(self):
        test = self.zones('-z=4', '-o', '256M', '-l', '512M',
                          self.sparse(1024 * MIB))
        zones = test['zones']
        self.assertEqual(zones[0]['offset_bytes'], 256 * MIB)
        self.assertEqual(zones[-1]['offset_bytes'] +
                         zones[-1]['length_bytes'], 768 * MIB)

    def test_the_time_limit_is_kept(self):
        begin = time.monotonic()
        test = self.zones('-z', '-r', 1, self.sparse(64 << 30))
        self.assertLess(time.monotonic() - begin, 4)
        self.assertLess(test['elapsed_ns'], 1.2e9)

    def test_text_has_the_curve_in_80_columns(self):
        for locale, bar in ('C', '#'), ('C.UTF-8', '█'):
            with self.subTest(locale):
                run = blktest.blkbench('-z', self.sparse(1024 * MIB),
                                       env={'LC_ALL': locale})
                self.assert_exit(run, 0)
                self.assertRegex(run.out, r'\n  zones +[\d.]+ MB/s +mean of '
                                          r'50 places; 1 MiB reads, 8 in '
                                          r'flight: \d+ MB in [\d.]+ s over '
                                          r'the whole device')
                self.assertRegex(run.out, r'\n +fastest [\d.]+ MB/s at .*, '
                                          r'slowest [\d.]+ MB/s at ')
                curve = [line for line in run.out.splitlines()
                         if bar in line]
                self.assertEqual(len(curve), 6)
                self.assertLessEqual(max(map(len, curve)), 80)
                self.assertRegex(run.out,
                                 r'\n +0 [+└][-─]{50}\n +0 B +1\.07 GB\n')

    def test_verbose_has_a_line_for_each_place(self):
        run = blktest.blkbench('-v', '-z=4', self.sparse(1024 * MIB))
        lines = re.findall(r'^ +(\d+): [\d.]+ MB/s$', run.out, re.M)
        self.assertEqual(len(lines), 4)

    def test_repeats_have_the_median_of_the_means(self):
        run = blktest.blkbench('-j', '-z=4', '-n', 3, self.sparse(512 * MIB))
        device, = run.json['devices']
        spread, = device['spreads']
        self.assertEqual(spread['figure'], 'mean_rate_bytes_per_s')
        means = sorted(test['curve']['mean_rate_bytes_per_s']
                       for test in device['tests'])
        self.assertEqual(spread['median'], means[1])

    def test_other_formats_refuse_it(self):
        run = blktest.blkbench('--format', 'hdparm', '-z', self.sparse(MIB))
        self.assert_exit(run, 2)
        self.assertIn('option -z: not shown by --format hdparm', run.err)

    def test_an_interrupted_curve_has_what_was_measured(self):
        process = subprocess.Popen(
            [blktest.BLKBENCH, '-j', '-z', '-r', '60', self.sparse(8 << 40)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        run = blktest.Run(['-z'], subprocess.CompletedProcess(
            [], process.returncode, out, err))
        self.assert_exit(run, 130)
        test, = run.json['devices'][0]['tests']
        self.assertTrue(test['partial'])
        known = [zone for zone in test['zones'] if zone['rate_bytes_per_s']]
        self.assertEqual(len(test['zones']), 50)
        self.assertGreater(len(known), 0)
        self.assertLess(len(known), 50)
        for zone in test['zones']:
            if zone['rate_bytes_per_s'] is None:
                self.assertEqual(zone['length_bytes'], 0)


if __name__ == '__main__':
    blktest.main()
