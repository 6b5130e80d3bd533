#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the speed of this engine with PyTorch: same device, same number of threads, interleaved runs.

Prints both medians and the ratio (above 1: this engine is faster). PyTorch is tried in eager mode, with channels-last
layout, and with torch.compile in the faster layout (on a GPU with mode="max-autotune", which captures CUDA graphs); the
fastest variant is the peer. It runs in a virtual environment (.venv, created on first use) or with the interpreter
STEELYARD_BENCH_PYTHON.

  compare_pytorch.py [--workloads a,b] [--modes train,infer] [--precision fp32|tf32|bf16|fp16] [--device cpu|cuda|cuda:N]
                     [--threads N] [--rounds N] [--patience SECONDS] [--no-compile] [--ways FILE] [--beside NAME=COMMAND]
                     [--processor-time] [--no-memory] [--markdown FILE]

Each case has a separate process: in a process that has run other networks, PyTorch was up to 1.7 times slower.

On a CPU memory is compared too (unless --no-memory): the engine's peak with the peak growth of a separate PyTorch process,
from before the network is built to after two steps. --markdown appends each row, when it is complete, to a table in FILE.

A case takes --rounds rounds, fewer if they would exceed --patience, but at least two. "Of the fastest" is the ratio of the
fastest measurements of both sides, which is more robust than that of the medians if other programs interfere.

--beside: step_server of another build (e.g. with other libraries) is interleaved with the same PyTorch process; its rows
have the given name. --ways: use the PyTorch variant listed as fastest in the first table of FILE (RESULTS.md) that has the
case, without trying others; cases not listed are tried.

On a GPU both sides run alternately, data are on the device before the timing starts, and a measurement is many steps
between two synchronisations; PyTorch is timed with CUDA events. tf32 and fp16 (with loss scaling) are for GPUs only.

--processor-time: measures CPU time on one thread; more robust than wall-clock time if other programs use the same cores.
"""
import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from bench_python import bench_python  # noqa: E402
from result_rows import HEAD, in_columns, known_ways, report  # noqa: E402

TOP = pathlib.Path(__file__).resolve().parents[3]
BIN = TOP / "build" / os.environ.get("STEELYARD_PRESET", "dev") / "bin"


def peer_python():
    return bench_python("STEELYARD_BENCH_PYTHON", ".venv", ["torch"], ["torch", "numpy"])


class Engine:
    """This engine's steps, in a separate process; with a name and a command those of another build."""

    def __init__(self, workload, mode, batch, args, name="", command=(str(BIN / "step_server"),)):
        self.name = name
        self.column = 1 if args.processor_time else 0
        self.process = subprocess.Popen(
            [*command, workload, mode, str(batch), args.precision, str(args.threads), args.device],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        words = self.process.stdout.readline().split()
        if not words or words[0] != "ready":
            raise RuntimeError(f"{workload} {mode}: this engine did not start")
        self.peak_bytes, self.planned_bytes = int(words[1]), int(words[2])

    def seconds_per_step(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[self.column])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class HostTimer:
    def __init__(self, processor_time):
        self.clock = time.process_time if processor_time else time.perf_counter

    def seconds(self, work):
        start = self.clock()
        work()
        return self.clock() - start


class DeviceTimer:
    """Time from CUDA events, synchronised before and after."""

    def __init__(self, torch):
        self.torch = torch

    def seconds(self, work):
        cuda = self.torch.cuda
        start, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        cuda.synchronize()
        start.record()
        work()
        end.record()
        cuda.synchronize()
        return start.elapsed_time(end) * 1e-3


class Peer:
    """A variant of running the network in PyTorch."""

    def __init__(self, torch, entry, mode, batch, args, variant):
        self.torch, self.entry, self.mode, self.variant = torch, entry, mode, variant
        on_gpu = args.device.startswith("cuda")
        self.timer = DeviceTimer(torch) if on_gpu else HostTimer(args.processor_time)
        torch.manual_seed(1)
        self.model = entry.model().to(args.device)
        self.x, self.y = (tensor.to(args.device) for tensor in entry.batch(batch))
        self.model.train(mode == "train")
        if "channels_last" in variant and self.x.dim() == 4:
            self.model = self.model.to(memory_format=torch.channels_last)
            self.x = self.x.contiguous(memory_format=torch.channels_last)
        self.optimizer = entry.optimizer(self.model.parameters()) if mode == "train" else None
        if "compile" in variant:
            mode_of_gpu = getattr(args, "compile_mode", "max-autotune")
            self.model = torch.compile(self.model, mode=mode_of_gpu) if on_gpu else torch.compile(self.model)
        self.device_type = "cuda" if on_gpu else "cpu"
        self.autocast = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(args.precision)
        self.scaler = torch.amp.GradScaler("cuda") if args.precision == "fp16" and mode == "train" else None

    def step(self):
        torch = self.torch
        with torch.autocast(self.device_type, dtype=self.autocast or torch.bfloat16, enabled=self.autocast is not None):
            if self.mode == "infer":
                with torch.inference_mode():
                    return self.model(self.x)
            self.optimizer.zero_grad(set_to_none=True)
            output = self.model(self.x)
            loss = self.entry.loss(output, self.y)
        (self.scaler.scale(loss) if self.scaler else loss).backward()
        if self.entry.clip:
            if self.scaler:
                self.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.entry.clip)
        if self.scaler:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.optimizer.step()
        return loss

    def seconds_per_step(self, count):
        def work():
            for _ in range(count):
                self.step()

        return self.timer.seconds(work) / count


