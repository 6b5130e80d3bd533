#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the data of the predictor and its back-test: resources/catalog/predictor_parameters.json and resources/backtest.

    convert_predictor.py FACTS RESOURCES --collected 2026-11-20 [--golden tests/data]

FACTS contains predictor_*.json and .csv and published_speeds.csv. Run fit_predictor afterwards: the shipped constants,
factors and bands are from its fit, and are kept if the file exists. The constants and predictions of the fit in FACTS are
written to --golden, to test the port of the model's formulas.
"""
import argparse
import collections
import csv
import json
import pathlib

import convert_catalog
import published_networks

CONSTANTS = {
    "conv1x1_on_16_bit": "ec1_16", "conv_on_16_bit": "eck_16", "conv3x3_on_16_bit": "ecw_16", "matmul_on_16_bit": "eg_16",
    "batched_matmul_on_16_bit": "eb_16", "conv1x1_on_fp32": "ec1_32", "conv_on_fp32": "eck_32", "conv3x3_on_fp32": "ecw_32",
    "matmul_on_fp32": "eg_32", "batched_matmul_on_fp32": "eb_32", "recurrent": "er", "tf32_ratio": "r_tf", "elementwise_bandwidth": "e_bw",
    "matrix_bandwidth": "e_bwm", "depthwise_bandwidth": "e_dw", "launch_seconds": "tau", "launch_per_multiprocessor": "sm0",
    "eager_dispatch_seconds": "disp", "graph_dispatch_seconds": "dispg", "power_exponent": "pw", "half_channels": "n0", "half_reduction": "k0",
    "fused_traffic": "phi",
}
# name in the facts -> (name, title, dispatch, fused, fused attention)
STACKS = {
    "timm-nchw": ("timm-nchw", "PyTorch 1.13-2.9, AMP, channels first (timm)", "eager", False, True),
    "timm-nhwc": ("timm-nhwc", "PyTorch 1.13-2.4, AMP, channels last (timm)", "eager", False, True),
    "timm-dynamo": ("timm-dynamo", "PyTorch 2.9, compiled (timm)", "eager", True, True),
    "timm-train": ("timm-train", "PyTorch 1.12, AMP training, channels first (timm)", "eager", False, True),
    "timm-train-nhwc": ("timm-train-nhwc", "PyTorch 1.12, AMP training, channels last (timm)", "eager", False, True),
    "ngc20": ("ngc20", "PyTorch, NVIDIA containers, 2020-22", "eager", False, False),
    "ngc22": ("ngc22", "PyTorch, NVIDIA containers, 2022-25", "eager", False, False),
    "pt1": ("pt1", "PyTorch 1.x, 2020", "eager", False, False),
    "pt1-old": ("pt1-old", "PyTorch before 1.0", "eager", False, False),
    "dle-pytorch": ("dle-pytorch", "NVIDIA examples, PyTorch", "eager", False, False),
    "dle-mxnet": ("dle-mxnet", "NVIDIA examples, MXNet", "graph", False, False),
    "dle-tensorflow1": ("dle-tensorflow1", "NVIDIA examples, TensorFlow 1", "graph", False, False),
    "dle-tensorflow1-xla": ("dle-tensorflow1-xla", "NVIDIA examples, TensorFlow 1 with XLA", "graph", True, False),
    "tlkh": ("tf2", "TensorFlow 2, AMP, 2021", "graph", False, False),
    "u39-pytorch": ("u39-pytorch", "PyTorch, 2017-18", "eager", False, False),
    "u39-pytorchnew": ("u39-pytorchnew", "PyTorch, 2018-19", "eager", False, False),
    "u39-tensorflow": ("u39-tensorflow", "TensorFlow 1, 2017-18", "graph", False, False),
    "u39-tensorflownew": ("u39-tensorflownew", "TensorFlow 1, 2018-19", "graph", False, False),
    "torch7-c4": ("torch7-c4", "Torch7, cuDNN 4", "eager", False, False),
    "torch7-c5": ("torch7-c5", "Torch7, cuDNN 5", "eager", False, False),
    "tf1k80": ("tf1-k80", "TensorFlow 1, cloud K80, 2017", "graph", False, False),
    "soumith-TensorFlow": ("soumith-tensorflow", "TensorFlow 0.x, 2016", "graph", False, False),
    "soumith-CuDNN[R4]-fp32 (Torch)": ("soumith-torch", "Torch7 with cuDNN 4, 2016", "graph", False, False),
}
# Class of the program -> class of the facts, or assumed figures if the facts have none. fit_predictor replaces
# all but the last three, which no row covers.
BANDS = {
    "same_generation_transfer": (0.86, 1.0, 1.15), "median_transfer": (0.84, 1.0, 1.20), "other_generation_transfer": (0.77, 1.0, 1.29),
    "anchored": "gpu_anchored", "known_stack": "gpu_known_gen_known_stack", "launch_bound": "gpu_launchy", "unknown_stack": (0.71, 0.87, 1.47), "unmeasured": (0.5, 1.0, 1.9),
    "other_processor": (0.65, 1.0, 1.35), "uncalibrated": (0.5, 1.0, 3.9),
}
PARALLEL = [  # devices, median and 10th percentile of convolutional networks, the same of transformers (PCIe)
    (2, (0.98, 0.91), (0.98, 0.82)), (4, (0.96, 0.85), (0.96, 0.63)), (8, (0.95, 0.81), (0.97, 0.50)),
]
PRECISION = {"fp32": "fp32", "tf32": "tf32", "fp16": "fp16", "bf16": "bf16"}


def row_sources(facts, reference):
    """The sources of each stack's rows, matched by device, network and value."""
    index = collections.defaultdict(list)
    for row in convert_catalog.rows(facts / "published_speeds.csv"):
        index[row["model"], row["mode"], row["batch"]].append(row)
    sources = collections.defaultdict(dict)
    for row in reference:
        seconds, batch = float(row["measured_s"]), float(row["batch"])
        for candidate in index[row["model"], row["mode"], row["batch"]]:
            if (candidate["device_id"] or candidate["device"]) != row["device"]:
                continue
            value = float(candidate["value"])
            same = any(abs(guess / seconds - 1) < 2e-3 for guess in (value, value / 1e3, batch / value))
            if same or candidate["unit"].startswith("tok"):
                text = convert_catalog.public(candidate["source"]).split(" ")[0]
                sources[row["stack"]][text] = candidate["source_date"]
                break
    return sources


