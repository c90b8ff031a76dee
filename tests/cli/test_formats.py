# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""The formats of hdparm and Seeker, by what scripts look for."""

import re

import blktest
from clitest import MIB, FileTest


class Formats(FileTest):
    def setUp(self):
        self.file = self.make_file('file', 16 * MIB)

    def hdparm(self, *args):
        run = blktest.blkbench('--format', 'hdparm', *args, self.file)
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')
        self.assertTrue(run.out.startswith(f'\n{self.file}:\n'), run.out)
        return run.out.splitlines()[2:]

    def test_hdparm_times_the_disk_by_default(self):
        line, = self.hdparm('-r', 0.5)
        self.assertRegex(line, r'^ Timing O_DIRECT disk reads: ')
        rate = re.search(r'([0-9.]+) MB/sec$', line)
        self.assertGreater(float(rate[1]), 0)
        amount, seconds = re.search(r'(\d+) MB in +(\d+\.\d\d) seconds',
                                    line).groups()
        self.assertAlmostEqual(float(seconds), 0.5, delta=0.1)
        # MB is 2^20 on both sides of the equation.
        self.assertAlmostEqual(float(rate[1]),
                               float(amount) / float(seconds),
                               delta=float(rate[1]) * 0.05)

    def test_hdparm_buffered_and_cached_lines(self):
        lines = self.hdparm('-t', '-T', '-r', 0.4, '--buffered')
        self.assertRegex(lines[0], r'^ Timing buffered disk reads: +\d')
        self.assertRegex(lines[1], r'^ Timing cached reads:   +\d')
        self.assertRegex(lines[2], r'^ Timing O_DIRECT cached reads:   +\d')
        for line in lines:
            self.assertRegex(line, r'\d+ MB in +\d+\.\d\d seconds = +'
                                   r'\d+\.\d\d MB/sec$')

    def test_hdparm_shows_the_offset(self):
        line, = self.hdparm('-r', 0.1, '-o', '8M')
        self.assertTrue(line.startswith(
            ' Timing O_DIRECT disk reads (offset 0.008 GB): '), line)

    def test_seeker_shows_seeks_and_access_time(self):
        run = blktest.blkbench('--format', 'seeker', '-r', 2, self.file)
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')
        match = re.fullmatch(
            r'Seeker v2\.0, 2007-01-15, http://www\.linuxinsight\.com/'
            r'how_fast_is_your_disk\.html\n'
            r'Benchmarking (.*) \[16MB\], wait 2 seconds\.+\n'
            r'Results: (\d+) seeks/second, (\d+\.\d\d) ms random access '
            r'time\n', run.out)
        self.assertIsNotNone(match, run.out)
        self.assertEqual(match[1], self.file)
        self.assertGreater(int(match[2]), 0)

    def test_j_is_format_json(self):
        args = ['-i', '--seed', 1, self.file]
        run = blktest.blkbench('--format', 'json', *args)
        self.assertEqual(run.json['schema'], 'blkbench/1')
        self.assertEqual(blktest.blkbench('-j', *args).out, run.out)

    def test_help_and_version_go_to_stdout(self):
        run = blktest.blkbench('--help')
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')
        self.assertIn('never writes', run.out)
        run = blktest.blkbench('-V')
        self.assert_exit(run, 0)
        self.assertRegex(run.out, r'^blkbench \d+\.\d+\.\d+\n$')


if __name__ == '__main__':
    blktest.main()