def steps_for(seconds, target=0.4):
    return max(1, min(10000, round(target / seconds)))


SETTLING = 0.25  # seconds; threads of the side measured last may still spin and keep the CPUs busy
SLOW_STEP = 1.0  # seconds; such a long step is warm after one and measured with one more
FAR_SLOWER = 2.0  # variants whose first step is slower than the best by this factor are dropped


def steps_a_measurement(side):
    """After one warm-up step."""
    if side.seconds_per_step(1) > SLOW_STEP:
        return 1
    return steps_for(side.seconds_per_step(1))


def seconds_to_choose_by(peer, best):
    first = peer.seconds_per_step(1)
    if first > max(SLOW_STEP, FAR_SLOWER * best) and "compile" not in peer.variant:
        return first
    seconds = peer.seconds_per_step(1)
    if seconds > SLOW_STEP:
        return seconds
    peer.seconds_per_step(2)
    return min(peer.seconds_per_step(steps_for(seconds, 0.3)) for _ in range(3))


def fastest_peer(torch, entry, mode, batch, args, known=None):
    """The fastest variant, and its steps per measurement; the layout that is faster in eager mode is compiled."""
    layouts = layouts_of(entry)
    if known is None and len(layouts) == 1 and args.no_compile:
        known = layouts[0]
    if known is not None:
        peer = Peer(torch, entry, mode, batch, args, known)
        peer.seconds_per_step(1)
        return peer, steps_a_measurement(peer)
    best = None

    def attempt(variant):
        nonlocal best
        try:
            peer = Peer(torch, entry, mode, batch, args, variant)
            seconds = seconds_to_choose_by(peer, best[0] if best else float("inf"))
        except Exception as error:  # skip variants that fail
            print(f"  {variant}: {type(error).__name__}: {str(error)[:120]}", file=sys.stderr)
            return
        print(f"  {variant}: {seconds * 1e3:.3f} ms", file=sys.stderr)
        if best is None or seconds < best[0]:
            best = (seconds, peer)

    for layout in layouts:
        attempt(layout)
    if not args.no_compile:
        attempt(compiled(best[1].variant if best else layouts[0]))
    if best is None:
        raise RuntimeError("PyTorch ran this in no way")
    return best[1], steps_for(best[0])


