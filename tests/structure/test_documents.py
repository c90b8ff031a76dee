# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Documents say nothing twice, and their tables are whole."""

import collections
import os
import re
import unittest

import blktest

DOCUMENTS = ['README.md', 'NEWS.md', 'CONTRIBUTING.md', 'doc/architecture.md',
             'doc/blkbench.8.scd', 'doc/method.md', 'doc/output.md']

# Shorter ones, such as the end of a sentence, may come again.
LINE_MIN = 24


def lines_of(path):
    with open(os.path.join(blktest.SOURCE, path), encoding='utf-8') as file:
        return file.read().splitlines()


def blocks(path):
    """The lines between empty ones, without those of code."""
    text = re.sub(r'^```.*?^```', '', '\n'.join(lines_of(path)),
                  flags=re.DOTALL | re.MULTILINE)
    return [block.splitlines() for block in re.split(r'\n{2,}', text)]


def keys(row):
    return re.findall(r'\w+', ' '.join(re.findall(r'`([^`]*)`',
                                                  row.split('|')[1])))


def twice(values):
    return [value for value, count in collections.Counter(values).items()
            if count > 1]


class Documents(unittest.TestCase):
    def test_no_key_comes_twice_in_a_table_of_the_json_report(self):
        tables = 0
        for block in blocks('doc/output.md'):
            rows = [line for line in block if line.startswith('| `')]
            tables += bool(rows)
            self.assertEqual(twice(key for row in rows for key in keys(row)),
                             [])
        self.assertGreater(tables, 10)

    def test_each_row_belongs_to_a_table_with_a_head(self):
        for path in DOCUMENTS:
            for block in blocks(path):
                rows = [line.startswith('|') for line in block]
                if not any(rows):
                    continue
                first = rows.index(True)
                self.assertTrue(all(rows[first:]), f'{path}: {block}')
                self.assertRegex(block[first + 1], r'^(\| --- )+\|$', path)

    def test_no_line_of_prose_comes_twice(self):
        for path in DOCUMENTS:
            prose = [line for block in blocks(path) for line in block
                     if len(line) >= LINE_MIN and not line.startswith('|')]
            self.assertEqual(twice(prose), [], path)

    def test_a_heading_stands_between_empty_lines(self):
        for path in DOCUMENTS:
            if not path.endswith('.md'):
                continue
            for block in blocks(path):
                self.assertFalse([line for line in block[1:]
                                  if re.match('#+ ', line)], path)


if __name__ == '__main__':
    blktest.main()
