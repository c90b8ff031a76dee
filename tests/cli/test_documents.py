# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""The documents have every key, every warning, every word of the text."""

import glob
import os
import re
import signal
import unittest

import blktest


def read(*names):
    with open(os.path.join(blktest.SOURCE, *names)) as file:
        return file.read()


def keys_of(schema):
    """All property names of a JSON Schema, those of its parts included."""
    keys = set()
    if isinstance(schema, dict):
        keys.update(schema.get('properties', {}))
        for part in schema.values():
            keys |= keys_of(part)
    return keys


class Documents(unittest.TestCase):
    def setUp(self):
        self.text = read('doc', 'output.md')

    def test_every_key_is_explained(self):
        words = set(re.findall(r'\w+', ' '.join(
            re.findall(r'`([^`]*)`', self.text))))
        self.assertEqual(keys_of(blktest.load_schema()) - words, set())

    def test_every_warning_is_explained(self):
        codes = set()
        for path in glob.glob(os.path.join(blktest.SOURCE, 'src/*/*.c')):
            codes.update(re.findall(
                r'(?:(?:warnings_add|result_warn)\([^";]*|(?:->|\s\.)code = )'
                r'"([a-z]+)"',
                read(path)))
        rows = re.search(r'\| code \|(.*?)\n\n', self.text, re.S)[1]
        self.assertEqual(set(re.findall(r'^\| `(\w+)`', rows, re.M)), codes)

    def test_every_word_that_a_line_begins_with_is_explained(self):
        source = ''.join(map(read, sorted(glob.glob(os.path.join(
            blktest.SOURCE, 'src/cli/report_text*.c')))))
        words = set(re.findall(r'(?:LABEL|report_text_figure\(out,)'
                               r'(?:(?!LABEL|;).)*?"([a-z]+)"', source, re.S))
        words.update(blktest.load_schema()['definitions']['test']
                     ['properties']['test']['enum'])
        section = re.search(r'^A line begins with a word:\n(.*?)^_n/a_',
                            read('doc', 'blkbench.8.scd'), re.S | re.M)[1]
        explained = re.findall(r'\*(\w+)\*',
                               ''.join(re.findall(r'^\*.*', section, re.M)))
        self.assertEqual(sorted(explained), sorted(words))

    def test_the_exit_codes_of_signals_are_told_everywhere(self):
        for text in (self.text, read('README.md'),
                     read('doc', 'blkbench.8.scd'),
                     blktest.blkbench('--help').out):
            for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                self.assertIn(number.name, text)
                self.assertRegex(text, rf'\b{128 + number}\b')


if __name__ == '__main__':
    blktest.main()
