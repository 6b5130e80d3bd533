#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are results reproducible? Runs a suite several times and compares all pairs of runs: any verdict between two of them is
a false positive, and the interval of one run should contain the figure of the next.

    tests/performance/machine/agreement.py 8                       the quick suite eight times, on an otherwise idle machine
    tests/performance/machine/agreement.py 3 --workload mnist_mlp  a trial
    tests/performance/machine/agreement.py 0 --db FILE             the runs already in FILE
    tests/performance/machine/agreement.py 0 --busy half           a suite on an idle machine, then one beside another program
    tests/performance/machine/agreement.py 4 --before PROGRAM      four suites of this and of an older steelyard-cli, alternating

The statistical power is then determined by replay: in a copy of each run half of the cases, chosen with a fixed seed, are
made 10 and 20 % slower, and compared with the preceding runs.

With --busy a loop keeps one CPU busy, continuously or every other ten seconds. Each case of the second suite must then be
marked as disturbed, or (half) its figure must lie within the interval of the first.

With --before the duration of a suite is compared with that of an older program at equal half-width: the half-width that
would have contained the figure of another run in 95 % of all pairs, whatever interval the program printed. Time is assumed
to be inversely proportional to the square of the half-width.

Prints a table for RESULTS.md: fraction of false verdicts (at most 5 %), of figures within the other run's interval (at
least 90 %), the mean half-width of the intervals, and the fraction of changes detected (10 %: at least 80 %, 20 %: at
least 95 %); then the cases with the worst agreement. Exits with 1 if a limit is missed.
"""
import argparse
import copy
import datetime
import itertools
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
MOST_FALSE, LEAST_COVERED = 0.05, 0.90
STATE_FACTOR = 1.3
MOST_TIME = 1.25
LEAST_FOUND = {1.1: 0.80, 1.2: 0.95}


def call(program, *arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{program} {' '.join(arguments)} ended with {done.returncode}")
    return json.loads(done.stdout)


def run_suite(options, database):
    chosen = ["--workload", options.workload] if options.workload else ["--suite", options.suite]
    call(options.cli, "run", *chosen, "--device", "cpu", "--db", database, "--json", *options.more)


class BusyLoop:
    """Another program that uses one CPU, for `on` of every `period` seconds."""

    def __init__(self, on, period):
        self.on, self.period = on, period

    def __enter__(self):
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()

    def work(self):
        while not self.done.is_set():
            loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            self.done.wait(self.on)
            loop.kill()
            loop.wait()
            self.done.wait(self.period - self.on)


def name_of(record):
    return f"{record['case']['workload']} {record['case']['mode']}"


def is_same_state(one, other):
    """Whether two round-trip times of a cache line are of the same state, as in engine/bench/protocol/verdict.h."""
    if not one or not other:
        return not one and not other
    return max(one, other) / min(one, other) < STATE_FACTOR


def busy(options, database):
    """Compares a suite beside another program with one on the idle machine; true if a case is misleading."""
    run_suite(options, database)
    on, period = {"half": (10, 20), "all": (3600, 3600)}[options.busy]
    with BusyLoop(on, period):
        run_suite(options, database)
    ids = [run["id"] for run in call(options.cli, "history", "list", "--db", database, "--json")["runs"]]
    with tempfile.TemporaryDirectory() as folder:
        exported = pathlib.Path(folder) / "runs.json"
        subprocess.run([options.cli, "history", "export", *ids[:2], "-o", str(exported), "--db", database], check=True)
        runs = {run["id"]: run["records"] for run in json.loads(exported.read_text())["runs"]}
    quiet = {record["case"]["hash"]: record["figure"] for record in runs[ids[1]] if record["figure"]}
    counts, misled = {"marked": 0, "within": 0, "moved": 0}, []
    print("| case | marked | disturbed windows | over the idle figure | its interval | idle interval |\n|---|---|---|---|---|---|")
    for record in runs[ids[0]]:
        figure, idle = record["figure"], quiet.get(record["case"]["hash"])
        if not figure or not idle or idle["disturbed"]:
            continue
        base, state = idle["main"]["median_seconds"], idle["main"].get("round_trip_seconds")
        shared = [one for one in (figure["main"], *(figure.get("others") or []))
                  if is_same_state(one.get("round_trip_seconds"), state)]
        if not figure["disturbed"] and (not shared or idle.get("low") is None):
            print(f"| {name_of(record)} | no | {figure.get('disturbed_windows', 0)} | in another state | | |")
            continue
        median = (shared or [figure["main"]])[0]["median_seconds"]
        held = idle.get("low", base) <= median <= idle.get("high", base)
        kind = "marked" if figure["disturbed"] else "within" if held else "moved"
        counts[kind] += 1
        name = name_of(record)
        if not figure["disturbed"] and (options.busy == "all" or kind == "moved"):
            misled.append(name)
        bounds = [f"{side['low'] / base:.3f} to {side['high'] / base:.3f}" if side.get("low") else "none"
                  for side in (figure, idle)]
        print(f"| {name} | {'yes' if figure['disturbed'] else 'no'} | {figure.get('disturbed_windows', 0)} "
              f"| {median / base:.3f} | {bounds[0]} | {bounds[1]} |")
    print(f"\n{counts['marked']} marked, {counts['within']} within the idle interval, {counts['moved']} moved unmarked")
    return bool(misled)


def figures_of(program, database):
    """Per case and run, in the order of the runs: the median step time in each state of the machine, as (round trip, seconds)."""
    ids = [run["id"] for run in reversed(call(program, "history", "list", "--db", database, "--json")["runs"]) if run["finished"]]
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        exported = pathlib.Path(folder) / "runs.json"
        subprocess.run([program, "history", "export", *ids, "-o", str(exported), "--db", database], check=True)
        runs = {run["id"]: run["records"] for run in json.loads(exported.read_text())["runs"]}
    for identity in ids:
        for record in runs[identity]:
            figure = record.get("figure")
            if figure and not figure["disturbed"]:
                states = [(state.get("round_trip_seconds"), state["median_seconds"])
                          for state in (figure["main"], *(figure.get("others") or []))]
            elif "figure" not in record and record["step_seconds"]:
                states = [(None, record["step_seconds"]["median"])]
            else:
                continue
            figures.setdefault(name_of(record), []).append(states)
    return figures


def needed_width(figures):
    """The relative half-width that would have contained the other run's figure in 95 % of the pairs, in the common state."""
    apart = []
    for runs in figures.values():
        for one, other in itertools.combinations(runs, 2):
            pairs = [(a, b) for round_trip, a in one for another, b in other if is_same_state(round_trip, another)]
            if pairs:
                apart.append(max(pairs[0]) / min(pairs[0]) - 1)
    return sorted(apart)[int(0.95 * (len(apart) - 1))] if apart else float("nan"), len(apart)


