#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Stacks that are deep, in pieces, hidden, or lead nowhere."""

import glob
import os
import shutil
import tempfile
import time

import blktest
from devices import run
from vmdevices import (DeviceCase, dm, dm_table, kernel_name,
                       scsi_debug)

NOBODY = 65534
DISK_GROUP = 6


def reachable_program():
    """A copy that any user can reach, where the build tree is root's own."""
    place = tempfile.mkdtemp(prefix='blkbench.')
    os.chmod(place, 0o755)
    source = os.path.dirname(os.path.dirname(blktest.BLKBENCH))
    for directory in 'cli', 'lib':
        os.mkdir(os.path.join(place, directory))
    shutil.copy(blktest.BLKBENCH, os.path.join(place, 'cli'))
    for library in glob.glob(os.path.join(source, 'lib', 'libblkbench.so*')):
        if os.path.isfile(library):
            shutil.copy(library, os.path.join(place, 'lib'))
    return os.path.join(place, 'cli', 'blkbench')


class OddStacks(DeviceCase):
    @classmethod
    def setUpClass(cls):
        # With a delay, scsi_debug fails reads that come in more pieces than
        # its queue has room for.
        cls.disks = scsi_debug(dev_size_mb=48, add_host=3, per_host_store=1,
                               opt_blks=0, physblk_exp=3, lowest_aligned=7,
                               delay=0)

    def remove(self, name):
        self.addCleanup(run, 'dmsetup', 'remove', '--retry', name)

    def test_legs_that_disagree_are_told_one_by_one(self):
        """Physical sectors of these disks begin at 3584: sector 7, not 8."""
        disk = self.disks[0]
        path = dm_table('mis', f'0 4000 linear {disk} 7',
                        f'4000 4000 linear {disk} 8')
        self.remove('mis')
        device = self.inspect(path)
        self.assertEqual(device['topology']['alignment_offset_bytes'], -1)
        self.assertEqual(device['alignment']['verdict'], 'misaligned')
        self.assertIn('the layers below disagree (the kernel reports -1)',
                      device['alignment']['text'])
        found = [(finding['device_bytes'], finding['remainder_bytes'])
                 for finding in device['alignment']['findings']
                 if finding['boundary'] == 'physical sector']
        self.assertEqual(found, [(0, 0), (2048000, 512)])
        self.check_default_run(path)

    def test_two_paths_to_a_disk(self):
        first, second = self.disks[1:]
        sectors = run('blockdev', '--getsz', first)
        path = dm_table('paths', f'0 {sectors} multipath 0 0 1 1 '
                        f'round-robin 0 2 1 {first} 1 {second} 1')
        self.remove('paths')
        device = self.inspect(path)
        self.assertEqual(
            [(layer['name'], layer['kind']) for layer in device['stack']],
            [(kernel_name(path), 'multipath'), (kernel_name(first), 'disk'),
             (kernel_name(second), 'disk')])
        # Byte 0 is 512 B past a physical sector that began before the disk.
        self.assertEqual(device['alignment']['verdict'], 'misaligned')
        self.check_default_run(path)

    def test_a_loop_device_on_a_file_is_followed_to_the_file(self):
        run('modprobe', 'loop')
        with open('/run/file', 'wb') as file:
            file.truncate(8 << 20)
        path = run('losetup', '--find', '--show', '--offset=1048576',
                   '/run/file')
        self.addCleanup(run, 'losetup', '--detach', path)
        device = self.inspect(path)
        self.assertEqual(
            [(layer['name'], layer['kind']) for layer in device['stack']],
            [(kernel_name(path), 'loop'), ('/run/file', 'file')])
        leg, = device['stack'][0]['segments'][0]['legs']
        self.assertEqual((leg['layer'], leg['offset_bytes']), (1, 1048576))
        self.assertEqual(device['alignment']['verdict'], 'unknown')
        self.check_default_run(path)

    def test_without_rights_to_device_mapper_the_rest_is_told(self):
        disk = self.disks[0]
        path = dm('hidden', 'linear', disk, 0)
        self.remove('hidden')

        program = reachable_program()

        def as_nobody(group):
            return blktest.blkbench(
                '-i', '-j', '--stripe', '1M', path, program=program,
                prefix=['setpriv', f'--reuid={NOBODY}', f'--regid={group}',
                        '--clear-groups'])
        done = as_nobody(DISK_GROUP)
        self.assertEqual((done.code, done.err), (0, ''), done)
        device, = done.json['devices']
        self.assertEqual(
            [(layer['name'], layer['kind']) for layer in device['stack']],
            [(kernel_name(path), 'not known'), (kernel_name(disk), 'disk')])
        leg, = device['stack'][0]['segments'][0]['legs']
        self.assertEqual((leg['layer'], leg['offset_bytes']), (1, None))
        # The kernel knows: physical sectors begin at 3584.
        self.assertEqual(device['alignment']['verdict'], 'misaligned')
        self.assertIn('the kernel reports that it begins 3584 B before a '
                      'boundary', device['alignment']['text'])
        self.assertIn(f'where {kernel_name(path)} lies on '
                      f'{kernel_name(disk)} is not known',
                      device['alignment']['text'])
        done = as_nobody(NOBODY)
        self.assertEqual(done.code, 3)
        self.assertIn('Permission denied', done.err)

    def test_an_error_target_lies_on_nothing(self):
        path = dm_table('bad', '0 4000 error')
        self.remove('bad')
        device = self.inspect(path)
        self.assertEqual([layer['kind'] for layer in device['stack']],
                         ['error'])
        self.assertEqual(device['alignment']['verdict'], 'unknown')

    def test_a_suspended_device_is_described(self):
        path = dm('asleep', 'linear', self.disks[0], 0)
        self.remove('asleep')
        run('dmsetup', 'suspend', '--noflush', '--nolockfs', path)
        try:
            device = self.inspect(path)
        finally:
            run('dmsetup', 'resume', path)
        self.assertEqual([layer['kind'] for layer in device['stack']],
                         ['linear', 'disk'])

    def check_time(self, path):
        begin = time.monotonic()
        done = blktest.blkbench('-i', path)
        self.assertLess(time.monotonic() - begin, 1)
        self.assertEqual((done.code, done.err), (0, ''), done)
        return self.inspect(path)

    def test_40_layers(self):
        """Each is a sector further on: the 40th ends up at sector 40."""
        path = self.disks[0]
        for number in range(40):
            sectors = int(run('blockdev', '--getsz', path))
            path = dm_table(f'layer{number}',
                            f'0 {sectors - 1} linear {path} 1')
            self.remove(f'layer{number}')
        device = self.check_time(path)
        self.assertEqual(len(device['stack']), 41)
        self.assertEqual(device['stack'][40]['place']['begin_bytes'], 20480)
        # 20480 - 3584 is 4 * 4096 + 512.
        self.assertIn('512 B past a physical sector',
                      device['alignment']['text'])
        self.assertEqual(device['alignment']['verdict'], 'misaligned')

    def test_5000_segments(self):
        first, second = self.disks[:2]
        path = dm_table('pieces', *(
            f'{8 * number} 8 linear {(first, second)[number % 2]} '
            f'{7 + 8 * number}' for number in range(5000)))
        self.remove('pieces')
        device = self.check_time(path)
        self.assertEqual(len(device['stack'][0]['segments']), 5000)
        found = [(finding['layer'], finding['remainder_bytes'],
                  finding['places'])
                 for finding in device['alignment']['findings']
                 if finding['boundary'] == 'physical sector']
        self.assertEqual(found, [(kernel_name(first), 0, 2500),
                                 (kernel_name(second), 0, 2500)])
        self.assertEqual(device['alignment']['verdict'], 'aligned')
        self.check_default_run(path)


if __name__ == '__main__':
    blktest.main()
