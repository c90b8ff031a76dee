# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What the program prints for files of all sizes."""

import os
import re
import subprocess
import time

import blktest
from clitest import MIB, FileTest

RATE = re.compile(r'^  (sequential|timed|cached) +\d+\.\d\d MB/s( |$)', re.M)
SEEK = re.compile(r'^  seek +(\d+\.\d\d+) ms .*?(\d+(?:\.\d+)?) seeks/s one '
                  r'at a time; 50 % \d+\.\d+, 99 % \d+\.\d+, max \d+\.\d+ ms; '
                  r'4 KiB over the whole device', re.M)
SEEKS = re.compile(r'^  seek +(\d+(?:\.\d+)?) seeks/s .*32 in flight: '
                   r'\d+\.\d times one at a time', re.M)


class Text(FileTest):
    def setUp(self):
        self.file = self.make_file('file', 64 * MIB)

    def test_a_default_run_has_all_lines_within_20_s(self):
        begin = time.monotonic()
        run = blktest.blkbench(self.file)
        self.assertLess(time.monotonic() - begin, 20)
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')
        lines = run.out.splitlines()
        self.assertTrue(lines[0].startswith(
            f'{self.file}: regular file'), lines[0])
        self.assertIn('67.11 MB (64.00 MiB)', lines[0])
        self.assertTrue(lines[1].startswith('  sectors     512 B logical'))
        self.assertTrue(lines[2].startswith('  alignment   '))
        self.assertEqual([m[0] for m in RATE.findall(run.out)],
                         ['sequential', 'timed'])
        self.assertRegex(run.out, SEEK)
        self.assertRegex(run.out, SEEKS)

    def test_seeks_times_access_time_is_one_second(self):
        run = blktest.blkbench('-j', '-s', '-Q', 1, '-r', 1, self.file)
        self.assert_exit(run, 0)
        test, = run.json['devices'][0]['tests']
        self.assertAlmostEqual(test['seeks_per_s'] * test['access_ms'], 1000,
                               delta=10)

    def test_access_time_and_overhead_are_all_of_the_time(self):
        run = blktest.blkbench('-j', '-s', '-Q', 1, '-r', 1, self.file)
        self.assert_exit(run, 0)
        test, = run.json['devices'][0]['tests']
        self.assertAlmostEqual(
            test['access_ms'] * 1e6 + test['overhead_ns'],
            test['elapsed_ns'] / test['requests'],
            delta=test['access_ms'] * 1e3)
        run = blktest.blkbench('-v', '-s', '-Q', 1, '-r', 1, self.file)
        self.assertRegex(run.out, r'\n {14}the program itself \d+\.\d\d us '
                                  r'between reads\n')

    def test_info_alone_reads_no_data(self):
        process, trace = self.trace('-i', self.file)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn(self.file, trace)
        self.assertNotRegex(trace, r'(read|readv|pread64|preadv2?)\(\d+<' +
                            re.escape(self.file))
        self.assertNotIn('io_uring_setup', trace)

    def test_a_link_is_shown_with_what_it_means(self):
        link = os.path.join(self.directory, 'link')
        os.symlink('file', link)
        run = blktest.blkbench('-i', link)
        self.assertTrue(run.out.startswith(f'{link} -> {self.file}'), run.out)

    def test_buffered_reads_are_marked(self):
        run = blktest.blkbench('-q', '--buffered', '-r', 0.1, self.file)
        self.assert_exit(run, 0)
        self.assertIn('through the page cache', run.out)

    def test_cached_shows_memory_and_drive_cache(self):
        run = blktest.blkbench('-j', '-T', '-r', 0.4, self.file)
        self.assert_exit(run, 0)
        self.assertEqual([(test['test'], test['direct'], test['pattern'])
                          for test in run.json['devices'][0]['tests']],
                         [('cached', False, 'repeat'),
                          ('cached', True, 'repeat')])

    def test_several_devices_have_a_block_each(self):
        other = self.make_file('other', MIB)
        run = blktest.blkbench('-q', '-r', 0.1, self.file, other)
        self.assert_exit(run, 0)
        blocks = run.out.split('\n\n')
        self.assertEqual(len(blocks), 3)
        self.assertTrue(blocks[0].startswith(self.file))
        self.assertTrue(blocks[1].startswith(other))
        self.assertTrue(blocks[2].startswith('compared in turns'))

    def test_the_range_and_request_are_as_asked_for(self):
        run = blktest.blkbench('-j', '-q', '-r', 0.1, '-b', '64k', '-Q', 3,
                               '-o', '25%', '-l', '1M', self.file)
        self.assert_exit(run, 0)
        test, = run.json['devices'][0]['tests']
        self.assertEqual(test['block_bytes'], 65536)
        self.assertEqual(test['queue_depth'], 3)
        self.assertEqual(test['offset_bytes'], 16 * MIB)
        self.assertEqual(test['length_bytes'], MIB)
        self.assertGreater(test['passes'], 1)
        self.assertIn('small', [warning['code'] for warning in
                                run.json['devices'][0]['warnings']])

    def test_a_runtime_is_kept(self):
        run = blktest.blkbench('-j', '-q', '-r', 0.5, self.file)
        test, = run.json['devices'][0]['tests']
        self.assertAlmostEqual(test['elapsed_ns'] / 1e9, 0.5, delta=0.1)
        tail = test['tail'] or {'bytes': 0, 'elapsed_ns': 0}
        self.assertAlmostEqual((test['bytes'] - tail['bytes'])
                               / (test['elapsed_ns'] - tail['elapsed_ns'])
                               * 1e9, test['rate_bytes_per_s'],
                               delta=test['rate_bytes_per_s'] * 1e-9)

    def test_counts_agree_with_each_other(self):
        run = blktest.blkbench('-j', '-s', '-r', 1, self.file)
        for test in run.json['devices'][0]['tests']:
            self.assertEqual(sum(count for _, count in test['histogram']),
                             test['requests'])
            self.assertEqual(test['bytes'], test['requests'] * 4096)
            self.assertLessEqual(sum(slice['bytes']
                                     for slice in test['slices']),
                                 test['bytes'])


