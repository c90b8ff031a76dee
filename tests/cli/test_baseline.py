# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Runs that were made earlier: compared, reported, and not trusted."""

import copy
import json
import math
import os
import random
import re
import subprocess

import blktest
from clitest import MIB, FileTest


def is_sequential(test):
    return test['test'] == 'sequential'


def compress(document):
    """Without what is not compared: small enough to be cut and changed."""
    for device in document['devices']:
        for test in device['tests']:
            test['slices'] = test['slices'][:1]
            test['histogram'] = test['histogram'][:1]
    return document


class ResultsTest(FileTest):
    """Has the document of a real run, with intervals made known: ±1 %."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = cls.make_file(cls, 'file', 16 * MIB)
        run = blktest.blkbench('-j', '-q', '-s', '-r', 0.2, cls.file)
        assert run.code == 0, run
        cls.document = compress(run.json)
        for test in cls.document['devices'][0]['tests']:
            test['rate_ci95_percent'] = 1

    def copy(self):
        return copy.deepcopy(self.document)

    def store(self, name, content):
        path = os.path.join(self.directory, name)
        with open(path, 'wb') as file:
            file.write(content if isinstance(content, bytes)
                       else json.dumps(content).encode())
        return path

    def compare(self, then, now, *args):
        run = blktest.blkbench('-j', '--baseline', self.store('then', then),
                               '--input', self.store('now', now), *args)
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')
        return run.json['comparison']

    def compare_text(self, then, now, *args):
        run = blktest.blkbench('--baseline', self.store('then', then),
                               '--input', self.store('now', now), *args)
        self.assert_exit(run, 0)
        return run.out

    def change(self, **values):
        """The document with other values in all its tests; Ellipsis: none."""
        document = self.copy()
        for test in document['devices'][0]['tests']:
            test.update(values)
            for key in [key for key in values if values[key] is ...]:
                del test[key]
        return document

    def scale(self, factor):
        """The document of a device that was so many times as fast."""
        document = self.copy()
        for test in document['devices'][0]['tests']:
            for key in 'rate_bytes_per_s', 'seeks_per_s':
                if test[key] is not None:
                    test[key] *= factor
        return document


class Comparison(ResultsTest):
    def test_half_the_rate_then_is_twice_as_fast_now(self):
        comparison = self.compare(self.scale(0.5), self.document)
        pairs = comparison['pairs']
        self.assertEqual([(pair['test'], pair['queue_depth'], pair['figure'])
                          for pair in pairs],
                         [('sequential', 8, 'rate_bytes_per_s'),
                          ('seek', 1, 'seeks_per_s'),
                          ('seek', 32, 'seeks_per_s')])
        reach = math.hypot(math.log(1.01), math.log(0.99))
        for pair in pairs:
            self.assertEqual((pair['a'], pair['b']), (self.file, self.file))
            self.assertEqual(pair['ratio'], 2.0)
            self.assertAlmostEqual(pair['ratio_low'], 2 * math.exp(-reach), 9)
            self.assertAlmostEqual(pair['ratio_high'], 2 * math.exp(reach), 9)
            self.assertEqual(pair['verdict'], 'faster')
            self.assertIsNone(pair['seconds_needed'])
        self.assertEqual(comparison['unmatched'], [])
        self.assertEqual(comparison['warnings'], [])

    def test_the_table_says_it_in_words(self):
        text = self.compare_text(self.scale(0.5), self.document)
        self.assertRegex(text, r'\n  sequential +\d+\.\d\d MB/s +\d+\.\d\d MB/s '
                               r'+2\.000  1\.972 to 2\.028  +faster\n')
        self.assertRegex(text, r'\n  seek  +\d+ seeks/s +\d+ seeks/s '
                               r'+2\.000 .* faster\n')
        self.assertRegex(text, r'\n  seek, 32 in flight .* faster\n')
        for factor, words in ((2, 'slower'), (1, 'equal within 2 %')):
            text = self.compare_text(self.scale(factor), self.document)
            self.assertEqual(text.count(f'  {words}\n'), 3, text)

    def test_what_is_equal_is_for_the_user_to_say(self):
        for equal, verdict in ((2, 'undecided'), (10, 'equal'), (0.5, 'undecided')):
            pairs = self.compare(self.scale(0.99), self.document, '--equal',
                                 equal)['pairs']
            self.assertEqual({pair['verdict'] for pair in pairs}, {verdict})

    def test_what_is_undecided_says_what_would_decide_it(self):
        now = self.change(rate_ci95_percent=5)
        then = self.change(rate_ci95_percent=0.5)
        for pair in self.compare(then, now)['pairs']:
            self.assertEqual(pair['verdict'], 'undecided')
            self.assertGreater(pair['seconds_needed'], 0)
        self.assertRegex(self.compare_text(then, now),
                         r'undecided: some \d+ s more might tell \(-r\)\n')
        for pair in self.compare(now, then)['pairs']:
            self.assertIsNone(pair['seconds_needed'])
        self.assertIn('undecided: the baseline was measured too short',
                      self.compare_text(now, then))

    def test_without_an_interval_there_is_no_verdict(self):
        short = self.change(rate_ci95_percent=None)
        for then, now in ((short, self.document), (self.document, short)):
            for pair in self.compare(then, now)['pairs']:
                self.assertEqual(pair['ratio'], 1.0)
                self.assertIsNone(pair['ratio_low'])
                self.assertEqual(pair['verdict'], 'undecided')

    def test_repeats_count_by_their_mean_and_their_spread(self):
        then = self.copy()
        device, = then['devices']
        test = next(filter(is_sequential, device['tests']))
        device['tests'] = [
            {**test, 'repeat': i + 1, 'rate_bytes_per_s': rate}
            for i, rate in enumerate((100e6, 104e6, 96e6))]
        now = self.copy()
        now['devices'][0]['tests'] = [{**test, 'rate_bytes_per_s': 200e6,
                                       'rate_ci95_percent': 0}]
        pair, = self.compare(then, now)['pairs']
        self.assertEqual(pair['a_figure'], 100e6)
        self.assertEqual(pair['ratio'], 2.0)
        # Student's t of 2 degrees is 4.30265; the deviation 4 %.
        self.assertAlmostEqual(pair['ratio_low'],
                               2 / (1 + 4.30265 * 0.04 / math.sqrt(3)), 5)

    def test_repeats_from_a_cache_count_by_the_first_alone(self):
        then = self.copy()
        device, = then['devices']
        test = next(filter(is_sequential, device['tests']))
        device['tests'] = [
            {**test, 'repeat': i + 1, 'rate_bytes_per_s': rate}
            for i, rate in enumerate((100e6, 900e6, 904e6))]
        spread = next(filter(is_sequential, device['spreads']))
        spread.update(repeats=3, main=100e6, median=900e6)
        device['limits'] = [
            {'limit': 'min_rate', 'test': 'sequential', 'queue_depth': 8,
             'figure': 'rate_bytes_per_s', 'asked': 500e6, 'measured': 100e6,
             'met': False}]
        now = self.copy()
        now['devices'][0]['tests'] = [{**test, 'rate_bytes_per_s': 100e6}]
        pair, = self.compare(then, now)['pairs']
        self.assertEqual((pair['a_figure'], pair['verdict']), (100e6, 'equal'))
        text = self.compare_text(now, then)
        self.assertIn('\n  first         100.00 MB/s            sequential in '
                      '3 runs: 100.00 to 904.00 MB/s, ', text)
        self.assertIn('sequential: 100.00 MB/s, below --min-rate 500\n', text)
        self.assertNotIn('median', text)
        spread.update(main=900e6)
        text = self.compare_text(now, then)
        self.assertIn('\n  median        900.00 MB/s ', text)

    def test_a_partial_test_is_not_compared(self):
        for then, now, word in (
                (self.change(partial=True), self.document, 'then'),
                (self.document, self.change(partial=True), 'now')):
            comparison = self.compare(then, now)
            self.assertEqual(comparison['pairs'], [])
            self.assertEqual({(item['test'], item['text'])
                              for item in comparison['unmatched']},
                             {('sequential', f'did not run to its end {word}'),
                              ('seek', f'did not run to its end {word}')})

    def test_what_only_one_has_is_said(self):
        less = self.copy()
        del less['devices'][0]['tests'][0]
        for then, now, side, text in (
                (less, self.document, 'b', 'is not in the baseline'),
                (self.document, less, 'a', 'is in the baseline alone')):
            comparison = self.compare(then, now)
            self.assertEqual(len(comparison['pairs']), 2)
            self.assertEqual(comparison['unmatched'], [
                {'side': side, 'path': self.file, 'test': 'sequential',
                 'text': text}])
            self.assertIn(f'  unmatched   {self.file}: sequential {text}\n',
                          self.compare_text(then, now))


class Run(ResultsTest):
    def test_a_run_is_compared_with_an_earlier_one(self):
        then = self.store('then', self.scale(1e-3))
        run = blktest.blkbench('-j', '--baseline', then, '-q', '-s', '-r', 3,
                               self.file)
        self.assert_exit(run, 0)
        comparison = run.json['comparison']
        self.assertEqual(comparison['baseline']['file'], then)
        tests = run.json['devices'][0]['tests']
        self.assertEqual(len(comparison['pairs']), 3)
        for pair, test in zip(comparison['pairs'], tests):
            self.assertEqual(pair['b_figure'], test[pair['figure']])
            self.assertGreater(pair['ratio'], 10)
            # On a busy machine a rate may vary so much that it has none.
            is_sure = test['rate_ci95_percent'] is not None
            self.assertEqual(pair['verdict'],
                             'faster' if is_sure else 'undecided', pair)
        text = blktest.blkbench('--baseline', then, '-q', '-r', 1, self.file)
        self.assert_exit(text, 0)
        self.assertRegex(text.out, r'\n\ncompared with .*: measured by blkbench '
                                   r'[\d.]+ on .*\n  test .*\n  sequential .* '
                                   r'(faster|undecided: .*)\n')

    def test_devices_are_compared_with_each_other_and_with_then(self):
        then = self.store('then', self.scale(1e-3))
        other = self.make_file('other', 16 * MIB)
        args = '--baseline', then, '-q', '-r', 3, self.file, other
        run = blktest.blkbench('-j', *args)
        self.assert_exit(run, 0)
        comparison = run.json['comparison']
        self.assertEqual(
            [(pair['against'], pair['repeat'], pair['a'], pair['b'])
             for pair in comparison['pairs']],
            [('device', 1, self.file, other),
             ('baseline', None, self.file, self.file)])
        versus, earlier = comparison['pairs']
        self.assertGreaterEqual(versus['slices'], 6)
        self.assertIsNone(earlier['slices'])
        self.assertEqual(earlier['verdict'], 'faster')
        self.assertIn((other, None), [(item['path'], item['test'])
                                      for item in comparison['unmatched']])
        text = blktest.blkbench(*args)
        self.assert_exit(text, 0)
        self.assertRegex(text.out, r'\n\ncompared in turns, each with the first of its test:')
        self.assertRegex(text.out, fr'\n\ncompared with {then}: measured by ')

    def test_a_file_is_found_wrong_before_any_read(self):
        path = self.store('wrong', b'{')
        process, trace = self.trace('--baseline', path, '-q', self.file)
        self.assertEqual(process.returncode, 2)
        self.assertEqual(process.stdout, '')
        self.assertIn(path, trace)
        self.assertNotIn(self.file, re.sub(r'execve.*', '', trace))


class Matching(ResultsTest):
    def devices(self, *devices):
        """The document of devices of that path and serial number."""
        document = self.copy()
        device = document['devices'][0]
        document['devices'] = [
            {**device, 'path': path, 'resolved': path, 'serial': serial}
            for path, serial in devices]
        return document

    def matched(self, then, now):
        comparison = self.compare(self.devices(*then), self.devices(*now))
        return (sorted({(pair['a'], pair['b'])
                        for pair in comparison['pairs']}),
                sorted((item['side'], item['path'])
                       for item in comparison['unmatched']))

    def test_a_single_device_is_matched_with_a_single_one(self):
        self.assertEqual(self.matched([('/dev/sda', 'A')], [('/dev/sdb', 'B')]),
                         ([('/dev/sda', '/dev/sdb')], []))
        warnings = self.compare(self.devices(('/dev/sda', 'A')),
                                self.devices(('/dev/sdb', 'B')))['warnings']
        self.assertEqual([warning['text'] for warning in warnings],
                         ['device: /dev/sda then, /dev/sdb now',
                          'serial number: A then, B now'])

    def test_disks_are_found_again_under_other_names(self):
        self.assertEqual(
            self.matched([('/dev/sda', 'A'), ('/dev/sdb', 'B')],
                         [('/dev/sda', 'B'), ('/dev/sdb', 'A')]),
            ([('/dev/sda', '/dev/sdb'), ('/dev/sdb', '/dev/sda')], []))

    def test_without_serial_numbers_paths_count(self):
        self.assertEqual(
            self.matched([('/dev/sdb', None), ('/dev/sda', None)],
                         [('/dev/sda', 'A'), ('/dev/sdb', None)]),
            ([('/dev/sda', '/dev/sda'), ('/dev/sdb', '/dev/sdb')], []))

    def test_another_disk_under_the_name_is_not_the_same(self):
        self.assertEqual(
            self.matched([('/dev/sda', 'A'), ('/dev/sdb', 'B')],
                         [('/dev/sda', 'C'), ('/dev/sdb', 'B')]),
            ([('/dev/sdb', '/dev/sdb')],
             [('a', '/dev/sda'), ('b', '/dev/sda')]))

    def test_two_paths_of_one_disk_are_matched_by_path(self):
        paths = [('/dev/sda', 'A'), ('/dev/sdb', 'A')]
        self.assertEqual(self.matched(paths, paths[::-1]),
                         ([('/dev/sda', '/dev/sda'),
                           ('/dev/sdb', '/dev/sdb')], []))

    def test_several_devices_have_a_head_each(self):
        text = self.compare_text(
            self.devices(('/dev/sda', 'A'), ('/dev/sdb', 'B')),
            self.devices(('/dev/sda', 'B'), ('/dev/sdc', 'A')))
        self.assertRegex(text, r'\n/dev/sda \(then /dev/sdb\)\n  test .*\n  seq')
        self.assertRegex(text, r'\n/dev/sdc \(then /dev/sda\)\n  test .*\n  seq')


class Conditions(ResultsTest):
    def texts(self, then):
        warnings = self.compare(then, self.document)['warnings']
        self.assertEqual({warning['code'] for warning in warnings},
                         {'differs'})
        return [(warning['test'], warning['text']) for warning in warnings]

    def test_each_condition_of_a_test_is_told(self):
        now = next(filter(is_sequential, self.document['devices'][0]['tests']))
        for key, value, text in (
                ('engine', 'other', f'engine: other then, {now["engine"]} now'),
                ('block_bytes', 65536, 'request size: 64 KiB then, 1 MiB now'),
                ('queue_depth', 4, 'requests in flight: 4 then, 8 now'),
                ('direct', False,
                 'access: through the page cache then, direct now'),
                ('length_bytes', 4096,
                 'range: 4 KiB from 0 B then, 16 MiB from 0 B now'),
                ('offset_bytes', 512,
                 'range: 16 MiB from 512 B then, 16 MiB from 0 B now')):
            then = self.copy()
            next(filter(is_sequential,
                        then['devices'][0]['tests']))[key] = value
            self.assertEqual(self.texts(then), [('sequential', text)])

    def test_other_hosts_kernels_and_versions_are_told(self):
        now = self.document
        for key, name in (('hostname', 'host'), ('kernel', 'kernel'),
                          ('machine', 'machine')):
            then = self.copy()
            then['host'][key] = 'x1'
            self.assertEqual(self.texts(then), [
                (None, f'{name}: x1 then, {now["host"][key]} now')])
            then['host'][key] = None
            self.assertEqual(self.texts(then), [
                (None, f'{name}: not known then, {now["host"][key]} now')])
        then = self.copy()
        then['version'] = '0.0.1'
        self.assertEqual(self.texts(then), [
            (None, f'blkbench: 0.0.1 then, {now["version"]} now')])

    def test_the_same_of_several_tests_is_said_once(self):
        text = self.compare_text(self.change(engine='other'),
                                 self.change(engine='io_uring'))
        self.assertEqual(text.count('engine: other then'), 1)
        self.assertIn('  warning     sequential and seek: engine: other then',
                      text)


class Input(ResultsTest):
    def test_no_device_is_opened(self):
        document = self.copy()
        document['devices'][0]['path'] = self.file
        path = self.store('input', document)
        process, trace = self.trace('--baseline', path, '--input', path)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn(f'"{path}"', trace)
        self.assertNotIn(f'"{self.file}"', trace)
        self.assertNotIn('io_uring_setup', trace)

    def test_its_report_is_that_of_the_run(self):
        for args in ['-q', '-t', '-T', '-s'], ['-q', '-n', 3]:
            run = blktest.blkbench('-j', '-r', 0.1, *args, self.file)
            self.assert_exit(run, 0)
            again = blktest.blkbench('--input', self.store('run', run.json))
            self.assert_exit(again, 0)
            self.assertEqual(again.err, '')
            self.assertTrue(again.out.startswith(
                f'{self.directory}/run: measured by blkbench '), again.out)
            self.assertIn(f'\n\n{self.file}: regular file, 16.78 MB', again.out)
            for test in run.json['devices'][0]['tests']:
                longest_ms = test['latency_ns']['max'] / 1e6
                words = (f'{test["rate_bytes_per_s"] / 1e6:.2f} MB/s'
                         if test['seeks_per_s'] is None
                         else f'max {longest_ms:.{3 if longest_ms < 1 else 2}f}'
                              ' ms')
                self.assertIn(words, again.out)
            for warning in run.json['devices'][0]['warnings']:
                self.assertIn(warning['text'], again.out)
            self.assertEqual('median' in again.out, '-n' in args)

    def test_its_json_is_that_of_the_run(self):
        path = self.store('input', self.document)
        run = blktest.blkbench('-j', '--input', path)
        self.assertEqual(run.json, self.document)
        compared = blktest.blkbench('-j', '--input', path, '--baseline', path)
        self.assertEqual({**self.document,
                          'comparison': compared.json['comparison']},
                         compared.json)

    def test_what_was_wrong_then_is_told(self):
        run = blktest.blkbench('-j', '-q', '-r', 0.1, '/nonexistent', self.file)
        self.assert_exit(run, 3)
        again = blktest.blkbench('--input', self.store('run', run.json))
        self.assert_exit(again, 0)
        self.assertIn('\n/nonexistent: untested: cannot open: No such file',
                      again.out)
        document = self.copy()
        device, = document['devices']
        device.update(status='failed', message='2 read errors')
        device['tests'][0].update(errors=2, error_list=[
            {'offset_bytes': 4096, 'length_bytes': 8192, 'errno': 5,
             'text': 'x', 'reads': 2, 'reread': 'bad'}], bad_list=[
                 {'offset_bytes': 4608, 'length_bytes': 1024, 'errno': 5,
                  'text': 'x', 'reads': 2}])
        again = blktest.blkbench('--input', self.store('run', document))
        self.assertIn('  status      failed: 2 read errors\n', again.out)
        self.assertIn('sequential: 1024 B at offset 4608 (sectors 9 to 10 of '
                      '512 B): Input/output error, 2 times\n', again.out)

    def test_it_excludes_all_that_is_measured(self):
        path = self.store('input', self.document)
        for args, words in (([self.file], ['--input', 'DEVICE']),
                            (['-q'], ['--sequential', '--input']),
                            (['-r', 1], ['--runtime', '--input']),
                            (['-v'], ['--verbose', '--input']),
                            (['--format', 'seeker'], ['--input', 'text'])):
            run = blktest.blkbench('--input', path, *args)
            self.assert_exit(run, 2)
            self.assertEqual(run.out, '')
            for word in words:
                self.assertIn(word, run.err)

    def test_bad_options_are_refused(self):
        path = self.store('input', self.document)
        for args, words in (
                (['--equal', 0, '--baseline', path], 'from 0.01 to 50'),
                (['--baseline', ''], 'is not the name of a file'),
                (['--baseline', path, '--format', 'hdparm', '-t'],
                 'not shown by --format hdparm')):
            run = blktest.blkbench(*args, self.file)
            self.assert_exit(run, 2)
            self.assertIn(words, run.err)


class Places(ResultsTest):
    """Of a run with a curve, a check and limits."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run = blktest.blkbench('-j', '-q', '-z4', '-c', '-r', 0.2, '-n', 2,
                               '--min-rate', 1e9, cls.file)
        assert run.code == 4, run
        cls.document = compress(run.json)

    def report(self, document):
        run = blktest.blkbench('--input', self.store('places', document))
        self.assert_exit(run, 0)
        self.assertEqual(run.err, '')
        return run.out

    def find(self, document, name):
        return next(test for test in document['devices'][0]['tests']
                    if test['test'] == name)

    def test_the_curve_is_that_of_the_run(self):
        test = self.find(self.document, 'zones')
        curve = test['curve']
        low, mean, high = (curve[f'{word}_rate_bytes_per_s'] / 1e6
                           for word in ('min', 'mean', 'max'))
        text = self.report(self.document)
        self.assertRegex(text, rf'\n  zones +{mean:.2f} MB/s  .*mean of '
                               rf'{len(test["zones"])} places; ')
        self.assertRegex(text, rf'\n +fastest {high:.2f} MB/s at .*, slowest '
                               rf'{low:.2f} MB/s at ')
        self.assertRegex(text, rf'\n +{high:.0f} MB/s ')

    def test_slow_spots_are_told(self):
        document = self.copy()
        self.find(document, 'zones')['slow_spots'] = [
            {'offset_bytes': 4 * MIB, 'length_bytes': 4 * MIB,
             'rate_bytes_per_s': 20e6, 'expected_bytes_per_s': 200e6}]
        self.assertIn('\n  slow        20.00 MB/s where its neighbours have '
                      '200.00: bytes 4194304 to 8388608 (25.0 to 50.0 % of the '
                      'device)\n', self.report(document))
        self.assertNotIn('\n  slow  ', self.report(self.document))

    def test_the_verdict_its_reasons_and_the_disks_are_told(self):
        document = self.copy()
        check = document['devices'][0]['check']
        self.assertIn(f'\n  verdict     {check["verdict"]}\n',
                      self.report(document))
        check['verdict'] = 'bad'
        check['reasons'] = [
            {'condition': 'bad', 'code': 'smart', 'layer': 'sda',
             'text': 'it says so itself'},
            {'condition': 'good', 'code': 'asleep', 'layer': None,
             'text': 'nothing else'}]
        smart = {'answer': 'told', 'passed': False, 'power_on_hours': 12000,
                 'temperature_celsius': None}
        check['health'] = [
            {'layer': 'sda', 'disk': True, 'state': 'running',
             'temperature_celsius': 38.25, 'smart': smart},
            {'layer': 'sdb', 'disk': True, 'state': None, 'smart':
             {'answer': 'asleep', 'text': 'it sleeps'}},
            {'layer': 'sdc', 'disk': True, 'state': None,
             'smart': {**smart, 'passed': True, 'power_on_hours': None,
                       'temperature_celsius': -5}},
            {'layer': 'md0', 'disk': False, 'state': 'clean', 'smart':
             {'answer': 'not_asked'}}]
        self.assertIn(
            '\n  verdict     bad\n'
            '  reason      bad: sda: it says so itself\n'
            '  reason      remark: nothing else\n'
            '  health      sda: running, 38 °C, on for 12000 hours, SMART failed\n'
            '  health      sdb: SMART not known: it sleeps\n'
            '  health      sdc: -5 °C, SMART passed\n', self.report(document))

    def test_limits_are_shown_as_the_run_showed_them(self):
        text = self.report(self.document)
        limits = self.document['devices'][0]['limits']
        self.assertEqual([limit['test'] for limit in limits],
                         ['sequential', 'zones'])
        for limit, where in zip(limits, ('', ' at the slowest place')):
            self.assertIn(f'\n  unmet       {limit["test"]}: '
                          f'{limit["measured"] / 1e6:.2f} MB/s{where} (median '
                          'of 2), below --min-rate 1000000000\n', text)
        document = self.copy()
        document['devices'][0]['limits'] = [
            {**limits[0], 'met': True}, {**limits[1], 'met': None},
            {**limits[0], 'limit': 'of_later'},
            {**limits[0], 'test': 'timed', 'met': None},
            {'limit': 'require_aligned', 'test': None, 'queue_depth': None,
             'figure': None, 'asked': None, 'measured': None, 'met': False}]
        self.assertEqual(
            re.findall(r'\n  unmet .*', self.report(document)),
            ['\n  unmet       alignment: misaligned (--require-aligned)'])

    def test_no_longer_time_is_advised_for_places(self):
        text = self.compare_text(self.document, self.document)
        self.assertRegex(text, r'\n  zones .* n/a +undecided: too little was '
                               r'measured to tell \(-n\)\n')

    def test_what_no_run_gives_is_refused(self):
        for change, words in (
                (lambda test, device: test['curve'].update(
                    max_rate_bytes_per_s=1), 'curve: has a maximum below'),
                (lambda test, device: test['curve'].update(
                    min_offset_bytes=None), 'curve: has a mean, but no'),
                (lambda test, device: test.update(zones=[{}] * 1025),
                 'zones: has 1025 items'),
                (lambda test, device: test['zones'][1].update(
                    rate_bytes_per_s=0), 'zones[1].rate_bytes_per_s: is not'),
                (lambda test, device: device['check'].update(verdict='fine'),
                 'check: has a verdict that is not known'),
                (lambda test, device: device['check'].update(health=[
                    {'layer': 'sda', 'disk': True}]),
                 'check.health[0].smart: has no answer'),
                (lambda test, device: device['check'].update(health=[
                    {'layer': 'sda', 'disk': True, 'temperature_celsius':
                     -300}]), 'health[0].temperature_celsius: is not a temp'),
                (lambda test, device: device['limits'][0].update(test='x'),
                 'limits[0]: is for no test')):
            document = self.copy()
            change(self.find(document, 'zones'), document['devices'][0])
            run = blktest.blkbench('--input', self.store('wrong', document))
            self.assert_exit(run, 2)
            self.assertIn(words, run.err)


