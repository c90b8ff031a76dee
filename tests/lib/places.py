# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
"""Where a program may find itself: other roots, without this and that."""

import contextlib
import os
import re
import shutil
import subprocess

import blktest
import devices


def libraries():
    """The dynamic linker and all that it loads, as it names them."""
    text = devices.run('ldd', blktest.BLKBENCH)
    return re.findall(r'(/\S+) \(0x', text)


def copy_into(root, path):
    target = root + os.path.normpath(path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(path, target)
    return target


@contextlib.contextmanager
def bare_root():
    """
    A directory that everyone may read, with the program at /blkbench, its
    libraries, and nothing else.
    """
    with devices.directory() as root:
        for path in libraries():
            copy_into(root, path)
        shutil.copy(blktest.BLKBENCH, os.path.join(root, 'blkbench'))
        for place, _, _ in os.walk(root):
            os.chmod(place, 0o755)
        yield root


def library_path(root=''):
    return ':'.join(sorted({root + os.path.dirname(os.path.normpath(path))
                            for path in libraries()}))


def without(*mounts):
    """A prefix that runs a program where these directories are empty."""
    commands = ' && '.join(f'mount -t tmpfs none {place}' for place in mounts)
    return ('unshare', '--mount', 'sh', '-c', f'{commands} && exec "$@"', 'sh')


def as_user(uid, *groups):
    """A prefix that runs a program as a user without any privilege."""
    return ('setpriv', f'--reuid={uid}', f'--regid={uid}',
            '--groups=' + ','.join(map(str, groups)) if groups
            else '--clear-groups', '--inh-caps=-all', '--bounding-set=-all',
            '--no-new-privs')


def make_node(root, node):
    """The device's node below another root."""
    path = os.path.join(root, 'disk')
    os.mknod(path, 0o600 | 0o060000, os.stat(node).st_rdev)
    return path


def mount_full(size):
    """A prefix for a shell: /mnt is a file system of so many bytes."""
    return ('unshare', '--mount', 'sh', '-c',
            f'mount -t tmpfs -o size={size} none /mnt && exec "$@"', 'sh')


def capture(argv, **options):
    return subprocess.run(argv, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.PIPE, check=False, timeout=60,
                          **options)
