# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What makes figures doubtful, set up on purpose and told by the report."""

import contextlib
import mmap
import os
import threading
import time
import unittest

import blktest
import devices
from devices import MIB


class Reader(threading.Thread):
    """Another one, that reads blocks at a steady pace of so many a second."""

    def __init__(self, path, block, pace):
        super().__init__()
        self.descriptor = os.open(path, os.O_RDONLY | os.O_DIRECT)
        self.size = os.lseek(self.descriptor, 0, os.SEEK_END)
        self.buffer = mmap.mmap(-1, block)
        self.pace = pace
        self.is_ending = False
        self.blocks = 0

    def __enter__(self):
        self.begin = time.monotonic()
        self.start()
        return self

    def __exit__(self, *_):
        self.is_ending = True
        self.join()
        os.close(self.descriptor)

    def run(self):
        block = len(self.buffer)
        while not self.is_ending:
            os.preadv(self.descriptor, [self.buffer],
                      self.blocks * 7919 * block % self.size)
            self.blocks += 1
            due = self.begin + self.blocks / self.pace
            time.sleep(max(0, due - time.monotonic()))

    def bytes_per_s(self):
        return (self.blocks * len(self.buffer) /
                (time.monotonic() - self.begin))


class DoubtCase(unittest.TestCase):
    def measure(self, *args, **how):
        """Returns the entries of the tests, and the warnings by their codes."""
        done = blktest.blkbench('-j', *args, **how)
        self.assertEqual((done.code, done.err), (0, ''), done)
        device, = done.json['devices']
        return device['tests'], {warning['code']: warning
                                 for warning in device['warnings']}


class Zeros(DoubtCase):
    def check(self, path, percent, delta):
        """Of few reads the sample is small."""
        tests, warnings = self.measure('-q', '-t', '-s', '-r', 1, path)
        self.assertEqual(len(tests), 4)
        for test in tests:
            error = max(3, 150 / test['requests'] ** 0.5) if delta else 0
            self.assertAlmostEqual(test['zero_percent'], percent, delta=error)
        self.assertEqual('zeros' in warnings, percent > 0)

    def test_a_sparse_file_is_all_zeros(self):
        with devices.sparse_file(64 * MIB) as path, devices.loop(path) as loop:
            self.check(loop, 100, 0)

    def test_a_half_written_file_is_zeros_by_half(self):
        with devices.random_file(16 * MIB) as path:
            os.truncate(path, 32 * MIB)
            with devices.loop(path) as loop:
                self.check(loop, 50, 3)

    def test_a_written_file_has_no_zeros(self):
        with devices.random_file(64 * MIB) as path, \
                devices.loop(path) as loop:
            self.check(loop, 0, 0)


class Busy(DoubtCase):
    def test_another_reader_is_told_with_its_bytes(self):
        # Each read takes 4 ms, so 250 a second are ours; 50 are the other's.
        with devices.nbdkit_file('--filter=delay', 'pattern', '256M',
                                 'rdelay=4ms', connections=4) as path, \
                devices.loop(path, '--direct-io=on') as loop:
            with Reader(loop, 4096, 50) as reader:
                (test,), warnings = self.measure('-s', '-Q', 1, '-r', 4, '-p',
                                                 0.01, loop)
                pace = reader.bytes_per_s()
        told = test['other_read_bytes'] / (test['elapsed_ns'] / 1e9)
        self.assertAlmostEqual(told / pace, 1, delta=0.1)
        self.assertEqual(test['other_written_bytes'], 0)
        self.assertIn('busy', warnings)
        self.assertIn(os.path.basename(loop), warnings['busy']['text'])

    def test_nobody_else_is_nobody(self):
        with devices.random_file(64 * MIB) as path, \
                devices.loop(path) as loop:
            tests, warnings = self.measure('-q', '-t', '-s', '-r', 1, loop)
        for test in tests:
            self.assertEqual((test['other_read_bytes'],
                              test['other_written_bytes']), (0, 0))
        self.assertNotIn('busy', warnings)


class Asleep(DoubtCase):
    SCRIPT = ('mkdir $tmpdir/woken 2>/dev/null && sleep 3; '
              'dd if=/dev/urandom bs=$3 count=1 status=none')

    def test_a_first_read_of_3_s_is_told_and_in_no_figure(self):
        with devices.nbdkit_file('eval', 'get_size=echo 1048576',
                                 f'pread={self.SCRIPT}') as path:
            (test,), warnings = self.measure('-s', '-Q', 1, '-r', 2, path)
        self.assertIn('asleep', warnings)
        self.assertGreaterEqual(test['warmup_ns'], 3e9)
        self.assertLess(test['latency_ns']['max'], 1.5e9)
        self.assertGreater(test['requests'], 2)


