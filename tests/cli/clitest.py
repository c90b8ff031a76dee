# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Scratch files for the tests of the program."""

import os
import shutil
import subprocess
import tempfile
import unittest

import blktest

MIB = 1 << 20


class FileTest(unittest.TestCase):
    """Has a directory for files, where O_DIRECT works: in the build tree."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix='cli-', dir=blktest.BUILD)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def make_file(self, name, size):
        """A file of random bytes; made once."""
        path = os.path.join(self.directory, name)
        if not os.path.exists(path):
            with open(path, 'wb') as file:
                file.write(os.urandom(size))
        return path

    def assert_exit(self, run, code):
        self.assertEqual(run.code, code, str(run))

    def trace(self, *args, calls='all'):
        """Runs the program under strace: what it printed, and its calls."""
        path = os.path.join(self.directory, 'trace')
        # A sanitizer cannot look for leaks in a traced process.
        env = {**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'}
        process = subprocess.run(
            ['strace', '-f', '-y', '-e', f'trace={calls}', '-o', path,
             blktest.BLKBENCH, *args], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, check=False, env=env)
        with open(path) as file:
            return process, file.read()