class Repeat(FileTest):
    def setUp(self):
        self.file = self.make_file('file', 16 * MIB)

    def test_repeats_end_with_median_and_spread(self):
        run = blktest.blkbench('-q', '-n', 3, '-r', 0.1, self.file)
        self.assert_exit(run, 0)
        self.assertEqual(len(RATE.findall(run.out)), 3)
        self.assertRegex(run.out, r'\n  median +\d+\.\d\d MB/s +sequential in '
                                  r'3 runs: \d+\.\d\d to \d+\.\d\d MB/s, '
                                  r'spread \d+\.\d %\n')

    def test_the_median_is_the_one_in_the_middle(self):
        run = blktest.blkbench('-j', '-s', '-n', 3, '-r', 0.2, self.file)
        device, = run.json['devices']
        rates = sorted(test['seeks_per_s'] for test in device['tests']
                       if test['queue_depth'] == 32)
        spread = device['spreads'][1]
        self.assertEqual(spread['figure'], 'seeks_per_s')
        self.assertEqual(spread['repeats'], 3)
        self.assertEqual([spread['min'], spread['median'], spread['max']],
                         rates)
        self.assertAlmostEqual(spread['spread_percent'],
                               (rates[2] - rates[0]) / rates[1] * 100,
                               places=6)

    def test_many_repeats_warn_once_for_each_test(self):
        run = blktest.blkbench('-j', '-q', '-s', '-t', '-b', 512, '-l', '1k',
                               '-r', 0.002, '-n', 50, self.file)
        self.assert_exit(run, 0)
        device, = run.json['devices']
        self.assertEqual(device['repeats_skipped'], 0)
        self.assertEqual(len(device['tests']), 50 * 4)
        small = [warning['test'] for warning in device['warnings']
                 if warning['code'] == 'small']
        self.assertCountEqual(small, ['sequential', 'timed', 'seek'])

    def test_what_cannot_be_done_is_said_once(self):
        # A file system without O_DIRECT that is always there.
        run = blktest.blkbench('-q', '-s', '-n', 3, '/sys/kernel/uevent_seqnum')
        self.assert_exit(run, 3)
        self.assertEqual(run.out.count('skipped (the file system'), 2, run.out)
        self.assertEqual(run.err.count('\n'), 1, run.err)

    def offsets(self, *args):
        _, trace = self.trace('-s', '-Q', '1', '-r', '0.2', '--engine',
                              'pread', *args, self.file,
                              calls='pread64,preadv,preadv2')
        return re.findall(r'4096, (\d+)', trace)

    def test_a_seed_reads_the_same_blocks_again(self):
        first = self.offsets('--seed', '5')[:20]
        self.assertEqual(len(first), 20)
        self.assertEqual(self.offsets('--seed', '5')[:20], first)
        self.assertNotEqual(self.offsets('--seed', '6')[:20], first)
        self.assertNotEqual(self.offsets()[:20], self.offsets()[:20])

    def test_verbose_gives_the_command_with_the_seed(self):
        run = blktest.blkbench('-v', '-s', '-r', 0.1, self.file)
        self.assert_exit(run, 0)
        command = re.search(r'^  repeat +blkbench (--seed (\d+) .*)$', run.out,
                            re.M)
        again = blktest.blkbench(*command[1].split(), '-j')
        self.assert_exit(again, 0)
        self.assertEqual(again.json['devices'][0]['seed'], int(command[2]))


