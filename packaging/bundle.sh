#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs the built command line with all its shared libraries, including the dynamic loader and the C library, so that it runs on
# any x86-64 Linux, independent of the libraries installed there. With "window" also the desktop program with Qt, which needs
# an X server or XWayland, fonts and their configuration from the system.
# Usage: packaging/bundle.sh BUILD_FOLDER FILE.tar.gz [window]    (prints the SHA-256; BUNDLE_LEVEL: gzip level, 9)
set -euo pipefail
build=$(readlink -f "$1")
archive=$(readlink -m "$2")
name=$(basename "$archive" .tar.gz)
components=(cli cuda)
programs=(steelyard-cli)
if [ "${3:-}" = window ]; then
  components+=(desktop)
  programs+=(steelyard)
fi

cd "$(dirname "$(readlink -f "$0")")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/steelyard-bundle-XXXX")
trap 'rm -rf "$work"' EXIT
top=$work/$name

for component in "${components[@]}"; do
  cmake --install "$build" --component "$component" --prefix "$work/installed" --strip >/dev/null
done
mkdir -p "$top/bin" "$top/lib" "$top/libexec" "$top/share/doc/licences"
for program in "${programs[@]}"; do mv "$work/installed/bin/$program" "$top/libexec/$program.bin"; done
mv "$work/installed/share/steelyard" "$top/share/"
if [ "${3:-}" = window ]; then
  mv "$work/installed/share/applications" "$work/installed/share/icons" "$top/share/"
  qt=$(qtpaths6 --query QT_INSTALL_PLUGINS)
  for plugin in platforms/libq{xcb,offscreen}.so iconengines imageformats platforminputcontexts printsupport; do
    mkdir -p "$top/lib/qt/$(dirname "$plugin")"
    cp -RL "$qt/$plugin" "$top/lib/qt/$(dirname "$plugin")/"
  done
fi
cp packaging/deb/copyright "$top/share/doc/copyright"

# system_library NAME: its path on the system.
system_library() {
  ldconfig -p | awk -v name="$1" '$1 == name && /x86-64/ { print $NF; exit }'
}

# The OpenMP build of OpenBLAS, under a distinct name, which the program tries first.
blas=$(ls /usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0 2>/dev/null || system_library libopenblas.so.0)
cp -L "$blas" "$top/lib/libopenblas-steelyard.so.0"

# Their dependencies, recursively. ldd prints the loader as a path only.
plugin=$work/installed/lib/steelyard/backends
[ ! -d "$plugin" ] || { mkdir -p "$top/lib/steelyard" && mv "$plugin" "$top/lib/steelyard/"; }
linked=$(find "$top/libexec" "$top/lib" -type f -exec ldd {} + |
  awk '/not found/ { print "missing: " $1 > "/dev/stderr"; exit 1 } $2 == "=>" { print $3 } $1 ~ /^\// && $2 ~ /^\(/ { print $1 }' |
  sort -u)
for file in $linked; do
  case $(basename "$file") in
    libcuda.so.* | libnvidia-*) continue ;;  # of the driver, which belongs to the machine
  esac
  cp -L "$file" "$top/lib/"
  owner=$(dpkg-query -S "$(readlink -f "$file")" "$file" 2>/dev/null | head -n 1 | cut -d: -f1 || true)
  [ -z "$owner" ] || cp -L "/usr/share/doc/$owner/copyright" "$top/share/doc/licences/$owner" 2>/dev/null || true
done
loader=$(basename "$(ls "$top"/lib/ld-linux-x86-64.so.*)")

# Beside the executable, which is the loader.
[ ! -d "$top/lib/qt" ] || printf '[Paths]\nPlugins=qt\n' >"$top/lib/qt.conf"

for program in "${programs[@]}"; do
  cat >"$top/bin/$program" <<SCRIPT
#!/bin/sh
# Runs the program with the bundled loader and libraries; its children are started through a script like this as well.
self=\$(readlink -f -- "\$0")
top=\${self%/bin/$program}
exec "\$top/lib/$loader" --library-path "\$top/lib" --argv0 "\$self" "\$top/libexec/$program.bin" "\$@"
SCRIPT
  chmod +x "$top/bin/$program"
done

mkdir -p "$(dirname "$archive")"
# A reproducible archive.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}" \
  -C "$work" -c "$name" | gzip "-${BUNDLE_LEVEL:-9}" -n >"$archive"
sha256sum "$archive"
