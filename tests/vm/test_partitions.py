#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
#
# vm: scsi 64M logical=512 physical=512 opt=33553920 serial=BRIDGE
"""Where partitions begin: all the bytes, and what parted and lsblk say."""

import subprocess
import typing
import unittest

import blktest
from devices import run, settle
from vmdevices import (disk_with_serial, dm, lsblk, partitions, remove_scsi_debug,
                       scsi_debug)

KIB = 1024
MIB = 1024 * KIB


class Start(typing.NamedTuple):
    sector: int
    start_bytes: int
    verdict: str
    remainders: tuple       # one for each boundary of the disk
    next_start: typing.Optional[int] = None


def ask_parted(disk, count):
    """Returns (minimal, optimal) for each partition; True is aligned."""
    kinds = ('minimal', 'optimal')
    questions = [word for number in range(1, count + 1) for kind in kinds
                 for word in ('align-check', kind, str(number))]
    done = subprocess.run(['parted', disk, *questions], text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    # udevd makes the partitions anew after a program that could have written.
    settle()
    answers = ['not aligned' not in line for line in done.stdout.splitlines()
               if 'aligned' in line]
    return list(zip(answers[::2], answers[1::2]))


class Partitions(unittest.TestCase):
    """
    parted's "minimal" is about the physical sector. Its "optimal" is about the
    optimal I/O size; where there is none it takes 1 MiB, which no disk has
    declared and which is information here, not part of the verdict.
    """

    def use_scsi_debug(self, **parameters):
        disk, = scsi_debug(dev_size_mb=32, **parameters)
        self.addCleanup(remove_scsi_debug)
        return disk

    def check(self, disk, boundaries, *starts):
        paths = partitions(disk, *(start.sector for start in starts))
        parted = ask_parted(disk, len(paths))
        self.assertEqual(len(parted), len(paths))
        for path, start, answer in zip(paths, starts, parted):
            done = blktest.blkbench('-i', '-j', path)
            self.assertEqual((done.code, done.err), (0, ''), done)
            device, = done.json['devices']
            self.check_start(device, boundaries, start)
            self.check_lsblk(device, path)
            self.check_parted(device, answer)

    def check_start(self, device, boundaries, start):
        alignment = device['alignment']
        self.assertEqual(device['topology']['start_bytes'], start.start_bytes)
        self.assertEqual(alignment['verdict'], start.verdict, start)
        found = [(finding['boundary'], finding['boundary_bytes'],
                  finding['remainder_bytes'])
                 for finding in alignment['findings']]
        self.assertEqual(found, [
            (*boundary, remainder)
            for boundary, remainder in zip(boundaries, start.remainders)],
            start)
        if start.next_start is None:
            self.assertNotIn('next aligned start', alignment['text'])
        else:
            self.assertIn(f'next aligned start {start.next_start}',
                          alignment['text'])

    def check_lsblk(self, device, path):
        sizes = lsblk(path)
        self.assertEqual({name: device['topology'][name] for name in sizes},
                         sizes)

    def check_parted(self, device, answer):
        remainders = {finding['boundary']: finding['remainder_bytes']
                      for finding in device['alignment']['findings']}
        minimal = remainders['physical sector'] == 0
        optimal = remainders.get('optimal I/O', remainders['1 MiB']) == 0
        if device['topology']['io_opt_is_bogus']:
            # parted has every start misaligned but those at a multiple of
            # 65535 sectors.
            optimal = False
        self.assertEqual(answer, (minimal, minimal and optimal), device)

    def test_sectors_of_512_bytes_declare_nothing_to_judge_by(self):
        self.check(
            self.use_scsi_debug(opt_blks=0),
            [('physical sector', 512), ('4 KiB', 4 * KIB), ('1 MiB', MIB)],
            Start(63, 32256, 'unknown', (0, 3584, 32256)),
            Start(64, 32768, 'unknown', (0, 0, 32768)),
            Start(2048, 1048576, 'unknown', (0, 0, 0)),
            Start(2056, 1052672, 'unknown', (0, 0, 4096)))

    def test_sector_63_is_misaligned_to_physical_sectors_of_4096_bytes(self):
        self.check(
            self.use_scsi_debug(opt_blks=0, physblk_exp=3),
            [('physical sector', 4096), ('1 MiB', MIB)],
            Start(63, 32256, 'misaligned', (3584, 32256), 32768),
            Start(64, 32768, 'aligned', (0, 32768)),
            Start(2048, 1048576, 'aligned', (0, 0)),
            Start(2056, 1052672, 'aligned', (0, 4096)))

    def test_sector_63_is_aligned_where_physical_sectors_begin_at_7(self):
        """Those begin at bytes 3584, 7680, ... 32256 = 3584 + 7 * 4096."""
        self.check(
            self.use_scsi_debug(opt_blks=0, physblk_exp=3, lowest_aligned=7),
            [('physical sector', 4096), ('1 MiB', MIB)],
            Start(63, 32256, 'aligned', (0, 28672)),
            Start(64, 32768, 'misaligned', (512, 29184), 36352),
            Start(2048, 1048576, 'misaligned', (512, 1044992), 1052160),
            Start(2056, 1052672, 'misaligned', (512, 512), 1056256))

    def test_no_start_is_misaligned_to_logical_sectors_of_4096_bytes(self):
        self.check(
            self.use_scsi_debug(opt_blks=0, sector_size=4096),
            [('physical sector', 4096), ('1 MiB', MIB)],
            Start(63, 258048, 'unknown', (0, 258048)),
            Start(64, 262144, 'unknown', (0, 262144)),
            Start(2048, 8388608, 'unknown', (0, 0)),
            Start(2056, 8421376, 'unknown', (0, 32768)))

    def test_1_mib_is_misaligned_to_a_stripe_of_192_kib(self):
        self.check(
            self.use_scsi_debug(opt_blks=384),
            [('physical sector', 512), ('optimal I/O', 196608),
             ('4 KiB', 4 * KIB), ('1 MiB', MIB)],
            Start(2048, 1048576, 'misaligned', (0, 65536, 0, 0), 1179648),
            Start(3072, 1572864, 'aligned', (0, 0, 0, 524288)))

    def test_the_65535_sectors_of_usb_bridges_are_no_boundary(self):
        disk = disk_with_serial('BRIDGE')
        self.check(
            disk,
            [('physical sector', 512), ('4 KiB', 4 * KIB), ('1 MiB', MIB)],
            Start(2048, 1048576, 'unknown', (0, 0, 0)))
        device, = blktest.blkbench('-i', '-j', disk).json['devices']
        self.assertIs(device['topology']['io_opt_is_bogus'], True)
        warning, = device['warnings']
        self.assertEqual(warning['code'], 'bogus')
        self.assertIn('33553920 B is ignored', warning['text'])

    def test_limits_that_fit_no_other_misalign_nothing(self):
        """33553920 is no multiple of 4096, for which the kernel reports -1."""
        partition, = partitions(disk_with_serial('BRIDGE'), 2048)
        path = dm('secret', 'crypt', 'aes-xts-plain64', '00' * 32, 0,
                  partition, 0, 1, 'sector_size:4096')
        self.addCleanup(run, 'dmsetup', 'remove', path)
        done = blktest.blkbench('-i', '-j', path)
        self.assertEqual((done.code, done.err), (0, ''), done)
        device, = done.json['devices']
        self.assertEqual(device['topology']['alignment_offset_bytes'], -1)
        self.assertEqual(device['alignment']['verdict'], 'unknown')
        self.assertIn('the kernel reports -1, as for layers whose limits are '
                      'no multiples of each other', device['alignment']['text'])


if __name__ == '__main__':
    blktest.main()
