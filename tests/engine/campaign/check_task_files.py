#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives the golden task files to the programs that have to read them: SkyPilot's parser, with the checks of its
resources, and kubernetes-validate.

Usage: check_task_files.py GOLDEN_FOLDER ENVIRONMENT_FOLDER
Both are installed from PyPI into a virtual environment there. Exit code 77, and why, where that is not possible.
SkyPilot looks up instance types in catalogues that it downloads; here each has one line for what the files name.
"""
import csv
import os
import subprocess
import sys
from pathlib import Path

PACKAGES = ["skypilot==0.14.1", "kubernetes-validate==1.37.0"]
COLUMNS = ["InstanceType", "AcceleratorName", "AcceleratorCount", "vCPUs", "MemoryGiB", "Price", "SpotPrice", "Region",
           "AvailabilityZone", "GpuInfo"]


def skip(reason):
    print(reason)
    sys.exit(77)


def environment(folder):
    """The Python of an environment with the packages."""
    python = folder / "bin" / "python"
    done = folder / "installed"
    if done.exists() and done.read_text() == " ".join(PACKAGES):
        return python
    try:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, capture_output=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PACKAGES], check=True, capture_output=True, timeout=400)
    except (OSError, subprocess.SubprocessError) as error:
        skip(f"SkyPilot and kubernetes-validate cannot be installed: {error}")
    done.write_text(" ".join(PACKAGES))
    return python


def plant_catalogues(files, home):
    """One line for each instance type; without it SkyPilot refuses every type."""
    import yaml
    types = {}
    for file in files:
        resources = yaml.safe_load(file.read_text())["resources"]
        for place in [resources, *resources.get("any_of", []), *resources.get("ordered", [])]:
            if "instance_type" in place:
                cloud, _, region = place["infra"].partition("/")
                types.setdefault(cloud, set()).add((place["instance_type"], region))
    for cloud, lines in types.items():
        folder = home / ".sky" / "catalogs" / "v8" / cloud
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "vms.csv", "w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(COLUMNS)
            for instance, region in sorted(lines):
                writer.writerow([instance, "", "", 8, 32, 1.0, 0.5, region, region + "a", ""])


def check_skypilot(files, scratch):
    """Within the environment. Returns the number of files refused, of which one has to be."""
    import sky
    plant_catalogues(files, Path(os.environ["HOME"]))
    refused = 0
    wrong = scratch / "wrong.sky.yaml"
    wrong.write_text(files[0].read_text().replace("use_spot:", "use_spott:"))
    for file in [*files, wrong]:
        try:
            for resource in sky.Task.from_yaml(str(file)).resources:
                resource.validate()
            print("accepted by SkyPilot:", file)
            if file == wrong:
                sys.exit("SkyPilot accepts a field that does not exist: this check is worth nothing")
        except Exception as error:  # pylint: disable=broad-except
            if file == wrong:
                continue
            refused += 1
            print("refused by SkyPilot:", file, error)
    return refused


def mpi_pods(golden, folder):
    """The pods of the MPIJobs, which are a resource of their operator, as files of pods."""
    import yaml
    for file in sorted(golden.glob("mpijob/*.yaml")):
        for name, replica in yaml.safe_load(file.read_text())["spec"]["mpiReplicaSpecs"].items():
            pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name.lower()}, **replica["template"]}
            (folder / f"{file.stem}.{name}.pod.yaml").write_text(yaml.safe_dump(pod))


def main():
    golden, folder = Path(sys.argv[1]), Path(sys.argv[2])
    if len(sys.argv) > 3:  # called by itself within the environment
        mpi_pods(golden, folder)
        sys.exit(check_skypilot(sorted(golden.glob("*/*.sky.yaml")), folder))
    python = environment(folder)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    here = dict(os.environ, HOME=str(home), SKYPILOT_DISABLE_USAGE_COLLECTION="1")
    refused = subprocess.run([str(python), __file__, str(golden), str(folder), "inside"], env=here, check=False).returncode
    jobs = sorted([*golden.glob("kubernetes/*.yaml"), *golden.glob("sweep_kubernetes/*.yaml"), *folder.glob("*.pod.yaml")])
    for file in jobs:
        said = subprocess.run([str(python.parent / "kubernetes-validate"), "--strict", str(file)], env=here, check=False)
        refused += said.returncode
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