def stacks(facts, factors, reference):
    sources = row_sources(facts, reference)
    # The efficiency of this program's engine elsewhere is unknown until measured: no factor, and a wide band.
    result = [{"name": "steelyard", "title": "this program", "factor": 1.0, "dispatch": "captured", "fused": True, "fused_attention": True,
               "fitted": False, "sources": []}]
    for key, (name, title, dispatch, fused, attention) in STACKS.items():
        listing = [{"text": text, "date": date} for text, date in sorted(sources[key].items())]
        result.append({"name": name, "title": title, "factor": factors[name], "dispatch": dispatch, "fused": fused,
                       "fused_attention": attention, "fitted": True, "sources": listing})
    return result


def bands(facts):
    table = json.loads((facts / "predictor_bands.json").read_text())
    result = {}
    for name, origin in BANDS.items():
        low, median, high = table[origin] if isinstance(origin, str) else origin
        result[name] = {"low": low, "median": median, "high": high}
    return result


def design_fold(facts):
    """The fit of FACTS in this program's names."""
    fitted = json.loads((facts / "predictor_parameters.json").read_text())
    return {"kind": "nothing", "left_out": "", "constants": {name: fitted[key] for name, key in CONSTANTS.items()},
            "factors": {name: fitted[f"S_{key}"] for key, (name, *_) in STACKS.items()}}


