#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs `./dev test` or `./dev run` on a copy of the committed tree in a minimal Debian root file system, to detect missing packages.
# Usage: packaging/fresh_root.sh bookworm|trixie [test|run]     (as root, with debootstrap installed)
# FRESH_ROOT names the root's folder (default: a temporary one, removed afterwards).
set -euo pipefail
suite=$1
what=${2:-test}
top=$(git rev-parse --show-toplevel)
command -v debootstrap >/dev/null || { echo "debootstrap is not installed" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "must be run as root" >&2; exit 1; }

root=${FRESH_ROOT:-$(mktemp -d "${TMPDIR:-/tmp}/steelyard-$suite-XXXX")}
cleanup() {
  umount -R "$root" 2>/dev/null || true  # with the network namespaces that tests have mounted in it
  [ -n "${FRESH_ROOT:-}" ] || rm -rf "$root"
}
trap cleanup EXIT

[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$suite" "$root" >/dev/null
# Uses this machine's name resolution.
cp -L /etc/resolv.conf "$root/etc/" 2>/dev/null || true
# A separate mount, as required for running programs in network namespaces.
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sys "$root/sys"
mkdir -p "$root/dev/shm" "$root/src"
mount -t tmpfs shm "$root/dev/shm"
rm -rf "$root/src" && mkdir -p "$root/src"
git -C "$top" archive HEAD | tar -x -C "$root/src"
chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CI=true \
  http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" bash -c "cd /src && ./dev $what"