def memory_line(key):
    """VmRSS or VmHWM of this process in bytes."""
    for line in open("/proc/self/status"):
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {key} in /proc/self/status")


def print_growth(torch, entry, args):
    """In a process that has only imported PyTorch."""
    before = memory_line("VmRSS")
    Peer(torch, entry, args.modes, args.batch, args, args.growth_of).seconds_per_step(2)
    print(memory_line("VmHWM") - before)


def growth_of(name, mode, batch, variant, args):
    """PyTorch's peak in bytes; None on a GPU."""
    if args.device != "cpu":
        return None
    output = subprocess.check_output(
        [sys.executable, __file__, "--workloads", name, "--modes", mode, "--batch", str(batch), "--precision", args.precision,
         "--threads", str(args.threads), "--growth-of", variant])
    return int(output.split()[-1])


def layouts_of(entry):
    return ["eager", "channels_last"] if entry.batch(1)[0].dim() == 4 else ["eager"]


def compiled(layout):
    return "compile" if layout == "eager" else "compile_" + layout


def measured_in_turn(rounds, *measures):
    """The measurements of each function, one per round."""
    return tuple(zip(*([measure() for measure in measures] for _ in range(rounds))))


def settled(side, steps):
    """Measures without interference from the other sides, after warming up again."""
    time.sleep(SETTLING)
    if steps > 1:
        side.seconds_per_step(1)
    return side.seconds_per_step(steps)


def rounds_within(args, seconds_a_round):
    return max(min(2, args.rounds), min(args.rounds, int(args.patience / seconds_a_round)))


def compare(torch, name, entry, mode, batch, args):
    """The PyTorch variant, its seconds per step in each round, and those of each engine."""
    engines = [Engine(name, mode, batch, args)]
    engines += [Engine(name, mode, batch, args, title, command) for title, command in args.beside]
    try:
        parameters = sum(p.numel() for p in entry.model().parameters()) - entry.second_biases
        shown = json.loads(subprocess.check_output([str(BIN / "steelyard-cli"), "show", name, "--mode", mode, "--json"]))
        if parameters != shown["parameters"]:
            raise RuntimeError(f"{name}: PyTorch has {parameters} parameters, this engine {shown['parameters']}")
        peer, their_steps = fastest_peer(torch, entry, mode, batch, args, args.ways.get((name, mode, args.precision)))
        turns = [(side, steps_a_measurement(side)) for side in engines]
        turns.insert(0, (peer, their_steps))
        first = [settled(side, steps) for side, steps in turns]
        rounds = rounds_within(args, sum(seconds * steps for seconds, (_, steps) in zip(first, turns)))
        theirs, *ours = measured_in_turn(rounds, *(lambda turn=turn: settled(*turn) for turn in turns))
        return peer.variant, theirs, list(zip(engines, ours))
    finally:
        for engine in engines:
            engine.close()


