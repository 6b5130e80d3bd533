#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds a wheel from a bundle (bundle.sh), so that `pipx install FILE` installs the command line on any x86-64 Linux.

Usage: packaging/wheel.py BUNDLE.tar.gz VERSION FOLDER
The format: packaging.python.org, "Binary distribution format".
"""
import base64
import csv
import hashlib
import io
import sys
import tarfile
import zipfile
from pathlib import Path

LAUNCHER = '''# SPDX-License-Identifier: Apache-2.0
import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bundle", "bin", "steelyard-cli")
    os.execv(program, [program, *sys.argv[1:]])
'''


class Wheel:
    """Files of a wheel with their record."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100000 | mode) << 16
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append((name, f"sha256={digest}", len(content)))

    def close(self, record_name):
        self.record.append((record_name, "", ""))
        rows = io.StringIO()
        csv.writer(rows, lineterminator="\n").writerows(self.record)
        self.archive.writestr(record_name, rows.getvalue())
        self.archive.close()


def main():
    bundle, version, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    info = f"steelyard_cli-{version}.dist-info"
    # The bundle includes the C library, so no manylinux tag is needed.
    tag = "py3-none-linux_x86_64"
    path = folder / f"steelyard_cli-{version}-{tag}.whl"
    wheel = Wheel(path)
    with tarfile.open(bundle) as files:
        for member in files:
            if not member.isfile():
                continue
            inside = member.name.split("/", 1)[1]
            wheel.add(f"steelyard_cli/bundle/{inside}", files.extractfile(member).read(), member.mode & 0o777)
    wheel.add("steelyard_cli/__init__.py", LAUNCHER.encode())
    wheel.add(f"{info}/METADATA",
              f"Metadata-Version: 2.1\nName: steelyard-cli\nVersion: {version}\n"
              "Summary: Deep learning hardware benchmark, command line\nLicense: Apache-2.0\n".encode())
    wheel.add(f"{info}/WHEEL",
              f"Wheel-Version: 1.0\nGenerator: steelyard\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.add(f"{info}/entry_points.txt", b"[console_scripts]\nsteelyard-cli = steelyard_cli:main\n")
    wheel.close(f"{info}/RECORD")
    print(path)


if __name__ == "__main__":
    main()
