#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""-c on disks and arrays that the kernel knows something of."""

import os
import unittest

import blktest
from devices import run, settle, wait_for
from vmdevices import disk_with_serial, md, scsi_debug

# vm: nvme 256M serial=NVM
# vm: scsi 256M serial=SCSI

DRIVER = '/sys/bus/pseudo/drivers/scsi_debug'
RECOVERED_ERRORS = 8


def check(device, code=0):
    """Its part of the report, and of that the check."""
    found = blktest.blkbench('-c', '-r', '3', '-j', device)
    assert found.code == code, found
    part, = found.json['devices']
    return part, part['check']


def reasons(found):
    """All disks here are of zeros, which is remarked and no fault."""
    told = [(reason['condition'], reason['code'], reason['layer'])
            for reason in found['reasons']]
    told.remove(('good', 'zeros', None))
    return told


def set_driver(name, value):
    with open(f'{DRIVER}/{name}', 'w', encoding='ascii') as file:
        file.write(str(value))


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.disks = scsi_debug(dev_size_mb=24, add_host=2, per_host_store=1)

    def test_clean_disks_are_good(self):
        for serial, state in ('NVM', 'live'), ('SCSI', 'running'):
            for _ in range(3):
                part, found = check(disk_with_serial(serial))
                self.assertEqual((found['verdict'], reasons(found)),
                                 ('good', []), found)
            disk, = found['health']
            self.assertEqual((disk['state'], disk['disk']), (state, True))
            self.assertIs(disk['read_only'], False)
            self.assertEqual(part['status'], 'ok')
        self.assertIsInstance(disk['failed_commands'], int)

    def test_commands_that_fail_meanwhile_are_to_be_watched(self):
        disk = self.disks[0]
        _, found = check(disk)
        self.assertEqual(found['verdict'], 'good', found)
        self.addCleanup(set_driver, 'opts', 0)
        self.addCleanup(set_driver, 'every_nth', 0)
        set_driver('opts', RECOVERED_ERRORS)
        set_driver('every_nth', 10)
        part, found = check(disk)
        name = os.path.basename(disk)
        self.assertEqual(reasons(found), [('watch', 'commands', name)], found)
        self.assertEqual(sum(test['errors'] for test in part['tests']), 0)
        self.assertIn('watch', [warning['code']
                                for warning in part['warnings']])

    def test_array_without_a_member_is_bad(self):
        path = md('array', 1, self.disks)
        self.addCleanup(run, 'mdadm', '--zero-superblock', *self.disks)
        self.addCleanup(run, 'mdadm', '--quiet', '--stop', path)
        self.addCleanup(settle)
        name = os.path.basename(os.path.realpath(path))
        _, found = check(path)
        self.assertEqual(found['verdict'], 'good', found)
        array, *members = found['health']
        self.assertEqual((array['layer'], array['members'],
                          array['lost_members']), (name, 2, 0))
        self.assertEqual(len(members), 2)
        run('mdadm', '--quiet', path, '--fail', self.disks[1])
        degraded = f'/sys/block/{name}/md/degraded'

        def is_degraded():
            with open(degraded, encoding='ascii') as file:
                return file.read() == '1\n'
        wait_for(is_degraded, 'the loss of a member')
        part, found = check(path, code=1)
        self.assertEqual(reasons(found), [('bad', 'degraded', name)], found)
        self.assertEqual(part['message'],
                         f'check: bad: {name}: members that are missing or '
                         'have failed: 1 of 2')


if __name__ == '__main__':
    blktest.main()
