#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes resources/backtest/language_rows.csv from published speeds of language models.

    convert_language.py FACTS RESOURCES

FACTS contains llm_predictor_reference.csv: each published row with the figures of its device and model, and the
prediction by the first fit of the model (column fitted, for the test of the formulas). Then run fit_language, which
fits the constants and replaces the predictions with the device and the software left out.
"""

import csv
import pathlib
import sys

FACTS, RESOURCES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def bits(weights):
    """The unpacking constant of a weight format."""
    if weights in ("F16", "BF16", "FP16", "F32"):
        return "16"
    if weights in ("Q8_0", "8-bit", "INT8", "INT8-CW", "GPTQ8", "Q8_K_XL", "Q8R16"):
        return "8"
    return "40" if weights in ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "IQ4_NL", "MXFP4", "4bit", "4-bit") else "4k"


SLOW_ON_CPU = "Q4_1 Q5_0 Q5_1 Q5_K_S Q5_K_M Q6_K Q3_K_S Q3_K_M Q2_K Q2_K_S IQ4_XS".split() + ["IQ4_XS (experts), Q5_K attention, Q6_K output"]
STACKS = {
    "llama.cpp CUDA": "llamacpp_cuda",
    "llama.cpp Metal": "llamacpp_metal",
    "llama.cpp ROCm": "llamacpp_rocm",
    "llama.cpp Vulkan": "llamacpp_vulkan",
    "llama.cpp SYCL": "llamacpp_sycl",
    "llama.cpp CPU": "llamacpp_cpu",
    "llama.cpp CPU (tuned)": "llamacpp_cpu_tuned",
    "ik_llama.cpp CPU": "ik_llamacpp_cpu",
    "MLX": "mlx",
    "MLC": "mlc",
    "OpenVINO GPU": "openvino_gpu",
    "exllama v1": "exllama",
    "exllamav2": "exllamav2",
    "AutoAWQ": "autoawq",
    "gpt-fast": "gpt_fast",
    "transformers": "transformers",
    "vLLM": "vllm",
}
rows = list(csv.DictReader(open(FACTS / "llm_predictor_reference.csv", newline="", encoding="utf-8")))
CLASSES = {
    "cuda_gddr": "nvidia_gddr",
    "cuda_hbm": "nvidia_hbm",
    "cuda_unified": "nvidia_unified",
    "amd": "amd",
    "amd_hbm": "amd_hbm",
    "intel": "intel",
    "unified": "apu",
    "metal": "apple",
    "cpu_x86": "cpu_x86",
    "cpu_arm": "cpu_arm",
}
w = csv.writer(open(RESOURCES / "backtest" / "language_rows.csv", "w", newline="", encoding="utf-8"), lineterminator="\n")
cols = "mode,device,class,bytes_per_second,fp32_flops,matrix_flops,tdp_watts,architecture,threads,cores,stack,model,weights,cost,slow_on_cpu,bf16,nf4,dequantised,year,flash_attention,context,prompt,depth,weight_bytes_read,active_weights,cache_bytes_per_token,layers,cache_layers,heads,kv_heads,head_dimension,window,global_share,experts,active_experts,half_lanes,old,no_dot4,apple_m3,no_power_cap,llamafile,measured,fitted,device_left_out,software_left_out,stack_seen_elsewhere".split(
    ","
)
w.writerow(cols)


def num(x):
    x = float(x or 0)
    return repr(int(x)) if x == int(x) else repr(x)


for r in rows:
    b = bits(r["weights"])
    if r["stack"] == "MLX" and b == "4k":
        b = "40"
    fl = r["flags"].split(";")
    y = lambda c: 1 if c else 0
    st = STACKS[r["stack"]]
    cost = {"16": "bits16", "8": "bits8", "40": "bits4_simple", "4k": "bits4_nested"}[b]
    w.writerow(
        [
            r["mode"],
            r["device"],
            CLASSES[r["class"]],
            num(float(r["bandwidth_gbs"]) * 1e9),
            num(round(float(r["fp32_tflops"]) * 1e12)),
            num(round(float(r["fp16_tflops"]) * 1e12)),
            num(r["tdp_w"]),
            r["arch"],
            num(r["threads"]),
            num(r["cores"]),
            st,
            r["model"],
            r["weights"],
            cost,
            y(r["weights"] in SLOW_ON_CPU),
            y(r["weights"] == "BF16"),
            y(r["weights"].startswith("NF4")),
            y(r["weights"] in ("INT8", "GPTQ8", "AWQ4")),
            r["year"],
            r["flash_attention"],
            num(r["context"]),
            num(r["prompt"]),
            num(r["depth"]),
            num(r["weight_bytes_read"]),
            num(r["active_weights"]),
            num(r["kv_bytes_per_token"]),
            num(r["layers"]),
            num(r["cache_layers"]),
            num(r["heads"]),
            num(r["kv_heads"]),
            num(r["head_dim"]),
            num(r["window"]),
            r["global_share"],
            num(r["experts"]),
            num(r["active_experts"]),
            y("lanes64" in fl),
            y("old" in fl),
            y("no_dot4" in fl),
            y("apple3" in fl),
            y("no_power_cap" in fl),
            y("llamafile" in fl),
            r["measured"],
            r["pred_fit"],
            r["pred_device_left_out"],
            r["pred_device_left_out"],
            r["stack_seen_elsewhere"],
        ]
    )
