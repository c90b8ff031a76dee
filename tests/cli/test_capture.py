# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""scripts/capture: a machine's devices as a tree for the unit tests."""

import glob
import os
import subprocess
import tempfile
import unittest

import blktest

CAPTURE = os.path.join(blktest.SOURCE, 'scripts', 'capture')


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def list_devices(root):
    return {os.path.basename(path)
            for path in glob.glob(os.path.join(root, 'dev/block/*'))}


def capture(directory):
    return subprocess.run(['sh', CAPTURE, directory], text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


class Capture(unittest.TestCase):
    def test_every_device_is_where_sysfs_has_it(self):
        # Other tests attach loop devices and take them away.
        before = list_devices('/sys')
        with tempfile.TemporaryDirectory() as directory:
            tree = os.path.join(directory, 'tree')
            done = capture(tree)
            self.assertEqual((done.returncode, done.stdout), (0, ''), done)
            stayed = before & list_devices('/sys')
            self.assertGreater(len(stayed), 0)
            self.assertEqual(stayed - list_devices(tree), set())
            for device in stayed:
                ours = os.path.join(tree, 'dev/block', device)
                theirs = os.path.join('/sys/dev/block', device)
                self.assertEqual(os.readlink(ours), os.readlink(theirs))
                self.assertEqual(read(ours, 'dev'), read(theirs, 'dev'))

    def test_nothing_that_is_there_is_overwritten(self):
        with tempfile.TemporaryDirectory() as directory:
            done = capture(directory)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(os.listdir(directory), [])


if __name__ == '__main__':
    blktest.main()
