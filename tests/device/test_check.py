# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""-c: what it reads, whom it asks, and what it says of it. There may be no real
disk below; so zram is one here, and what smartctl would say is made up."""

import json
import os
import re
import signal
import stat
import subprocess
import time
import unittest

import blktest
from devices import MIB, directory, loop, random_file, zram

CORPUS = os.path.join(blktest.SOURCE, 'tests/fuzz/corpus/smart')


def write_smartctl(place, script):
    path = os.path.join(place, 'smartctl')
    with open(path, 'w', encoding='ascii') as file:
        file.write(f'#!/bin/sh\n{script}\n')
    os.chmod(path, stat.S_IRWXU)


def disks_of(check):
    return [layer for layer in check['health'] if layer['disk']]


class Check(unittest.TestCase):
    """On a file, which lies on the disk of this machine."""

    def check(self, script, *args, code=0, target=None):
        """With a smartctl that does so; (the device, its check, stderr)."""
        with directory() as place, random_file(2 * MIB) as path:
            write_smartctl(place, script)
            env = {'PATH': f'{place}:{os.environ["PATH"]}'}
            run = blktest.blkbench('-c', '-r', '0.2', '-j', *args,
                                   target or path, env=env)
        self.assertEqual(run.code, code, run)
        device, = run.json['devices']
        return device, device['check'], run.err

    def answer(self, name):
        return f'cat {CORPUS}/{name}'

    def test_device_that_is_read_without_fault_is_good(self):
        device, check, err = self.check(self.answer('ata-unsupported'))
        self.assertEqual((check['verdict'], check['reasons'], err),
                         ('good', [], ''))
        self.assertEqual(device['status'], 'ok')
        zones, seeks = device['tests']
        self.assertEqual((zones['test'], zones['pattern']),
                         ('check', 'places'))
        self.assertEqual((seeks['test'], seeks['pattern'],
                          seeks['queue_depth']), ('check', 'random', 1))
        self.assertGreater(zones['zones'][0]['rate_bytes_per_s'], 0)
        slowest = [read['latency_ns'] for read in seeks['slowest']]
        self.assertEqual(slowest, sorted(slowest, reverse=True))
        self.assertEqual(slowest[0], seeks['latency_ns']['max'])
        for disk in disks_of(check):
            self.assertEqual(disk['smart']['answer'], 'unsupported')

    def need_disk(self):
        _, check, _ = self.check('exit 1')
        names = [disk['layer'] for disk in disks_of(check)]
        self.assertEqual(len(names), 1, 'files lie on one disk here')
        return names[0]

    def test_disk_that_fails_by_smart_is_bad(self):
        disk = self.need_disk()
        device, check, err = self.check(self.answer('ata-failing'), code=1)
        self.assertEqual((check['verdict'], device['status']),
                         ('bad', 'failed'))
        codes = [(reason['condition'], reason['code'])
                 for reason in check['reasons']]
        for code in ('bad', 'smart'), ('bad', 'failing'), ('watch', 'pending'):
            self.assertIn(code, codes)
        self.assertEqual(device['message'],
                         f'check: bad: {disk}: by its own SMART verdict it is '
                         'failing')
        self.assertTrue(err.endswith(f': {device["message"]}\n'), err)
        self.assertEqual(err.count('\n'), 1)

    def test_disk_to_be_watched_is_a_warning(self):
        disk = self.need_disk()
        device, check, err = self.check(self.answer('scsi-defects'))
        self.assertEqual((check['verdict'], device['status'], err),
                         ('watch', 'ok', ''))
        self.assertIn({'code': 'watch', 'test': 'check',
                       'text': f'watch: {disk}: grown defects: 37'},
                      device['warnings'])

    def test_the_text_has_the_verdict_and_its_reasons(self):
        with directory() as place, random_file(2 * MIB) as path:
            write_smartctl(place, self.answer('nvme-worn'))
            env = {'PATH': f'{place}:{os.environ["PATH"]}'}
            run = blktest.blkbench('-c', '-r', '0.2', path, env=env)
        self.assertEqual(run.code, 1, run)
        self.assertRegex(run.out, r'\n  verdict     bad\n'
                         r'  reason      bad: \w+: its spare blocks are used up\n')
        self.assertRegex(run.out, r'\n  reason      watch: \w+: percent of its rated '
                         r'life used: 118\n')
        self.assertRegex(run.out, r'\n  health      \w+: (\w+, )?41 °C, on for '
                         r'31877 hours, SMART failed\n')

    def test_sleeping_disk_is_told_to_be_left_so(self):
        script = f'echo "$*" >"$0.args"; {self.answer("ata-standby")}; exit 3'
        with directory() as place, random_file(2 * MIB) as path:
            write_smartctl(place, script)
            env = {'PATH': f'{place}:{os.environ["PATH"]}'}
            run = blktest.blkbench('-c', '-r', '0.2', '-j', path, env=env)
            with open(f'{place}/smartctl.args', encoding='ascii') as file:
                self.assertIn('--nocheck=standby,3', file.read())
        self.assertEqual(run.code, 0, run)
        for disk in disks_of(run.json['devices'][0]['check']):
            self.assertEqual(disk['smart']['answer'], 'asleep')

    def test_smartctl_that_hangs_does_not_hold_the_check(self):
        begin = time.monotonic()
        _, check, _ = self.check('exec sleep 100')
        self.assertLess(time.monotonic() - begin, 30)
        for disk in disks_of(check):
            self.assertEqual(disk['smart']['answer'], 'timed_out')

    def test_nothing_is_asked_without_the_option(self):
        with directory() as place, random_file(2 * MIB) as path:
            write_smartctl(place, 'touch "$0.was-run"')
            env = {'PATH': f'{place}:{os.environ["PATH"]}'}
            run = blktest.blkbench('-q', '-r', '0.1', '-j', path, env=env)
            self.assertFalse(os.path.exists(f'{place}/smartctl.was-run'))
        self.assertIsNone(run.json['devices'][0]['check'])

    def test_interrupted_check_calls_nothing_good(self):
        with random_file(2 * MIB) as path, subprocess.Popen(
                [blktest.BLKBENCH, '-c', '-r', '60', '-j', path], text=True,
                stdout=subprocess.PIPE) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        device, = json.loads(out)['devices']
        self.assertEqual(device['check']['verdict'], 'unknown')
        self.assertEqual(device['status'], 'interrupted')

    def test_any_size_is_checked(self):
        for size in 512, MIB, 64 * MIB:
            with self.subTest(size), random_file(size) as path:
                _, check, err = self.check(self.answer('virtio'), target=path)
                self.assertEqual((check['verdict'], err), ('good', ''))

    def test_zram_is_checked(self):
        with zram(8 * MIB) as node:
            _, check, err = self.check(self.answer('virtio'), target=node)
        self.assertEqual((check['verdict'], err), ('good', ''))

    def test_read_errors_are_bad(self):
        with random_file(64 * MIB) as path, loop(path) as node:
            os.truncate(path, 40 * MIB)
            device, check, err = self.check(self.answer('virtio'), code=1,
                                            target=node)
        self.assertEqual(check['verdict'], 'bad')
        codes = {reason['code'] for reason in check['reasons']}
        self.assertIn('errors', codes)
        self.assertIn('lost', codes)
        self.assertEqual(device['status'], 'failed')
        self.assertRegex(err, re.compile(r'^blkbench: .*: check: .*read error',
                                         re.MULTILINE))


if __name__ == '__main__':
    blktest.main()