def before(options, folder):
    """Alternates with an older program; true if a suite takes over 25 % longer for the same half-width."""
    programs = {"before": options.before, "now": options.cli}
    seconds = {name: [] for name in programs}
    for number in range(options.runs):
        for name, program in programs.items():
            print(f"run {number + 1} of {options.runs}, {name}", file=sys.stderr, flush=True)
            start = time.monotonic()
            call(program, "run", "--suite", options.suite, "--device", "cpu", "--db", str(folder / name), "--json", *options.more)
            seconds[name].append(time.monotonic() - start)
    figures = {name: figures_of(program, str(folder / name)) for name, program in programs.items()}
    shared = figures["before"].keys() & figures["now"].keys()
    print("| | seconds a suite | cases | pairs of runs in one state | half-width that held 95 % of them |\n|---|---|---|---|---|")
    widths = {}
    for name in programs:
        width, pairs = needed_width({case: figures[name][case] for case in shared})
        widths[name] = width
        print(f"| {name} | {statistics.median(seconds[name]):.0f} | {len(shared)} | {pairs} | {100 * width:.1f} % |")
    ratio = statistics.median(seconds["now"]) / statistics.median(seconds["before"])
    same = ratio * (widths["now"] / widths["before"]) ** 2
    print(f"\nA suite takes {ratio:.2f} times as long as before, {same:.2f} times for the same half-width")
    return not same <= MOST_TIME


def measured(options, database):
    for number in range(options.runs):
        print(f"run {number + 1} of {options.runs}", file=sys.stderr, flush=True)
        run_suite(options, database)
    runs = call(options.cli, "history", "list", "--db", database, "--json")["runs"]
    return [run["id"] for run in reversed(runs) if run["finished"]]


def interval_of(side):
    return (side["ci95_low"], side["ci95_high"]) if side and side["ci95_low"] is not None else None


def compare_all(options, database, ids):
    """Per case: verdicts, ratios, and whether each run's interval contains the other's figure."""
    cases, shifts = {}, 0
    for first, second in itertools.combinations(ids, 2):
        compared = call(options.cli, "history", "compare", first, second, "--db", database, "--json")
        shifts += compared["all_moved"] is not None
        for row in compared["cases"]:
            if not row["a"] or not row["b"]:
                continue
            case = cases.setdefault(row["case"], {"verdicts": [], "held": [], "ratios": [], "widths": []})
            case["verdicts"].append((row["verdict"], row["reason"]))
            # Figures of different states are not comparable: those of the common state are used.
            compared = row["compared"]
            if compared is None:
                continue
            case["ratios"].append(compared["b_seconds"] / compared["a_seconds"])
            for here, there in (("a", "b"), ("b", "a")):
                # The interval is that of the run's most frequent state.
                figure = row[here]["median_seconds"]
                if (bounds := interval_of(row[here])) is not None and figure == compared[f"{here}_seconds"]:
                    case["held"].append(bounds[0] <= compared[f"{there}_seconds"] <= bounds[1])
                    case["widths"].append((bounds[1] - bounds[0]) / 2 / figure)
    return cases, shifts


