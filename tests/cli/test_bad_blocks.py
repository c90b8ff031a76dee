# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""--bad-blocks: a list of what cannot be read, in a file that can be."""

import os

import blktest
from clitest import MIB, FileTest


class BadBlocks(FileTest):
    def setUp(self):
        self.file = self.make_file('file', MIB)
        self.list = os.path.join(self.directory, 'list')

    def blkbench(self, path, *args):
        return blktest.blkbench('-q', '-j', '-r', '0.05', '--bad-blocks', path,
                                *args, self.file)

    def assert_refused(self, path, reason):
        """Before anything is read."""
        run = self.blkbench(path)
        self.assert_exit(run, 2)
        self.assertEqual(run.out, '')
        self.assertEqual(run.err, 'blkbench: option --bad-blocks: '
                         f'{path}: {reason}\n')

    def test_nothing_bad_is_an_empty_list(self):
        run = self.blkbench(self.list)
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')
        self.assertEqual(os.path.getsize(self.list), 0)

    def test_list_of_before_is_replaced(self):
        with open(self.list, 'w', encoding='ascii') as file:
            file.write('1\n22\n333\n')
        self.assert_exit(self.blkbench(self.list), 0)
        self.assertEqual(os.path.getsize(self.list), 0)

    def test_what_cannot_be_written_is_refused_before_the_test(self):
        self.assert_refused(os.path.join(self.directory, 'none', 'list'),
                            'No such file or directory')
        self.assert_refused(self.directory, 'is no regular file')
        self.assert_refused('/dev/null', 'is no regular file')

    def test_nothing_but_a_list_is_overwritten(self):
        for content in (b'report\n', b'12 13\n', bytes(512), b'-1\n'):
            path = os.path.join(self.directory, 'precious')
            with open(path, 'wb') as file:
                file.write(content)
            self.assert_refused(path, 'is there, and is no list of numbers')
            with open(path, 'rb') as file:
                self.assertEqual(file.read(), content)

    def test_device_itself_is_not_overwritten(self):
        self.assert_refused(self.file, 'is there, and is no list of numbers')
        self.assertEqual(os.path.getsize(self.file), MIB)

    def test_end_of_a_long_name_is_shown(self):
        path = os.path.join(self.directory, 100 * './', 'none', 'list')
        run = self.blkbench(path)
        self.assert_exit(run, 2)
        self.assertIn(f'...{path[-100:]}: No such file', run.err)

    def test_device_that_cannot_be_opened_gets_no_list(self):
        run = blktest.blkbench('-q', '--bad-blocks', self.list + '2',
                               '/nowhere')
        self.assert_exit(run, 3)
        self.assertFalse(os.path.exists(self.list + '2'))


if __name__ == '__main__':
    blktest.main()
