# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Who may include what, and what may not be called at all."""

import collections
import glob
import os
import re
import unittest

import blktest

GENERATED = {'config.h'}
PUBLIC = 'blkbench.h'
LIBC = re.compile(r'(assert|ctype|dirent|errno|fcntl|float|getopt|inttypes|'
                  r'langinfo|limits|locale|math|poll|pthread|semaphore|'
                  r'signal|spawn|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|'
                  r'stdlib|string|strings|time|unistd|wchar|(linux|sys)/\w+)'
                  r'\.h')
OPENERS = {
    'src/cli/main.c': 'the root directory, where stdin and the like were closed',
    'src/lib/device.c': 'the device',
    'src/lib/io_uring.c': '/proc/sys/kernel/io_uring_disabled',
    'src/lib/pressure.c': '/proc/pressure/cpu',
    'src/lib/sysfs.c': 'directories and attributes of sysfs',
}
WRITES = re.compile(r'''\b(
    O_RDWR | O_WRONLY | O_EXCL | O_CREAT | O_TRUNC | O_APPEND |
    (io_prep_)?(pwrite|pwritev)\w* | writev | write | prep_write\w* |
    io_uring_prep_(?!read\b|read_fixed\b)\w+ |
    IORING_OP_(?!READ\b|READ_FIXED\b)\w+ | IO_CMD_P?(WRITE|FSYNC|FDSYNC)\w* |
    fsync | fdatasync | sync | syncfs | fallocate | ftruncate | truncate |
    sendfile | splice | copy_file_range | MAP_SHARED |
    BLK(FLSBUF|DISCARD|SECDISCARD|ZEROOUT|ROSET|RRPART|PG|RASET|FRASET) |
    SG_IO | HDIO_\w+ | NVME_IOCTL_\w+ | LOOP_SET_\w+ | DM_\w+ | mount | umount
    )\b(?=\s*[(|,;)&]|\s*$)''', re.VERBOSE | re.MULTILINE)

# What looks like it and is not: the file in memory that libblkid is shown
# instead of the device, the question for a table, and where a program that we
# run has its complaints: /dev/null.
HARMLESS = {'src/lib/content.c': {'ftruncate', 'MAP_SHARED'},
            'src/lib/devmapper.c': {'DM_DEVICE_STATUS', 'DM_DEVICE_TABLE'},
            'src/lib/smart.c': {'O_WRONLY'}}

# What writes a file that the user names; it takes no device.
LISTS = {'src/cli/output.c': {'"we"'}}


def read(path):
    with open(os.path.join(blktest.SOURCE, path), encoding='utf-8') as file:
        return file.read()


def sources(*directories):
    for directory in directories:
        for path in glob.glob(os.path.join(blktest.SOURCE, directory, '*.[ch]')):
            yield os.path.relpath(path, blktest.SOURCE)


def strip(code):
    """Without comments and the insides of strings; lines stay lines."""
    token = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.DOTALL)
    return token.sub(lambda match: '""' if match[0][0] == '"' else ' ', code)


def includes(path):
    """Yields (name, whether in angle brackets)."""
    for left, name in re.findall(r'^#\s*include\s*([<"])([^>"]+)[>"]',
                                 read(path), re.MULTILINE):
        yield name, left == '<'


def tables(path):
    """The rows of each table of a document, by the first cell of its head."""
    result = {}
    head = None
    for line in read(path).splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if not line.startswith('|'):
            head = None
        elif head is None:
            head = result.setdefault(cells[0], [])
        elif set(line) - set('|- '):
            head.append(cells)
    return result


def words(cell):
    return [word for word in re.split(r'[, ]+', cell) if word]


