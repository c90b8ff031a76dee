# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What is refused: in one line, with the exit code, before any read."""

import os
import re

import blktest
from clitest import MIB, FileTest


class BadInput(FileTest):
    def setUp(self):
        self.file = self.make_file('file', MIB)

    def assert_refused(self, args, code, *words):
        run = blktest.blkbench(*args)
        self.assert_exit(run, code)
        self.assertEqual(run.out, '', str(run))
        self.assertEqual(run.err.count('\n'), 1, str(run))
        self.assertTrue(run.err.startswith('blkbench: '), str(run))
        for word in words:
            self.assertIn(word, run.err)

    def assert_option_refused(self, option, value, allowed):
        self.assert_refused([option, value, self.file], 2, option, value,
                            allowed)

    def test_no_device_is_refused(self):
        self.assert_refused([], 2, 'no DEVICE')

    def test_a_missing_path_cannot_be_tested(self):
        path = os.path.join(self.directory, 'missing')
        self.assert_refused([path], 3, path, 'No such file or directory')
        self.assertFalse(os.path.exists(path))

    def test_a_dangling_link_cannot_be_tested(self):
        path = os.path.join(self.directory, 'dangling')
        os.symlink('nowhere', path)
        self.assert_refused([path], 3, path, 'nowhere, which does not exist')

    def test_a_directory_cannot_be_tested(self):
        self.assert_refused([self.directory], 3, self.directory, 'directory')

    def test_a_character_device_cannot_be_tested(self):
        self.assert_refused(['/dev/null'], 3, '/dev/null', 'character device')

    def test_an_empty_file_cannot_be_tested(self):
        path = self.make_file('empty', 0)
        self.assert_refused([path], 3, path, 'size 0')

    def test_bad_block_sizes_are_refused(self):
        for value in ('513', '0', '3G', '10%', '-4k', ''):
            with self.subTest(value):
                self.assert_option_refused('-b', value,
                                           'a multiple of 512 bytes')

    def test_bad_queue_depths_are_refused(self):
        for value in ('0', '100000', '-1', '1.5'):
            with self.subTest(value):
                self.assert_option_refused('-Q', value, 'from 1 to 4096')

    def test_a_number_that_is_not_whole_is_refused(self):
        for value in ('3.', '3.0', '.', ''):
            with self.subTest(value):
                self.assert_option_refused('-n', value, 'from 1 to 1000')

    def test_bad_runtimes_are_refused(self):
        for value in ('0', '-1', 'nan', 'inf', '1e9', '1,5', '0x10'):
            with self.subTest(value):
                self.assert_option_refused('-r', value,
                                           'from 0.001 to 864000')

    def test_a_precision_of_0_is_refused(self):
        self.assert_option_refused('-p', '0', 'from 0.01 to 50')

    def test_a_length_of_0_is_refused(self):
        self.assert_option_refused('-l', '0', 'above 0')

    def test_an_offset_past_the_end_is_refused(self):
        for value, size in (('1M', '1048576'), ('100%', '1048576')):
            with self.subTest(value):
                self.assert_refused(['-o', value, self.file], 2, self.file,
                                    'offset', size)

    def test_a_length_past_the_end_is_refused(self):
        self.assert_refused(['-o', '512k', '-l', '1M', self.file], 2,
                            self.file, 'length', '1048576', '524288')

    def test_an_unknown_engine_is_refused(self):
        self.assert_option_refused('--engine', 'libaio',
                                   'auto, io_uring, aio or pread')

    def test_an_unknown_format_is_refused(self):
        self.assert_option_refused('--format', 'xml',
                                   'text, json, hdparm or seeker')

    def test_unknown_options_are_refused(self):
        for option in ('-x', '--frobnicate', '--geometry', '--plot'):
            with self.subTest(option):
                self.assert_refused([option, self.file], 2, option, '--help')

    def test_endless_digits_are_refused_in_a_short_line(self):
        # As long as one argument may be.
        digits = '9' * (128 * 1024 - 1)
        for option in ('-b', '-Q', '-r', '-p', '-o', '-l', '-n', '--seed'):
            with self.subTest(option):
                run = blktest.blkbench(option, digits, self.file)
                self.assert_exit(run, 2)
                self.assertIn(option, run.err)
                self.assertLess(len(run.err), 256)

    def test_depth_is_refused_where_reads_come_one_at_a_time(self):
        self.assert_refused(['-t', '-T', '-Q', '4', self.file], 2, '-Q', "'4'")

    def test_tests_that_a_format_has_not_are_refused(self):
        self.assert_refused(['--format', 'hdparm', '-s', self.file], 2, '-s',
                            'hdparm', '-t and -T')
        self.assert_refused(['--format', 'seeker', '-q', self.file], 2, '-q',
                            'seeker')

    def test_more_memory_than_1_gib_is_refused(self):
        big = os.path.join(self.directory, 'sparse')
        with open(big, 'wb') as file:
            file.truncate(1 << 30)
        self.assert_refused(['-q', '-b', '64M', '-Q', '17', big], 2, big,
                            '1 GiB')

    def test_a_bad_value_stops_it_before_the_first_device_is_read(self):
        small = self.make_file('small', 4096)
        process, trace = self.trace('-o', '8k', self.file, small)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertIn(small, process.stderr)
        self.assertIn(self.file, trace)
        self.assertNotRegex(trace, r'(read|readv|pread64|preadv2?)\(\d+<' +
                            re.escape(self.file))
        self.assertNotRegex(trace, 'io_uring_enter|io_submit')


class BadDevice(FileTest):
    def setUp(self):
        self.file = self.make_file('file', MIB)
        self.missing = os.path.join(self.directory, 'missing')

    def test_a_bad_device_does_not_stop_a_good_one(self):
        for devices in ((self.file, self.missing), (self.missing, self.file)):
            with self.subTest(devices):
                run = blktest.blkbench('-q', '-r', '0.1', *devices)
                self.assert_exit(run, 3)
                self.assertRegex(run.out, r'  sequential +\d+\.\d\d MB/s')
                self.assertEqual(
                    run.err, f'blkbench: {self.missing}: cannot open: '
                             'No such file or directory\n')

    def test_json_has_bad_devices_in_their_place(self):
        run = blktest.blkbench('-j', '-q', '-r', '0.1', self.missing,
                               self.file)
        self.assert_exit(run, 3)
        bad, good = run.json['devices']
        self.assertEqual(bad['path'], self.missing)
        self.assertEqual(bad['status'], 'untested')
        self.assertIn('No such file', bad['message'])
        self.assertEqual(bad['tests'], [])
        self.assertEqual(good['status'], 'ok')
        self.assertGreater(good['tests'][0]['rate_bytes_per_s'], 0)


if __name__ == '__main__':
    blktest.main()
