#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of this engine against PyTorch on the same device with the same threads, interleaved in one run.

Prints both medians and the ratio (above 1: this engine is faster). PyTorch is tried eager, channels-last and with
torch.compile, and the fastest is the peer. It runs in a virtual environment of its own (.venv; made on first use), or with
the interpreter that STEELYARD_BENCH_PYTHON names.

  compare_pytorch.py [--workloads a,b] [--modes train,infer] [--precision fp32|bf16] [--threads N] [--rounds N] [--no-compile]
                     [--processor-time]

--processor-time: on one thread, and by the time the processor spent on it; says more than the clock on the wall where
other programs want the same cores.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
BIN = TOP / "build" / os.environ.get("STEELYARD_PRESET", "dev") / "bin"


def bench_python():
    named = os.environ.get("STEELYARD_BENCH_PYTHON")
    if named:
        return named
    python = TOP / ".venv" / "bin" / "python"
    if not python.exists():
        print("making .venv with PyTorch (once)", file=sys.stderr)
        subprocess.check_call([sys.executable, "-m", "venv", str(TOP / ".venv")])
        subprocess.check_call([str(python), "-m", "pip", "install", "--quiet", "torch", "numpy"])
    return str(python)


class Engine:
    """This engine's steps, in a process of its own."""

    def __init__(self, workload, mode, batch, precision, threads, processor_time):
        self.column = 1 if processor_time else 0
        self.process = subprocess.Popen(
            [str(BIN / "step_server"), workload, mode, str(batch), precision, str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        words = self.process.stdout.readline().split()
        if not words or words[0] != "ready":
            raise RuntimeError(f"{workload} {mode}: this engine did not start")
        self.peak_bytes = int(words[1])

    def seconds_per_step(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[self.column])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Peer:
    """One way of running the same network in PyTorch."""

    def __init__(self, torch, entry, mode, batch, precision, variant, processor_time):
        self.clock = time.process_time if processor_time else time.perf_counter
        self.torch, self.entry, self.mode, self.variant = torch, entry, mode, variant
        torch.manual_seed(1)
        self.model = entry.model()
        self.x, self.y = entry.batch(batch)
        self.model.train(mode == "train")
        if "channels_last" in variant and self.x.dim() == 4:
            self.model = self.model.to(memory_format=torch.channels_last)
            self.x = self.x.contiguous(memory_format=torch.channels_last)
        self.optimizer = entry.optimizer(self.model.parameters()) if mode == "train" else None
        if "compile" in variant:
            self.model = torch.compile(self.model)
        self.autocast = precision == "bf16"

    def step(self):
        torch = self.torch
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.autocast):
            if self.mode == "infer":
                with torch.inference_mode():
                    return self.model(self.x)
            self.optimizer.zero_grad(set_to_none=True)
            output = self.model(self.x)
            loss = self.entry.loss(output, self.y)
        loss.backward()
        if self.entry.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.entry.clip)
        self.optimizer.step()
        return loss

    def seconds_per_step(self, count):
        start = self.clock()
        for _ in range(count):
            self.step()
        return (self.clock() - start) / count


def steps_for(seconds, target=0.4):
    return max(1, min(1000, round(target / seconds)))


def fastest_peer(torch, entry, mode, batch, args, variants):
    best = None
    for variant in variants:
        try:
            peer = Peer(torch, entry, mode, batch, args.precision, variant, args.processor_time)
            peer.seconds_per_step(3)
            seconds = min(peer.seconds_per_step(steps_for(peer.seconds_per_step(2), 0.3)) for _ in range(3))
        except Exception as error:  # a variant that cannot run is no peer
            print(f"  {variant}: {type(error).__name__}: {str(error)[:120]}", file=sys.stderr)
            continue
        if best is None or seconds < best[0]:
            best = (seconds, peer)
    return best[1]


def compare(torch, name, entry, mode, batch, args):
    variants = ["eager", "channels_last"] + ([] if args.no_compile else ["compile", "compile_channels_last"])
    engine = Engine(name, mode, batch, args.precision, args.threads, args.processor_time)
    try:
        parameters = sum(p.numel() for p in entry.model().parameters()) - entry.second_biases
        shown = json.loads(subprocess.check_output([str(BIN / "steelyard-cli"), "show", name, "--json"]))
        if parameters != shown["parameters"]:
            raise RuntimeError(f"{name}: PyTorch has {parameters} parameters, this engine {shown['parameters']}")
        peer = fastest_peer(torch, entry, mode, batch, args, variants)
        ours, theirs = [], []
        engine.seconds_per_step(3)
        our_steps, their_steps = steps_for(engine.seconds_per_step(3)), steps_for(peer.seconds_per_step(3))
        for _ in range(args.rounds):
            theirs.append(peer.seconds_per_step(their_steps))
            ours.append(engine.seconds_per_step(our_steps))
        return peer.variant, statistics.median(theirs), statistics.median(ours), engine.peak_bytes
    finally:
        engine.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workloads", default="")
    parser.add_argument("--modes", default="train,infer")
    parser.add_argument("--precision", default="fp32", choices=["fp32", "bf16"])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--processor-time", action="store_true")
    args = parser.parse_args()
    if args.processor_time:
        args.threads = 1
    if os.environ.get("STEELYARD_BENCH_INSIDE") != "1":
        env = dict(os.environ, STEELYARD_BENCH_INSIDE="1")
        os.execve(bench_python(), [bench_python(), *sys.argv], env)

    import torch
    from torch_models import WORKLOADS
    torch.set_num_threads(args.threads)
    listed = json.loads(subprocess.check_output([str(BIN / "steelyard-cli"), "list", "workloads", "--json"]))["workloads"]
    batches = {entry["id"]: entry["batch"] for entry in listed}
    names = args.workloads.split(",") if args.workloads else [name for name in WORKLOADS if name in batches]
    print(f"PyTorch {torch.__version__}, {args.threads} threads, {args.precision}, {'processor time' if args.processor_time else 'wall clock'}; medians of {args.rounds} interleaved rounds")
    print(f"{'workload':<18}{'mode':<7}{'batch':>6}{'PyTorch ms':>12}{'Steelyard ms':>14}{'ratio':>8}  {'peer':<22}{'peak MiB':>9}")
    ratios = []
    for name in names:
        for mode in args.modes.split(","):
            batch = args.batch or batches[name]
            variant, theirs, ours, peak = compare(torch, name, WORKLOADS[name], mode, batch, args)
            ratios.append(theirs / ours)
            print(f"{name:<18}{mode:<7}{batch:>6}{theirs * 1e3:>12.3f}{ours * 1e3:>14.3f}{theirs / ours:>8.2f}  {variant:<22}{peak / 2**20:>9.0f}",
                  flush=True)
    print(f"geometric mean of the ratios {statistics.geometric_mean(ratios):.2f}, lowest {min(ratios):.2f}")
    return 0 if min(ratios) >= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
