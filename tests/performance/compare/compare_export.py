#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares bundled networks with themselves, exported as ONNX and imported again: the two must be equally fast.

Each network has two processes that take turns. Prints both medians and their ratio (above 1: the imported one is slower),
the geometric mean and the largest deviation from 1.

  compare_export.py [--only a,b] [--mode infer|train] [--batch N] [--precision fp32|bf16] [--threads N] [--rounds N]
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import tempfile

import turns

TOP = pathlib.Path(__file__).resolve().parents[3]
BIN = TOP / "build" / os.environ.get("STEELYARD_PRESET", "dev") / "bin"
NETWORKS = "mnist_cnn,resnet18,resnet50,mobilenet_v2,inception_v3,bert_base_128,vit_b16,text_lstm"


def medians(name, file, args):
    sides = []
    try:
        for network in (name, str(file)):
            sides.append(turns.Server([str(BIN / "step_server"), network, args.mode, str(args.batch), args.precision,
                                       str(args.threads)]))
        steps = [turns.steps_a_measurement(side) for side in sides]
        rounds = [[turns.settled(side, count) for side, count in zip(sides, steps)] for _ in range(args.rounds)]
        return [statistics.median(side) for side in zip(*rounds)]
    finally:
        for side in sides:
            side.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=NETWORKS)
    parser.add_argument("--mode", default="infer", choices=["infer", "train"])
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--precision", default="fp32", choices=["fp32", "bf16"])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    ratios = []
    print(f"{'network':20} {'bundled':>14} {'imported':>14} {'ratio':>7}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in args.only.split(","):
            file = pathlib.Path(folder) / f"{name}.onnx"
            subprocess.run([str(BIN / "steelyard-cli"), "show", name, "--onnx", str(file)], check=True, stdout=subprocess.DEVNULL)
            bundled, imported = medians(name, file, args)
            ratios.append(imported / bundled)
            print(f"{name:20} {bundled * 1e3:11.3f} ms {imported * 1e3:11.3f} ms {ratios[-1]:7.3f}", flush=True)
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
    furthest = max(ratios, key=lambda ratio: abs(math.log(ratio)))
    print(f"geometric mean {mean:.3f}, furthest from 1: {furthest:.3f}, {args.mode}, batch {args.batch}, {args.threads} threads")


if __name__ == "__main__":
    main()
