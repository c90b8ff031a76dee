# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the blkbench authors
# shellcheck shell=sh
# What the scripts share; read by them, not run.

# For apt on Debian 12; meson brings ninja and python3.
# shellcheck disable=SC2034 # used by the scripts
build_packages='gcc libc6-dev meson pkg-config
	liburing-dev libblkid-dev libmount-dev libudev-dev libjson-c-dev
	libsmartcols-dev libaio-dev libdevmapper-dev'

sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo

say() {
	printf '%s: %s\n' "$(basename "$0")" "$*" >&2
}

# Runs a command with its output in a log, which is shown if it fails.
quietly() {
	log=$(mktemp)
	if "$@" >"$log" 2>&1 </dev/null; then
		rm -f "$log"
		return 0
	fi
	cat "$log" >&2
	rm -f "$log"
	say "failed: $*"
	exit 1
}

has_packages() {
	# shellcheck disable=SC2086 # a list of words
	states=$(dpkg-query -W -f '${db:Status-Status}\n' $1 2>/dev/null) ||
		return 1
	! printf '%s\n' "$states" | grep -qvx installed
}

install_packages() {
	has_packages "$1" && return 0
	say "installing packages"
	quietly $sudo apt-get -q update
	# shellcheck disable=SC2086 # a list of words
	quietly $sudo env DEBIAN_FRONTEND=noninteractive \
		apt-get -q install -y --no-install-recommends $1
}