def slow_down(record, factor):
    """All times of the record, as if each step had taken that much longer."""
    record["samples_seconds"] = [seconds * factor for seconds in record["samples_seconds"]]
    for name, value in record["step_seconds"].items():
        if name != "n" and value is not None:
            record["step_seconds"][name] = value * factor
    figure = record["figure"]
    for state in [figure["main"], *(figure.get("others") or [])]:
        for name in ("median_seconds", "mean_seconds"):
            if state.get(name) is not None:
                state[name] *= factor
        state["visit_seconds"] = [seconds * factor for seconds in state["visit_seconds"]]
    for name in ("low", "high"):
        if figure.get(name) is not None:
            figure[name] *= factor


def found(options, folder, database, ids, factor):
    """Fraction of the slowed cases that are detected, and the number that could be judged."""
    exported, changed = folder / "runs.json", folder / "changed.json"
    subprocess.run([options.cli, "history", "export", *ids, "-o", str(exported), "--db", database], check=True)
    document = json.loads(exported.read_text())
    drawn = random.Random(7)
    slowed, copies = {}, []
    for run in document["runs"]:
        other = copy.deepcopy(run)
        other["id"] = "%012x" % drawn.getrandbits(48)
        slowed[run["id"]] = (other["id"], set())
        for index, record in enumerate(other["records"]):
            if record["figure"] and drawn.random() < 0.5:
                slow_down(record, factor)
                slowed[run["id"]][1].add(index)
        copies.append(other)
    changed.write_text(json.dumps({**document, "runs": copies}))
    replayed = str(folder / f"replayed-{factor}.sqlite")
    for file in (exported, changed):
        subprocess.run([options.cli, "history", "import", str(file), "--db", replayed], check=True)
    names = {run["id"]: run for run in document["runs"]}
    calls = []
    for first, second in itertools.combinations(ids, 2):
        identity, indices = slowed[second]
        compared = call(options.cli, "history", "compare", first, identity, "--db", replayed, "--json")
        hashes = {names[second]["records"][index]["case"]["hash"] for index in indices}
        calls += [row["verdict"] == "slower" for row in compared["cases"]
                  if row["hash"] in hashes and row["verdict"] != "not comparable" and "another state" not in row["reason"]]
    return share(calls), len(calls)


def share(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=int)
    parser.add_argument("--cli", default=str(REPOSITORY / "build/release/bin/steelyard-cli"))
    parser.add_argument("--suite", default="quick")
    parser.add_argument("--workload", help="instead of a suite, comma separated")
    parser.add_argument("--db", help="history file (default: a new one, deleted afterwards)")
    parser.add_argument("--busy", choices=["half", "all"], help="compare with a suite beside another program instead")
    parser.add_argument("--before", metavar="PROGRAM", help="an older steelyard-cli to compare the time of a suite with")
    parser.add_argument("more", nargs="*", help="further options of steelyard-cli run, after --")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = options.db or str(pathlib.Path(folder) / "history.sqlite")
        if options.before:
            sys.exit(1 if before(options, pathlib.Path(folder)) else 0)
        if options.busy:
            sys.exit(1 if busy(options, database) else 0)
        ids = measured(options, database)
        if len(ids) < 2:
            sys.exit("two finished runs are needed")
        cases, shifts = compare_all(options, database, ids)
        power = {factor: found(options, pathlib.Path(folder), database, ids, factor) for factor in LEAST_FOUND}
        profile = call(options.cli, "detect", "--json")
    verdicts = [verdict for case in cases.values() for verdict in case["verdicts"]]
    false = share(verdict in ("faster", "slower") for verdict, _ in verdicts)
    other_state = share("another state" in reason for _, reason in verdicts)
    covered = share(held for case in cases.values() for held in case["held"])
    widths = [width for case in cases.values() for width in case["widths"]]
    cpu = profile["cpu"]["name"]
    cpu = cpu.get("value", cpu) if isinstance(cpu, dict) else cpu
    print(f"Agreement of {len(ids)} runs, {len(cases)} cases, on {cpu}, {datetime.date.today().isoformat()}\n")
    print("| false verdicts | across states | figures within the other's interval | mean half-width | pairs in which all moved "
          "| 10 % found | 20 % found |")
    print("|---|---|---|---|---|---|---|")
    width = f"{100 * statistics.mean(widths):.1f} %" if widths else "none"
    detected = " | ".join(f"{100 * part:.1f} % of {number}" for part, number in power.values())
    print(f"| {100 * false:.1f} % | {100 * other_state:.1f} % | {100 * covered:.1f} % | {width} | {shifts} | {detected} |\n")
    print("| case | false verdicts | within | largest ratio |\n|---|---|---|---|")
    worst = sorted(cases.items(), key=lambda item: share(item[1]["held"]) if item[1]["held"] else 1)
    for name, case in worst[:10]:
        wrong = share(verdict in ("faster", "slower") for verdict, _ in case["verdicts"])
        largest = max(max(ratio, 1 / ratio) for ratio in case["ratios"])
        within = f"{100 * share(case['held']):.0f} %" if case["held"] else "none"
        print(f"| {name} | {100 * wrong:.0f} % | {within} | {largest:.3f} |")
    missed = false > MOST_FALSE or not covered >= LEAST_COVERED or any(
        not power[factor][0] >= least for factor, least in LEAST_FOUND.items())
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
