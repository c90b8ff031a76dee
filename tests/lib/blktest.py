# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""What the tests of the program share: unittest cases, reported as TAP."""

import json
import os
import signal
import subprocess
import sys
import unittest

import jsonschema

BLKBENCH = os.environ['BLKBENCH']
SOURCE = os.environ['BLKBENCH_SOURCE']
BUILD = os.environ['BLKBENCH_BUILD']

# Who starts the tests in the background, or under nohup, ignores some: the
# program is to meet them all.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def load_schema():
    with open(os.path.join(SOURCE, 'doc', 'output.schema.json')) as file:
        return json.load(file)


class Run:
    """A finished run of the program."""

    def __init__(self, argv, process):
        self.argv = argv
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr
        self.json = None
        if self.out.startswith('{'):
            self.json = json.loads(self.out)
            jsonschema.validate(self.json, load_schema())

    def __str__(self):
        return (f'{" ".join(self.argv)}\nexit {self.code}\n'
                f'stdout:\n{self.out}\nstderr:\n{self.err}')


def blkbench(*args, timeout=60, env=None, prefix=(), program=BLKBENCH):
    """Runs the program; every JSON it prints is held against the schema."""
    argv = [*prefix, program, *map(str, args)]
    process = subprocess.run(argv, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, timeout=timeout, check=False,
                             env={**os.environ, **(env or {})})
    return Run(argv, process)


class _TapResult(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.number = 0
        self.is_reported = False
        self.has_bad_part = False

    def _report(self, word, test, more=''):
        self.number += 1
        name = test.id().replace('__main__.', '').replace('#', '')
        print(f'{word} {self.number} - {name}{more}', flush=True)
        self.is_reported = True

    def _explain(self, test, error):
        text = self._exc_info_to_string(error, test)
        for line in text.splitlines():
            print(f'# {line}')

    def _report_failure(self, test, error):
        self._explain(test, error)
        self._report('not ok', test)

    def startTest(self, test):
        super().startTest(test)
        self.is_reported = False
        self.has_bad_part = False

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            print(f'# {subtest}')
            self._explain(test, err)
            self.has_bad_part = True

    def stopTest(self, test):
        """A test that failed in its parts alone has no result of its own."""
        if self.has_bad_part and not self.is_reported:
            self._report('not ok', test)
        super().stopTest(test)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._report('ok', test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._report_failure(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self._report_failure(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._report('ok', test, f' # SKIP {reason}')


def main():
    """Runs the cases of the calling file."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(
        sys.modules['__main__'])
    print(f'1..{suite.countTestCases()}')
    result = _TapResult()
    suite.run(result)
    sys.exit(0 if result.wasSuccessful() else 1)
