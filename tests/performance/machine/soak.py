#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Soak test: the window runs the quick suite repeatedly, as by Ctrl+R on the home page; nothing may grow or drift.

Prints a row per suite: its seconds, cases and failures, the idle memory of the window afterwards (resident, and the
anonymous part: file pages depend on other activity of the machine), the peak memory of the measuring processes, the size of
the history (with its WAL), and the geometric mean of the cases' medians relative to the first suite. At the end it checks
the window's anonymous memory: the mean of the last three suites against that of the three after the warm-up (comparing
halves would hide a slow leak in the last hour).

  soak.py --bin FOLDER [--hours 2] [--folder FOLDER] [--warm-up 3] [--markdown FILE]

Needs Xvfb, openbox and xdotool. While FOLDER/pause exists, no new suite is started.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

MIB = 1 << 20


def memory_bytes(pid, kind="VmRSS"):
    """Current value for a process; 0 if it has ended. VmRSS: resident; RssAnon: the anonymous part."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith(kind)), 0)


def descendants(pid):
    found = []
    for listed in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in listed.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *descendants(child)]
    return found


class Window:
    """The program in a separate X server, with separate settings and history."""

    def __init__(self, binaries, folder):
        self.command_line = binaries / "steelyard-cli"
        self.database = folder / "history.sqlite"
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x900x24"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        self.environment = dict(os.environ, DISPLAY=":" + os.fdopen(read).readline().strip(),
                                XDG_CONFIG_HOME=str(folder / "config"), XDG_CACHE_HOME=str(folder / "cache"),
                                XDG_DATA_HOME=str(folder / "data"), XDG_RUNTIME_DIR=str(runtime),
                                TMPDIR=str(runtime))  # not a window that is already open
        self.manager = subprocess.Popen(["openbox"], env=self.environment, stderr=subprocess.DEVNULL)
        self.program = subprocess.Popen([binaries / "steelyard", "--db", self.database, "--page", "home"],
                                        env=self.environment)
        end = time.monotonic() + 60
        while not self.shown() and time.monotonic() < end:
            time.sleep(1)

    def shown(self):
        return subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.program.pid)], text=True,
                              env=self.environment, capture_output=True).stdout.split()

    def press(self, key):
        shown = self.shown()
        if not shown:
            raise RuntimeError("there is no window")
        subprocess.check_call(["xdotool", "windowfocus", "--sync", shown[-1], "key", key], env=self.environment)

    def history(self, *words):
        answer = subprocess.run([self.command_line, "history", *words, "--json", "--db", self.database], text=True,
                                env=self.environment, capture_output=True)
        return json.loads(answer.stdout) if answer.returncode == 0 else {"runs": []}

    def finished_runs(self):
        return [run["id"] for run in self.history("list")["runs"] if run["finished"]]

    def database_bytes(self):
        return sum(file.stat().st_size for file in self.database.parent.glob("history.sqlite*"))

    def close(self):
        for process in (self.program, self.manager, self.server):
            process.terminate()
            process.wait(30)


def run_suite(window):
    """Starts a suite, waits for its end, and returns its seconds, its id and the peak memory of the measuring processes."""
    known = set(window.finished_runs())
    started = time.monotonic()
    window.press("ctrl+1")
    window.press("ctrl+r")
    highest = 0
    checked = started
    while True:
        time.sleep(0.25)
        for pid in descendants(window.program.pid):
            highest = max(highest, memory_bytes(pid))
        if window.program.poll() is not None:
            raise RuntimeError(f"the window ended with {window.program.returncode}")
        if time.monotonic() - checked < 5:
            continue
        checked = time.monotonic()
        new = set(window.finished_runs()) - known
        if new:
            return time.monotonic() - started, new.pop(), highest
        if checked - started > 3600:
            raise RuntimeError("a suite did not end within an hour")


def medians(window, run):
    """The successful cases by key, and the number of others."""
    records = window.history("show", run)["records"]
    good = {json.dumps(record["case"]): record["step_seconds"]["median"] for record in records
            if record["status"] == "ok"}
    return good, len(records) - len(good)


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def main():
    parser = argparse.ArgumentParser(description="Repeats the quick suite in the window and watches memory and speed")
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--hours", type=float, default=2)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("soak"))
    parser.add_argument("--warm-up", type=int, default=3)
    parser.add_argument("--markdown", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    first = None
    end = time.monotonic() + 3600 * arguments.hours
    window = Window(arguments.bin.resolve(), folder)
    out = arguments.markdown.open("a") if arguments.markdown else sys.stdout
    print("| suite | seconds | cases | failed | window MiB | its own MiB | measuring MiB | history KiB | medians over the first "
          "|\n|---|---|---|---|---|---|---|---|---|", file=out, flush=True)
    try:
        while time.monotonic() < end:
            while (folder / "pause").exists():
                time.sleep(1)
            seconds, run, highest = run_suite(window)
            time.sleep(5)
            good, failed = medians(window, run)
            first = first or good
            same = [good[case] / first[case] for case in good if case in first]
            rows.append(memory_bytes(window.program.pid, "RssAnon") / MIB)
            resident = memory_bytes(window.program.pid) / MIB
            print(f"| {len(rows)} | {seconds:.0f} | {len(good)} | {failed} | {resident:.1f} | {rows[-1]:.1f} | "
                  f"{highest / MIB:.0f} | {window.database_bytes() / 1024:.0f} | {geometric_mean(same):.3f} |", file=out,
                  flush=True)
    finally:
        window.close()
    if len(rows) < arguments.warm_up + 6:
        print("too few suites to judge the memory")
        return 1
    before = statistics.fmean(rows[arguments.warm_up:arguments.warm_up + 3])
    after = statistics.fmean(rows[-3:])
    print(f"the window's own memory: {before:.1f} MiB after the warm-up, {after:.1f} MiB at the end: "
          f"{100 * (after / before - 1):+.2f} %")
    return 0 if after < 1.02 * before else 1


if __name__ == "__main__":
    sys.exit(main())
