# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""--help, the manual page and the program know the same options."""

import os
import re
import unittest

import blktest


def from_help():
    """Of each option: its letter, its name, its argument, or that which may be
    left out; '' where it has none."""
    return sorted(re.findall(
        r'^ +(?:-(\w), )?--([\w-]+)(?: ([A-Z/]+)|(\[=\w+\]))?(?: |$)',
        blktest.blkbench('--help').out, re.MULTILINE))


def from_manual():
    path = os.path.join(blktest.SOURCE, 'doc', 'blkbench.8.scd')
    with open(path, encoding='utf-8') as file:
        text = file.read()
    return sorted(re.findall(
        r'^(?:\*-(\w)\*, )?\*--([\w-]+)\*(?: _([A-Z/]+)_|(\[=\w+\]))?$',
        re.sub(r'\[=_(\w+)_\]', r'[=\1]', text), re.MULTILINE))


class Options(unittest.TestCase):
    def test_help_and_manual_have_the_same_options(self):
        self.assertGreater(len(from_help()), 20)
        self.assertEqual(from_help(), from_manual())

    def test_every_long_option_is_known_and_no_other(self):
        for _, name, argument, _ in from_help():
            run = blktest.blkbench(f'--{name}', *(['x'] if argument else []))
            self.assertNotIn('unknown option', run.err)
        run = blktest.blkbench('--no-such-option')
        self.assertEqual(run.code, 2)
        self.assertIn('unknown option', run.err)

    def test_every_letter_is_the_same_option(self):
        for letter, name, argument, optional in from_help():
            if letter and optional:
                for option in f'-{letter}@', f'-{letter}=@', f'--{name}=@':
                    run = blktest.blkbench(option, '/dev/null')
                    self.assertEqual(run.code, 2, run)
                    self.assertIn(f"--{name}: '@' is not", run.err)
            if letter and argument:
                short = blktest.blkbench(f'-{letter}', '@', '/dev/null')
                long = blktest.blkbench(f'--{name}', '@', '/dev/null')
                self.assertEqual((short.code, short.err),
                                 (long.code, long.err))
                self.assertEqual(short.code, 2, short)


if __name__ == '__main__':
    blktest.main()
