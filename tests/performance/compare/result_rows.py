#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows of compare_pytorch.py: printing, storing in RESULTS.md, and looking up the PyTorch variants in such a file."""
import statistics

HEAD = ["workload", "mode", "precision", "batch", "PyTorch ms", "Steelyard ms", "ratio", "of the fastest", "peer", "rounds",
        "planned MiB", "peak MiB", "PyTorch MiB"]
WIDTHS = [18, 6, 9, 6, 11, 12, 6, 14, 22, 6, 11, 8, 11]


def in_columns(cells):
    return " ".join(f"{cell:<{width}}" if isinstance(cell, str) and not cell[:1].isdigit() else f"{cell:>{width}}"
                    for cell, width in zip(cells, WIDTHS))


def report(case, peer, theirs, engine, ours, growth, args):
    """Prints the row of a case and returns its ratio; one Markdown file per build."""
    mebibytes = lambda count: "-" if count is None else f"{count / 2**20:.0f}"  # noqa: E731
    theirs_middle, ours_middle = statistics.median(theirs), statistics.median(ours)
    row = [*case, f"{theirs_middle * 1e3:.3f}", f"{ours_middle * 1e3:.3f}", f"{theirs_middle / ours_middle:.2f}",
           f"{min(theirs) / min(ours):.2f}", peer, str(len(ours)), mebibytes(engine.planned_bytes), mebibytes(engine.peak_bytes),
           mebibytes(growth)]
    print(in_columns(row), engine.name, flush=True)
    if args.markdown:
        with open(args.markdown + ("." + engine.name if engine.name else ""), "a") as file:
            file.write("| " + " | ".join(map(str, row)) + " |\n")
    return theirs_middle / ours_middle


def known_ways(text):
    """By workload, mode and precision: the peer in the first row of the Markdown tables with columns for all four.
    The first section of such a file is the latest."""
    ways, head = {}, []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells or set("".join(cells)) <= set("-: "):
            head = head if cells else []
        elif not head:
            head = cells
        elif {"workload", "mode", "precision", "peer"} <= set(head) and len(cells) == len(head):
            row = dict(zip(head, cells))
            ways.setdefault((row["workload"], row["mode"], row["precision"]), row["peer"])
    return ways
