# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""The public header needs nothing before it, in any dialect."""

import os
import subprocess
import unittest

import blktest

STRICT = ['-Wall', '-Wextra', '-pedantic', '-Werror', '-fsyntax-only']


class Header(unittest.TestCase):
    def compile(self, compiler, language, standard, code):
        argv = [compiler, f'-std={standard}', *STRICT, '-x', language, '-I',
                os.path.join(blktest.SOURCE, 'include'), '-']
        done = subprocess.run(argv, input=code, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_header_compiles_alone_and_twice(self):
        code = '#include <blkbench.h>\n#include <blkbench.h>\n'
        for compiler, language, standard in (('cc', 'c', 'c99'),
                                             ('cc', 'c', 'c11'),
                                             ('c++', 'c++', 'c++11'),
                                             ('c++', 'c++', 'c++17')):
            self.compile(compiler, language, standard, code)

    def test_internal_headers_compile_alone(self):
        for room in ('lib', 'cli'):
            directory = os.path.join(blktest.SOURCE, 'src', room)
            for name in sorted(os.listdir(directory)):
                path = os.path.join(directory, name)
                if name.endswith('.h'):
                    self.compile('cc', 'c', 'gnu11', f'#include "{path}"\n')


if __name__ == '__main__':
    blktest.main()