# The start of fit_predictor's search does not matter; the file must be readable.
PROCESSOR_START = {"conv": 0.6, "depthwise": 0.2, "matmul": 0.7, "recurrent": 0.4, "bandwidth": 0.7, "half_reduction": 30.0,
                   "operation_seconds": 1e-5, "operation_seconds_per_thread": 1e-6}


def fitted_parts(facts, target):
    """The last output of fit_predictor, or initial values for it."""
    if not target.exists():
        return {"source": "not fitted yet", "processor": PROCESSOR_START, "bands": bands(facts), **design_fold(facts)}
    known = json.loads(target.read_text())
    return {**known, "factors": {stack["name"]: stack["factor"] for stack in known["stacks"]}}


def parameters_document(facts, collected, reference, fitted):
    generations = {row["generation"]: float(row["generation_fp32_tflops_per_watt"]) * 1e12 for row in convert_catalog.rows(facts / "predictor_devices.csv")
                   if row["generation"] != "CPU"}
    return {
        "format": "steelyard-predictor", "version": 1, "source": fitted["source"], "date": fitted.get("date", collected),
        "constants": fitted["constants"], "processor": fitted["processor"], "decode_bandwidth": 0.82,
        "stacks": stacks(facts, fitted["factors"], reference),
        "generations": [{"name": name, "fp32_flops_per_watt": value} for name, value in generations.items()],
        "bands": fitted["bands"],
        "parallel": [{"devices": count, "convolutional": {"low": cnn[1], "median": cnn[0], "high": 1.0},
                      "transformer": {"low": bert[1], "median": bert[0], "high": 1.0}} for count, cnn, bert in PARALLEL],
    }


IMAGELESS = ("bert", "gnmt", "ssd", "overfeat", "mnist", "cifar10", "imdb", "text")


def network_of(row):
    """Name in this program, with the image size if there is one."""
    name = published_networks.ALIASES.get(row["model"], row["model"])
    return name, name if name.startswith(IMAGELESS) else f"{name}@{row['img']}"


# samples per epoch, with validation counted as a third; batch
EPOCHS = {
    "mnist_mlp": (60000 + 10000 / 3, 128), "mnist_cnn": (60000 + 10000 / 3, 128), "cifar10_cnn": (50000 + 10000 / 3, 32),
    "imdb_fasttext": (25000 + 25000 / 3, 32), "imdb_bidirectional_lstm": (25000 + 25000 / 3, 32), "lstm_text_generation": (200285, 128),
}


def processor_rows(facts):
    """Rows of processors: a laptop with compiled PyTorch, a server with Torch7, cloud machines with TensorFlow 1.2."""
    result = []
    for row in convert_catalog.rows(facts / "published_speeds.csv"):
        if row["device_id"] not in ("i7_12700h", "e5_2630v3") or row["precision"] != "fp32":
            continue
        described = {"model": row["model"], "img": row["img_or_seq"] or "224"}
        name, full_name = network_of(described)
        try:
            known = published_networks.build(name, int(described["img"]))
        except (KeyError, ValueError):
            known = None
        if known is None:
            continue
        value, batch = float(row["value"]), int(row["batch"])
        seconds = value / 1e3 if row["unit"] == "ms" else batch / value
        stack = "pytorch2-cpu" if row["device_id"] == "i7_12700h" else "torch7-cpu"
        result.append((row["device_id"], "", full_name, int(described["img"]), row["mode"], batch, stack, f"{seconds:.6g}"))
    for row in convert_catalog.rows(facts / "woolf_results.csv"):
        if row["workload"] in EPOCHS and row["variant"] == "compiled":
            samples, batch = EPOCHS[row["workload"]]
            name = network_of({"model": row["workload"], "img": "0"})[1]
            cores = int(row["platform"].split()[0]) // 2
            result.append(("skylake_avx2", cores, name, 0, "train", batch, "tf1-cpu", f"{float(row['epoch_seconds_mean']) * batch / samples:.6g}"))
    return result


