#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes resources/models/language_predictor.json and resources/backtest/language_rows.csv from a fitted speed model.

    convert_language.py FACTS RESOURCES

FACTS contains llm_predictor.json (constants and bands) and llm_predictor_reference.csv (each published row with the
prediction of the final fit, and of a fit without the row's device).
"""

import csv
import json
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


fit = json.loads((FACTS / "llm_predictor.json").read_text(encoding="utf-8"))
decode = fit["decode"]["constants"]
prefill = fit["prefill"]["constants"]
lists = fit["lists"]
STACKS = {
    "llama.cpp CUDA": ("llamacpp_cuda", ["nvidia"]),
    "llama.cpp Metal": ("llamacpp_metal", ["apple"]),
    "llama.cpp ROCm": ("llamacpp_rocm", ["amd", "apu"]),
    "llama.cpp Vulkan": ("llamacpp_vulkan", ["nvidia", "amd", "intel", "apu"]),
    "llama.cpp SYCL": ("llamacpp_sycl", ["intel"]),
    "llama.cpp CPU": ("llamacpp_cpu", ["cpu"]),
    "llama.cpp CPU (tuned)": ("llamacpp_cpu_tuned", ["cpu"]),
    "ik_llama.cpp CPU": ("ik_llamacpp_cpu", ["cpu"]),
    "MLX": ("mlx", ["apple"]),
    "MLC": ("mlc", ["nvidia", "amd"]),
    "OpenVINO GPU": ("openvino_gpu", ["intel", "apu"]),
    "exllama v1": ("exllama", ["nvidia"]),
    "exllamav2": ("exllamav2", ["nvidia"]),
    "AutoAWQ": ("autoawq", ["nvidia"]),
    "gpt-fast": ("gpt_fast", ["nvidia", "amd"]),
    "transformers": ("transformers", ["nvidia", "amd"]),
    "vLLM": ("vllm", ["nvidia", "amd"]),
}
OWN = {"decode_cost": 0.6, "read_share": 0.95, "cache_share": 0.6, "prefill_share": 0.9}
rows = list(csv.DictReader(open(FACTS / "llm_predictor_reference.csv", newline="", encoding="utf-8")))
seen = {}
for r in rows:
    seen.setdefault(r["stack"], set()).add(r["device"])
stacks = []
for n, (i, fam) in STACKS.items():
    s = {"id": i, "title": n, "makers": fam, "devices_seen": len(seen.get(n, ()))}
    if "t_" + n in decode:
        s["layer_microseconds"] = decode["t_" + n]
    if "s_" + n in decode:
        s["bandwidth_factor"] = decode["s_" + n]
    if "c_" + n in decode:
        s["decode_cost"] = decode["c_" + n]
    if "pe_" + n in prefill:
        s["prefill_share"] = prefill["pe_" + n]
    if n in lists["host_bound"]:
        s["host_bound"] = True
    stacks.append(s)
# Chosen by hand for this program's cases (tests/data/language/own_cases.csv), not fitted on published rows.
stacks.append({"id": "steelyard", "title": "Steelyard", "makers": ["cpu"], "devices_seen": 1, **OWN})
stacks.append({"id": "tensorrt_llm", "title": "TensorRT-LLM", "makers": ["nvidia"], "devices_seen": 0})
fam = {}
for f in ("gpu", "metal", "cpu"):
    fam[f] = {
        "bits16": decode["k16_" + f],
        "bits8": decode["k8_" + f],
        "bits4_simple": decode["k40_" + f],
        "bits4_nested": decode["k4k_" + f],
        "cache_share": decode["kv_%s_0" % f],
        "cache_share_flash": decode["kv_%s_1" % f],
    }
prompt_families = {}
REFERENCE_FLOPS = {"cuda": 1e14, "other": 1e14, "metal": 1e13, "cpu": 1e12}
for f in ("cuda", "metal", "cpu", "other"):
    e = {
        "reference_flops": REFERENCE_FLOPS[f],
        "rate_exponent": prefill["pexp_" + f],
        "experts_factor": prefill["pm_" + f],
        "weight_tokens": prefill["n0_" + f],
        "layer_microseconds": prefill["pt_" + f],
    }
    if f == "cpu":
        e.update({"attention_share_ik": prefill["pa_cpu_0"], "attention_share": prefill["pa_cpu_1"], "attention_share_flash": prefill["pa_cpu_2"]})
    else:
        e.update({"attention_share": prefill["pa_%s_0" % f], "attention_share_flash": prefill["pa_%s_1" % f]})
    if "pq_" + f in prefill:
        e["quantised_factor"] = prefill["pq_" + f]
    if "pearly_" + f in prefill:
        e["early_factor"] = prefill["pearly_" + f]
    prompt_families[f] = e
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
BANDS = {
    "AMD and Intel GPU": "amd_intel",
    "Apple GPU": "apple",
    "CPU": "cpu",
    "NVIDIA GDDR": "nvidia_gddr",
    "NVIDIA HBM": "nvidia_hbm",
    "NVIDIA unified": "nvidia_unified",
    "x86 APU": "apu",
    "all": "all",
    "anchored": "anchored",
    "stack unknown": "stack_unknown",
}
out = {
    "format": "steelyard-language-predictor",
    "version": 1,
    "source": "fitted on 1,310 published speeds of language models (resources/backtest/language_rows.csv), device by device left out for the errors",
    "date": "2026-11",
    "decode": {
        "bandwidth_share": {CLASSES[k]: decode["e_" + k] for k in CLASSES},
        "families": fam,
        "slow_on_cpu": decode["kx_cpu"],
        "cpu_layer_microseconds": decode["t_cpu"],
        "cpu_thread_exponent": decode["thr"],
        "cache_share_ik": decode["kv_ik"],
        "llamacpp_hbm": decode["hbm_llama"],
        "hbm_layers": decode["lat_hbm"],
        "expert_layers": decode["lat_moe"],
        "old_chips": decode["c_old"],
        "no_dot4": 4,
        "half_lanes": decode["c_64"],
        "apple_m3": decode["c_m3"],
        "transformers_nf4": decode["t_nf4"],
        "transformers_dequantised": decode["t_deq"],
    },
    "prefill": {
        "families": prompt_families,
        "volta": prefill["pvolta"],
        "bf16_other": prefill["pbf_other"],
        "power_exponent": prefill["ppow"],
        "cpu_bits8": prefill["pq8_cpu"],
        "cpu_bits4_simple": prefill["pq40_cpu"],
        "cpu_bits4_nested": prefill["pq4k_cpu"],
        "cpu_ik": prefill["pq_ik"],
        "cpu_tuned": prefill["pq_tuned"],
        "cpu_slow_x86": prefill["pqxx86_cpu"],
        "cpu_slow_arm": prefill["pqxarm_cpu"],
        "teraflops_per_watt": {k: v for k, v in fit["prefill"]["power_reference"].items()},
    },
    "batch": {"beta": fit["batch"]["beta"], "expert_overlap": fit["batch"]["expert_overlap"]},
    "slow_on_cpu": [w.lower() for w in ["Q4_1", "Q5_0", "Q5_1", "Q5_K_S", "Q5_K_M", "Q6_K"]],
    "stacks": stacks,
    "bands": {
        m: {
            BANDS[k]: {
                "low": v["p10"],
                "median": v["p50"],
                "high": v["p90"],
                **({"rows": v["n"], "coverage": v["coverage"]} if "n" in v else {}),
            }
            for k, v in fit["bands"][m].items()
        }
        for m in ("decode", "prefill")
    },
}
(RESOURCES / "models" / "language_predictor.json").write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")
w = csv.writer(open(RESOURCES / "backtest" / "language_rows.csv", "w", newline="", encoding="utf-8"), lineterminator="\n")
cols = "mode,device,class,bytes_per_second,fp32_flops,matrix_flops,tdp_watts,architecture,threads,cores,stack,model,weights,cost,slow_on_cpu,bf16,nf4,dequantised,year,flash_attention,context,prompt,depth,weight_bytes_read,active_weights,cache_bytes_per_token,layers,cache_layers,heads,kv_heads,head_dimension,window,global_share,experts,active_experts,half_lanes,old,no_dot4,apple_m3,no_power_cap,llamafile,measured,fitted,device_left_out,stack_seen_elsewhere".split(
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
    st = STACKS[r["stack"]][0]
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
            y(r["weights"] in lists["slow_on_cpu"]),
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
            r["stack_seen_elsewhere"],
        ]
    )
