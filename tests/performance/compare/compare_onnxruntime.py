#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares inference of ONNX models with ONNX Runtime on the CPU: interleaved runs, same number of threads.

Prints both medians, their ratio (above 1: this engine is faster), the geometric mean and the lowest. Each model has two
processes, one per side, which end before the next model: step_server and a Python interpreter with PyPI's onnxruntime,
onnx and numpy. The interpreter is STEELYARD_BENCH_PYTHON, or that of .venv-onnx, created on first use.

  compare_onnxruntime.py FOLDER... [--threads N] [--precision fp32|bf16] [--rounds N] [--patience SECONDS] [--only a,b]
                         [--markdown FILE]

FOLDER contains a model as in the ONNX project's test data (model.onnx and test_data_set_0/input_i.pb), or several such
folders. Shapes are those of the inputs; scalar inputs become constants of the graph. Weights are those of the file. ONNX
Runtime uses all graph optimisations (ORT_ENABLE_ALL) and one inter-op thread. bf16 applies to this engine only: ONNX
Runtime uses the types in the file. Models refused by this engine are listed and skipped.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

import turns
from bench_python import bench_python

TOP = pathlib.Path(__file__).resolve().parents[3]
BIN = TOP / "build" / os.environ.get("STEELYARD_PRESET", "dev") / "bin"


def peer_python():
    return bench_python("STEELYARD_BENCH_PYTHON", ".venv-onnx", ["onnx", "onnxruntime"], ["onnx", "onnxruntime", "numpy"])


def serve(folder, threads):
    """The ONNX Runtime side; runs in the interpreter of peer_python()."""
    import onnx
    import onnxruntime
    from onnx import numpy_helper

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    wanted = [one.name for one in session.get_inputs()]
    inputs = {}
    for i in range(len(wanted)):
        tensor = onnx.load_tensor(str(folder / "test_data_set_0" / f"input_{i}.pb"))
        inputs[tensor.name if tensor.name in wanted else wanted[i]] = numpy_helper.to_array(tensor)
    session.run(None, inputs)
    turns.serve_steps(lambda: session.run(None, inputs))


def print_options(folder):
    """Prints the options of this engine's name for the model, one per line; runs in the interpreter of peer_python()."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(folder / "model.onnx"), load_external_data=False)
    constants = {one.name for one in model.graph.initializer}
    names = [one.name for one in model.graph.input if one.name not in constants]
    print("weights=file")
    for i, name in enumerate(names):
        file = folder / "test_data_set_0" / f"input_{i}.pb"
        if not file.exists():
            continue
        tensor = onnx.load_tensor(str(file))
        values = numpy_helper.to_array(tensor)
        name = tensor.name if tensor.name in names else name
        if values.ndim == 0:
            print(f"value.{name}={values.item()}")
        else:
            print(f"shape.{name}={'x'.join(map(str, values.shape))}")


def models_in(folders, only):
    found = []
    for folder in map(pathlib.Path, folders):
        found += [folder] if (folder / "model.onnx").exists() else sorted(p.parent for p in folder.glob("*/model.onnx"))
    return [one.resolve() for one in found if not only or one.name in only]


def compare(folder, python, args):
    """Seconds per step in each round: ONNX Runtime and this engine."""
    options = subprocess.check_output([python, __file__, "--options-of", str(folder)], text=True).split("\n")
    name = f"{folder / 'model.onnx'}({','.join(option for option in options if option)})"
    sides = []
    try:
        sides.append(turns.Server([str(BIN / "step_server"), name, "infer", "0", args.precision, str(args.threads)]))
        sides.insert(0, turns.Server([python, __file__, "--serve", str(folder), "--threads", str(args.threads)]))
        steps = [turns.steps_a_measurement(side) for side in sides]
        start = time.monotonic()
        rounds = []
        while len(rounds) < args.rounds and (len(rounds) < 2 or time.monotonic() - start < args.patience):
            rounds.append([turns.settled(side, count) for side, count in zip(sides, steps)])
        return tuple(zip(*rounds))
    finally:
        for side in sides:
            side.close()


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--precision", default="fp32", choices=["fp32", "bf16"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--patience", type=float, default=30)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--markdown", default="")
    parser.add_argument("--serve", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--options-of", type=pathlib.Path, help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    if args.serve:
        return serve(args.serve, args.threads)
    if args.options_of:
        return print_options(args.options_of)
    models = models_in(args.folders, args.only)
    if not models:
        parser.error("no model.onnx is there")
    python = peer_python()
    rows, ratios = ["| model | ONNX Runtime | this engine | ratio |", "|---|---:|---:|---:|"], []
    print(f"{'model':40} {'ONNX Runtime':>14} {'this engine':>14} {'ratio':>7}", flush=True)
    for folder in models:
        try:
            theirs, ours = (statistics.median(side) for side in compare(folder, python, args))
        except RuntimeError as error:
            print(f"{folder.name:40} left out: {str(error)[:160]}", flush=True)
            continue
        ratios.append(theirs / ours)
        print(f"{folder.name:40} {theirs * 1e3:11.3f} ms {ours * 1e3:11.3f} ms {theirs / ours:7.2f}", flush=True)
        rows.append(f"| {folder.name} | {theirs * 1e3:.3f} ms | {ours * 1e3:.3f} ms | {theirs / ours:.2f} |")
    if ratios:
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        print(f"geometric mean {mean:.2f}, lowest {min(ratios):.2f}, of {len(ratios)} models, {args.threads} threads")
    if args.markdown:
        with open(args.markdown, "a") as file:
            file.write("\n".join(rows) + "\n")
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
