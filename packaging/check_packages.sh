#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the built .deb files in a minimal Debian root file system, uses the programs there as a new user, and removes them.
# Usage: packaging/check_packages.sh bookworm|trixie [FOLDER]     (as root, with debootstrap; FOLDER: dist)
# CLEAN_ROOT: an unmodified root file system of that Debian to copy (default: one is created).
set -euo pipefail
suite=$1
dist=$(readlink -f "${2:-dist}")
[ "$(id -u)" = 0 ] || { echo "must be run as root" >&2; exit 1; }

root=$(mktemp -d "${TMPDIR:-/tmp}/steelyard-$suite-XXXX")
cleanup() {
  umount "$root/proc" "$root/sys" "$root/dev/shm" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap cleanup EXIT
if [ -n "${CLEAN_ROOT:-}" ]; then cp -a "$CLEAN_ROOT/." "$root"; else debootstrap --variant=minbase "$suite" "$root" >/dev/null; fi
cp -L /etc/resolv.conf "$root/etc/" 2>/dev/null || true
mkdir -p "$root/dev/shm" "$root/debs"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sys "$root/sys"
mount -t tmpfs shm "$root/dev/shm"
cp "$dist"/*.deb "$root/debs/"

inside() {
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen \
    DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" bash -ec "$1"
}
say() { printf '\n== %s: %s\n' "$suite" "$*"; }

inside "apt-get update -qq"
say "the command line installs without Qt"
inside "apt-get install -y -qq --no-install-recommends /debs/steelyard-cli_*.deb >/dev/null"
if inside "dpkg-query -W -f='\${Package}\n'" | grep -i qt; then echo "a Qt package was installed with it" >&2; exit 1; fi
inside "steelyard-cli --version; steelyard-cli list workloads | wc -l; steelyard-cli advise --workload resnet50 --epochs 1 --samples 1281167 --mode train | head -5"

say "the desktop program installs, starts, measures and reports"
inside "apt-get install -y -qq --no-install-recommends /debs/steelyard_*.deb >/dev/null"
inside "timeout 10 steelyard || [ \$? = 124 ]"
inside "steelyard-cli run --suite quick"
inside "for kind in pdf html md csv json; do steelyard --export-report /root/report.\$kind --run latest; test -s /root/report.\$kind; done; steelyard --export-charts /root/charts --run latest; ls -l /root/report.* /root/charts | head -40"
cuda=("$dist"/steelyard-cuda_*.deb)
if [ -e "${cuda[0]}" ]; then
  say "the GPU plugin installs without a GPU, and the programs say why there is none"
  inside "apt-get install -y -qq --no-install-recommends /debs/steelyard-cuda_*.deb >/dev/null; steelyard-cli detect"
fi

mpi=("$dist"/steelyard-mpi_*.deb)
if [ -e "${mpi[0]}" ]; then
  say "the module for several nodes installs, and two processes share a step"
  inside "apt-get install -y -qq --no-install-recommends /debs/steelyard-mpi_*.deb openmpi-bin >/dev/null; mpirun --allow-run-as-root --oversubscribe -np 2 --bind-to none steelyard-cli run --nodes 2 --workload mnist_mlp --time-cap 0.3 --no-save"
fi

say "all of it goes away again"
inside "apt-get purge -y -qq 'steelyard*' >/dev/null && apt-get autoremove -y -qq --purge >/dev/null"
left=$(inside "find / -xdev -iname '*steelyard*' -not -path '/proc/*' -not -path '/debs/*' -not -path '/root/*'")
if [ -n "$left" ]; then printf 'left behind:\n%s\n' "$left" >&2; exit 1; fi
say "passed"
