#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the synthetic readings beside it: windows of sampling of known machines, for machine_state_test.cpp and its
neighbours. They are drawn, with fixed seeds, after what was measured on 2026-11-24 on two virtual CPUs of an AMD EPYC
"Zen 5" (the table STATES below); they are no recordings. Run it to write them again: the result is the same.

Columns: case, visit, round trip of a cache line before and after the window (ns), processors taken by others and by the
hypervisor during it, GPU clock (MHz) and whether it was throttled, seconds per step (median of the window). Empty: not
read.
"""
import math
import pathlib
import random

HERE = pathlib.Path(__file__).parent
TOGETHER, APART = 0, 1
# Seconds per step with the CPUs together and apart.
STATES = {
    "mnist_mlp train": (2.1e-3, 3.3e-3),
    "paradnn_fc train": (10.5e-3, 14.7e-3),
    "mnist_cnn train": (28.5e-3, 40e-3),
    "mobilenet_v2 infer": (14.5e-3, 19e-3),
    "memory_bandwidth": (13.6e-3, 9.3e-3),
}
ROUND_TRIP = ((48, 57), (318, 345))  # ns, smallest and largest seen
VISIT_NOISE = {"mnist_mlp train": 0.02, "paradnn_fc train": 0.015, "mnist_cnn train": 0.025, "mobilenet_v2 infer": 0.03,
               "memory_bandwidth": 0.04}  # within a state: 1 to 5 %
WINDOW_NOISE = 0.007


def noisy(random_state, value, deviation):
    return value * math.exp(random_state.gauss(0, deviation))


def write(name, about, rows):
    with open(HERE / name, "w", encoding="utf-8") as file:
        file.write(f"# Synthetic, by make_readings.py: {about}\n")
        file.write("case,visit,round_trip_before_ns,round_trip_after_ns,other_cpus,stolen_cpus,gpu_mhz,gpu_throttled,"
                   "seconds\n")
        for row in rows:
            file.write(",".join("" if value is None else value if isinstance(value, str) else f"{value:.6g}"
                                for value in row) + "\n")


def two_states():
    """24 visits of each case in turn; the machine changes its state every 15 to 75 seconds, rarely within a window."""
    draw = random.Random(1)
    rows, state, left = [], TOGETHER, 80
    for visit in range(24):
        for case, seconds in STATES.items():
            level = draw.gauss(0, VISIT_NOISE[case])
            for _ in range(3):
                before = draw.uniform(*ROUND_TRIP[state])
                share = 1.0 if state == TOGETHER else 0.0  # of the window spent together
                left -= 1
                if left == 0:
                    state, left = 1 - state, draw.randint(60, 300)
                    share = draw.uniform(0.2, 0.8)
                time = share * seconds[TOGETHER] + (1 - share) * seconds[APART]
                rows.append((case, visit, before, draw.uniform(*ROUND_TRIP[state]), abs(draw.gauss(0, 0.01)), 0.0, None,
                             None, noisy(draw, time * math.exp(level), WINDOW_NOISE)))
    write("two_states.csv", "two CPUs that the host moves together and apart", rows)


def quiet():
    draw = random.Random(2)
    rows = []
    for visit in range(12):
        for case, seconds in STATES.items():
            level = draw.gauss(0, 0.5 * VISIT_NOISE[case])
            for _ in range(3):
                rows.append((case, visit, draw.uniform(48, 57), draw.uniform(48, 57), abs(draw.gauss(0, 0.005)), 0.0,
                             None, None, noisy(draw, seconds[TOGETHER] * math.exp(level), WINDOW_NOISE)))
    write("quiet.csv", "one state, nothing else running", rows)


def drifting():
    """The round trip grows by half and the step by 8 % over 36 windows, without a jump: a clock that sinks."""
    draw = random.Random(3)
    rows = []
    for window in range(36):
        grown = window / 35
        rows.append(("mnist_mlp train", window // 3, noisy(draw, 50 * (1 + 0.5 * grown), 0.02),
                     noisy(draw, 50 * (1 + 0.5 * (window + 1) / 36), 0.02), abs(draw.gauss(0, 0.01)), 0.0, None, None,
                     noisy(draw, 2.1e-3 * (1 + 0.08 * grown), WINDOW_NOISE)))
    write("drifting.csv", "one state that drifts", rows)


def neighbour():
    """Another process takes a CPU for ten seconds, which are 40 windows of 108; steps take twice as long meanwhile."""
    draw = random.Random(4)
    rows = []
    for window in range(108):
        busy = 30 <= window < 70
        rows.append(("mnist_cnn train", window // 12, draw.uniform(48, 57), draw.uniform(48, 57),
                     noisy(draw, 0.9, 0.05) if busy else abs(draw.gauss(0, 0.01)), 0.0, None, None,
                     noisy(draw, 28.5e-3 * (2.0 if busy else 1.0), 0.1 if busy else WINDOW_NOISE)))
    write("neighbour.csv", "a neighbour for ten seconds", rows)


def throttling_gpu():
    """A GPU whose clock falls from 1980 to 1410 MHz for heat after 20 of 36 windows, and says so."""
    draw = random.Random(5)
    rows = []
    for window in range(36):
        slow = window >= 20
        clock = 1410 if slow else 1980
        rows.append(("resnet50 train", window // 6, None, None, None, None, clock, 1 if slow else 0,
                     noisy(draw, 95e-3 * 1980 / clock, 0.003)))
    write("throttling_gpu.csv", "a GPU that is throttled for heat", rows)


if __name__ == "__main__":
    two_states()
    quiet()
    drifting()
    neighbour()
    throttling_gpu()
