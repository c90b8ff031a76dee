#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Arrays of md and LVM: their geometry as their own tools print it."""

import os
import re

import blktest
from devices import run, settle
from vmdevices import (DeviceCase, kernel_name, logical_volume, md, partitions,
                       scsi_debug, volume_group)

KIB = 1024
MIB = 1024 * KIB


def mdadm(option, device):
    """What is printed as "Name : value"."""
    return dict(re.findall(r'^ *([\w ]+?) : (.+?)\s*$',
                           run('mdadm', option, device), re.MULTILINE))


class Arrays(DeviceCase):
    @classmethod
    def setUpClass(cls):
        cls.disks = scsi_debug(dev_size_mb=24, add_host=5, per_host_store=1,
                               opt_blks=0, physblk_exp=3)

    def make(self, level, count, *options):
        members = self.disks[:count]
        path = md('array', level, members, *options)
        self.addCleanup(run, 'mdadm', '--zero-superblock', *members)
        self.addCleanup(run, 'mdadm', '--quiet', '--stop', path)
        self.addCleanup(settle)
        return os.path.realpath(path), members

    def check_geometry(self, path, members, segment):
        """As mdadm has it: of the array, and of each member."""
        detail = mdadm('--detail', path)
        self.assertEqual(segment['kind'], detail['Raid Level'])
        self.assertEqual(len(segment['legs']), int(detail['Raid Devices']))
        chunk = detail.get('Chunk Size')
        self.assertEqual(segment['chunk_bytes'],
                         chunk and int(chunk.rstrip('K')) * KIB)
        for member, leg in zip(members, segment['legs']):
            sectors, _ = mdadm('--examine', member)['Data Offset'].split()
            self.assertEqual(leg['offset_bytes'], int(sectors) * 512)

    def check(self, level, count, chunk, data_members, full_stripe, *starts):
        """starts: sector, verdict, remainder to the full stripe, next start"""
        options = [f'--chunk={chunk}'] if chunk else []
        path, members = self.make(level, count, *options)
        device = self.inspect(path)
        segment, = device['stack'][0]['segments']
        self.check_geometry(path, members, segment)
        self.assertEqual((segment['data_members'],
                          segment['full_stripe_bytes']),
                         (data_members, full_stripe))
        # Its data is on the physical sectors of its disks.
        self.assertEqual(device['alignment']['verdict'], 'aligned')
        paths = partitions(path, *(start[0] for start in starts))
        for partition, start in zip(paths, starts):
            self.check_partition(partition, kernel_name(path), *start[1:])
        self.check_default_run(paths[-1])

    def check_partition(self, path, array, verdict, remainder, next_start):
        alignment = self.inspect(path)['alignment']
        self.assertEqual(alignment['verdict'], verdict, alignment)
        found = [(finding['remainder_bytes'], finding['next_start_bytes'])
                 for finding in alignment['findings']
                 if (finding['layer'], finding['boundary']) ==
                 (array, 'full stripe')]
        self.assertEqual(found, [] if remainder is None
                         else [(remainder, next_start)])

    def test_raid0_of_2(self):
        self.check(0, 2, '64K', 2, 131072,
                   (63, 'misaligned', 32256, 131072),
                   (2048, 'aligned', 0, 1048576))
        self.doCleanups()
        self.check(0, 2, '512K', 2, 1048576,
                   (1024, 'misaligned', 524288, 1048576),
                   (2048, 'aligned', 0, 1048576))

    def test_raid0_of_3(self):
        self.check(0, 3, '64K', 3, 196608,
                   (2048, 'misaligned', 65536, 1179648),
                   (3072, 'aligned', 0, 1572864))
        self.doCleanups()
        self.check(0, 3, '512K', 3, 1572864,
                   (2048, 'misaligned', 1048576, 1572864),
                   (3072, 'aligned', 0, 1572864))

    def test_raid1_has_no_stripe(self):
        self.check(1, 2, None, 1, None,
                   (63, 'misaligned', None, None),
                   (2048, 'aligned', None, None))

    def test_raid5_of_4(self):
        self.check(5, 4, '64K', 3, 196608,
                   (2048, 'misaligned', 65536, 1179648),
                   (3072, 'aligned', 0, 1572864))
        self.doCleanups()
        self.check(5, 4, '512K', 3, 1572864,
                   (2048, 'misaligned', 1048576, 1572864),
                   (3072, 'aligned', 0, 1572864))

    def test_raid6_of_5(self):
        self.check(6, 5, '64K', 3, 196608,
                   (2048, 'misaligned', 65536, 1179648),
                   (3072, 'aligned', 0, 1572864))
        self.doCleanups()
        self.check(6, 5, '512K', 3, 1572864,
                   (2048, 'misaligned', 1048576, 1572864),
                   (3072, 'aligned', 0, 1572864))

    def test_raid10_of_4_counts_its_copies_once(self):
        self.check(10, 4, '64K', 2, 131072,
                   (128, 'misaligned', 65536, 131072),
                   (2048, 'aligned', 0, 1048576))

    def check_not_striped(self, level, count, *options):
        """
        Rows that are no stripes of whole chunks: the chunk is known, where on
        its members it lies is not.
        """
        path, members = self.make(level, count, '--chunk=64K', *options)
        device = self.inspect(path)
        segment = device['stack'][0]['segments'][-1]
        self.assertEqual((segment['kind'], segment['chunk_bytes'],
                          segment['data_members'],
                          segment['full_stripe_bytes']),
                         (f'raid{level}', 65536, None, None))
        self.assertEqual(device['alignment']['verdict'], 'unknown')
        self.assertIn(f'where {kernel_name(path)} lies on '
                      f'{kernel_name(members[0])} is not known',
                      device['alignment']['text'])
        self.check_default_run(path)

    def test_raid10_of_3_has_rows_of_one_chunk_and_a_half(self):
        self.check_not_striped(10, 3)

    def test_raid10_with_an_offset_has_rows_of_copies(self):
        self.check_not_striped(10, 4, '--layout=o2')

    def check_lv(self, kind, legs, chunk, data_members, *options):
        """
        On one PV each, with data from 1 MiB on in extents of 4 MiB; which of
        them a part begins with is what LVM has in brackets.
        """
        path = logical_volume('redundant', 'lv', f'--type={kind}', '--nosync',
                              '--size=8M', *options)
        self.addCleanup(run, 'lvremove', '--quiet', '--yes', path)
        device = self.inspect(path)
        segment, = device['stack'][0]['segments']
        self.assertEqual((segment['kind'], segment['chunk_bytes'],
                          segment['data_members'], len(segment['legs'])),
                         (kind, chunk, data_members, legs))
        parts = re.findall(r'image_\d+\]? +/dev/(\w+)\((\d+)\)', run(
            'lvs', '--all', '--noheadings', '-o', 'lv_name,devices',
            'redundant'))
        self.assertEqual(len(parts), legs)
        places = {layer['name']: layer['place']['begin_bytes']
                  for layer in device['stack'] if layer['kind'] == 'disk'}
        self.assertEqual(places, {disk: MIB + int(extent) * 4 * MIB
                                  for disk, extent in parts})
        self.check_default_run(path)
        self.doCleanups()

    def test_lvs_of_dm_raid_and_mirrors(self):
        volume_group('redundant', *self.disks)
        try:
            self.check_lv('raid5', 3, 64 * KIB, 2, '--stripes=2',
                          '--stripesize=64k')
            self.check_lv('raid10', 4, 64 * KIB, 2, '--stripes=2',
                          '--mirrors=1', '--stripesize=64k')
            self.check_lv('raid1', 2, None, 1, '--mirrors=1')
            self.check_lv('mirror', 2, None, 1, '--mirrors=1',
                          '--mirrorlog=core')
        finally:
            run('vgremove', '--quiet', '--yes', 'redundant')

    def test_raid10_with_far_copies_is_as_raid0_above_them(self):
        path, members = self.make(10, 4, '--chunk=64K', '--layout=f2')
        device = self.inspect(path)
        segment, = device['stack'][0]['segments']
        self.check_geometry(path, members, segment)
        self.assertEqual((segment['data_members'],
                          segment['full_stripe_bytes']), (4, 262144))
        self.assertEqual(device['topology']['io_opt_bytes'], 262144)


if __name__ == '__main__':
    blktest.main()