class Unknown(ResultsTest):
    """What a document does not tell is never shown as a 0."""

    def report(self, **values):
        run = blktest.blkbench('--input', self.store(
            'unknown', self.change(**values)))
        self.assert_exit(run, 0)
        return run.out

    def test_access_times_have_the_interval_that_the_run_gave_them(self):
        self.assertEqual(self.report(access_ci95_percent=4.25,
                                     rate_ci95_percent=None).count('±4.2 %'),
                         2)
        for text in (self.report(access_ci95_percent=None,
                                 rate_ci95_percent=None),
                     self.report(access_ci95_percent=...,
                                 rate_ci95_percent=...)):
            self.assertNotIn('±', text)

    def test_without_its_parts_a_result_has_no_figures_of_them(self):
        text = self.report(latency_ns=None, elapsed_ns=None, slowest=None,
                           tail=None, stalled=None, cpu_percent=None)
        self.assertEqual(text.count('50 % n/a, 99 % n/a, max n/a ms'), 2)
        self.assertIn(' MB in n/a s ', text)
        self.assertNotIn('CPU', text)

    def test_the_idle_priority_is_told(self):
        self.assertEqual(self.report(idle=True).count('; idle priority;'), 3)
        self.assertNotIn('idle', self.report())

    def test_an_interrupted_run_was_not_given_up(self):
        text = self.report(partial=True)
        self.assertEqual(text.count('PARTIAL'), 3)
        self.assertNotIn('given up', text)
        text = self.report(partial=True, errors=3)
        self.assertIn('sequential: 3 more\n', text)
        self.assertNotIn('given up', text)

    def test_repeats_were_left_out_for_the_reason_of_then(self):
        document = self.copy()
        device, = document['devices']
        device.update(status='failed', repeats_skipped=1)
        device['tests'][-1].update(
            stalled={'requests': 1, 'age_ns': 10**9, 'offset_bytes': 0})
        path = self.store('stalled', document)
        self.assertIn('1 of 2 repeats (the device stalled)\n',
                      blktest.blkbench('--input', path).out)


