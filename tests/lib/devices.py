# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Block devices for the device suite, made and taken away again by root."""

import contextlib
import errno
import os
import re
import shutil
import subprocess
import tempfile
import time

MIB = 1 << 20
GIB = 1 << 30
TIB = 1 << 40


def run(*argv):
    return subprocess.run([str(word) for word in argv], check=True, text=True,
                          stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE).stdout.strip()


def wait_for(condition, what, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.02)


def settle():
    """Where there is an udevd, it reads from new devices."""
    if shutil.which('udevadm'):
        subprocess.run(['udevadm', 'settle'], check=False)


def directory():
    """On a disk, where /tmp may be memory without O_DIRECT."""
    return tempfile.TemporaryDirectory(prefix='blkbench.', dir='/var/tmp')


@contextlib.contextmanager
def random_file(size):
    with directory() as place:
        path = os.path.join(place, 'data')
        with open(path, 'wb') as file:
            for start in range(0, size, MIB):
                file.write(os.urandom(min(MIB, size - start)))
            file.flush()
            os.fsync(file.fileno())
        yield path


@contextlib.contextmanager
def sparse_file(size):
    with directory() as place:
        path = os.path.join(place, 'data')
        with open(path, 'wb') as file:
            file.truncate(size)
        yield path


@contextlib.contextmanager
def loop(path, *options):
    """options are those of losetup(8), '--sector-size=4096'."""
    device = run('losetup', '--find', '--show', *options, path)
    try:
        settle()
        yield device
    finally:
        settle()
        run('losetup', '--detach', device)
        wait_for(lambda: not is_bound(device), f'{device} stays attached')


def is_bound(device):
    return os.path.exists(f'/sys/block/{os.path.basename(device)}/loop')


@contextlib.contextmanager
def partition(device, number, start, sectors):
    """start and sectors count 512 bytes."""
    run('addpart', device, number, start, sectors)
    path = f'{device}p{number}'
    try:
        wait_for(lambda: os.path.exists(path), path)
        settle()
        yield path
    finally:
        # A ring of io_uring is taken down after its process has ended.
        wait_for(lambda: subprocess.run(['delpart', device, str(number)],
                                        check=False, stderr=subprocess.DEVNULL
                                        ).returncode == 0,
                 f'{path} stays busy')


@contextlib.contextmanager
def zram(size):
    """One of its own; it has 4096-byte sectors."""
    control = '/sys/class/zram-control'
    if not os.path.exists(control):
        subprocess.run(['modprobe', 'zram', 'num_devices=0'], check=False)
    with open(f'{control}/hot_add', encoding='ascii') as file:
        number = file.read().strip()
    device = f'/dev/zram{number}'
    try:
        wait_for(lambda: os.path.exists(device), device)
        write_text(f'/sys/block/zram{number}/disksize', size)
        settle()
        yield device
    finally:
        settle()
        wait_for(lambda: write_text(f'/sys/block/zram{number}/reset', 1),
                 f'{device} stays busy')
        write_text(f'{control}/hot_remove', number)


def write_text(path, value):
    """Returns whether it was not refused for being busy."""
    try:
        with open(path, 'w', encoding='ascii') as file:
            file.write(str(value))
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        return False
    return True


@contextlib.contextmanager
def setting(path, value):
    """A loop device keeps those of its queue when it is detached."""
    with open(path, encoding='ascii') as file:
        before = file.read()
    write_text(path, value)
    try:
        yield
    finally:
        write_text(path, before)


@contextlib.contextmanager
def read_limit(device, bytes_per_s=None, reads_per_s=None):
    """Of a cgroup, of either version. Yields what a command in it begins with."""
    devno = os.stat(device).st_rdev
    node = f'{os.major(devno)}:{os.minor(devno)}'
    root = '/sys/fs/cgroup'
    if os.path.exists(f'{root}/blkio'):
        root += '/blkio'
        limits = {'blkio.throttle.read_bps_device': bytes_per_s,
                  'blkio.throttle.read_iops_device': reads_per_s}
        texts = {name: f'{node} {value}' for name, value in limits.items()
                 if value}
    else:
        with open(f'{root}/cgroup.subtree_control', 'w',
                  encoding='ascii') as file:
            file.write('+io')
        texts = {'io.max': f'{node} rbps={bytes_per_s or "max"} '
                           f'riops={reads_per_s or "max"}'}
    group = tempfile.mkdtemp(prefix='blkbench.', dir=root)
    try:
        for name, text in texts.items():
            write_text(f'{group}/{name}', text)
        yield ('sh', '-c', f'echo $$ >{group}/cgroup.procs; exec "$@"', 'sh')
    finally:
        wait_for(lambda: remove_group(group), f'{group} stays busy')


def remove_group(path):
    """Returns whether no process was left in it."""
    try:
        os.rmdir(path)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        return False
    return True


@contextlib.contextmanager
def nbdkit_file(*arguments, connections=1):
    """
    A file behind FUSE that an nbdkit serves. Each connection carries out one
    read at a time, and nbdfuse has ten threads for them.
    """
    with directory() as mount:
        path = os.path.join(mount, 'disk')
        mounting = f'exec nbdfuse -C {connections} {path} "$uri"'
        with subprocess.Popen(
                ['nbdkit', '--unix=-', *map(str, arguments),
                 '--run', mounting], stdin=subprocess.DEVNULL) as server:
            try:
                wait_for(lambda: os.path.exists(path) or
                         server.poll() is not None, path)
                yield path
            finally:
                # The last user may be a loop device that is just going.
                wait_for(lambda: server.poll() is not None or
                         subprocess.run(['umount', mount], check=False,
                                        stderr=subprocess.DEVNULL
                                        ).returncode == 0, f'umount {mount}')


class ReadLog:
    """The reads that nbdkit's log filter has seen, in their order."""

    READ = re.compile(r' Read id=\d+ offset=0x([0-9a-f]+) count=0x([0-9a-f]+)')

    def __init__(self, path):
        self.path = path
        self.start = 0

    def clear(self):
        """Leave out all up to now."""
        settle()
        self.start = os.path.getsize(self.path)

    def reads(self):
        with open(self.path, encoding='ascii') as file:
            file.seek(self.start)
            return [(int(offset, 16), int(count, 16))
                    for offset, count in self.READ.findall(file.read())]


@contextlib.contextmanager
def logged_file(plugin, size, *arguments):
    """An nbdkit_file with a ReadLog of it."""
    with directory() as place:
        log = os.path.join(place, 'log')
        with nbdkit_file('--filter=log', *arguments, plugin, size,
                         f'logfile={log}') as path:
            yield path, ReadLog(log)