def write_processor_rows(path, rows, collected):
    with open(path, "w", newline="", encoding="utf-8") as stream:
        stream.write("# title: Published speeds of networks on processors\n")
        stream.write("# source: huggingface/pytorch-image-models results (2024-09), jcjohnson/cnn-benchmarks (2017-09), resources/studies/woolf_2017.csv\n")
        stream.write(f"# collected: {collected}\n")
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["device", "cores", "network", "mode", "batch", "stack", "seconds"])
        for device, cores, network, _, mode, batch, stack, seconds in rows:
            writer.writerow([device, cores, network, mode, batch, stack, seconds])


def networks(reference, processors):
    wanted = sorted({(*network_of(row), int(row["img"])) for row in reference} | {(row[2].split("@")[0], row[2], row[3]) for row in processors})
    listing = []
    for name, full_name, image in wanted:
        network = published_networks.build(name, image)
        if network is None:
            raise SystemExit(f"no such network: {name}")
        counted = collections.Counter(network.operations)
        listing.append({
            "name": full_name, "family": network.family, "optimizer_tensors": network.optimizer_tensors,
            "parameters": sum(operation[5] for operation in network.operations), "operations": len(network.operations),
            "work": [[*operation, count] for operation, count in counted.items()],
        })
    columns = ["kind", "flops", "inputs", "outputs", "scores", "parameters", "channels", "reduction", "steps", "scores_only", "kept", "count"]
    return {"format": "steelyard-networks", "version": 1, "columns": columns, "networks": listing}


def write_networks(path, document):
    lines = ['{"format": "steelyard-networks", "version": 1,', f' "columns": {json.dumps(document["columns"])},', ' "networks": [']
    for network in document["networks"]:
        head = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in network.items() if key != "work")
        lines.append("  {" + head + ', "work": [')
        lines.extend("   " + json.dumps(row) + "," for row in network["work"])
        lines[-1] = lines[-1].removesuffix(",") + "]},"
    lines[-1] = lines[-1].removesuffix(",") + "]}"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_rows(path, reference, collected):
    with open(path, "w", newline="", encoding="utf-8") as stream:
        stream.write("# title: Published speeds of networks on GPUs\n")
        stream.write("# source: each stack's sources are listed in predictor_parameters.json\n")
        stream.write(f"# collected: {collected}\n")
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["device", "chip", "network", "mode", "precision", "mixed", "batch", "stack", "stack_known_elsewhere", "seconds"])
        for row in reference:
            label = row["precision"].removesuffix("+XLA")
            # Results labelled fp32 used TF32 on devices that support it.
            precision = "tf32" if label.startswith("tf32") else PRECISION[label.removesuffix("-amp")]
            writer.writerow([row["device"], row["chip"], network_of(row)[1], row["mode"], precision, int(label.endswith("-amp")), row["batch"],
                             STACKS[row["stack"]][0], row["stack_known_elsewhere"], row["measured_s"]])


def write_golden(folder, facts, reference, collected):
    """The fit of FACTS and its predictions for each row of rows.csv, as reference for the port."""
    convert_catalog.write_json(folder / "predictor_golden.json", {
        "format": "steelyard-folds", "version": 1, "source": "predictor_parameters.json of the first fit of this model, in logarithms", "date": collected,
        "folds": [design_fold(facts)]})
    with open(folder / "predictor_golden.csv", "w", encoding="utf-8") as stream:
        stream.write("# title: Predictions of the fitted model for the rows of resources/backtest/rows.csv, in their order\n")
        stream.write(f"# source: predictor_reference.csv, column pred_fit_s, {collected}\n")
        stream.write("network,seconds\n")
        for row in reference:
            stream.write(f"{network_of(row)[1]},{row['pred_fit_s']}\n")


