# SPDX-License-Identifier: Apache-2.0
"""Python interpreter of a peer library: from an environment variable, or a virtual environment created on first use."""

import os
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[3]


def bench_python(variable, folder, modules, packages, environment=None):
    """Returns an interpreter that can import `modules`. If it cannot, `packages` are installed into TOP/`folder`, built from
    source with the variables of `environment`, if any."""
    named = os.environ.get(variable)
    if named:
        return named
    python = TOP / folder / "bin" / "python"
    if not python.exists():
        subprocess.check_call([sys.executable, "-m", "venv", str(TOP / folder)])
    if subprocess.call([str(python), "-c", "import " + ", ".join(modules)], stderr=subprocess.DEVNULL) != 0:
        print(f"installing {', '.join(packages)} into {folder} (once)", file=sys.stderr)
        build = ["--no-cache-dir", "--no-binary", packages[0]] if environment else []
        subprocess.check_call([str(python), "-m", "pip", "install", "--quiet", *build, *packages], env={**os.environ, **(environment or {})})
    return str(python)
