# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""scripts/count_tests.py on lines as meson 1.0.1 writes them."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

import blktest

sys.path.insert(0, os.path.join(blktest.SOURCE, 'scripts'))
import count_tests  # pylint: disable=wrong-import-position


def count(*tests):
    """Each is (meson's result, stdout). Returns the last line and the code."""
    with tempfile.NamedTemporaryFile('w', suffix='.json') as log:
        for result, stdout in tests:
            json.dump({'name': 'blkbench:unit / x', 'stdout': stdout,
                       'result': result}, log)
            log.write('\n')
        log.flush()
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = count_tests.main([log.name])
    return out.getvalue().splitlines()[-1], code


class Counts(unittest.TestCase):
    def check(self, passed, failed, *tests):
        line, code = count(*tests)
        self.assertEqual(line, f'{passed} passed, {failed} failed')
        self.assertEqual(code, 0 if passed and not failed else 1)

    def test_every_subtest_counts_once(self):
        self.check(3, 0, ('OK', '1..2\nok 1 - a\nok 2 - b\n'),
                   ('OK', '1..1\nok 1 - c\n'))

    def test_a_program_without_subtests_counts_once(self):
        self.check(1, 0, ('OK', ''))
        self.check(0, 1, ('FAIL', ''))

    def test_failed_subtests_count_apart_from_the_good_ones(self):
        self.check(1, 1, ('FAIL', '1..2\nnot ok 1 - a\nok 2 - b\n'))

    def test_cmocka_output_is_understood(self):
        self.check(1, 2, ('ERROR', '1..3\nok 1 - a\nnot ok 2 - b\n# 1 != 2\n'
                                   '# ../t.c:7: error: Failure!\n'
                                   'not ok 3 # SKIP c\n# not ok - tests\n'))

    def test_a_skip_has_failed(self):
        self.check(1, 1, ('OK', '1..2\nok 1 - a\nok 2 - b # SKIP no x\n'))
        self.check(0, 1, ('SKIP', '1..0 # SKIP nothing\n'))
        self.check(0, 1, ('SKIP', ''))

    def test_something_to_do_has_failed(self):
        self.check(0, 1, ('OK', '1..1\nnot ok 1 - a # TODO later\n'))
        self.check(0, 1, ('FAIL', '1..1\nok 1 - a # TODO later\n'))

    def test_a_crash_after_good_subtests_has_failed(self):
        self.check(1, 1, ('ERROR', '1..1\nok 1 - a\n'))

    def test_subtests_left_out_have_failed(self):
        self.check(1, 1, ('ERROR', '1..3\nok 1 - a\n'))
        self.check(1, 1, ('ERROR', '1..2\nok 1 - a\nBail out! gone\n'))

    def test_a_timeout_has_failed(self):
        self.check(1, 1, ('TIMEOUT', '1..2\nok 1 - a\n'))

    def test_a_name_with_ok_in_it_is_no_result(self):
        self.check(1, 0, ('OK', '1..1\n# not ok\nlooks ok\nok 1 - not ok?\n'))

    def test_no_tests_at_all_have_failed(self):
        self.check(0, 1)

    def test_a_missing_log_has_failed(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = count_tests.main(['/nonexistent/testlog.json'])
        self.assertEqual(code, 1)
        self.assertEqual(out.getvalue().splitlines()[-1], '0 passed, 1 failed')


if __name__ == '__main__':
    blktest.main()
