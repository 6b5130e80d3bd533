#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes resources/catalog and resources/studies from tables of published figures.

    convert_catalog.py FACTS RESOURCES --collected 2026-11-20

FACTS contains hardware_catalog.csv, hardware_catalog_2026.csv, predictor_devices.csv, llm_predictor_reference.csv,
cloud_catalog.csv, prices_2026.csv, api_prices.csv and woolf_*.csv; each row names its source.
Every figure has its source and the source's date. A blank is absent; nothing becomes 0.
"""
import argparse
import csv
import json
import pathlib
import re

TERA, GIGA, GIBI, MEBI = 1e12, 1e9, 2**30, 2**20

# column of hardware_catalog.csv -> (name in hardware.json, factor)
FIGURES = {
    "fp32_tflops": ("fp32_flops", TERA), "tf32_tflops": ("tf32_flops", TERA), "bf16_tflops": ("bf16_flops", TERA),
    "fp16_tflops": ("fp16_flops", TERA), "fp16_fp16acc_tflops": ("fp16_accumulate_fp16_flops", TERA),
    "fp8_tflops": ("fp8_flops", TERA), "int8_tops": ("int8_ops", TERA), "memory_gib": ("memory_bytes", GIBI),
    "bandwidth_gbs": ("memory_bytes_per_second", GIGA), "l2_mib": ("l2_bytes", MEBI), "llc_mib": ("last_level_cache_bytes", MEBI),
    "tdp_w": ("tdp_watts", 1), "pcie_gbs_per_dir": ("pcie_bytes_per_second", GIGA),
    "link_gbs_bidir": ("link_bytes_per_second_both_ways", GIGA), "launch_price_usd": ("launch_price_usd", 1),
    "street_price_usd": ("street_price_usd", 1), "cores": ("cores", 1), "threads": ("threads", 1),
    "base_ghz": ("base_hertz", GIGA), "boost_ghz": ("boost_hertz", GIGA), "mem_channels": ("memory_channels", 1),
}
# column of predictor_devices.csv -> the same; used if the catalogue has no value
FITTED = {
    "fp32_vector_tflops": ("fp32_flops", TERA), "tf32_tensor_tflops": ("tf32_flops", TERA),
    "fp16_tensor_fp32acc_tflops": ("fp16_flops", TERA), "bandwidth_gbs": ("memory_bytes_per_second", GIGA),
    "multiprocessors": ("multiprocessors", 1), "l2_mib": ("l2_bytes", MEBI), "memory_gib": ("memory_bytes", GIBI),
    "tdp_w": ("tdp_watts", 1),
}
FITTED_SOURCE = "device figures the predictor was fitted with (predictor_devices.csv)"
# Bandwidths missing in the catalogue, from the source of the published language model speeds (llm_predictor_reference.csv).
LANGUAGE_SOURCE = "device figures the speed model of language models was fitted with (llm_predictor_reference.csv)"
LANGUAGE_DEVICES = ("apple_m3", "apple_m4", "apple_m4max40", "ryzen_7950x")
# Devices not in the predictor's fit, by the generation whose power figures apply to them.
GENERATION = {
    "gtx980": "Maxwell", "m40": "Maxwell", "p100_pcie16": "PascalHBM", "v100_pcie": "Volta", "rtx3060_12": "GA10x",
    "rtx3060ti": "GA10x", "a10g": "GA10x", "rtx4060ti_16": "Ada", "rtx4070": "Ada", "rtx5070ti": "Blackwell",
    "rtx5080": "Blackwell", "rtxpro6000_ws": "Blackwell", "b300_sxm": "BlackwellDC",
}
ACCELERATORS = {
    "A10": "a10", "A100-40GB": "a100_sxm_40", "A100-40GB PCIe": "a100_pcie_40", "A100-40GB SXM": "a100_sxm_40",
    "A100-80GB": "a100_sxm_80", "A100-80GB PCIe": "a100_pcie_80", "A100-80GB SXM": "a100_sxm_80", "A10G": "a10g", "A40": "a40",
    "B200-180GB SXM": "b200_sxm", "B300-288GB SXM": "b300_sxm", "GH200-96GB": "gh200_96", "H100-80GB PCIe": "h100_pcie",
    "H100-80GB SXM": "h100_sxm", "H100-80GB SXM (MEGA)": "h100_sxm", "H200-141GB SXM": "h200_sxm",
    "K80 (1 GK210)": "k80_gk210", "L4": "l4", "L40S": "l40s", "MI300X": "mi300x", "P100": "p100_pcie16",
    "RTX 3060 Ti": "rtx3060ti", "RTX 3090": "rtx3090", "RTX 4090": "rtx4090", "RTX 5090": "rtx5090",
    "RTX A6000": "rtxa6000", "T4": "t4", "TPU v2": "tpu_v2", "TPU v3": "tpu_v3", "TPU v4": "tpu_v4", "TPU v5e": "tpu_v5e",
    "TPU v5p": "tpu_v5p", "TPU v6e": "tpu_v6e", "V100": "v100_sxm2_16",
}
# Providers whose V100 is the PCIe card.
PCIE_V100 = {"Azure", "Vast.ai"}
# An offer's processor is often one of several, or custom-made for the provider: the closest one of its family is used.
PROCESSORS = [
    ("Haswell/Broadwell", "e5_2690v4"), ("Broadwell", "e5_2690v4"), ("Cascade Lake / Ice Lake", "xeon_8280"),
    ("Skylake", "xeon_8168"), ("Cascade Lake", "xeon_8280"), ("Ice Lake", "xeon_8358"), ("Sapphire Rapids", "xeon_8480p"),
    ("Emerald", "xeon_8592p"), ("Rome", "epyc_7742"), ("Milan", "epyc_7763"), ("Genoa", "epyc_9654"),
    ("Graviton3", "graviton3"), ("Graviton4", "graviton4"), ("Axion", "graviton4"),
]
BILLING = {
    "GCP": (1, 60, "per second with a minimum of one minute"), "AWS": (1, 60, "per second with a minimum of one minute (Linux)"),
    "Azure": (1, 0, "per second"), "Lambda": (60, 60, "per minute"), "RunPod": (1, 0, "per second"), "Vast.ai": (1, 0, "per second"),
}
BILLING_SOURCE = "the provider's public pricing page"
# Until 2017-09-26 Google billed per minute with a minimum of ten.
BILLING_BEFORE = {"GCP": ("2017-09", 60, 600)}


def rows(path):
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def number(text, factor=1):
    """SI value of a table cell; None if blank."""
    if text is None or text.strip() == "":
        return None
    value = float(text) * factor
    return round(value) if factor in (GIBI, MEBI) or value == int(value) else value


# Estimates superseded by rows of the later table, which include memory and bandwidth.
SUPERSEDED = {"apple_m1", "apple_m2"}


def public(text):
    """A source as cited outside this project: without the labels of the files it was collected in."""
    text = re.sub(r"\s*\((?:same document \()?(?:find_string )?ids? [\d, ]+\)", "", text)
    text = re.sub(r"\(find_string ids? [\d, ]+[,;] ", "(", text)
    text = re.sub(r"[,;]? ?find_string ids? [\d, ]+", "", text)
    text = text.replace("cloud_catalog.csv; ", "").replace("in a public repo (, ", "in a public repository (")
    text = re.sub(r"\b\d{3}_[0-9a-f]{16}\.txt \(([^;)]+)[^)]*\)", r"\1", text)
    for mark, plain in (("seed/readme", "the article and its README"), ("seed 001", "dlbench"), ("seed says", "the article says"),
                        ("seed:", "the article:"), ("stored version undated", "undated")):
        text = text.replace(mark, plain)
    return text.strip()


class Sources:
    """Each distinct source once, with its latest date; figures refer to it by id."""

    def __init__(self):
        self.ids = {}

    def id(self, text):
        text = public(text)
        if text not in self.ids:
            self.ids[text] = f"s{len(self.ids) + 1}"
        return self.ids[text]

    def listing(self):
        result = []
        for text, key in self.ids.items():
            entry = {"id": key, "text": text}
            dates = re.findall(r"(?<![\d.])(20[0-2]\d-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?)(?!\d)", text)
            if dates:
                entry["date"] = max(dates)
            result.append(entry)
        return result


def matrix_units(row):
    """Whether there are dedicated units for 16-bit products; None if unknown."""
    if row["vendor"] == "NVIDIA":
        return float(row["compute_capability"]) >= 7.0 if row["compute_capability"] else None
    if row["class"] in ("tpu", "datacenter_accel"):
        return True
    if row["arch"].startswith(("CDNA", "RDNA3", "Xe-HPG")):
        return True
    if row["class"] == "apple_gpu":
        return False
    return None


def hardware(facts, collected):
    fitted = {row["device"]: row for row in rows(facts / "predictor_devices.csv")}
    bandwidth = {row["device"]: row["bandwidth_gbs"] for row in rows(facts / "llm_predictor_reference.csv")}
    sources = Sources()
    devices = []
    table = [row for row in rows(facts / "hardware_catalog.csv") if row["id"] not in SUPERSEDED]
    for row in table + rows(facts / "hardware_catalog_2026.csv"):
        source = sources.id(row["source"])
        figures = {}
        for column, (name, factor) in FIGURES.items():
            value = number(row[column], factor)
            if value is None:
                continue
            origin = sources.id(row["street_price_source"]) if name == "street_price_usd" else source
            figures[name] = {"value": value, "source": origin}
        device = {key: row[key] for key in ("id", "vendor", "name", "class")}
        device["architecture"] = row["arch"]
        for column, name in (("release_date", "release_date"), ("compute_capability", "compute_capability"),
                             ("memory_type", "memory_type"), ("pcie", "pcie"), ("simd", "simd")):
            if row[column]:
                device[name] = row[column]
        reference = fitted.get(row["id"])
        # A two-socket machine was fitted under its processor's name: those figures are not the processor's.
        if reference and row["id"] != "e5_2630v3":
            device["generation"] = reference["generation"]
            origin = sources.id(FITTED_SOURCE)
            for column, (name, factor) in FITTED.items():
                value = number(reference[column], factor)
                if value and name not in figures and not (row["class"] == "cpu" and name in ("l2_bytes", "multiprocessors")):
                    figures[name] = {"value": value, "source": origin}
            sustained = number(reference["fp32_vector_tflops"], TERA)
            if sustained < figures["fp32_flops"]["value"]:
                figures["sustained_fp32_flops"] = {"value": sustained, "source": origin}
        elif row["id"] in GENERATION:
            device["generation"] = GENERATION[row["id"]]
        if row["id"] in LANGUAGE_DEVICES and "memory_bytes_per_second" not in figures:
            figures["memory_bytes_per_second"] = {"value": number(bandwidth[row["id"]], GIGA), "source": sources.id(LANGUAGE_SOURCE)}
        units = matrix_units(row)
        if units is not None:
            device["matrix_units"] = units
        half = figures.get("fp16_accumulate_fp16_flops")
        if half:
            device["half_rate_fp32_accumulation"] = abs(half["value"] / figures["fp16_flops"]["value"] - 2) < 0.02
        device["figures"] = figures
        if "LOW TRUST" in row["notes"]:
            device["low_trust"] = True
        if row["notes"]:
            device["notes"] = public(row["notes"])
        devices.append(device)
    return {"format": "steelyard-hardware", "version": 1, "collected": collected, "sources": sources.listing(), "devices": devices}


PRICE_COLUMNS = ["device", "kind", "usd", "where", "date", "source", "low_trust"]


def device_prices(facts, path):
    """Device prices, for purchase and per hour: one per row, with date and source."""
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(PRICE_COLUMNS)
        for row in rows(facts / "prices_2026.csv"):
            source = row["source"]
            low = source.startswith("LOW TRUST")
            writer.writerow([row["device_id"], row["kind"], row["usd"], public(row["provider_or_region"]), row["date"],
                             public(source.removeprefix("LOW TRUST; ")), "yes" if low else ""])


def plain_model(name):
    """"meta-llama/Llama-3.3-70B-Instruct-Turbo" -> "llama3370b": the name without vendor, tuning and format."""
    name = name.lower().split("/")[-1].removeprefix("meta-")
    name = re.sub(r"-(instruct|chat|it|turbo|versatile|instant|fast|lite|fp8|bf16|hf|maas|free|base|preview|specdec|\d{4}|v0\.[12]|instruct-v0\.[123])(?=-|$|:)", "", name)
    return re.sub(r"[^a-z0-9]", "", name.split(":")[0])


def api_prices(facts, models, path):
    """API prices for the models of the table, in US dollars per million tokens."""
    known = {re.sub(r"[^a-z0-9]", "", model["id"]): model["id"] for model in json.loads(models.read_text(encoding="utf-8"))["models"]}
    known.update({"mistral7b": "mistral_7b_v0_3", "deepseekr1": "deepseek_r1", "deepseekv3": "deepseek_v3", "qwen330ba3b": "qwen3_30b_a3b"})
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["model", "provider", "offered_as", "usd_per_million_input", "usd_per_million_output", "date", "source"])
        for row in rows(facts / "api_prices.csv"):
            model = known.get(plain_model(row["model"]))
            if model and row["usd_per_1m_input"] and row["usd_per_1m_output"] and float(row["usd_per_1m_output"]) > 0:
                writer.writerow([model, row["provider"], row["model"], row["usd_per_1m_input"], row["usd_per_1m_output"], row["date"], public(row["source"])])


def processor_of(family):
    for pattern, device in PROCESSORS:
        if pattern in family:
            return device
    return None


def slug(text):
    return re.sub(r"[^a-z0-9_.-]+", "-", text.lower()).strip("-")


def offer(row, sources, seen):
    historical = row["historical"] == "yes"
    key = f"{slug(row['provider'])}/{slug(row['instance_name'])}"
    if historical:
        key += f"@{row['price_date']}"
    while key in seen:
        key += "+"
    seen.add(key)
    result = {"id": key, "instance": row["instance_name"]}
    if row["region"]:
        result["region"] = row["region"]
    vcpus = number(row["vcpu"])
    if vcpus is not None:
        result["vcpus"] = vcpus
        if "vCPU = physical core" in row["notes"]:
            result["vcpu_is"] = "core"
        elif "vCPU = hyperthread" in row["notes"]:
            result["vcpu_is"] = "hyperthread"
    if row["cpu_family"]:
        result["cpu"] = row["cpu_family"]
        device = processor_of(row["cpu_family"])
        if device:
            result["cpu_hardware"] = device
    memory = number(row["ram_gib"], GIBI)
    if memory is not None:
        result["memory_bytes"] = memory
    if row["accelerator"]:
        result["accelerator"] = row["accelerator"]
        device = ACCELERATORS.get(row["accelerator"])
        if row["accelerator"] == "V100" and row["provider"] in PCIE_V100:
            device = "v100_pcie"
        if device:
            result["accelerator_hardware"] = device
        result["accelerator_count"] = number(row["accel_count"])
        memory = number(row["gpu_mem_gib_each"], GIBI)
        if memory is not None:
            result["accelerator_memory_bytes"] = memory
    origin = sources.id(row["source"])
    for column, name in (("on_demand_usd_h", "on_demand"), ("spot_usd_h", "spot")):
        price = number(row[column])
        if price is not None:
            result[name] = {"usd_per_hour": price, "date": row["price_date"], "source": origin}
    before = BILLING_BEFORE.get(row["provider"])
    if before and row["price_date"] < before[0]:
        result["billing"] = {"granularity_seconds": before[1], "minimum_seconds": before[2]}
    if historical:
        result["historical"] = True
    if "LOW TRUST" in row["notes"]:
        result["low_trust"] = True
    if "accelerator only" in row["instance_name"] or "host part" in row["notes"]:
        result["part_of_machine"] = True
    if row["shape_source"]:
        result["shape_source"] = sources.id(row["shape_source"])
    notes = "; ".join(note for note in (row["notes"].strip("; "), row["date_note"]) if note)
    if notes:
        result["notes"] = public(notes)
    return result


def offers(facts, collected):
    table = rows(facts / "cloud_catalog.csv")
    documents = {}
    for provider in sorted({row["provider"] for row in table}):
        sources, seen = Sources(), set()
        listing = [offer(row, sources, seen) for row in table if row["provider"] == provider]
        granularity, minimum, text = BILLING[provider]
        billing = {"granularity_seconds": granularity, "minimum_seconds": minimum, "text": text, "source": sources.id(BILLING_SOURCE)}
        documents[slug(provider)] = {"format": "steelyard-offers", "version": 1, "provider": provider, "collected": collected,
                                     "billing": billing, "sources": sources.listing(), "offers": listing}
    return documents


# The workload that is in the logs but not in the article's charts is a separate study.
LOGS_ONLY = "text_generator_keras"
WOOLF = [
    ("woolf_2017", "woolf_results.csv", lambda name: name != LOGS_ONLY, "CPU or GPU in the cloud, 2017", "2017-07",
     "Max Woolf, Benchmarking TensorFlow on Cloud CPUs: Cheaper Deep Learning than Cloud GPUs",
     "https://minimaxir.com/2017/07/cpu-or-gpu/",
     "One run per cell. Mean seconds of an epoch, its validation included. CPU prices are preemptible, the GPU's is not."),
    ("woolf_2017_text_generator", "woolf_results.csv", lambda name: name == LOGS_ONLY, "CPU or GPU in the cloud, 2017: the seventh workload", "2017-07",
     "Max Woolf, logs of the same benchmark", "https://github.com/minimaxir/deep-learning-cpu-gpu-benchmark",
     "One run per cell. Mean seconds of an epoch. CPU prices are preemptible, the GPU's is not."),
    ("woolf_2017_follow_up", "woolf_v2_results.csv", lambda name: True, "The follow-up with TensorFlow 1.4 and CNTK 2.2", "2017-12",
     "Max Woolf, Benchmarking Modern GPUs for Maximum Cloud Cost Efficiency in Deep Learning",
     "https://minimaxir.com/2017/11/benchmark-gpus/",
     "One run per cell. Mean seconds of an epoch, its validation included."),
]


def write_json(path, document):
    text = json.dumps(document, indent=1, ensure_ascii=False)
    # One figure or price per line: a third of the lines, and readable diffs.
    text = re.sub(r"\{\n\s+((?:\"[a-z_]+\": (?:\"[^\"\n]*\"|[-\d.eE+]+)(?:,\n\s+)?)+)\n\s+\}",
                  lambda match: "{" + re.sub(r"\n\s+", " ", match.group(1)) + "}", text)
    path.write_text(text + "\n", encoding="utf-8")


def studies(facts, folder):
    for name, table, belongs, title, date, source, link, notes in WOOLF:
        with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as stream:
            for key, value in (("title", title), ("source", source), ("link", link), ("date", date), ("notes", notes)):
                stream.write(f"# {key}: {value}\n")
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["workload", "platform", "variant", "epoch_seconds", "price_usd_per_hour"])
            for row in filter(lambda row: belongs(row["workload"]), rows(facts / table)):
                writer.writerow([row["workload"], row["platform"], row["variant"], row["epoch_seconds_mean"], row["price_usd_per_hour"]])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("facts", type=pathlib.Path)
    parser.add_argument("resources", type=pathlib.Path)
    parser.add_argument("--collected", required=True, help="date on which the tables were put together, YYYY-MM-DD")
    arguments = parser.parse_args()
    catalog = arguments.resources / "catalog"
    (catalog / "offers").mkdir(parents=True, exist_ok=True)
    (arguments.resources / "studies").mkdir(parents=True, exist_ok=True)
    write_json(catalog / "hardware.json", hardware(arguments.facts, arguments.collected))
    for name, document in offers(arguments.facts, arguments.collected).items():
        write_json(catalog / "offers" / f"{name}.json", document)
    device_prices(arguments.facts, catalog / "device_prices.csv")
    api_prices(arguments.facts, arguments.resources / "models" / "decoders.json", catalog / "api_prices.csv")
    studies(arguments.facts, arguments.resources / "studies")


if __name__ == "__main__":
    main()
