# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Nothing is written: by the system calls, the data and the counters."""

import hashlib
import os
import re
import tempfile
import unittest

import blktest
from devices import MIB, loop, random_file

# From the same file that the device node itself is opened from.
CALL = re.compile(r'^\d+ +(\w+)\((.*)', re.MULTILINE)
WRITING = re.compile(r'p?writev?\d*|pwritev2|sendfile|splice|fallocate|'
                     r'copy_file_range|truncate|f?sync|fdatasync|syncfs|'
                     r'sync_file_range|rename\w*|unlink\w*|link\w*|symlink\w*|'
                     r'mkdir\w*|mknod\w*|creat|mount|umount2|'
                     r'io_submit_write')
READING_IOCTLS = {
    'BLKALIGNOFF', 'BLKGETDISKSEQ', 'BLKGETNRZONES', 'BLKGETSIZE',
    'BLKGETSIZE64', 'BLKGETZONESZ', 'BLKIOMIN', 'BLKIOOPT', 'BLKPBSZGET',
    'BLKROGET', 'BLKROTATIONAL', 'BLKSECTGET', 'BLKSSZGET',
    'CDROM_GET_CAPABILITY', 'CDROM_LAST_WRITTEN', 'FDGETFDCSTAT',
    'TCGETS', 'TIOCGWINSZ',
}


def checksum(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


def write_counters(node):
    """Write, discard and flush requests, merges, sectors, time."""
    with open(f'/sys/block/{os.path.basename(node)}/stat',
              encoding='ascii') as file:
        fields = file.read().split()
    return fields[4:8] + fields[11:]


class Safety(unittest.TestCase):
    def trace(self, node, *args):
        with tempfile.NamedTemporaryFile('r') as log:
            run = blktest.blkbench(
                *args, node, prefix=('strace', '-f', '-o', log.name),
                env={'ASAN_OPTIONS': 'detect_leaks=0'})
            self.assertEqual(run.code, 0, run)
            return CALL.findall(log.read())

    def check_trace(self, *args):
        with random_file(16 * MIB) as path, loop(path) as node:
            calls = self.trace(node, *args)
        names = {name for name, _ in calls}
        self.assertIn('openat', names)
        opened = [rest for name, rest in calls
                  if name in ('open', 'openat') and f'"{node}"' in rest]
        self.assertEqual(len(opened), 1, opened)
        flags = re.search(r', (O_\w+(?:\|O_\w+)*)\) = \d+$', opened[0])[1]
        self.assertEqual(set(flags.split('|')),
                         {'O_RDONLY', 'O_DIRECT', 'O_CLOEXEC'})
        in_memory = {re.search(r'= (\d+)$', rest)[1] for name, rest in calls
                     if name == 'memfd_create'}
        for name, rest in calls:
            where = re.match(r'\d*', rest)[0]
            if name in ('open', 'openat'):
                self.assertNotRegex(
                    rest, r'O_(WRONLY|RDWR|CREAT|EXCL|TRUNC)')
            elif name == 'ioctl':
                request = rest.split(', ')[1].rstrip(')')
                self.assertIn(request, READING_IOCTLS)
            elif name == 'write':
                self.assertIn(where, ('1', '2'), rest)
            elif name == 'ftruncate':
                self.assertIn(where, in_memory, rest)
            elif name == 'io_submit':
                self.assertNotRegex(rest, 'PWRITE|FSYNC|FDSYNC')
            else:
                self.assertIsNone(WRITING.fullmatch(name), f'{name}({rest}')
        self.assertEqual([name for name, _ in calls].count('execve'), 1)
        return names

    def test_a_default_run_calls_nothing_that_writes(self):
        self.assertIn('io_uring_enter', self.check_trace('-r', '0.3'))

    def test_every_test_and_engine_calls_nothing_that_writes(self):
        # libaio does not read through the page cache, as half of -T does.
        for engine, tests, call in (('io_uring', '-itTqs', 'io_uring_enter'),
                                    ('aio', '-itqs', 'io_submit'),
                                    ('pread', '-itTqs', 'pread64')):
            names = self.check_trace(tests, '-r', '0.1', '--engine', engine)
            self.assertIn(call, names)

    def test_data_and_write_counters_stay_as_they_were(self):
        with random_file(16 * MIB) as path:
            before = checksum(path)
            with loop(path) as node:
                counters = write_counters(node)
                run = blktest.blkbench('-iqtTs', '-r', '0.3', node)
                self.assertEqual(run.code, 0, run)
                self.assertEqual(write_counters(node), counters)
            self.assertEqual(checksum(path), before)


if __name__ == '__main__':
    blktest.main()
