# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""A control group that may read a disk only so fast."""

import contextlib
import os

ROOT = '/sys/fs/cgroup'


def write(path, text):
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)


def devno(device):
    number = os.stat(device).st_rdev
    return f'{os.major(number)}:{os.minor(number)}'


def make_group():
    """Returns its directory, its file of limits, and how those are written."""
    if os.path.isdir(f'{ROOT}/blkio'):
        group = f'{ROOT}/blkio/blkbench-{os.getpid()}'
        os.mkdir(group)
        return group, 'blkio.throttle.read_bps_device', '{} {}'
    write(f'{ROOT}/cgroup.subtree_control', '+io')
    group = f'{ROOT}/blkbench-{os.getpid()}'
    os.mkdir(group)
    return group, 'io.max', '{} rbps={}'


@contextlib.contextmanager
def throttled(disk, bytes_per_s):
    """
    All that is read of the disk, or of partitions of it, by what is run with
    the prefix that this gives, has that rate together.
    """
    group, name, form = make_group()
    try:
        write(f'{group}/{name}', form.format(devno(disk), bytes_per_s))
        yield ('sh', '-c', f'echo $$ >{group}/cgroup.procs; exec "$@"', 'sh')
    finally:
        os.rmdir(group)
