#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_pytorch.py for a GPU with limited availability: PyTorch compiles all cases concurrently, each in a separate
process; then the cases are timed one after another, interleaved with this engine.

  compare_together.py [--workloads a,b] [--modes train,infer] [--precisions fp32,tf32,bf16,fp16] [--device cuda:N]
                      [--rounds N] [--jobs N] [--compile-mode max-autotune|max-autotune-no-cudagraphs|reduce-overhead|default]
                      [--no-compile] [--seconds N] [--markdown FILE]

For each case PyTorch is tried in eager mode, channels-last and compiled (images in 16 bits and tf32 channels-last, in fp32
in the default layout), each timed alone on the GPU; the fastest is the peer. --seconds: cases not measured by then are
skipped and listed.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_pytorch as single  # noqa: E402


TARGET = 0.1  # seconds of one measurement


def variants_of(entry, args):
    images = len(single.layouts_of(entry)) > 1
    best = "channels_last" if images and args.precision != "fp32" else "eager"
    eager = ["eager", "channels_last"] if images else ["eager"]
    return eager + ([] if args.no_compile else [single.compiled(best)])


def serve(words):
    """One case in PyTorch: warms up every variant, reports it, then answers each "VARIANT COUNT" with seconds per step."""
    args = parse(words)
    import torch
    from torch_models import WORKLOADS
    args.precision = args.precisions
    single.prepare(torch, args)
    entry, peers = WORKLOADS[args.workloads], {}
    for variant in variants_of(entry, args):
        try:
            peer = single.Peer(torch, entry, args.modes, args.batch, args, variant)
            for _ in range(3):
                peer.seconds_per_step(1)
            peers[variant] = peer
        except Exception as error:  # skip variants that fail
            print(f"{variant}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
    torch.cuda.synchronize()
    print("ready", *peers, flush=True)
    for line in sys.stdin:
        variant, count = line.split()
        print(peers[variant].seconds_per_step(int(count)), flush=True)


class Side:
    """The PyTorch process of one case."""

    def __init__(self, case, args):
        name, mode, precision, batch = case
        self.case, self.peers = case, []
        words = [sys.executable, __file__, "--serve", "--workloads", name, "--modes", mode, "--precisions", precision, "--batch",
                 str(batch), "--device", args.device, "--compile-mode", args.compile_mode]
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(words + (["--no-compile"] if args.no_compile else []), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def wait(self):
        for line in self.process.stdout:
            if line.startswith("ready"):
                self.peers = line.split()[1:]
                break
        if not self.peers:
            self.errors.seek(0)
            print(*self.case, self.errors.read()[-300:], file=sys.stderr)
        return bool(self.peers)

    def seconds_per_step(self, variant, count):
        self.process.stdin.write(f"{variant} {count}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def fastest(self):
        timed = {}
        for variant in self.peers:
            self.seconds_per_step(variant, 2)
            steps = single.steps_for(self.seconds_per_step(variant, 2), TARGET / 2)
            timed[variant] = min(self.seconds_per_step(variant, steps) for _ in range(2))
        best = min(timed, key=timed.get)
        return best, timed

    def close(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()


def measure(side, args):
    name, mode, precision, batch = side.case
    best, timed = side.fastest()
    args.precision = precision
    started = time.monotonic()
    engine = single.Engine(name, mode, batch, args)
    engine.seconds_to_start = time.monotonic() - started
    try:
        engine.seconds_per_step(3)
        our_steps = single.steps_for(engine.seconds_per_step(3), TARGET)
        their_steps = single.steps_for(timed[best], TARGET)
        theirs, ours = single.measured_in_turn(args.rounds, lambda: side.seconds_per_step(best, their_steps),
                                               lambda: engine.seconds_per_step(our_steps))
        return best, timed, statistics.median(theirs), statistics.median(ours), engine
    finally:
        engine.close()


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workloads", default="")
    parser.add_argument("--modes", default="train,infer")
    parser.add_argument("--precisions", default="fp32,tf32,bf16")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--compile-mode", default="max-autotune")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--markdown", default="")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    args.threads, args.processor_time = len(os.sched_getaffinity(0)), False
    return args


def cases_of(args, batches, workloads):
    names = args.workloads.split(",") if args.workloads else [name for name in workloads if name in batches]
    return [(name, mode, precision, args.batch or batches[name]) for precision in args.precisions.split(",") for name in names
            for mode in args.modes.split(",") if not (mode == "train" and workloads[name].infer_only)]


def main():
    if "--serve" in sys.argv[1:]:
        return serve(sys.argv[1:])
    args = parse(sys.argv[1:])
    started = time.monotonic()
    import torch
    from torch_models import WORKLOADS
    if reason := single.refusal(torch, args.device):
        print(reason, file=sys.stderr)
        return 2
    cases, left_out, ratios = cases_of(args, single.batches_of_zoo(), WORKLOADS), [], []
    print(f"PyTorch {torch.__version__}, {single.describe(torch, args)}, torch.compile {args.compile_mode}; medians of {args.rounds} interleaved rounds, {len(cases)} cases")
    for first in range(0, len(cases), args.jobs):
        sides = [Side(case, args) for case in cases[first:first + args.jobs]] if time.monotonic() - started < args.seconds else []
        left_out += [] if sides else cases[first:first + args.jobs]
        ready = [side for side in sides if side.wait()]
        left_out += [side.case for side in sides if side not in ready]
        for side in ready:
            if time.monotonic() - started > args.seconds:
                left_out.append(side.case)
                continue
            best, timed, theirs, ours, engine = measure(side, args)
            ratios.append(theirs / ours)
            row = [*side.case, f"{theirs * 1e3:.3f}", f"{ours * 1e3:.3f}", f"{theirs / ours:.2f}", best,
                   ", ".join(f"{variant} {seconds * 1e3:.3f}" for variant, seconds in timed.items()),
                   f"{engine.peak_bytes / 2**20:.0f}", f"{engine.seconds_to_start:.1f}"]
            print("{:<16} {:<6} {:<5} {:>5} {:>10} {:>10} {:>6}  {:<22} ({}) {:>6} MiB, ready in {} s".format(*row), flush=True)
            if args.markdown:
                with open(args.markdown, "a") as file:
                    file.write("| " + " | ".join(map(str, row)) + " |\n")
        for side in sides:
            side.close()
    for case in left_out:
        print("not measured:", *case)
    if not ratios:
        return 1
    print(f"geometric mean of the ratios {statistics.geometric_mean(ratios):.2f}, lowest {min(ratios):.2f}")
    return 0 if min(ratios) >= 1 and not left_out else 1


if __name__ == "__main__":
    sys.exit(main())
