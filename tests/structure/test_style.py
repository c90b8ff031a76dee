# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""The cheap rules of CONTRIBUTING.md."""

import os
import subprocess
import unittest

import blktest

ROOMS = ('src', 'include', 'tests', 'doc', 'scripts', '.ci')
HEADER = ['SPDX-License-Identifier: MIT',
          'Copyright (c) 2026 the blkbench authors']


def files(*endings):
    for room in ROOMS:
        top = os.path.join(blktest.SOURCE, room)
        for directory, _, names in os.walk(top):
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.join(directory, name)


def lines_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read().split('\n')


def scripts(interpreter):
    """What is run by its name, and is written for an interpreter."""
    for path in filter(os.path.isfile, files('')):
        with open(path, 'rb') as file:
            head = file.readline()
        if head.startswith(b'#!') and head.strip().endswith(interpreter):
            yield path


class Style(unittest.TestCase):
    def run_tool(self, *argv):
        done = subprocess.run(argv, text=True, cwd=blktest.SOURCE, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_c_code_is_as_clang_format_leaves_it(self):
        self.run_tool('clang-format', '--dry-run', '-Werror',
                      *files('.c', '.h'))

    def test_shell_scripts_please_shellcheck(self):
        self.run_tool('shellcheck', '-x', *files('.sh'), *scripts(b'/sh'))

    def test_sources_begin_with_the_licence(self):
        for path in files('.c', '.h'):
            head = [f'/* {line} */' for line in HEADER]
            self.assertEqual(lines_of(path)[:2], head, path)
        for path in [*files('.py', '.sh'), *scripts(b'/sh'),
                     *scripts(b'python3')]:
            head = [line.lstrip('# ') for line in lines_of(path)
                    if not line.startswith('#!')]
            self.assertEqual(head[:2], HEADER, path)
        for path in files('meson.build'):
            self.assertIn(HEADER[0], lines_of(path)[0], path)

    def test_lines_end_clean(self):
        for path in files('.c', '.h', '.py', '.md', '.scd', 'meson.build'):
            lines = lines_of(path)
            self.assertEqual(lines[-1], '', f'{path}: no newline at the end')
            for number, line in enumerate(lines, 1):
                self.assertEqual(line, line.rstrip(), f'{path}:{number}')


if __name__ == '__main__':
    blktest.main()