class Rooms(unittest.TestCase):
    def setUp(self):
        self.tables = tables('doc/architecture.md')
        self.room_of = {file: room for room, files, _ in self.tables['room']
                        for file in words(files)}
        self.uses = {room: {room, *words(uses)}
                     for room, _, uses in self.tables['room']}

    def test_every_library_file_has_a_room(self):
        names = {os.path.splitext(os.path.basename(path))[0]
                 for path in sources('src/lib')}
        self.assertEqual(names, set(self.room_of))

    def test_library_includes_only_its_own_rooms_below(self):
        for path in sources('src/lib'):
            room = self.room_of[os.path.splitext(os.path.basename(path))[0]]
            for name, is_angled in includes(path):
                if is_angled or name in GENERATED:
                    continue
                used = self.room_of.get(os.path.splitext(name)[0])
                self.assertIn(used, self.uses[room], f'{path}: {name}')

    def test_arrows_between_rooms_go_one_way(self):
        order = [room for room, _, _ in self.tables['room']]
        for room in order:
            for used in self.uses[room] - {room}:
                self.assertGreater(order.index(used), order.index(room),
                                   f'{room} -> {used}')

    def test_no_headers_include_each_other_in_a_circle(self):
        arrows = collections.defaultdict(set)
        for path in sources('src/lib', 'src/cli'):
            if path.endswith('.h'):
                arrows[os.path.basename(path)] = {
                    name for name, is_angled in includes(path)
                    if not is_angled}

        def visit(name, above):
            self.assertNotIn(name, above)
            for below in arrows[name]:
                visit(below, [*above, name])
        for name in list(arrows):
            visit(name, [])

    def test_program_includes_only_the_public_header_and_its_own(self):
        own = {os.path.basename(path) for path in sources('src/cli')}
        for path in sources('src/cli'):
            for name, is_angled in includes(path):
                if not is_angled:
                    self.assertIn(name, own | GENERATED, path)

    def test_outside_worlds_are_known_to_the_files_named_alone(self):
        files_of = {header: words(files)
                    for header, files in self.tables['header']}
        seen = set()
        for path in sources('src/lib', 'src/cli'):
            for name, is_angled in includes(path):
                if not is_angled or name == PUBLIC or LIBC.fullmatch(name):
                    continue
                self.assertIn(path, files_of.get(name, []), name)
                seen.add((name, path))
        self.assertEqual(seen, {(name, path) for name, files
                                in files_of.items() for path in files})


class ReadOnly(unittest.TestCase):
    def test_nothing_that_could_write_is_called(self):
        for path in sources('src/lib', 'src/cli'):
            found = {match[0] for match in WRITES.finditer(strip(read(path)))}
            self.assertEqual(found - HARMLESS.get(path, set()), set(), path)

    def test_the_device_is_opened_in_one_place(self):
        direct = [path for path in sources('src/lib', 'src/cli')
                  for _ in re.findall(r'\bopen(?:at)?\([^;]*\bO_DIRECT\b',
                                      strip(read(path)))]
        self.assertEqual(direct, ['src/lib/device.c'])

    def test_files_are_opened_only_where_that_is_known(self):
        call = re.compile(r'(?<![\w>.])(open|openat|open64|creat)\s*\(')
        for path in sources('src/lib', 'src/cli'):
            if call.search(strip(read(path))):
                self.assertIn(path, OPENERS)

    def test_streams_are_opened_for_reading_but_for_lists(self):
        for path in sources('src/lib', 'src/cli'):
            allowed = {'"r"', '"re"', *LISTS.get(path, ())}
            for mode in re.findall(r'\bfd?open(?:64)?\([^;]*?,\s*([^,;]*?)\)',
                                   read(path)):
                self.assertIn(mode, allowed, path)

    def test_the_search_finds_what_it_is_for(self):
        for code in ('pwrite(fd, b, n, 0);', 'open(path, O_RDWR | O_CLOEXEC)',
                     'io_uring_prep_write(sqe, 0, b, n, 0);',
                     'ioctl(fd, BLKFLSBUF, 0);', 'open(path, O_RDONLY|O_EXCL)',
                     'fsync(fd);', 'write(fd, b, n);',
                     'io_prep_pwritev2(&cb);', 'flags = O_WRONLY;',
                     'sqe->opcode = IORING_OP_WRITE_FIXED;'):
            self.assertRegex(code, WRITES)
        for code in ('fwrite(b, 1, n, stdout);', 'int written = 0;',
                     'io_uring_prep_read_fixed(sqe, 0);', 'IORING_OP_READ)'):
            self.assertNotRegex(code, WRITES)
        self.assertNotRegex(strip('/* O_RDWR | x */ "write (" // fsync(1)'),
                            WRITES)


if __name__ == '__main__':
    blktest.main()