class Throttled(DoubtCase):
    def setUp(self):
        path = self.enterContext(devices.sparse_file(256 * MIB))
        self.loop = self.enterContext(devices.loop(path))
        self.queue = f'/sys/block/{os.path.basename(self.loop)}/queue'

    def test_a_limit_of_bytes_is_told_with_its_number_and_file(self):
        with devices.read_limit(self.loop, bytes_per_s=8000000) as prefix:
            (test,), warnings = self.measure('-q', '-b', '64k', '-r', 1.5,
                                             self.loop, prefix=prefix)
        self.assertAlmostEqual(test['rate_bytes_per_s'] / 8e6, 1, delta=0.1)
        self.assertIn(f'reads of {os.path.basename(self.loop)} to 8: ',
                      warnings['throttled']['text'])
        self.assertRegex(warnings['throttled']['text'],
                         r'\(\S*/(io\.max|blkio\.throttle\.read_bps_device)\)')

    def test_a_limit_of_reads_is_told(self):
        with devices.read_limit(self.loop, reads_per_s=500) as prefix:
            (test,), warnings = self.measure('-s', '-Q', 1, '-r', 1.5, self.loop,
                                             prefix=prefix)
        self.assertAlmostEqual(test['seeks_per_s'] / 500, 1, delta=0.1)
        self.assertIn('to 500: ', warnings['throttled']['text'])

    def test_a_limit_that_was_not_reached_is_not_told(self):
        with devices.read_limit(self.loop, bytes_per_s=10**12,
                                reads_per_s=10**9) as prefix:
            _, warnings = self.measure('-q', '-s', '-r', 0.5, self.loop,
                                       prefix=prefix)
        self.assertNotIn('throttled', warnings)

    def test_a_short_queue_is_told(self):
        with devices.setting(f'{self.queue}/nr_requests', 8):
            _, warnings = self.measure('-s', '-r', 0.5, self.loop)
        self.assertIn('32 reads were in flight, of which '
                      f'{os.path.basename(self.loop)} takes 8 at a time '
                      '(queue/nr_requests)', warnings['throttled']['text'])

    def test_read_ahead_that_is_off_is_told(self):
        with devices.setting(f'{self.queue}/read_ahead_kb', 0):
            _, warnings = self.measure('-t', '--buffered', '-r', 0.5, self.loop)
        self.assertIn('read-ahead', warnings['throttled']['text'])


class Cache(DoubtCase):
    """Of what a busy machine has held up, nothing is sure: then once more."""
    ATTEMPTS = 4

    def measure_at_rest(self, device, *args):
        for _ in range(self.ATTEMPTS):
            with device() as path:
                tests, warnings = self.measure(*args, path)
            if all(test['cpu_pressure_percent'] < 20 for test in tests):
                break
        return tests, warnings

    @staticmethod
    def cached(delay, *pace):
        """What has been read once comes out of memory."""
        filters = [word for word in pace if word.startswith('--')]
        values = [word for word in pace if word not in filters]
        return devices.nbdkit_file(*filters, '--filter=cache', '--filter=delay',
                                   'pattern', '64M', f'rdelay={delay}ms',
                                   'cache-on-read=true', *values)

    @staticmethod
    @contextlib.contextmanager
    def cached_by_a_fifth():
        """By the page cache below a loop device."""
        with devices.nbdkit_file('--filter=delay', 'pattern', '256M',
                                 'rdelay=5ms') as path, \
                devices.loop(path) as loop:
            devices.run('dd', f'if={loop}', 'of=/dev/null', 'iflag=direct',
                        'bs=256k', f'count={256 * 4 // 5}', 'status=none')
            yield loop

    def test_the_figure_is_that_of_the_first_pass(self):
        # It takes far longer than any wait for a CPU can explain; the others
        # go at a pace that a busy machine keeps as well.
        (test,), warnings = self.measure_at_rest(
            lambda: self.cached(200, '--filter=rate', 'rate=800M',
                                'burstiness=0.1'),
            '-t', '-r', 4, '-l', '16M')
        first = test['rate_bytes_per_s']
        self.assertAlmostEqual(first,
                               16 * MIB / test['first_pass_ns'] * 1e9,
                               delta=first * 1e-6)
        self.assertGreater(test['cached_rate_bytes_per_s'], 2 * first)
        self.assertIn('cache', warnings)
        self.assertNotIn('small', warnings)

    def test_of_repeats_that_a_cache_answered_the_first_is_the_figure(self):
        # The first one comes about half through.
        with self.cached(200) as path:
            done = blktest.blkbench('-j', '-t', '-n', 3, '-r', 3, '-l', '16M',
                                    path)
        self.assertEqual(done.code, 0, done)
        device, = done.json['devices']
        spread, = device['spreads']
        first = device['tests'][0]['rate_bytes_per_s']
        self.assertEqual(spread['main'], first)
        self.assertGreater(spread['median'], 2 * first)
        self.assertIn('cache', [warning['code']
                                for warning in device['warnings']])

    def test_a_fifth_of_the_seeks_from_a_cache_is_told_apart(self):
        (test,), warnings = self.measure_at_rest(
            self.cached_by_a_fifth, '-s', '-Q', 1, '-r', 8, '-p', 0.01,
            '--seed', 1)
        self.assertIn('cache', warnings)
        # A hit that had to wait for a CPU does not look like one.
        late = 20 * test['cpu_pressure_percent'] / 100
        self.assertLess(test['hit_percent'], 20 + 3)
        self.assertGreater(test['hit_percent'], 20 - 3 - late)
        slow = [(bound, count) for bound, count in test['histogram']
                if bound > 2e6]
        mean = (sum(bound * count for bound, count in slow) /
                sum(count for _, count in slow))
        self.assertGreater(test['miss_access_ms'], 5)
        self.assertAlmostEqual(test['miss_access_ms'] / (mean / 1e6), 1,
                               delta=0.05)
        # It is the figure, unless a busy machine may have been slow itself.
        self.assertEqual(test['access_ms'] == test['miss_access_ms'],
                         test['cpu_pressure_percent'] < 20)


if __name__ == '__main__':
    blktest.main()
