#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes resources/backtest/training_rows.csv: published speeds of training and fine-tuning, per device.

    convert_training.py FACTS RESOURCES

FACTS contains llm_published.csv and the two hardware catalogues. Excluded: rows without a speed or a step length, of
several machines, with 8-bit products, with offloading, with embeddings trained beside adapters, and two of an RTX A6000
above its peak.
"""

import csv
import pathlib
import re
import sys

FACTS, RESOURCES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

# Layers, width, parameters without the input embedding (a tied one is the head and counts).
SHAPES = {
    "Qwen-1.8B": (24, 2048, 1.84e9 - 0.311e9),
    "Qwen-7B": (32, 4096, 7.72e9 - 0.622e9),
    "Qwen-14B": (40, 5120, 14.17e9 - 0.778e9),
    "Qwen-72B": (80, 8192, 72.3e9 - 1.245e9),
    "Llama-3.1-8B": (32, 4096, 8.0303e9 - 0.5253e9),
    "Llama-2-7B": (32, 4096, 6.7384e9 - 0.1311e9),
    "Mistral-7B": (32, 4096, 7.2417e9 - 0.1311e9),
    "Llama-3.2-3B": (28, 3072, 3.2127e9),
}
MPT = {
    "MPT-125m": (12, 768),
    "MPT-350m": (24, 1024),
    "MPT-760m": (24, 1536),
    "MPT-1b": (24, 2048),
    "MPT-3b": (32, 2560),
    "MPT-7b": (32, 4096),
    "MPT-13b": (40, 5120),
    "MPT-30b": (48, 7168),
    "MPT-70b": (64, 8192),
}
METHODS = {"train": "full", "finetune_lora": "lora", "finetune_qlora": "qlora"}

hardware = {}
for name in ("hardware_catalog.csv", "hardware_catalog_2026.csv"):
    for entry in csv.DictReader(open(FACTS / name, newline="", encoding="utf-8")):
        hardware[entry["id"]] = entry


def described(row):
    """Values that the row takes from its source: stack, device, sequence, tokens per step, steps per update, checkpointing."""
    backend, device, note = row["backend"], row["device"], row["note"]
    base = "bits16"
    if backend == "transformers+peft+DeepSpeed" and "emb" not in row["quant"]:
        length = int(row["prompt_len"])
        base = "groups4" if row["quant"] == "INT4" else base
        return "transformers", device, length, length, 8, True, base, 1
    if backend.startswith("LLaMA-Factory") and device.startswith("A100"):
        base = "nf4" if row["quant"] == "NF4" else base
        stack = "unsloth" if "unsloth" in backend else "transformers"
        return stack, "a100_sxm_80", 1024, 4096, 2, True, base, 1
    if backend == "torchtune" and row["n_devices"] == "1" and device != "rtxa6000":
        if any(word in note for word in ("baseline", "offloading", "8-bit", "packed dataset")):
            return None
        device = "a100_sxm_80" if device.startswith("A100") else device
        base = "nf4" if row["quant"] == "NF4" else base
        length = int(row["prompt_len"])
        stored = row["mode"] == "train" and ("+compile" in note or "chunked" in note)
        return "torchtune", device, length, length * int(row["batch"]), 1, not stored, base, 1
    if backend.startswith("llm-foundry") and row["n_devices"] == "8" and row["quant"] == "BF16":
        length = int(row["prompt_len"])
        piece = int(re.search(r"microbatch (\d+)", note).group(1))
        updates = max(1, round(int(row["batch"]) / 8 / piece))
        return "llm_foundry", device, length, length * piece, updates, "act ckpt True" in note, base, 1
    if backend == "MLX" and "M2" in device:
        return "mlx", "apple_m2ultra76", 512, 2048, 1, False, base, 0.5
    if backend == "MLX":
        return "mlx", "apple_m1max32", 512, 512, 1, False, "mlx4", 4 / 32
    return None


def plain(number):
    return repr(int(number)) if number == int(number) else repr(number)


with open(RESOURCES / "backtest" / "training_rows.csv", "w", newline="", encoding="utf-8") as target:
    out = csv.writer(target, lineterminator="\n")
    out.writerow(
        "device,maker,training_flops,bytes_per_second,stack,model,method,base,layers,width,weights,adapted_share,sequence,"
        "step_tokens,steps_per_update,checkpointing,measured,date,source".split(",")
    )
    for row in csv.DictReader(open(FACTS / "llm_published.csv", newline="", encoding="utf-8")):
        if row["mode"] not in METHODS or not row["tokens_per_s"]:
            continue
        found = described(row)
        if found is None:
            continue
        stack, device, length, step, updates, checkpointing, base, adapted = found
        speed = float(row["tokens_per_s"])
        if row["model"] in SHAPES:
            layers, width, weights = SHAPES[row["model"]]
        else:
            layers, width = MPT[row["model"]]
            weights = float(row["params_b"]) * 1e9 - length * width  # learned positions are not a matrix
            speed /= 8
        entry = hardware[device]
        rate = float(entry["bf16_tflops"] or entry["fp16_tflops"])
        out.writerow(
            [
                device,
                "apple" if stack == "mlx" else "nvidia",
                plain(round(rate * 1e12)),
                plain(round(float(entry["bandwidth_gbs"]) * 1e9)),
                stack,
                row["model"],
                METHODS[row["mode"]],
                base,
                layers,
                width,
                plain(round(weights)),
                plain(adapted),
                length,
                step,
                updates,
                int(checkpointing),
                plain(speed),
                row["date"],
                row["source"],
            ]
        )
