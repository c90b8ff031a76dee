#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
#
# vm: nvme 64M logical=4096 physical=4096 serial=NVME-1
# vm: scsi 64M logical=512 physical=4096 min=65536 opt=196608 serial=SCSI-1
"""The default run on every kind of device, and what it says of each."""

import blktest
from devices import run
from vmdevices import (DeviceCase, disk_with_serial, dm, logical_volume, lsblk,
                       md, partitions, scsi_debug, volume_group)

KIB = 1024


class Stacks(DeviceCase):
    @classmethod
    def setUpClass(cls):
        disks = scsi_debug(dev_size_mb=48, add_host=8, per_host_store=1,
                           opt_blks=0)
        cls.disk, pv1, pv2, *cls.raid_disks = disks
        cls.partitions = partitions(cls.disk, 2048, 40960, 61440)
        volume_group('tank', pv1, pv2)

    def check(self, path, io_min=512, io_opt=None, sectors=(512, 512),
              **identity):
        """A default run, and the zones; identity is what is told, key by key."""
        device = self.check_default_run(path, 0.5)
        self.assertEqual({key: device[key] for key in identity}, identity)
        self.check_sizes(device['topology'], path, {
            'logical_sector_bytes': sectors[0],
            'physical_sector_bytes': sectors[1],
            'io_min_bytes': io_min,
            'io_opt_bytes': io_opt,
            'alignment_offset_bytes': 0,
        })

        self.check_zones(path, device['size_bytes'])

    def check_zones(self, path, size):
        run_of_zones = blktest.blkbench('-j', '-z', path)
        self.assertEqual(run_of_zones.code, 0, run_of_zones)
        test, = run_of_zones.json['devices'][0]['tests']
        zones = test['zones']
        self.assertEqual(len(zones), min(50, size // (8 * KIB * KIB)))
        self.assertEqual(zones[-1]['offset_bytes'] + zones[-1]['length_bytes'],
                         size)
        for zone in zones:
            self.assertGreater(zone['rate_bytes_per_s'], 0)

    def check_sizes(self, topology, path, expected):
        self.assertEqual({key: topology[key] for key in expected}, expected)
        self.assertEqual(lsblk(path), expected)

    def test_a_scsi_disk(self):
        self.check(self.disk, kind='disk', name=None, vendor='Linux',
                   model='scsi_debug', transport='scsi',
                   serial=run('lsblk', '-dno', 'SERIAL', self.disk),
                   content={'usage': 'other', 'type': 'dos', 'label': None,
                            'uuid': run('lsblk', '-dno', 'PTUUID',
                                        self.disk)})

    def test_a_partition_of_it(self):
        self.check(self.partitions[0], kind='partition', name=None,
                   parent=self.disk.removeprefix('/dev/'), partition=1,
                   model='scsi_debug', content=None)

    def test_an_nvme_disk(self):
        self.check(disk_with_serial('NVME-1'), sectors=(4096, 4096),
                   io_min=4096, io_opt=4096,
                   kind='disk', model='QEMU NVMe Ctrl', serial='NVME-1',
                   transport='nvme', rotational=False)

    def test_a_disk_with_a_stripe(self):
        self.check(disk_with_serial('SCSI-1'), sectors=(512, 4096),
                   io_min=65536, io_opt=196608,
                   kind='disk', vendor='QEMU', model='QEMU HARDDISK',
                   serial='SCSI-1', transport='virtio')

    def test_a_linear_lv(self):
        self.check(logical_volume('tank', 'line', '--size=12M'),
                   kind='lv', name='LV line in tank')

    def test_a_striped_lv(self):
        self.check(logical_volume('tank', 'stripes', '--size=16M',
                                  '--stripes=2', '--stripesize=64k'),
                   io_min=64 * KIB, io_opt=128 * KIB,
                   kind='lv', name='LV stripes in tank')

    def test_a_thin_lv(self):
        run('lvcreate', '--quiet', '--yes', '--type=thin-pool', '--size=12M',
            '--chunksize=64k', '--name=pool', 'tank')
        self.check(logical_volume('tank', 'thin', '--virtualsize=32M',
                                  '--thinpool=pool'),
                   io_min=64 * KIB, io_opt=64 * KIB,
                   kind='lv', name='LV thin in tank')

    def test_an_md_raid0(self):
        self.check(md('fast', 0, self.raid_disks[:2], '--chunk=64K'),
                   io_min=64 * KIB, io_opt=128 * KIB,
                   kind='md', name='raid0 of 2')

    def test_an_md_raid5(self):
        self.check(md('safe', 5, self.raid_disks[2:], '--chunk=64K'),
                   io_min=64 * KIB, io_opt=128 * KIB,
                   kind='md', name='raid5 of 3')

    def test_a_dm_crypt(self):
        self.check(dm('secret', 'crypt', 'aes-xts-plain64', '00' * 32, 0,
                      self.partitions[1], 0),
                   kind='dm', name='device-mapper secret')

    def test_a_dm_delay(self):
        self.check(dm('slow', 'delay', self.partitions[2], 0, 4),
                   kind='dm', name='device-mapper slow')

    def test_a_null_block_device(self):
        run('modprobe', 'null_blk', 'gb=1', 'bs=4096')
        self.check('/dev/nullb0', sectors=(4096, 4096), io_min=4096,
                   kind='disk', name=None, model=None, serial=None,
                   transport=None, size_bytes=1 << 30)


if __name__ == '__main__':
    blktest.main()
