# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""The curve of a device whose rate is known everywhere."""

import time
import unittest

import blktest
from devices import MIB, loop
from paced import IDLE_S, paced_file

# All of it is in a place; the fourth is slow.
PLACES, PLACE = 8, 24 * MIB
SIZE = PLACES * PLACE
SLOW_BEGIN, SLOW_END = 3 * PLACE, 4 * PLACE

# On a busy machine the device itself may be late.
TRIES = 3


def rate_at(offset):
    rate = 40e6 - 20e6 * offset / SIZE
    return rate / 3 if SLOW_BEGIN <= offset < SLOW_END else rate


def error_of(zone):
    """Of its rate, as a fraction of what it is half way through it."""
    middle = zone['offset_bytes'] + zone['length_bytes'] / 2
    return abs(zone['rate_bytes_per_s'] / rate_at(middle) - 1)


class Zones(unittest.TestCase):
    def measure(self, node):
        time.sleep(2 * IDLE_S)
        run = blktest.blkbench('-j', f'-z{PLACES}', '-r', 20, node)
        self.assertEqual(run.code, 0, run)
        test, = run.json['devices'][0]['tests']
        self.assertEqual(test['errors'], 0)
        self.assertEqual(len(test['zones']), PLACES)
        return test

    def test_curve_is_right_and_the_slow_spot_named_and_nothing_else(self):
        with paced_file(SIZE, rate_at) as path, \
                loop(path, '--read-only', '--direct-io=on') as node:
            for _ in range(TRIES):
                test = self.measure(node)
                worst = max(map(error_of, test['zones']))
                if worst < 0.03:
                    break
        self.assertLess(worst, 0.03, test['zones'])

        spot, = test['slow_spots']
        self.assertAlmostEqual(spot['offset_bytes'], SLOW_BEGIN, delta=PLACE)
        self.assertAlmostEqual(spot['offset_bytes'] + spot['length_bytes'],
                               SLOW_END, delta=PLACE)
        self.assertAlmostEqual(spot['expected_bytes_per_s'] /
                               spot['rate_bytes_per_s'], 3, delta=0.2)


if __name__ == '__main__':
    blktest.main()