def write_devices(path, facts):
    """The devices at the time of the predictor's fit, including those not in the catalogue."""
    columns = {"fp32_vector_tflops": ("fp32_flops", 1e12), "tf32_tensor_tflops": ("tf32_flops", 1e12), "fp16_tensor_fp32acc_tflops": ("fp16_flops", 1e12),
               "bandwidth_gbs": ("memory_bytes_per_second", 1e9), "multiprocessors": ("multiprocessors", 1), "l2_mib": ("l2_bytes", 2**20),
               "memory_gib": ("memory_bytes", 2**30), "tdp_w": ("tdp_watts", 1)}
    devices = []
    # The cloud machines of 2017: Skylake at 2.0 GHz all-core, half of a socket, AVX2 as used by that build.
    skylake = {"device": "skylake_avx2", "generation": "CPU", "fp32_vector_tflops": "2.048", "tf32_tensor_tflops": "0", "fp16_tensor_fp32acc_tflops": "0",
               "bandwidth_gbs": "128", "multiprocessors": "32", "l2_mib": "38.5", "memory_gib": "", "tdp_w": ""}
    for row in [*convert_catalog.rows(facts / "predictor_devices.csv"), skylake]:
        figures = {}
        for column, (name, factor) in columns.items():
            value = convert_catalog.number(row[column], factor)
            if value:
                figures[name] = {"value": value, "source": "s1"}
        if row["generation"] == "CPU":
            figures["cores"] = figures.pop("multiprocessors")
            figures["last_level_cache_bytes"] = figures.pop("l2_bytes")
        vector, matrix = float(row["fp32_vector_tflops"]), float(row["fp16_tensor_fp32acc_tflops"])
        # GeForce cards are identified by the ratio: half that of the professional cards with the same chip.
        half = matrix > 0 and matrix / vector < {"Turing": 6, "GA10x": 3, "Ada": 3, "Blackwell": 3}.get(row["generation"], 0)
        kind = "cpu" if row["generation"] == "CPU" else "apple_gpu" if row["generation"] == "Apple" else "consumer_gpu"
        devices.append({"id": row["device"], "vendor": "Apple" if kind == "apple_gpu" else "Intel" if kind == "cpu" else "NVIDIA", "name": row["device"],
                        "class": kind, "architecture": row["generation"], "generation": row["generation"], "matrix_units": matrix > 0,
                        "half_rate_fp32_accumulation": half, "figures": figures})
    source = {"id": "s1", "text": convert_catalog.FITTED_SOURCE}
    convert_catalog.write_json(path, {"format": "steelyard-hardware", "version": 1, "collected": "2026-11-20", "sources": [source], "devices": devices})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("facts", type=pathlib.Path)
    parser.add_argument("resources", type=pathlib.Path)
    parser.add_argument("--collected", required=True, help="date on which the tables were put together, YYYY-MM-DD")
    parser.add_argument("--golden", type=pathlib.Path, help="also write the fit of FACTS and its predictions into this folder")
    arguments = parser.parse_args()
    reference = convert_catalog.rows(arguments.facts / "predictor_reference.csv")
    folder = arguments.resources / "backtest"
    folder.mkdir(parents=True, exist_ok=True)
    target = arguments.resources / "catalog" / "predictor_parameters.json"
    fitted = fitted_parts(arguments.facts, target)
    convert_catalog.write_json(target, parameters_document(arguments.facts, arguments.collected, reference, fitted))
    processors = processor_rows(arguments.facts)
    write_processor_rows(folder / "processor_rows.csv", processors, arguments.collected)
    write_networks(folder / "networks.json", networks(reference, processors))
    write_rows(folder / "rows.csv", reference, arguments.collected)
    write_devices(folder / "devices.json", arguments.facts)
    if arguments.golden:
        write_golden(arguments.golden, arguments.facts, reference, arguments.collected)


if __name__ == "__main__":
    main()