def named_command(text):
    name, _, command = text.partition("=")
    if not name or not command:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=COMMAND")
    return name, shlex.split(command)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workloads", default="")
    parser.add_argument("--modes", default="train,infer")
    parser.add_argument("--precision", default="fp32", choices=["fp32", "tf32", "bf16", "fp16"])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--patience", type=float, default=120)
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--ways", type=lambda file: known_ways(pathlib.Path(file).read_text()), default={})
    parser.add_argument("--beside", type=named_command, action="append", default=[])
    parser.add_argument("--no-memory", action="store_true")
    parser.add_argument("--processor-time", action="store_true")
    parser.add_argument("--markdown", default="")
    parser.add_argument("--growth-of", default="", help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    if args.device == "cuda":
        args.device = "cuda:0"
    if args.device != "cpu" and not re.fullmatch(r"cuda:\d+", args.device):
        parser.error(f"--device is cpu, cuda or cuda:N, not '{args.device}'")
    if args.device == "cpu" and args.precision in ("tf32", "fp16"):
        parser.error(f"--precision {args.precision} is for --device cuda")
    if args.device != "cpu" and args.processor_time:
        parser.error("--processor-time is for --device cpu")
    if args.processor_time:
        args.threads = 1
    return args


def refusal(torch, device):
    """The reason why PyTorch cannot use the device; None if it can."""
    if device == "cpu":
        return None
    if not torch.cuda.is_available():
        return f"PyTorch {torch.__version__} sees no GPU here: there is nothing to compare with on {device}."
    index = int(device.split(":")[1])
    if index >= torch.cuda.device_count():
        return f"PyTorch sees {torch.cuda.device_count()} GPUs; there is no {device}."
    return None


def describe(torch, args):
    """The measuring conditions, for the heading."""
    if args.device == "cpu":
        return f"{args.threads} threads"
    versions = f"CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}"
    return f"{torch.cuda.get_device_name(args.device)}, {versions}"


def prepare(torch, args):
    torch.set_num_threads(args.threads)
    if args.device == "cpu":
        return
    torch.cuda.set_device(args.device)
    torch.backends.cudnn.benchmark = True
    allowed = args.precision != "fp32"
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


def batches_of_zoo():
    """By workload, as listed by the program."""
    listed = json.loads(subprocess.check_output([str(BIN / "steelyard-cli"), "list", "workloads", "--json"]))["workloads"]
    return {entry["id"]: entry["batch"] for entry in listed}


def ratios_of(name, mode, batch, args):
    """Compares and reports a case; returns the name and the ratio of each build."""
    import torch
    from torch_models import WORKLOADS
    prepare(torch, args)
    variant, theirs, engines = compare(torch, name, WORKLOADS[name], mode, batch, args)
    growth = None if args.no_memory else growth_of(name, mode, batch, variant, args)
    return [(engine.name, report([name, mode, args.precision, batch], variant, theirs, engine, ours, growth, args))
            for engine, ours in engines]


def in_its_own_process(function, *values):
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(function, *values).result()


def main():
    args = parse(sys.argv[1:])
    if os.environ.get("STEELYARD_BENCH_INSIDE") != "1":
        env = dict(os.environ, STEELYARD_BENCH_INSIDE="1")
        os.execve(peer_python(), [peer_python(), *sys.argv], env)

    import torch
    from torch_models import WORKLOADS
    if reason := refusal(torch, args.device):
        print(reason, file=sys.stderr)
        return 2
    prepare(torch, args)
    if args.growth_of:
        return print_growth(torch, WORKLOADS[args.workloads], args)
    batches = batches_of_zoo()
    names = args.workloads.split(",") if args.workloads else [name for name in WORKLOADS if name in batches]
    if strange := [name for name in names if name not in WORKLOADS]:
        print(f"not in torch_models.py: {', '.join(strange)}", file=sys.stderr)
        return 2
    if not args.workloads and (alone := [name for name in batches if name not in WORKLOADS]):
        print(f"without a peer in torch_models.py: {', '.join(alone)}", file=sys.stderr)
    clock = "processor time" if args.processor_time else "wall clock"
    print(f"PyTorch {torch.__version__}, {describe(torch, args)}, {args.precision}, {clock}; medians of {args.rounds} interleaved rounds or fewer")
    print(in_columns(HEAD))
    ratios = {}
    for name in names:
        for mode in args.modes.split(","):
            if mode == "train" and WORKLOADS[name].infer_only:
                continue
            for title, ratio in in_its_own_process(ratios_of, name, mode, args.batch or batches[name], args):
                ratios.setdefault(title, []).append(ratio)
    for title, values in ratios.items():
        print(f"{title + ': ' if title else ''}geometric mean of the ratios {statistics.geometric_mean(values):.2f}, lowest {min(values):.2f}")
    return 0 if min(min(values) for values in ratios.values()) >= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
