#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
# vm: cd 0
"""What cannot be read at all, or not by everyone, and what looks like it."""

import contextlib
import os
import shutil
import socket
import tempfile

import blktest
from devices import loop, run, sparse_file, wait_for
from vmdevices import DeviceCase, dm_table, scsi_debug

MIB = 1 << 20
SECTORS = 131072


def setUpModule():
    NothingThere.disk, = scsi_debug(dev_size_mb=64)


class NothingThere(DeviceCase):
    disk = None

    def check_refused(self, path, reason, **how):
        for option in ('-q', '-i'):
            done = blktest.blkbench(option, '-j', path, timeout=10, **how)
            self.assertEqual(done.code, 3, done)
            self.assertEqual(done.err, f'blkbench: {path}: {reason}\n')
            report, = done.json['devices']
            self.assertEqual((report['status'], report['message'],
                              report['tests']), ('untested', reason, []))

    def test_a_cd_drive_without_a_medium(self):
        wait_for(lambda: os.path.exists('/dev/sr0'), 'the CD drive')
        self.check_refused('/dev/sr0', 'no medium in the drive')

    def test_a_loop_device_without_a_file(self):
        run('modprobe', 'loop')
        wait_for(lambda: os.path.exists('/dev/loop0'), '/dev/loop0')
        self.check_refused('/dev/loop0', 'size 0: the loop device has no '
                           'file, or an empty one')

    def test_what_is_no_block_device(self):
        what = 'neither a block device nor a regular file'
        with tempfile.TemporaryDirectory() as place:
            fifo, sock, link, empty = (os.path.join(place, name) for name in
                                       ('fifo', 'socket', 'link', 'empty'))
            os.mkfifo(fifo)
            os.symlink('/no/such', link)
            with open(empty, 'wb'), socket.socket(socket.AF_UNIX) as server:
                server.bind(sock)
                for path, reason in (
                        ('/dev/null', f'is a character device, {what}'),
                        ('/dev', f'is a directory, {what}'),
                        (fifo, f'is a pipe, {what}'),
                        (sock, f'is a socket, {what}'),
                        (empty, 'size 0: the file is empty'),
                        ('/dev/no', 'cannot open: No such file or directory'),
                        (f'{place}/link', 'is a link to /no/such, which does '
                         'not exist'),
                        (f'{empty}/x', 'cannot open: Not a directory')):
                    with self.subTest(path=path):
                        self.check_refused(path, reason)

    @contextlib.contextmanager
    def as_another_user(self):
        """The program, where that user can reach it."""
        with tempfile.TemporaryDirectory(dir='/run') as place:
            os.chmod(place, 0o755)
            program = shutil.copy(blktest.BLKBENCH, place)
            shutil.copy(f'{blktest.BUILD}/src/lib/libblkbench.so.0', place)
            yield {
                'program': program,
                'env': {'LD_LIBRARY_PATH': place},
                'prefix': ('setpriv', '--reuid=65534', '--regid=65534',
                           '--clear-groups'),
            }

    def test_without_permission(self):
        with self.as_another_user() as how:
            self.check_refused(
                self.disk, 'cannot open: Permission denied (try as root, or '
                'in group disk)', **how)

    def test_a_read_only_device_is_like_any_other(self):
        run('blockdev', '--setro', self.disk)
        try:
            device = self.check_default_run(self.disk)
        finally:
            run('blockdev', '--setrw', self.disk)
        self.assertTrue(device['read_only'])
        self.assertFalse(self.inspect(self.disk)['read_only'])
        with sparse_file(64 * MIB) as path, loop(path, '--read-only') as name:
            self.assertTrue(self.check_default_run(name)['read_only'])

    def test_a_path_of_a_multipath_map_names_the_map(self):
        devno = os.stat(self.disk).st_rdev
        run('dmsetup', 'create', 'mpatha', '--uuid', 'mpath-3600a0b80000f',
            '--table', f'0 {SECTORS} multipath 0 0 1 1 round-robin 0 1 1 '
            f'{os.major(devno)}:{os.minor(devno)} 1000')
        name = os.path.basename(self.disk)
        reason = (f'{name} is one path of the multipath map mpatha, and may '
                  'be one that does not read: /dev/mapper/mpatha uses those '
                  'that do')
        try:
            device = self.run_well('-q', '-r', 0.1, self.disk)
            self.assertIn(('path', reason),
                          [(warning['code'], warning['text'])
                           for warning in device['warnings']])
            self.assertNotIn('path', [
                warning['code'] for warning in
                self.run_well('-q', '-r', 0.1,
                              '/dev/mapper/mpatha')['warnings']])
        finally:
            run('dmsetup', 'remove', '--retry', 'mpatha')

    def test_a_device_that_has_less_than_it_says(self):
        half = SECTORS // 2
        path = dm_table('less', f'0 {half} linear {self.disk} 0',
                        f'{half} {half} error')
        try:
            done = blktest.blkbench('-s', '-Q', 1, '-j', '-r', 2, path)
        finally:
            run('dmsetup', 'remove', '--retry', 'less')
        self.assertEqual(done.code, 1, done)
        device, = done.json['devices']
        test, = device['tests']
        text, = [warning['text'] for warning in device['warnings']
                 if warning['code'] == 'capacity']
        offset = int(text.split()[5])
        # The first that was read behind the half; 16 are not far from it.
        self.assertIn(offset, range(32 * MIB, 48 * MIB))
        self.assertTrue(text.startswith(
            f'all {test["errors"]} reads from offset {offset} on failed'))


class Zones(DeviceCase):
    def test_a_zoned_device_is_read_and_warned_of(self):
        """The gap behind what a zone can hold reads as zeros."""
        run('modprobe', 'null_blk', 'zoned=1', 'zone_size=4',
            'zone_capacity=3', 'gb=1')
        wait_for(lambda: os.path.exists('/dev/nullb0'), '/dev/nullb0')
        device = self.run_well('-q', '-r', 0.5, '/dev/nullb0')
        self.assertIn('zoned',
                      [warning['code'] for warning in device['warnings']])
        self.assertGreater(device['tests'][0]['bytes'], 4 * MIB)


if __name__ == '__main__':
    blktest.main()
