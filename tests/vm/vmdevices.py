# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""
Devices for the scripts that run in the virtual machine. They end with it; who
wants another scsi_debug takes the first one away.
"""

import contextlib
import glob
import json
import os
import re
import subprocess
import unittest

import blktest
from devices import run, settle, wait_for


def scsi_debug(**parameters):
    """Returns its disks, in the order of their hosts."""
    run('modprobe', 'scsi_debug',
        *(f'{key}={value}' for key, value in parameters.items()))
    hosts = parameters.get('add_host', 1)
    pattern = ('/sys/bus/pseudo/drivers/scsi_debug/'
               'adapter*/host*/target*/*/block/*')
    wait_for(lambda: len(glob.glob(pattern)) == hosts, 'disks of scsi_debug')
    settle()
    found = sorted(glob.glob(pattern), key=lambda path: int(
        re.search(r'/host(\d+)/', path)[1]))
    return [f'/dev/{os.path.basename(path)}' for path in found]


def remove_scsi_debug():
    settle()
    run('modprobe', '--remove', 'scsi_debug')


def unplug(number):
    """Has qemu take the disk of that "# vm:" comment away, the first being 0."""
    port, = glob.glob('/dev/vport*p4')
    with open(port, 'w', encoding='ascii') as file:
        file.write(f'unplug {number}\n')


def stop_udev():
    """It would read from each device, and wait for those that hang."""
    run('udevadm', 'control', '--exit')
    wait_for(lambda: subprocess.run(['pgrep', '--full', 'systemd-udevd'],
                                    check=False, stdout=subprocess.DEVNULL
                                    ).returncode, 'the end of udevd')
    with contextlib.suppress(FileNotFoundError):
        os.unlink('/run/udev/control')
    # Else dmsetup leaves the nodes to it.
    os.environ['DM_DISABLE_UDEV'] = '1'


def disk_with_serial(serial):
    """One of those that the script has asked for."""
    return os.path.realpath(glob.glob(f'/dev/disk/by-id/*_{serial}')[0])


def partitions(disk, *starts):
    """Each from its start to the next, in sectors of the disk."""
    sizes = [f', size={end - start}' for start, end in zip(starts, starts[1:])]
    table = ''.join(f'start={start}{size}\n'
                    for start, size in zip(starts, [*sizes, '']))
    subprocess.run(['sfdisk', '--quiet', '--lock', '--label=dos', disk],
                   input=table, text=True, check=True)
    settle()
    infix = 'p' if disk[-1].isdigit() else ''
    return [f'{disk}{infix}{number}' for number in range(1, len(starts) + 1)]


def kernel_name(path):
    return os.path.basename(os.path.realpath(path))


def dm_table(name, *lines):
    """One of several targets, each a line of dmsetup's table."""
    subprocess.run(['dmsetup', 'create', name], text=True, check=True,
                   input=''.join(f'{line}\n' for line in lines))
    settle()
    return f'/dev/mapper/{name}'


def dm(name, *target):
    """
    A device-mapper device of one target on the whole of the device that is
    named among the target's arguments.
    """
    below, = (word for word in target if str(word).startswith('/dev/'))
    sectors = run('blockdev', '--getsz', below)
    return dm_table(name, ' '.join(map(str, (0, sectors, *target))))


def volume_group(name, *disks):
    run('vgcreate', '--quiet', name, *disks)
    settle()


def logical_volume(group, name, *options):
    run('lvcreate', '--quiet', '--yes', '--name', name, *options, group)
    settle()
    return f'/dev/{group}/{name}'


def md(name, level, disks, *options):
    run('mdadm', '--quiet', '--create', f'/dev/md/{name}', '--run',
        '--assume-clean', f'--level={level}', f'--raid-devices={len(disks)}',
        *options, *disks)
    settle()
    return f'/dev/md/{name}'


def wait_for_reads(device):
    """More than come before a run."""
    devno = os.stat(device).st_rdev
    stat = f'/sys/dev/block/{os.major(devno)}:{os.minor(devno)}/stat'

    def reads():
        with open(stat, encoding='ascii') as file:
            return int(file.read().split()[0])
    before = reads()
    wait_for(lambda: reads() > before + 50, 'reads')


class DeviceCase(unittest.TestCase):
    maxDiff = None

    def run_well(self, *args):
        """Returns what is said of the one device."""
        done = blktest.blkbench('-j', *args)
        self.assertEqual((done.code, done.err), (0, ''), done)
        device, = done.json['devices']
        self.assertEqual((device['status'], device['message']), ('ok', None))
        return device

    def inspect(self, path, *options):
        return self.run_well('-i', *options, path)

    def check_default_run(self, path, runtime=0.1):
        device = self.run_well('-r', runtime, path)
        self.assertEqual([test['test'] for test in device['tests']],
                         ['sequential', 'timed', 'seek', 'seek'])
        for test in device['tests']:
            self.assertGreater(test['rate_bytes_per_s'], 0)
            self.assertEqual((test['errors'], test['stalled']), (0, None))
        return device


def lsblk(device):
    """The sizes that lsblk has of it, by our names."""
    columns = {
        'log-sec': 'logical_sector_bytes',
        'phy-sec': 'physical_sector_bytes',
        'min-io': 'io_min_bytes',
        'opt-io': 'io_opt_bytes',
        'alignment': 'alignment_offset_bytes',
    }
    report = run('lsblk', '--json', '--bytes', '--nodeps', '--output',
                 ','.join(columns), device)
    row, = json.loads(report)['blockdevices']
    sizes = {name: row[column] for column, name in columns.items()}
    # 0 is how the kernel says "not reported".
    sizes['io_opt_bytes'] = sizes['io_opt_bytes'] or None
    return sizes