class Untrusted(ResultsTest):
    def assert_refused(self, content, *words, code=2):
        path = content if isinstance(content, str) else self.store(
            'wrong', content)
        for args in (['--input', path], ['--baseline', path, self.file]):
            run = blktest.blkbench(*args, timeout=20)
            self.assert_exit(run, code)
            self.assertEqual(run.out, '')
            self.assertEqual(run.err.count('\n'), 1, run)
            for word in (f'blkbench: {path}: ', *words):
                self.assertIn(word, run.err)

    def changed(self, place, value):
        """The document with another value at a place; Ellipsis: with none."""
        document = self.copy()
        part = document
        for key in place[:-1]:
            part = part[key]
        if value is ...:
            del part[place[-1]]
        else:
            part[place[-1]] = value
        return document

    def test_files_that_cannot_be_read_are_named(self):
        self.assert_refused('/nonexistent/old.json', 'No such file', code=3)
        self.assert_refused(self.directory, 'Is a directory', code=3)

    def test_what_is_no_json_is_told_by_line_and_column(self):
        for content, words in (
                (b'', 'line 1, column 1: not JSON: it is empty'),
                (b'sda: 7 MB/s\n', 'line 1, column 1: not JSON'),
                (b'{"schema":\n  "blkbench/1",\n  x', 'line 3, column 3'),
                (b'{"schema": "blkbench/1"', 'it ends in the midst'),
                (b'{"a": 1} {', 'line 1, column 10: not JSON: unexpected char'),
                (b'{"a": 1}' + b'\n' * 70000 + b'x', 'line 70001, column 1: not JSON: something'),
                (b'{"a": "\xff"}', 'not JSON: invalid utf-8'),
                (b'{"a": \0}', 'line 1, column 7'),
                (b'null ', 'it is nothing but null'),
                (b'[' * 1000000, 'nesting too deep'),
                (b'{"a":' * 1000000, 'nesting too deep')):
            self.assert_refused(content, words)

    def test_what_is_too_large_is_refused(self):
        path = os.path.join(self.directory, 'large')
        with open(path, 'wb') as file:
            for _ in range(33):
                file.write(b' ' * MIB)
        self.assert_refused(path, 'larger than 32 MiB')
        with open(path, 'wb') as file:
            file.truncate(1 << 30)
        self.assert_refused(path, 'line 1, column 1: not JSON')
        os.unlink(path)

    def test_foreign_documents_are_refused(self):
        for content in (b'[]', b'1 ', b'"x"', b'{}', b'{"schema": 1}',
                        b'{"fio version": "fio-3.33", "jobs": []}'):
            self.assert_refused(content, 'not what blkbench --json prints')
        self.assert_refused(self.changed(['schema'], 'blkbench/2'),
                            "'blkbench/2'; this blkbench reads blkbench/1")

    def test_values_that_no_run_gives_are_told_with_their_place(self):
        test = ['devices', 0, 'tests', 0]
        for place, value, words in (
                (['version'], ..., 'version: is not there'),
                (['version'], 7, 'version: is not a string'),
                (['host'], [], 'host: is not an object'),
                (['host', 'kernel'], 6.1, 'host.kernel: is not a string'),
                (['devices'], ..., 'devices: has no device'),
                (['devices'], {}, 'devices: is not a list'),
                (['devices', 0], None, 'devices[0]: is not an object'),
                (['devices', 0, 'path'], None, 'devices[0].path: is not'),
                (['devices', 0, 'tests'], None, 'devices[0].tests: is not'),
                (['devices', 0, 'status'], 'fine', 'devices[0]: has a'),
                (['devices', 0, 'warnings'], [{}] * 300, '300 items'),
                (['devices', 0, 'topology', 'logical_sector_bytes'], 0,
                 'devices[0].topology: has a logical sector below 512'),
                ([*test, 'test'], 'a\x1b[31m', 'tests[0].test: is not a word'),
                ([*test, 'rate_bytes_per_s'], 0, 'is not a number above 0'),
                ([*test, 'rate_bytes_per_s'], -1, 'is not a number above 0'),
                ([*test, 'rate_bytes_per_s'], '9', 'is not a number above 0'),
                ([*test, 'rate_bytes_per_s'], math.nan,
                 'is not a number above 0'),
                ([*test, 'rate_bytes_per_s'], math.inf,
                 'is not a number above 0'),
                ([*test, 'rate_ci95_percent'], [1], 'is not a number, 0 or'),
                ([*test, 'requests'], 1 << 64, 'is not a whole number'),
                ([*test, 'requests'], (1 << 64) - 1, 'is not a whole number'),
                ([*test, 'requests'], -1, 'is not a whole number'),
                ([*test, 'requests'], 1.5, 'is not a whole number'),
                ([*test, 'requests'], ...,
                 'devices[0].tests[0].requests: is not there'),
                ([*test, 'direct'], 1, 'is not true or false'),
                ([*test, 'pattern'], 'zigzag', 'tests[0].pattern: is not'),
                ([*test, 'error_list'], [{}] * 9, '9 items; allowed are 8'),
                ([*test, 'error_list'], [{'offset_bytes': 0, 'length_bytes': 512,
                                          'errno': 5, 'reads': 1}],
                 'has more reads in error_list than errors'),
                ([*test, 'lost'], {'what': 'keys', 'layer': 'x'}, 'is lost')):
            self.assert_refused(self.changed(place, value), words)
        self.assert_refused(
            json.dumps(self.changed([*test, 'rate_bytes_per_s'], 1)).replace(
                '"rate_bytes_per_s": 1,', '"rate_bytes_per_s": 1e999,').encode(),
            'is not a number above 0')
        tests = self.document['devices'][0]['tests']
        self.assert_refused(self.changed(['devices', 0, 'tests'],
                                         [tests[0]] * 3),
                            'devices[0].tests[2]: is one too many')
        self.assert_refused(self.changed(
            ['devices', 0, 'tests'],
            [{**tests[0], 'test': f'test{i}'} for i in range(40)]),
                            'devices[0].tests[32]: is one of too many')

    def test_no_value_at_any_place_does_harm(self):
        path = os.path.join(self.directory, 'any')
        values = [None, True, -1, 0, 1 << 63, 1e308, '', 'a\x1b[31m', [], {},
                  [None], ...]
        draw = random.Random(1)

        def places(part, above):
            items = (part.items() if isinstance(part, dict)
                     else enumerate(part) if isinstance(part, list) else ())
            for key, value in items:
                yield [*above, key]
                yield from places(value, [*above, key])
        for place in places(self.document, []):
            for value in draw.sample(values, 2):
                with open(path, 'w') as file:
                    json.dump(self.changed(place, value), file)
                process = subprocess.run(
                    [blktest.BLKBENCH, '--baseline', path, '--input', path],
                    capture_output=True, check=False, timeout=20)
                self.assertIn(process.returncode, (0, 2), (place, value))
                self.assertNotIn(b'\x1b', process.stdout + process.stderr)

    def test_a_document_that_is_cut_anywhere_is_refused(self):
        content = json.dumps(self.document).encode()
        draw = random.Random(1)
        for length in draw.sample(range(1, len(content)), 30):
            self.assert_refused(content[:length], 'it ends in the midst')

    def test_a_later_version_may_have_more(self):
        document = self.copy()
        document['more'] = {'a': [1]}
        device, = document['devices']
        device['more'] = 1
        device['tests'].append({**device['tests'][0], 'test': 'zones',
                                'zones': [{}]})
        comparison = self.compare_text(document, document)
        self.assertRegex(comparison, r'\n  zones .* equal within 2 %\n')


if __name__ == '__main__':
    blktest.main()
