# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Signals in each phase of a run, on devices slow enough to be met in it."""

import contextlib
import os
import signal
import subprocess
import time
import unittest

import blktest
from devices import MIB, loop, nbdkit_file, random_file

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TESTS = ('sequential', 'timed', 'cached', 'seek')


@contextlib.contextmanager
def slow_device(delay, connections=10):
    with nbdkit_file('--filter=delay', 'memory', '1G', f'rdelay={delay}',
                     connections=connections) as path, \
            loop(path, '--direct-io=on') as node:
        yield node


class Program:
    """A run that goes on meanwhile."""

    def __init__(self, *args, prefix=(), ignored=()):
        def ignore():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)

        self.argv = [*prefix, blktest.BLKBENCH, *map(str, args)]
        self.lines = []
        # Nothing can look for leaks in a traced process.
        environment = {**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'}
        self.process = subprocess.Popen(
            self.argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, text=True, preexec_fn=ignore,
            env=environment if prefix else None)

    def read_until(self, start):
        """The report, up to the line that starts so."""
        for line in self.process.stdout:
            self.lines.append(line)
            if line.startswith(start):
                return
        raise AssertionError(f'no line {start}: {self.lines}')

    def send(self, number, after=0.0):
        time.sleep(after)
        self.process.send_signal(number)

    def end(self, within=10):
        begin = time.monotonic()
        out, err = self.process.communicate(timeout=60)
        assert time.monotonic() - begin < within, (self.argv, out, err)
        return blktest.Run(self.argv, subprocess.CompletedProcess(
            self.argv, self.process.returncode, ''.join(self.lines) + out, err))


class Interrupted(unittest.TestCase):
    def check_json(self, run, number):
        """The exit code, and the only device."""
        self.assertEqual(run.code, 128 + number, run)
        device, = run.json['devices']
        return device

    def assert_skipped(self, tests):
        self.assertTrue(tests)
        for test in tests:
            self.assertEqual(test['skipped'], 'interrupted')
            self.assertIsNone(test['rate_bytes_per_s'])

    def test_while_devices_are_opened(self):
        with random_file(MIB) as first, random_file(MIB) as second:
            for number in INTERRUPTS:
                program = Program('-j', '-q', '-s', first, second, prefix=(
                    'strace', '-D', '-o', '/dev/null', '-P', first,
                    '-e', 'inject=openat:delay_enter=1000000'))
                program.send(number, after=0.6)
                run = program.end()
                self.assertEqual(run.code, 128 + number, run)
                opened, left = run.json['devices']
                self.assertEqual(opened['size_bytes'], MIB)
                self.assert_skipped(opened['tests'])
                self.assertIsNone(left['size_bytes'])
                self.assertEqual(left['tests'], [])
                for device in opened, left:
                    self.assertEqual(device['status'], 'interrupted')
                self.assertEqual(run.err, f'blkbench: {second}: interrupted\n')

    def test_in_the_first_read(self):
        with slow_device('1500ms') as node:
            for number in INTERRUPTS:
                program = Program('-j', '-q', '-s', node)
                program.send(number, after=0.7)
                run = program.end(within=3)
                device = self.check_json(run, number)
                first, *others = device['tests']
                self.assertIs(first['partial'], True)
                self.assertIsNone(first['stalled'])
                self.assertEqual(first['requests'], 0)
                self.assertIsNone(first['rate_bytes_per_s'])
                self.assertIsNone(first['latency_ns']['max'])
                self.assert_skipped(others)
                self.assertEqual(
                    run.err, f'blkbench: {node}: sequential: interrupted: '
                             'the figures are partial\n')

    def test_in_the_trial_of_the_engines(self):
        # Buffered reads of a FUSE file, io_uring gives to its workers; each
        # turn of the trial then lasts for the second that it may last.
        with nbdkit_file('--filter=delay', 'memory', '1G', 'rdelay=300ms',
                         connections=1) as path:
            program = Program('-j', '-q', '-s', '--buffered', path)
            program.send(signal.SIGINT, after=0.8)
            begin = time.monotonic()
            program.read_until('}')
            self.assertLess(time.monotonic() - begin, 3)
            # Threads that read, end with their reads.
            run = program.end(within=30)
            device = self.check_json(run, signal.SIGINT)
            first, *others = device['tests']
            self.assertIs(first['partial'], True)
            self.assertEqual(first['requests'], 0)
            self.assertIsNone(first['stalled'])
            self.assert_skipped(others)

    def test_in_the_midst_of_each_test(self):
        with slow_device('10ms') as node:
            # cached and seek have two parts.
            for label, measured, skipped in (
                    ('alignment', ['sequential'], 5),
                    ('sequential', ['sequential', 'timed'], 4),
                    ('timed', ['sequential', 'timed', 'cached'], 3),
                    ('cached', ['sequential', 'timed', 'cached', 'cached'], 2)):
                number = INTERRUPTS[skipped % 3]
                program = Program('-q', '-t', '-T', '-s', '-r', '2', node)
                program.read_until(f'  {label} ')
                program.send(number, after=0.4)
                run = program.end(within=3)
                self.assertEqual(run.code, 128 + number, run)
                words = [line.split()[0] for line in run.out.splitlines()
                         if line.startswith('  ') and 'skipped' not in line]
                self.assertEqual([word for word in words if word in TESTS],
                                 measured, run)
                self.assertEqual(run.out.count('PARTIAL'), 1, run)
                self.assertEqual(run.out.count('skipped (interrupted)'),
                                 skipped, run)

    def test_while_the_last_reads_are_waited_for(self):
        with slow_device('2500ms') as node:
            for number in INTERRUPTS:
                # 2.5 s for the first read, 1 s to the end of the test; those
                # in flight then come back after 5 s.
                program = Program('-j', '-q', '-s', '-Q', '4', '-r', '1', node)
                program.send(number, after=4.2)
                device = self.check_json(program.end(within=3), number)
                self.assertEqual(device['status'], 'interrupted')
                first, *others = device['tests']
                self.assertIs(first['partial'], False)
                self.assertEqual(first['requests'], 4)
                self.assertAlmostEqual(first['elapsed_ns'] / 1e9, 2.5,
                                       delta=0.3)
                self.assert_skipped(others)

    def test_while_it_is_found_out_what_the_device_contains(self):
        with slow_device('700ms') as node:
            for number in INTERRUPTS:
                program = Program('-q', '-Q', '1', '-r', '0.5', node)
                program.read_until('  sequential ')
                program.send(number, after=0.3)
                run = program.end(within=3)
                self.assertEqual(run.code, 128 + number, run)
                self.assertNotIn('PARTIAL', run.out)
                self.assertEqual(run.err, '')

    def test_of_several_devices_all_are_partial(self):
        with slow_device('10ms') as node, random_file(MIB) as path:
            for number in INTERRUPTS:
                # Turns of a quarter of a second.
                program = Program('-j', '-q', '-s', '-r', '10', node, path)
                program.send(number, after=2.5)
                run = program.end(within=3)
                self.assertEqual(run.code, 128 + number, run)
                for device in run.json['devices']:
                    first, *others = device['tests']
                    self.assertIs(first['partial'], True)
                    self.assertGreater(first['requests'], 10)
                    self.assert_skipped(others)
                    self.assertEqual(device['status'], 'interrupted')
                pair, = run.json['comparison']['pairs']
                self.assertEqual((pair['a'], pair['b'], pair['partial']),
                                 (node, path, True))
                self.assertEqual(pair['verdict'], 'undecided')

    def test_what_was_ignored_stays_ignored(self):
        with random_file(MIB) as path:
            program = Program('-j', '-q', '-r', '2', path, ignored=INTERRUPTS)
            for number in INTERRUPTS:
                program.send(number, after=0.3)
            run = program.end()
        self.assertEqual(run.code, 0, run)
        self.assertEqual(run.json['devices'][0]['status'], 'ok')
        self.assertIs(run.json['devices'][0]['tests'][0]['partial'], False)


class Insistent(unittest.TestCase):
    """With threads, the program cannot end by itself before its reads."""

    def check(self, *signals):
        with slow_device('4') as node:
            program = Program('-s', '-r', '20', '--engine', 'pread', node)
            time.sleep(1)
            for number in signals:
                program.send(number)
                time.sleep(0.3)
            program.process.communicate(timeout=60)
        self.assertEqual(program.process.returncode, -signals[-1])

    def test_the_third_signal_ends_it_whatever_the_others_were(self):
        self.check(signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        self.check(signal.SIGINT, signal.SIGINT, signal.SIGTERM)


class Stopped(unittest.TestCase):
    def seek_with_a_stop(self, node, number, *args):
        program = Program('-j', '-s', '-Q', '1', '-r', '2', *args, node)
        program.send(number, after=1)
        # It may have reads to wait for first.
        program.send(signal.SIGCONT, after=3)
        run = program.end()
        self.assertEqual(run.code, 0, run)
        device = run.json['devices'][0]
        test, = device['tests']
        self.assertIsNone(test['stalled'])
        self.assertIs(test['partial'], False)
        return test, [warning['code'] for warning in device['warnings']]

    def test_the_time_of_a_ctrl_z_is_in_no_figure(self):
        with slow_device('10ms') as node:
            for engine in 'io_uring', 'aio', 'pread':
                with self.subTest(engine):
                    test, warnings = self.seek_with_a_stop(
                        node, signal.SIGTSTP, '--engine', engine)
                    self.assertNotIn('stopped', warnings)
                    self.assertAlmostEqual(test['elapsed_ns'] / 1e9, 2,
                                           delta=0.1)
                    self.assertLess(test['latency_ns']['max'], 1e9)
                    self.assertLess(test['access_ms'], 20)

    def test_the_time_of_a_ctrl_z_is_in_no_comparison(self):
        with slow_device('10ms') as node, slow_device('10ms') as other:
            program = Program('-j', '-s', '-Q', '1', '-r', '2', node, other)
            program.send(signal.SIGTSTP, after=1.6)
            program.send(signal.SIGCONT, after=6)
            run = program.end()
        self.assertEqual(run.code, 0, run)
        for device in run.json['devices']:
            test, = device['tests']
            self.assertIs(test['partial'], False)
            self.assertLess(test['latency_ns']['max'], 1e9)
            self.assertNotIn('stopped', [warning['code'] for warning
                                         in device['warnings']])
        # 4 s for both: with the 6 s in them there would be two or three.
        pair, = run.json['comparison']['pairs']
        self.assertGreaterEqual(pair['slices'], 6)

    def test_of_a_stop_that_cannot_be_held_off_the_report_warns(self):
        with slow_device('10ms') as node:
            for engine in 'io_uring', 'aio', 'pread':
                with self.subTest(engine):
                    test, warnings = self.seek_with_a_stop(
                        node, signal.SIGSTOP, '--engine', engine)
                    self.assertIn('stopped', warnings)
                    self.assertGreater(test['latency_ns']['max'], 2e9)

    def test_to_be_continued_without_a_stop_is_nothing(self):
        with slow_device('10ms') as node:
            _, warnings = self.seek_with_a_stop(node, signal.SIGCONT)
        self.assertNotIn('stopped', warnings)

    def test_a_stopped_program_is_no_hung_device(self):
        with slow_device('1500ms') as node:
            # In the first read, which may take 3 s; while the last ones are
            # waited for, which may take 2 s.
            for engine, after in (('io_uring', 0.7), ('io_uring', 2.7),
                                  ('aio', 2.7), ('pread', 2.7)):
                with self.subTest((engine, after)):
                    program = Program('-j', '-q', '-Q', '4', '-r', '1',
                                      '--engine', engine, node)
                    program.send(signal.SIGSTOP, after)
                    program.send(signal.SIGCONT, after=3)
                    run = program.end()
                    self.assertEqual(run.code, 0, run)
                    test, = run.json['devices'][0]['tests']
                    self.assertIsNone(test['stalled'])
                    self.assertEqual(test['requests'], 4)


if __name__ == '__main__':
    blktest.main()
