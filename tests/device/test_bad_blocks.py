# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""--bad-blocks on loop devices with a file that is shorter than they are."""

import os
import re
import subprocess
import unittest

import blktest
import places
from devices import MIB, directory, loop, random_file, run

SIZE = 8 * MIB
# Up to a sector in the midst of a block, of either size.
LEFT = 7 * MIB + 4096 + 512


class BadBlocks(unittest.TestCase):
    def read_list(self, path, node, *args, prefix=()):
        """Of a device that ends early: the numbers, and stderr's last line."""
        found = blktest.blkbench('-q', '--bad-blocks', path, *args, node,
                                 prefix=prefix)
        self.assertEqual(found.code, 1, found)
        with open(path, encoding='ascii') as file:
            text = file.read()
        self.assertRegex(text, r'\A(\d+\n)+\Z')
        return ([int(line) for line in text.split()],
                found.err.splitlines()[-1])

    def test_blocks_are_of_1024_bytes_where_nothing_is_known(self):
        with directory() as place, random_file(SIZE) as path, \
                loop(path) as node:
            os.truncate(path, LEFT)
            numbers, message = self.read_list(f'{place}/list', node)
        self.assertEqual(numbers, list(range(LEFT // 1024, SIZE // 1024)))
        self.assertEqual(message,
                         f'blkbench: {node}: listed: {len(numbers)} bad '
                         'blocks of 1024 bytes')

    def test_file_system_has_its_own_blocks_which_e2fsck_takes(self):
        for block in 1024, 4096:
            with self.subTest(block), directory() as place, \
                    random_file(SIZE) as path:
                self.check_file_system(f'{place}/list', path, block)

    def check_file_system(self, name, path, block):
        run('mkfs.ext4', '-q', '-F', '-b', str(block), '-O', '^has_journal',
            path)
        with loop(path) as node:
            os.truncate(path, LEFT)
            numbers, message = self.read_list(name, node)
            self.assertIn(f'of {block} bytes', message)
            self.assertEqual(numbers,
                             list(range(LEFT // block, SIZE // block)))
        # What was lost is zeros again, and free.
        os.truncate(path, SIZE)
        done = subprocess.run(['e2fsck', '-f', '-y', '-l', name, path],
                              text=True, check=False, timeout=60,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        self.assertIn(done.returncode, (0, 1), done.stdout)
        listed = run('dumpe2fs', '-b', path).split()
        self.assertEqual([int(number) for number in listed], numbers)

    def test_list_that_finds_no_room_is_no_success(self):
        with random_file(SIZE) as path, loop(path) as node:
            os.truncate(path, LEFT)
            found = blktest.blkbench(
                '-q', '--bad-blocks', '/mnt/list', node,
                prefix=(*places.mount_full('4k'), 'sh', '-c',
                        'head -c 4096 /dev/zero >/mnt/full; exec "$@"', 'sh'))
        self.assertEqual(found.code, 1, found)
        self.assertIn('blkbench: cannot list the bad blocks: No space left on '
                      'device\n', found.err)
        self.assertFalse(re.search(r': listed: ', found.err))


if __name__ == '__main__':
    blktest.main()
