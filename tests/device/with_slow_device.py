# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""with_slow_device.py SECONDS PROGRAM [ARGUMENT]...

Runs a program with a loop device, its path in BLKBENCH_TEST_DEV, of which
every read takes so many seconds.
"""

import os
import subprocess
import sys

import devices


def main():
    seconds, *program = sys.argv[1:]
    with devices.nbdkit_file('--filter=delay', 'memory', '64M',
                             f'rdelay={seconds}') as path, \
            devices.loop(path, '--read-only', '--direct-io=on') as device:
        return subprocess.run(
            program, check=False,
            env={**os.environ, 'BLKBENCH_TEST_DEV': device}).returncode


sys.exit(main())
