#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""
Devices that do not answer, or not in time: what is known before is refused; the
rest is told in time, however long the process then takes to end.
"""

import contextlib
import json
import os
import subprocess
import threading
import time
import unittest

import jsonschema

import blktest
from devices import run
from vmdevices import scsi_debug, stop_udev, wait_for_reads

MIB = 1 << 20
SECTORS = 131072
CGROUP = '/sys/fs/cgroup/slow'
# The limit of a test, the grace of 2 s and 1 s; and until it has begun, on a
# busy machine.
EXTRA_SECONDS = 3 + 2


def kernel_name(path):
    devno = os.stat(path).st_rdev
    return os.path.basename(os.readlink(
        f'/sys/dev/block/{os.major(devno)}:{os.minor(devno)}'))


def suspend(name):
    run('dmsetup', 'suspend', '--noflush', '--nolockfs', name)


def resume(name):
    run('dmsetup', 'resume', name)


class Watched:
    """The program at work, and when whoever reads its output has all of it."""

    def __init__(self, *args):
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            [blktest.BLKBENCH, *map(str, args)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.out = self.err = None
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        """All of both, as does the reader of 2>&1."""
        self.out = self.process.stdout.read()
        self.err = self.process.stderr.read()
        self.seconds = time.monotonic() - self.begin

    def wait_for_output(self):
        """Returns the document, after how long it was complete."""
        self.reader.join(60)
        document = json.loads(self.out)
        jsonschema.validate(document, blktest.load_schema())
        return document

    def has_ended(self):
        return self.process.poll() is not None

    def wait(self):
        return self.process.wait(60)

    def end(self):
        self.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


class Devices(unittest.TestCase):
    disk = None

    def dm(self, name, *table):
        subprocess.run(['dmsetup', 'create', name], check=True, text=True,
                       input='\n'.join(table) + '\n')
        self.addCleanup(run, 'dmsetup', 'remove', '--retry', name)
        return f'/dev/mapper/{name}'

    def linear(self, name, below=None):
        return self.dm(name, f'0 {SECTORS} linear {below or self.disk} 0')

    def delay(self, name, milliseconds):
        path = self.dm(name, f'0 {SECTORS} delay {self.disk} 0 {milliseconds}')
        self.addCleanup(self.send, name)
        return path

    @staticmethod
    def send(name):
        """What a delay has kept back."""
        suspend(name)
        resume(name)

    def watch(self, *args):
        watched = Watched(*args)
        self.addCleanup(watched.end)
        return watched

    @contextlib.contextmanager
    def suspended(self, name):
        suspend(name)
        try:
            yield
        finally:
            resume(name)


def setUpModule():
    Devices.disk, = scsi_debug(dev_size_mb=64)
    stop_udev()
    # Once, so that it is in memory when a second counts.
    blktest.blkbench('--version')


class Refused(Devices):
    def check_refused(self, device, reason):
        """Before any read, and at once."""
        begin = time.monotonic()
        done = blktest.blkbench('-q', '-s', '-j', device)
        # A first read may take 30 s.
        self.assertLess(time.monotonic() - begin, 1)
        self.assertEqual(done.code, 3, done)
        self.assertEqual(done.err, f'blkbench: {device}: {reason}\n')
        report, = done.json['devices']
        self.assertEqual((report['status'], report['message']),
                         ('untested', reason))
        self.assertEqual([test['skipped'] for test in report['tests']],
                         [reason] * 2)
        self.check_described(device, reason)

    def check_described(self, device, reason):
        done = blktest.blkbench('-i', '-j', device)
        self.assertEqual((done.code, done.err), (0, ''), done)
        report, = done.json['devices']
        self.assertEqual(report['size_bytes'], 64 * MIB)
        self.assertEqual([(warning['code'], warning['text'])
                          for warning in report['warnings']],
                         [('hang', reason)])

    def test_a_device_that_is_suspended(self):
        device = self.linear('asleep')
        with self.suspended('asleep'):
            self.check_refused(
                device, 'is suspended: reads would hang until it is resumed')
        done = blktest.blkbench('-q', '-r', 0.2, device)
        self.assertEqual((done.code, done.err), (0, ''), done)

    def test_a_device_above_a_suspended_one(self):
        below = self.linear('below')
        device = self.linear('middle', below)
        above = self.linear('above', device)
        name = kernel_name(below)
        with self.suspended('below'):
            self.check_refused(
                above, f'{name} device-mapper below, below it, is suspended: '
                'reads would hang until it is resumed')

    def multipath(self, name, feature):
        devno = os.stat(self.disk).st_rdev
        path = f'{os.major(devno)}:{os.minor(devno)}'
        device = self.dm(name, f'0 {SECTORS} multipath {feature} 0 1 1 '
                         f'round-robin 0 1 1 {path} 1000')
        run('dmsetup', 'message', name, 0, 'fail_path', path)
        return device, lambda: run('dmsetup', 'message', name, 0,
                                   'reinstate_path', path)

    def test_a_multipath_map_that_queues_without_a_path(self):
        """Its table says that it queues, its status that no path works."""
        device, reinstate = self.multipath('mp', '1 queue_if_no_path')
        above = self.linear('on_mp', device)
        name = kernel_name(device)
        try:
            reason = 'has no path that works: reads would hang until one does'
            self.check_refused(device, reason)
            self.check_refused(
                above, f'{name} device-mapper mp, below it, {reason}')
        finally:
            reinstate()
        done = blktest.blkbench('-q', '-r', 0.2, above)
        self.assertEqual((done.code, done.err), (0, ''), done)

    def test_a_multipath_map_that_fails_without_a_path_has_read_errors(self):
        device, _ = self.multipath('mp', '0')
        done = blktest.blkbench('-q', '-r', 0.2, '-j', device)
        self.assertEqual(done.code, 1, done)
        test, = done.json['devices'][0]['tests']
        self.assertEqual(test['requests'], 0)
        self.assertGreater(test['errors'], 0)
        self.assertIsNone(test['rate_bytes_per_s'])
        self.assertIsNone(test['stalled'])


class Stalled(Devices):
    def check_suspended_in_mid_run(self, engine):
        """Returns whether the process had ended when its output had."""
        device = self.linear('nap')
        watched = self.watch('-q', '-s', '-j', '-r', 2, '--engine', engine,
                             device)
        wait_for_reads(device)
        with self.suspended('nap'):
            report, = watched.wait_for_output()['devices']
            time.sleep(0.3)
            has_ended = watched.has_ended()
        self.assertEqual(watched.wait(), 1)

        self.assertLess(watched.seconds, 2 + EXTRA_SECONDS)
        test, *skipped = report['tests']
        self.assertEqual(test['engine'], engine)
        self.assertTrue(test['partial'])
        self.assertEqual(test['stalled']['requests'], 8)
        # Since it was suspended, and for the grace of 2 s.
        self.assertGreater(test['stalled']['age_ns'], 2e9)
        self.assertLess(test['stalled']['age_ns'], 5e9)
        self.assertEqual(test['stalled']['offset_bytes'] % MIB, 0)
        # The rate is that of the 2 s, of which some was read in one.
        self.assertGreater(test['requests'], 0)
        self.assertAlmostEqual(test['elapsed_ns'] / 1e9, 2, delta=0.1)
        self.assertAlmostEqual(test['rate_bytes_per_s'],
                               test['bytes'] / test['elapsed_ns'] * 1e9,
                               delta=1)
        self.assertEqual([entry['skipped'] for entry in skipped],
                         ['the device stalled before'] * 2)
        self.assertEqual(report['status'], 'failed')
        self.assertRegex(
            watched.err, rf'\Ablkbench: {device}: sequential: stalled: 8 reads '
            r'outstanding, the oldest for [2-4]\.\d s, at offset \d+\n\Z')
        self.doCleanups()
        return has_ended

    def test_a_device_suspended_in_mid_run_is_told_in_time(self):
        self.assertTrue(self.check_suspended_in_mid_run('io_uring'))

    def test_who_reads_the_output_does_not_wait_for_the_process(self):
        """
        The kernel does not let go of a thread that waits in read(2), nor of
        the context of aio.
        """
        for engine in ('pread', 'aio'):
            with self.subTest(engine=engine):
                self.assertFalse(self.check_suspended_in_mid_run(engine))

    def test_a_stall_that_ends_within_the_grace_is_none(self):
        device = self.linear('nap')
        watched = self.watch('-q', '-j', '-r', 2, device)
        wait_for_reads(device)
        with self.suspended('nap'):
            time.sleep(2.5)
        report, = watched.wait_for_output()['devices']
        self.assertEqual((watched.wait(), watched.err), (0, ''))
        test, = report['tests']
        self.assertIsNone(test['stalled'])
        self.assertFalse(test['partial'])
        self.assertGreater(test['latency_ns']['max'], 1.5e9)
        self.assertGreater(test['elapsed_ns'], 2.5e9)

    def test_a_device_that_takes_20_s_stalls_in_time(self):
        device = self.delay('late', 20000)
        watched = self.watch('-j', '-r', 2, device)
        report, = watched.wait_for_output()['devices']
        self.assertLess(watched.seconds, 2 + EXTRA_SECONDS)
        self.assertEqual(watched.wait(), 1)
        test, *skipped = report['tests']
        self.assertEqual(test['stalled']['requests'], 1)
        self.assertEqual(test['stalled']['offset_bytes'], 0)
        self.assertAlmostEqual(test['stalled']['age_ns'] / 1e9, 4, delta=0.5)
        self.assertEqual(
            [test[key] for key in ('requests', 'elapsed_ns', 'warmup_ns',
                                   'rate_bytes_per_s', 'cpu_percent')],
            [0, None, None, None, None])
        self.assertEqual(len(skipped), 3)
        self.assertRegex(
            watched.err, rf'\Ablkbench: {device}: sequential: stalled: 1 read '
            r'outstanding, the oldest for 4\.\d s, at offset 0\n\Z')

    def test_the_page_cache_does_not_hold_up_the_time_limit(self):
        device = self.delay('late', 20000)
        for engine, test in (('io_uring', '-q'), ('pread', '-q'),
                             ('auto', '-T')):
            with self.subTest(engine=engine, test=test):
                watched = self.watch(test, '--buffered', '-j', '-r', 1,
                                     '--engine', engine, device)
                report, = watched.wait_for_output()['devices']
                self.assertLess(watched.seconds, 1 + EXTRA_SECONDS)
                self.assertEqual(report['tests'][0]['stalled']['requests'], 1)
                self.send('late')
                self.assertEqual(watched.wait(), 1)

    def test_the_device_after_one_that_hangs_is_measured(self):
        late = self.delay('late', 20000)
        for engine in ('auto', 'aio'):
            watched = self.watch('-q', '-j', '-r', 0.5, '--engine', engine,
                                 late, self.disk)
            first, second = watched.wait_for_output()['devices']
            self.assertLess(watched.seconds, 2 * 0.5 + EXTRA_SECONDS)
            self.assertEqual((first['status'], second['status']),
                             ('failed', 'ok'))
            self.assertGreater(second['tests'][0]['rate_bytes_per_s'], 0)
            self.send('late')
            self.assertEqual(watched.wait(), 1)

    def test_where_a_part_hangs_the_rest_is_measured(self):
        self.delay('late', 20000)
        hole = 48 * 2048
        device = self.dm(
            'part', f'0 {hole} linear {self.disk} 0',
            f'{hole} 2048 linear /dev/mapper/late {hole}',
            f'{hole + 2048} {SECTORS - hole - 2048} linear {self.disk} '
            f'{hole + 2048}')
        watched = self.watch('-q', '-j', '-r', 1, device)
        report, = watched.wait_for_output()['devices']
        self.assertEqual(watched.wait(), 1)
        test, = report['tests']
        self.assertEqual(test['stalled']['offset_bytes'], 48 * MIB)
        # Of the run, and of the trial of the engines before it.
        self.assertGreaterEqual(test['stalled']['requests'], 1)
        self.assertGreater(test['requests'], 0)
        self.assertEqual(test['errors'], 0)
        self.assertGreater(test['rate_bytes_per_s'], 0)
        self.send('late')


class Slow(Devices):
    """By the kernel's own throttle, which counts bytes."""

    @classmethod
    def setUpClass(cls):
        run('mount', '-t', 'cgroup2', 'cgroup2', '/sys/fs/cgroup')
        cls.write('/sys/fs/cgroup/cgroup.subtree_control', '+io')
        os.mkdir(CGROUP)

    @staticmethod
    def write(path, text):
        with open(path, 'w', encoding='ascii') as file:
            file.write(text)

    def measure(self, rate, *args):
        devno = os.stat(self.disk).st_rdev
        self.write(f'{CGROUP}/io.max',
                   f'{os.major(devno)}:{os.minor(devno)} rbps={rate}')
        done = blktest.blkbench(
            '-j', *args, self.disk,
            prefix=('sh', '-c', f'echo $$ >{CGROUP}/cgroup.procs; exec "$@"',
                    'sh'))
        self.assertEqual((done.code, done.err), (0, ''), done)
        report, = done.json['devices']
        for test in report['tests']:
            self.assertIsNone(test['stalled'])
            self.assertFalse(test['partial'])
            self.assertAlmostEqual(test['rate_bytes_per_s'] / rate, 1,
                                   delta=0.05)
            # And the grace, which it does not need as a whole.
            self.assertLess(test['elapsed_ns'] - test['runtime_ns'], 1.8e9)
            self.assertIn(('throttled', test['test']),
                          [(warning['code'], warning['test'])
                           for warning in report['warnings']])
        return report

    def test_64_kib_per_second_are_0_07_mb_per_second(self):
        report = self.measure(65536, '-q', '-r', 6)
        test, = report['tests']
        self.assertLessEqual(test['block_bytes'] * 8, 65536)
        self.assertIn('slow', [warning['code']
                               for warning in report['warnings']])

    def test_what_is_as_slow_as_usb_1_is_measured_by_default(self):
        report = self.measure(1000000, '-q')
        test, = report['tests']
        self.assertEqual(test['runtime_ns'], 3e9)

    def test_seeks_in_flight_for_long_come_back_in_time(self):
        """32 of 4 KiB take two seconds."""
        report = self.measure(65536, '-s', '-r', 8)
        self.assertEqual([test['queue_depth'] for test in report['tests']],
                         [1, 32])


if __name__ == '__main__':
    blktest.main()