class Sizes(FileTest):
    def check(self, size, usable):
        path = self.make_file(f'file-{size}', size)
        run = blktest.blkbench('-j', '-q', '-t', '-T', '-s', '-r', 0.2, path)
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')
        device, = run.json['devices']
        self.assertEqual(device['size_bytes'], usable)
        self.assertEqual(len(device['tests']), 6)
        for test in device['tests']:
            self.assertLessEqual(test['block_bytes'], usable)
            self.assertGreater(test['requests'], 0)
            self.assertEqual(test['errors'], 0)
            self.assertGreater(test['rate_bytes_per_s'], 0)
        text = blktest.blkbench('-q', '-r', 0.1, path)
        self.assert_exit(text, 0)
        self.assertRegex(text.out, r', \d+ passes')

    def test_512_bytes_are_enough(self):
        self.check(512, 512)

    def test_4096_bytes_are_enough(self):
        self.check(4096, 4096)

    def test_1_mib_is_read_in_passes(self):
        self.check(MIB, MIB)

    def test_an_odd_size_is_used_up_to_the_last_sector(self):
        self.check(1000001, 1953 * 512)


class Names(FileTest):
    def test_names_that_are_no_text_do_no_harm(self):
        path = os.path.join(self.directory.encode(), b'a\nb\x1b[31m\xff')
        with open(path, 'wb') as file:
            file.write(os.urandom(4096))
        process = subprocess.run([blktest.BLKBENCH, '-i', path],
                                 stdout=subprocess.PIPE, check=True)
        self.assertIn(rb'a\x0ab\x1b[31m\xff: ', process.stdout)
        self.assertNotIn(b'\x1b', process.stdout)
        process = subprocess.run([blktest.BLKBENCH, '-j', '-i', path],
                                 stdout=subprocess.PIPE, check=True)
        run = blktest.Run([], subprocess.CompletedProcess(
            [], 0, process.stdout.decode(), ''))
        self.assertTrue(run.json['devices'][0]['path'].endswith(
            r'a\x0ab\x1b[31m\xff'))

    def test_the_repeat_line_is_right_for_every_name(self):
        directory = self.directory.encode()
        for name in b'a b', b"it's", b'n\nl\x1b[31m\xff\\1', 'ä'.encode():
            path = os.path.join(directory, name)
            with open(path, 'wb') as file:
                file.write(os.urandom(4096))
            process = subprocess.run([blktest.BLKBENCH, '-i', '-v', path],
                                     stdout=subprocess.PIPE, check=True)
            self.assertNotIn(b'\x1b', process.stdout)
            command = re.search(rb'^  repeat +blkbench (.*)$', process.stdout,
                                re.M)[1]
            again = subprocess.run(
                ['bash', '-c', b'"$0" ' + command, blktest.BLKBENCH],
                stdout=subprocess.PIPE, check=True)
            self.assertEqual(again.stdout.splitlines()[0],
                             process.stdout.splitlines()[0])

    def test_the_formats_of_other_tools_print_no_control_characters(self):
        path = os.path.join(self.directory, 'esc\x1b[31m')
        with open(path, 'wb') as file:
            file.write(os.urandom(4096))
        for format in 'hdparm', 'seeker':
            run = blktest.blkbench('--format', format, '-r', 0.1, path)
            self.assert_exit(run, 0)
            self.assertIn(r'esc\x1b[31m', run.out)
            self.assertNotIn('\x1b', run.out)


if __name__ == '__main__':
    blktest.main()
