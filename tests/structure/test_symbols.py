# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What the shared library exports is what its header declares."""

import os
import re
import subprocess
import unittest

import blktest


def declared():
    path = os.path.join(blktest.SOURCE, 'include', 'blkbench.h')
    with open(path, encoding='utf-8') as file:
        code = re.sub(r'/\*.*?\*/', ' ', file.read(), flags=re.DOTALL)
    return set(re.findall(r'\b(blkbench_\w+)\(', code))


def exported():
    """Names of type A are the version nodes."""
    library = os.path.join(blktest.BUILD, 'src', 'lib', 'libblkbench.so')
    lines = subprocess.run(['nm', '-D', '--defined-only', library], text=True,
                           check=True, stdout=subprocess.PIPE).stdout
    return {line.split()[2] for line in lines.splitlines()
            if line.split()[1] != 'A'}


class Symbols(unittest.TestCase):
    def test_exported_symbols_are_the_declared_functions(self):
        versioned = {f'{name}@@LIBBLKBENCH_0' for name in declared()}
        self.assertEqual(exported(), versioned)

    def test_program_uses_the_shared_library(self):
        needed = subprocess.run(['objdump', '-p', blktest.BLKBENCH], text=True,
                                check=True, stdout=subprocess.PIPE).stdout
        self.assertRegex(needed, r'NEEDED +libblkbench\.so\.0\n')


if __name__ == '__main__':
    blktest.main()
