# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""A locale with a decimal comma changes nothing."""

import os
import re
import subprocess
import sys

import blktest
from clitest import MIB, FileTest


class Locale(FileTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8',
                        os.path.join(cls.directory, 'de_DE.UTF-8')],
                       check=True)
        cls.german = {'LOCPATH': cls.directory, 'LC_ALL': 'de_DE.UTF-8'}

    def setUp(self):
        self.file = self.make_file('file', MIB)

    def form(self, env, *args):
        """What is printed, with every figure replaced by a letter."""
        run = blktest.blkbench('-q', '-T', '-r', '0.5', *args, self.file,
                               env=env)
        self.assert_exit(run, 0)
        return re.sub(r' *\d+(\.\d+)?', ' N', run.out)

    def test_the_locale_has_a_decimal_comma(self):
        point = subprocess.run(
            [sys.executable, '-c', 'import locale; locale.setlocale('
             'locale.LC_ALL, ""); print(locale.localeconv()["decimal_point"])'],
            stdout=subprocess.PIPE, text=True, check=True,
            env={**os.environ, **self.german}).stdout
        self.assertEqual(point, ',\n')

    def test_the_text_has_the_same_form(self):
        self.assertEqual(self.form(self.german), self.form({'LC_ALL': 'C'}))

    def test_the_hdparm_format_has_the_same_form(self):
        run = blktest.blkbench('--format', 'hdparm', '-r', '0.5', self.file,
                               env=self.german)
        self.assertRegex(run.out, r'([0-9.]+) MB/sec')
        self.assertNotRegex(run.out, r'\d,\d')

    def test_json_stays_json(self):
        run = blktest.blkbench('-j', '-q', '-r', '0.5', self.file,
                               env=self.german)
        self.assert_exit(run, 0)
        test, = run.json['devices'][0]['tests']
        self.assertGreater(test['rate_bytes_per_s'], 0)


if __name__ == '__main__':
    blktest.main()
