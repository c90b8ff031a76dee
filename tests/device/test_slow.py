# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Devices of which the speed is known: every read takes some time."""

import json
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import blktest
from devices import loop, nbdkit_file


def slow_device(delay, connections=1):
    return nbdkit_file('--filter=delay', 'memory', '1G', f'rdelay={delay}',
                       connections=connections)


def ioping_ms(node):
    """The mean of ioping's direct reads."""
    text = subprocess.run(['ioping', '-D', '-q', '-i', '0', '-c', '200', node],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    match = re.search(r'^min/avg/max/mdev = \S+ \w+ / (\S+) (\w+) / ', text,
                      re.MULTILINE)
    return float(match[1]) * {'us': 1e-3, 'ms': 1, 's': 1e3}[match[2]]


class Slow(unittest.TestCase):
    def seek(self, node, *args):
        run = blktest.blkbench('-j', '-s', *args, node)
        self.assertEqual(run.code, 0, run)
        return run.json['devices'][0]['tests']

    def test_access_time_is_that_of_ioping(self):
        with slow_device('4ms') as path, loop(path, '--direct-io=on') as node:
            ours = self.seek(node, '-Q', '1', '-r', '2')[0]['access_ms']
            theirs = ioping_ms(node)
        self.assertGreaterEqual(ours, 4)
        self.assertAlmostEqual(ours / theirs, 1, delta=0.1)

    def test_one_at_a_time_rate_and_access_time_agree(self):
        with slow_device('4ms') as path, loop(path, '--direct-io=on') as node:
            for engine in ('io_uring', 'aio', 'pread'):
                test = self.seek(node, '-Q', '1', '-r', '1', '--engine',
                                 engine)[0]
                self.assertAlmostEqual(test['seeks_per_s'] * test['access_ms'],
                                       1000, delta=10)

    def test_depth_multiplies_seeks_as_far_as_the_device_goes(self):
        # nbdfuse has ten threads.
        with slow_device('10ms', connections=16) as path, \
                loop(path, '--direct-io=on') as node:
            single, eight = self.seek(node, '-Q', '8', '-r', '3')
            full = self.seek(node, '-Q', '32', '-r', '3')[1]
        self.assertGreater(eight['seeks_per_s'], 5.5 * single['seeks_per_s'])
        self.assertLess(eight['seeks_per_s'], 9.5 * single['seeks_per_s'])
        self.assertGreater(full['seeks_per_s'], 7 * single['seeks_per_s'])
        self.assertLess(full['seeks_per_s'], 12 * single['seeks_per_s'])
        # In flight = rate times time in flight.
        self.assertAlmostEqual(eight['seeks_per_s'] * eight['access_ms'],
                               8000, delta=8000 * 0.03)
        self.assertAlmostEqual(full['seeks_per_s'] * full['access_ms'],
                               32000, delta=32000 * 0.03)

    def test_the_time_limit_is_kept(self):
        with slow_device('300ms') as path, loop(path, '--direct-io=on') as node:
            start = time.monotonic()
            test = self.seek(node, '-Q', '1', '-r', '1.5')[0]
            took = time.monotonic() - start
        self.assertAlmostEqual(test['access_ms'], 300, delta=30)
        # Warm-up, the read that is in flight at the end, what it contains.
        self.assertLess(took, 1.5 + 3)

    def test_an_interrupt_shows_what_was_measured(self):
        for args in ((), ('-j',)):
            with slow_device('20ms') as path, \
                    loop(path, '--direct-io=on') as node:
                process = subprocess.Popen(
                    [blktest.BLKBENCH, '-s', *args, node], text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                time.sleep(1)
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=10)
            self.assertEqual(process.returncode, 130)
            self.assertRegex(err, rf'^blkbench: {node}: [^\n]*interrupted')
            if args:
                device = json.loads(out)['devices'][0]
                seek = device['tests'][0]
                self.assertEqual(device['status'], 'interrupted')
                self.assertIs(seek['partial'], True)
                self.assertGreater(seek['requests'], 10)
                self.assertAlmostEqual(seek['access_ms'], 20, delta=4)
            else:
                self.assertIn('PARTIAL', out)
                self.assertRegex(out, r'\n  seek +2\d\.\d+ ms')

    def test_a_second_interrupt_does_not_wait_for_the_reads_in_flight(self):
        with slow_device('1500ms') as path, \
                loop(path, '--direct-io=on') as node:
            process = subprocess.Popen(
                [blktest.BLKBENCH, '-q', '-j', node], text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(2)  # 1.5 s of them for the first read
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            second = time.monotonic()
            document = process.stdout.readline()
            while not document.endswith('\n}\n'):
                document += process.stdout.readline()
            took = time.monotonic() - second
            process.communicate(timeout=10)
        self.assertLess(took, 0.5)
        self.assertEqual(process.returncode, 130)
        device = json.loads(document)['devices'][0]
        self.assertEqual(device['status'], 'interrupted')
        self.assertIs(device['tests'][0]['partial'], True)

    def test_repeats_that_get_faster_are_said_to_rise(self):
        with tempfile.NamedTemporaryFile('w') as rate, nbdkit_file(
                '--filter=rate', 'memory', '1G', f'rate-file={rate.name}'
                ) as path:
            done = threading.Event()

            def speed_up():
                megabits = 200
                while not done.is_set():
                    rate.seek(0)
                    rate.write(f'{megabits}M\n')
                    rate.flush()
                    megabits *= 2
                    done.wait(1)
            thread = threading.Thread(target=speed_up)
            thread.start()
            try:
                run = blktest.blkbench('-j', '-q', '-Q', 1, '-b', '64k', '-r', 1,
                                       '-n', 3, path)
            finally:
                done.set()
                thread.join()
        device, = run.json['devices']
        spread, = device['spreads']
        rates = [test['rate_bytes_per_s'] for test in device['tests']]
        self.assertEqual(spread['trend'], 'rising', run)
        self.assertEqual([spread['trend_from'], spread['trend_to']],
                         [rates[0], rates[2]])


if __name__ == '__main__':
    blktest.main()
