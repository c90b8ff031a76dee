#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Where the first byte of LVM and device-mapper lies below."""

import blktest
from devices import run, settle
from vmdevices import (DeviceCase, dm, dm_table, kernel_name, logical_volume,
                       lsblk, md, partitions, scsi_debug)

KIB = 1024
MIB = 1024 * KIB


def physical_volume(group, disk, *options):
    run('pvcreate', '--quiet', *options, disk)
    run('vgcreate', '--quiet', group, disk)


class Alignment(DeviceCase):
    @classmethod
    def setUpClass(cls):
        cls.disks = scsi_debug(dev_size_mb=48, add_host=13, per_host_store=1,
                               opt_blks=0, physblk_exp=3)

    def take(self, count=1):
        """Disks that no test has used: sectors of 512 and 4096 bytes."""
        taken, self.disks[:] = self.disks[:count], self.disks[count:]
        self.assertEqual(len(taken), count)
        return taken

    def check(self, path, verdict, findings, places, *options):
        """
        findings: (layer, boundary, its size, remainder, next aligned byte) of
        all that count; places: where each layer's part of the device begins.
        """
        device = self.inspect(path, *options)
        alignment = device['alignment']
        found = [(finding['layer'], finding['boundary'],
                  finding['boundary_bytes'], finding['remainder_bytes'],
                  finding['next_start_bytes'])
                 for finding in alignment['findings'] if finding['declared']]
        self.assertEqual(found, findings, alignment)
        self.assertEqual(alignment['verdict'], verdict, alignment)
        self.assertEqual(
            [(layer['name'],
              layer['place'] and layer['place']['begin_bytes'])
             for layer in device['stack']],
            [(kernel_name(path), 0), *places])
        self.check_default_run(path)
        return device

    def test_linear_lv_on_192_kib_is_off_a_stripe_of_512_kib(self):
        disk, = self.take()
        # Without so little room for metadata it would be 1152 KiB.
        physical_volume('odd', disk, '--dataalignment=192k',
                        '--metadatasize=100k')
        path = logical_volume('odd', 'lv', '--size=8M')
        name = kernel_name(disk)
        device = self.check(
            path, 'misaligned',
            [(name, 'physical sector', 4096, 0, 196608),
             (name, 'given stripe', 524288, 196608, 524288)],
            [(name, 196608)], '--stripe', '512K')
        self.assertIn(f'196608 B past a given stripe of {name}',
                      device['alignment']['text'])
        # Nobody has told the kernel of that stripe; and parted, which sees
        # that a file system begins with the LV, calls it aligned to all.
        self.assertEqual(lsblk(path)['alignment_offset_bytes'], 0)
        run('mkfs.ext4', '-q', path)
        for kind in 'minimal', 'optimal':
            self.assertEqual(run('parted', path, 'align-check', kind, '1'),
                             '1 aligned')
        self.check(path, 'aligned',
                   [(name, 'physical sector', 4096, 0, 196608)],
                   [(name, 196608)])
        # 8 MiB from 192 KiB on, of 48 MiB.
        self.assertEqual(device['stack'][1]['place'], {
            'begin_bytes': 196608, 'end_bytes': 8585216,
            'begin_percent': 0.390625, 'end_percent': 17.0572916667})

    def test_misalignment_is_an_exit_code_when_asked_for(self):
        disk, = self.take()
        path, good = partitions(disk, 63, 2048)
        done = blktest.blkbench('-i', '-j', '--require-aligned', path, good)
        self.assertEqual(done.code, 4)
        self.assertEqual(done.err, f'blkbench: {path}: is misaligned\n')
        self.assertEqual([device['status'] for device in done.json['devices']],
                         ['unmet', 'ok'])

    def test_linear_lv_with_the_default_data_alignment_is_on_it(self):
        disk, = self.take()
        physical_volume('even', disk)
        path = logical_volume('even', 'lv', '--size=8M')
        name = kernel_name(disk)
        self.check(path, 'aligned',
                   [(name, 'physical sector', 4096, 0, 1048576),
                    (name, 'given stripe', 524288, 0, 1048576)],
                   [(name, 1048576)], '--stripe', '512K')

    def test_every_segment_of_an_lv_counts(self):
        """
        4 MiB at 1 MiB, 4 MiB at 13 MiB and 8 MiB at 21 MiB. The LV would begin
        at 1, 9 and 13 MiB: of these, only 9 MiB is a multiple of 3 MiB.
        """
        disk, = self.take()
        physical_volume('parts', disk)
        path = logical_volume('parts', 'lv', '--size=4M')
        for name, size in (('gap1', '8M'), ('gap2', '4M')):
            logical_volume('parts', name, f'--size={size}')
            if name == 'gap1':
                run('lvextend', '--quiet', '--size=+4M', 'parts/lv')
        run('lvextend', '--quiet', '--size=+8M', 'parts/lv')
        settle()
        name = kernel_name(disk)
        device = self.check(
            path, 'misaligned',
            [(name, 'physical sector', 4096, 0, 1048576),
             (name, 'given stripe', 3145728, 1048576, 3145728),
             (name, 'given stripe', 3145728, 0, 13631488)],
            [(name, 1048576)], '--stripe', '3M')
        self.assertEqual(
            [(segment['kind'], segment['start_bytes'],
              segment['length_bytes'], segment['legs'][0]['offset_bytes'])
             for segment in device['stack'][0]['segments']],
            [('linear', 0, 4 * MIB, 1 * MIB),
             ('linear', 4 * MIB, 4 * MIB, 13 * MIB),
             ('linear', 8 * MIB, 8 * MIB, 21 * MIB)])

    def test_striped_lv_is_misaligned_by_one_of_its_partitions(self):
        """
        LVM would move its data by a sector, had it not been told not to. The
        kernel reports -1 for this LV, which leg it is about is not in it.
        """
        first, second = self.take(2)
        pv1, = partitions(first, 2048)
        pv2, = partitions(second, 63)
        for pv in (pv1, pv2):
            run('pvcreate', '--quiet', '--config',
                'devices{data_alignment_offset_detection=0}', pv)
        run('vgcreate', '--quiet', 'two', pv1, pv2)
        path = logical_volume('two', 'lv', '--size=16M', '--stripes=2',
                              '--stripesize=64k')
        names = [kernel_name(disk) for disk in (first, second)]
        device = self.check(
            path, 'misaligned',
            [(names[0], 'physical sector', 4096, 0, 2097152),
             (names[1], 'physical sector', 4096, 3584, 1081344)],
            [(kernel_name(pv1), 1048576), (names[0], 2097152),
             (kernel_name(pv2), 1048576), (names[1], 1080832)])
        self.assertEqual(device['topology']['alignment_offset_bytes'], -1)
        segment, = device['stack'][0]['segments']
        self.assertEqual((segment['kind'], segment['chunk_bytes'],
                          segment['data_members'],
                          segment['full_stripe_bytes']),
                         ('striped', 65536, 2, 131072))

    def test_lv_on_raid5_is_judged_by_the_array_and_by_its_disks(self):
        disks = self.take(4)
        array = md('array', 5, disks, '--chunk=64K', '--data-offset=1M')
        physical_volume('over', array, '--dataalignment=1m')
        path = logical_volume('over', 'lv', '--size=8M')
        name = kernel_name(array)
        device = self.check(
            path, 'misaligned',
            [(name, 'chunk', 65536, 0, 1048576),
             (name, 'full stripe', 196608, 65536, 1179648),
             *((kernel_name(disk), 'physical sector', 4096, 0, 1376256)
               for disk in disks)],
            [(name, 1048576),
             # 5 whole stripes of 192 KiB lie before it: rows of 64 KiB.
             *((kernel_name(disk), 1048576 + 5 * 65536) for disk in disks)])
        self.assertIn(f'65536 B past a full stripe of {name}',
                      device['alignment']['text'])

    def test_the_rest_of_device_mapper(self):
        disk, other = self.take(2)
        name = kernel_name(disk)
        first, second, third = partitions(disk, 63, 8192, 65536)

        path = dm('secret', 'crypt', 'aes-xts-plain64', '00' * 32, 0, first, 0)
        self.check(path, 'misaligned',
                   [(name, 'physical sector', 4096, 3584, 32768)],
                   [(kernel_name(first), 0), (name, 32256)])

        path = dm('late', 'delay', second, 0, 1)
        self.check(path, 'aligned',
                   [(name, 'physical sector', 4096, 0, 4194304)],
                   [(kernel_name(second), 0), (name, 4194304)])

        sectors = int(run('blockdev', '--getsz', third))
        path = dm_table('snap', f'0 {sectors} snapshot {third} {other} N 32')
        self.check(path, 'aligned',
                   [(name, 'physical sector', 4096, 0, 33554432),
                    (kernel_name(other), 'physical sector', 4096, 0, None)],
                   [(kernel_name(third), 0), (name, 33554432),
                    (kernel_name(other), None)])

    def test_thin_lv_is_known_up_to_its_chunk(self):
        disk, = self.take()
        physical_volume('deep', disk)
        run('lvcreate', '--quiet', '--yes', '--type=thin-pool', '--size=16M',
            '--chunksize=64k', '--name=pool', 'deep')
        path = logical_volume('deep', 'thin', '--virtualsize=12M',
                              '--thinpool=pool')
        device = self.inspect(path)
        self.assertEqual(device['alignment']['verdict'], 'aligned')
        kinds = [layer['kind'] for layer in device['stack']]
        self.assertEqual(kinds, ['thin', 'thin-pool', 'linear', 'disk'])
        leg, = device['stack'][0]['segments'][0]['legs']
        self.assertEqual(leg, {'layer': 1, 'offset_bytes': None,
                               'multiple_bytes': 65536})
        alignment = self.inspect(path, '--stripe', '1M')['alignment']
        self.assertEqual(alignment['verdict'], 'unknown')
        self.assertIn('chunks of 65536 B lie anywhere', alignment['text'])
        self.check_default_run(path)


if __name__ == '__main__':
    blktest.main()
