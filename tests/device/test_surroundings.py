# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Surroundings that lack something: what cannot be told is told to be not
known, and what is measured stays right."""

import contextlib
import os
import unittest

import blktest
import places
from devices import MIB, loop, partition, random_file

REFUSE = os.environ['BLKBENCH_REFUSE']
USER, GROUP = 64998, 64999  # nobody has these
START, SECTORS = 63, 100000
SIZE = SECTORS * 512


class Surroundings(unittest.TestCase):
    """Every test reads a partition that begins at sector 63."""

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        enter = cls.stack.enter_context
        cls.root = enter(places.bare_root())
        cls.disk = enter(loop(enter(random_file(64 * MIB))))
        cls.node = enter(partition(cls.disk, 1, START, SECTORS))
        os.chown(cls.node, 0, GROUP)
        os.chmod(cls.node, 0o640)

    @classmethod
    def tearDownClass(cls):
        cls.stack.close()

    def blkbench(self, *args, prefix=()):
        """The stripe is there to have the start of the partition judged."""
        return blktest.blkbench(
            '-j', '-q', '-s', '-r', '0.2', '--stripe', '1M', *args, self.node,
            # Without /proc, no library is found by the place of its program.
            prefix=prefix, env={'LD_LIBRARY_PATH': places.library_path()})

    def user_blkbench(self, *args, prefix=(), groups=(GROUP,)):
        return blktest.blkbench(
            '-j', '-q', '-s', '-r', '0.2', '--stripe', '1M', *args, self.node,
            prefix=(*prefix, *places.as_user(USER, *groups)),
            program=os.path.join(self.root, 'blkbench'),
            env={'LD_LIBRARY_PATH': places.library_path(self.root)})

    def check_measured(self, run):
        """All was measured, and what is told without sysfs is right."""
        self.assertEqual(run.code, 0, run)
        self.assertEqual(run.err, '')
        device, = run.json['devices']
        self.assertEqual(device['status'], 'ok')
        self.assertEqual(device['size_bytes'], SIZE)
        self.assertEqual(device['topology']['logical_sector_bytes'], 512)
        self.assertEqual(
            [(test['test'], test['queue_depth']) for test in device['tests']],
            [('sequential', 8), ('seek', 1), ('seek', 32)])
        for test in device['tests']:
            self.assertGreater(test['requests'], 0)
            self.assertEqual(test['errors'], 0)
            tail = test['tail'] or {'bytes': 0, 'elapsed_ns': 0}
            self.assertAlmostEqual(
                test['rate_bytes_per_s']
                * (test['elapsed_ns'] - tail['elapsed_ns']) / 1e9
                / (test['bytes'] - tail['bytes']), 1, places=6)
            if test['cpu_percent'] is not None:
                self.assertGreaterEqual(test['cpu_percent'], 0)
        return device

    def check_known(self, run):
        """Also what sysfs tells."""
        device = self.check_measured(run)
        self.assertEqual(device['kind'], 'partition')
        self.assertEqual(device['partition'], 1)
        self.assertEqual(device['parent'], os.path.basename(self.disk))
        self.assertEqual(device['topology']['start_bytes'], START * 512)
        self.assertEqual(device['alignment']['verdict'], 'misaligned')
        return device

    def check_unknown(self, run):
        """Nothing of what sysfs tells."""
        device = self.check_measured(run)
        for key in ('kind', 'partition', 'parent', 'name', 'model', 'serial',
                    'removable', 'holders'):
            self.assertIsNone(device[key], key)
        for key in 'start_bytes', 'queue_requests':
            self.assertIsNone(device['topology'][key], key)
        self.assertEqual(device['alignment']['verdict'], 'unknown')
        self.assertEqual(device['alignment']['findings'], [])
        return device

    def codes(self, device):
        return [warning['code'] for warning in device['warnings']]

    # ---- what is not there -----------------------------------------------

    def test_without_sys(self):
        self.check_unknown(self.blkbench(prefix=places.without('/sys')))
        run = blktest.blkbench('-i', self.node, prefix=places.without('/sys'))
        self.assertTrue(run.out.startswith(f'{self.node}: block device, '
                                           '51.20 MB (48.83 MiB)'), run)
        self.assertIn('\n  alignment   not known: ', run.out)

    def test_without_proc(self):
        device = self.check_known(
            self.blkbench(prefix=places.without('/proc')))
        self.assertIsNone(device['mounts'])
        for test in device['tests']:
            self.assertIn(test['punted'], (0, None))

    def test_without_udev(self):
        self.check_known(self.blkbench(prefix=places.without('/run')))

    def test_in_a_root_with_nothing_but_the_program(self):
        node = places.make_node(self.root, self.node)
        try:
            device = self.check_unknown(blktest.blkbench(
                '-j', '-q', '-s', '-r', '0.2', '--stripe', '1M', '/disk',
                prefix=('chroot', self.root), program='/blkbench',
                env={'LD_LIBRARY_PATH': places.library_path()}))
        finally:
            os.unlink(node)
        self.assertEqual(device['path'], '/disk')
        self.assertIsNone(device['mounts'])

    def test_in_a_bare_root_the_device_never_becomes_stdout(self):
        node = places.make_node(self.root, self.node)
        program = ['chroot', self.root, '/blkbench', '-i', '/disk', '/no/such']
        try:
            for closed, code, err in (
                    ('<&-', 3, 1), ('>&-', 3, 2), ('<&- >&-', 3, 2),
                    ('2>&-', 3, 0), ('<&- >&- 2>&-', 3, 0)):
                done = places.capture(
                    ['sh', '-c', f'exec "$@" {closed}', 'sh', *program],
                    env={**os.environ,
                         'LD_LIBRARY_PATH': places.library_path()})
                self.assertEqual(done.returncode, code, (closed, done))
                self.assertEqual(len(done.stderr.splitlines()), err,
                                 (closed, done))
        finally:
            os.unlink(node)

    def test_with_nothing_that_could_be_written(self):
        script = ('for place in $(findmnt -rno TARGET); do '
                  'mount -o remount,bind,ro $place; done 2>/dev/null; '
                  'if touch /tmp/x || touch /var/tmp/x || touch /x; '
                  'then exit 99; fi 2>/dev/null; '
                  'exec env -u HOME -u TMPDIR "$@"')
        self.check_known(self.blkbench(
            prefix=('unshare', '--mount', 'sh', '-c', script, 'sh')))

    # ---- limits ----------------------------------------------------------

    def test_with_little_memory_to_be_locked(self):
        device = self.check_known(
            self.user_blkbench(prefix=('prlimit', '--memlock=65536:65536')))
        for test in device['tests']:
            self.assertEqual(test['engine'], 'io_uring')
        self.assertNotIn('fallback', self.codes(device))

    def test_with_no_memory_to_be_locked(self):
        device = self.check_known(
            self.user_blkbench(prefix=('prlimit', '--memlock=0:0')))
        engines = {test['engine'] for test in device['tests']}
        # Some kernels count the rings, some do not.
        if engines != {'io_uring'}:
            self.assertEqual(engines, {'aio'})
            text, = {warning['text'] for warning in device['warnings']
                     if warning['code'] == 'fallback'}
            self.assertIn('ulimit -l', text)

    def test_a_user_needs_the_group_of_the_device(self):
        run = self.user_blkbench(groups=())
        self.assertEqual(run.code, 3, run)
        self.assertEqual(run.err, f'blkbench: {self.node}: cannot open: '
                         'Permission denied (try as root, or in group disk)\n')
        self.assertEqual(run.json['devices'][0]['tests'], [])

    def test_with_few_files_that_can_be_opened(self):
        self.check_known(self.blkbench(prefix=('prlimit', '--nofile=12:12')))
        device = self.check_known(
            self.blkbench(prefix=('prlimit', '--nofile=10:10')))
        self.assertIn('files', self.codes(device))
        # Three are open before the program starts, the fourth is the device.
        device = self.check_unknown(
            self.blkbench(prefix=('prlimit', '--nofile=4:4')))
        self.assertIn('files', self.codes(device))
        self.assertIn('fallback', self.codes(device))
        for count in range(5, 10):
            device = self.check_measured(self.blkbench(
                prefix=('prlimit', f'--nofile={count}:{count}')))
            self.assertIn('files', self.codes(device))
            self.assertIn(device['partition'], (1, None))
            self.assertIn(device['topology']['start_bytes'],
                          (START * 512, None))
            self.assertEqual(
                device['alignment']['verdict'],
                'misaligned' if device['stack'][0]['segments'][0]['legs'][0][
                    'offset_bytes'] == START * 512 else 'unknown')

    def test_a_device_too_many_is_named(self):
        run = blktest.blkbench('-j', '-i', self.disk, self.node,
                               prefix=('prlimit', '--nofile=4:4'))
        self.assertEqual(run.code, 3, run)
        self.assertEqual(run.err, f'blkbench: {self.node}: cannot open: '
                                  'Too many open files\n')

    def test_with_little_memory(self):
        codes = set()
        for size in 6, 7, 8, 10, 12, 16, 24, 64:
            run = self.blkbench(prefix=('prlimit', f'--as={size << 20}'))
            if run.code == 127:
                self.assertEqual(run.out, '')  # not even its libraries
                continue
            codes.add(run.code)
            if run.code == 0:
                self.check_known(run)
                continue
            self.assertEqual(run.code, 3, run)
            self.assertRegex(run.err, '^blkbench: .*memory')
            for test in run.json['devices'][0]['tests'] if run.json else ():
                self.assertEqual(test['skipped'] is None,
                                 test['rate_bytes_per_s'] is not None)
        self.assertEqual(codes, {0, 3})

    def test_with_no_threads_to_be_had(self):
        limit = ('prlimit', '--nproc=1:1')
        device = self.check_known(self.user_blkbench(prefix=limit))
        self.assertEqual({test['engine'] for test in device['tests']}, {'aio'})
        text, = {warning['text'] for warning in device['warnings']
                 if warning['code'] == 'fallback'}
        self.assertTrue(text.startswith(
            'io_uring: no worker thread can be started: '), text)
        run = self.user_blkbench('--engine', 'io_uring', prefix=limit)
        self.assertEqual(run.code, 3, run)
        run = self.user_blkbench('--engine', 'pread', prefix=limit)
        self.assertEqual(run.code, 3, run)
        for test in run.json['devices'][0]['tests']:
            self.assertRegex(test['skipped'], r'^pread: starting thread \d+ of '
                                              r'\d+, .* unavailable$')
        run = self.user_blkbench(prefix=(
            *limit, REFUSE, 'EPERM', 'io_uring_setup', 'io_setup', '--'))
        self.assertEqual(run.code, 3, run)
        for test in run.json['devices'][0]['tests']:
            self.assertIsNotNone(test['skipped'])

    def test_on_one_processor(self):
        for engine in 'io_uring', 'aio', 'pread':
            device = self.check_known(self.blkbench(
                '--engine', engine, prefix=('taskset', '--cpu-list', '0')))
            # In flight = rate times time in flight, and never more than asked.
            deep = device['tests'][2]
            self.assertLess(deep['seeks_per_s'] * deep['access_ms'] / 1000,
                            32 * 1.02)
            single = device['tests'][1]
            self.assertLess(single['seeks_per_s'] * single['access_ms'] / 1000,
                            1.02)

    # ---- containers ------------------------------------------------------

    def test_in_containers_that_refuse_one_call_or_another(self):
        for call in ('statx', 'faccessat2', 'clone3', 'madvise', 'uname',
                     'memfd_create', 'getrusage', 'getdents64', 'readlinkat',
                     'fadvise64', 'sched_getaffinity', 'openat2'):
            for error in 'EPERM', 'ENOSYS':
                with self.subTest((error, call)):
                    device = self.check_known(self.blkbench(
                        prefix=(REFUSE, error, call, '--')))
                    for test in device['tests']:
                        self.assertEqual(test['engine'], 'io_uring')
                        if call == 'getrusage':
                            self.assertIsNone(test['cpu_percent'])

    def test_in_containers_that_refuse_what_is_indispensable(self):
        for call, text in (('ioctl', 'cannot find its size'),
                           ('fcntl', 'cannot switch direct reads off and on')):
            run = self.blkbench(prefix=(REFUSE, 'EPERM', call, '--'))
            self.assertEqual(run.code, 3, run)
            self.assertEqual(run.err, f'blkbench: {self.node}: {text}: '
                                      'Operation not permitted\n')
            self.assertEqual(run.json['devices'][0]['tests'], [])

    # ---- output ----------------------------------------------------------

    def test_into_a_disk_that_becomes_full(self):
        done = places.capture(
            (*places.mount_full('8k'), 'sh', '-c', 'exec "$@" >/mnt/report',
             'sh', blktest.BLKBENCH, '-j', '-q', '-s', '-r', '0.2', self.node))
        self.assertEqual(done.returncode, 1, done)
        self.assertEqual(done.stderr, 'blkbench: cannot write to standard '
                                      'output: No space left on device\n')


if __name__ == '__main__':
    blktest.main()
