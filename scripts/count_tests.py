# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Sums up the testlog.json files that `meson test` writes.

Meson's own summary and its JUnit file count a program whose subtests were all
right before it crashed, ran out of time or left some of them out as passed, and
a skipped test as no failure. Here every subtest counts once, what was skipped
has failed, and so has a program that did not end well.
"""

import json
import re
import sys

TAP_LINE = re.compile(r'(?P<not>not )?ok\b(?P<name>[^#]*)'
                      r'(?P<directive>#\s*(?:skip|todo)\b.*)?', re.IGNORECASE)


def read_subtests(stdout):
    """Yields (name, trouble) of each; trouble is None where it passed."""
    for line in stdout.splitlines():
        match = TAP_LINE.match(line)
        if not match:
            continue
        trouble = match['directive'] or ('failed' if match['not'] else None)
        yield match['name'].strip(' -'), trouble


def count_test(test):
    """Returns how many passed and the list of what failed, in words."""
    name = test['name']
    result = test['result']
    passed = 0
    failures = []
    for subtest, trouble in read_subtests(test.get('stdout', '')):
        if trouble:
            failures.append(f'{name}: {subtest}: {trouble}')
        else:
            passed += 1
    if result == 'OK' and not passed and not failures:
        passed = 1
    if result != 'OK' and not failures:
        failures = [f'{name}: {result}']
    return passed, failures


def show(test):
    """What it said of its failures; meson shows stderr alone."""
    print(f'\n{test["name"]}:')
    for line in test.get('stdout', '').splitlines():
        if not line.startswith('ok '):
            print(line)


def main(paths):
    passed = 0
    failures = []
    for path in paths:
        try:
            with open(path, encoding='utf-8') as log:
                tests = [json.loads(line) for line in log]
        except OSError as error:
            failures.append(f'{path}: {error.strerror}')
            continue
        if not tests:
            failures.append(f'{path}: no tests were run')
        for test in tests:
            good, bad = count_test(test)
            if bad:
                show(test)
            passed += good
            failures += [f'{path}: {words}' for words in bad]
    for failure in failures:
        print(f'FAILED {failure}')
    print(f'{passed} passed, {len(failures)} failed')
    return 1 if failures or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
