#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares inference on the CPU with OpenVINO and ONNX Runtime: same networks, interleaved runs, same number of threads.

  compare_runtimes.py [--networks a,b] [--batches paper,1] [--precisions fp32,bf16,int8] [--threads N] [--rounds N]
                      [--patience SECONDS] [--isa avx2] [--peers openvino,onnxruntime] [--folder FILES] [--markdown FILE]

The networks in NETWORKS below are exported by `steelyard-cli show NAME --onnx FILE`, so that all sides have the same
weights. Each side of each case is a separate process (step_server, or a Python interpreter with PyPI's packages). Medians
of the rounds; ratios above 1: this engine is faster. At batch 1 every step is timed, and the row has the median and the
99th percentile of all steps as p50/p99.

bf16: ONNX Runtime uses the types in the file, float32. int8: each peer uses its post-training quantisation, calibrated
with seeded data: NNCF for OpenVINO, quantize_static (QDQ, per-channel weights) for ONNX Runtime. This takes minutes for
the larger networks, once; --folder keeps the files.

--isa avx2 limits this engine and OpenVINO to AVX2; ONNX Runtime is skipped. ONEDNN_MAX_CPU_ISA limits both libraries
oneDNN, but not OpenVINO's fully connected layers (MLAS) and normalisations. A copy of its package in --folder therefore
finds that the operating system supports AVX2 alone (limited_openvino), and a case is refused if its primitives name AVX-512.

The interpreter is STEELYARD_RUNTIMES_PYTHON, or that of .venv-runtimes, created on first use.
"""
import argparse
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import turns
from bench_python import bench_python

TOP = pathlib.Path(__file__).resolve().parents[3]
BIN = TOP / "build" / os.environ.get("STEELYARD_PRESET", "dev") / "bin"
NETWORKS = ["mnist_cnn", "resnet18", "resnet50", "mobilenet_v2", "bert_base_128", "vit_b16", "text_lstm", "inception_v3"]
BATCHES = {"mnist_cnn": 128, "resnet18": 32, "resnet50": 16, "mobilenet_v2": 32, "bert_base_128": 32, "vit_b16": 32,
           "text_lstm": 128, "inception_v3": 32}
TRANSFORMERS = ["bert_base_128", "vit_b16"]
PEERS = {"openvino": "OpenVINO", "onnxruntime": "ONNX Runtime"}
MODULES = ["openvino", "onnxruntime", "onnx", "nncf"]
CALIBRATION = 64  # samples
LATENCIES = 60  # minimum number of steps per round at batch 1


def peer_python():
    return bench_python("STEELYARD_RUNTIMES_PYTHON", ".venv-runtimes", MODULES, [*MODULES, "numpy"])


# ---- in the interpreter of peer_python() ----


def inputs_of(file, batch, seed):
    """Seeded values per input: standard normal, or indices below the length of the table that they index."""
    import numpy
    import onnx

    graph = onnx.load(str(file), load_external_data=False).graph
    tables = {one.name: one.dims[0] for one in graph.initializer if one.dims}
    draw = numpy.random.default_rng(seed)
    values = {}
    for one in graph.input:
        shape = [batch, *(d.dim_value for d in one.type.tensor_type.shape.dim[1:])]
        if one.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
            values[one.name] = draw.standard_normal(shape, dtype=numpy.float32)
            continue
        rows = min(tables[node.input[0]] for node in graph.node if node.op_type == "Gather" and node.input[1] == one.name)
        values[one.name] = draw.integers(0, rows, shape, dtype=numpy.int64)
    return values


def calibration_of(file, batch):
    return [inputs_of(file, batch, seed) for seed in range(CALIBRATION // batch)]


def quantise_openvino(file, target, transformer):
    import nncf
    import openvino

    data = nncf.Dataset(calibration_of(file, 1))
    model = openvino.Core().read_model(str(file))
    model.reshape({one.get_any_name(): [1, *one.get_partial_shape()[1:]] for one in model.inputs})
    kind = nncf.ModelType.TRANSFORMER if transformer else None
    quantised = nncf.quantize(model, data, model_type=kind, subset_size=CALIBRATION)
    openvino.save_model(quantised, str(target), compress_to_fp16=False)


def quantise_onnxruntime(file, target):
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(CalibrationDataReader):
        def __init__(self):
            self.left = iter(calibration_of(file, 8))

        def get_next(self):
            return next(self.left, None)

    prepared = target.with_suffix(".prepared.onnx")
    quant_pre_process(str(file), str(prepared), skip_symbolic_shape=True)
    quantize_static(str(prepared), str(target), Reader(), quant_format=QuantFormat.QDQ, per_channel=True,
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)
    prepared.unlink()


def quantise(peer, file, target, name):
    if peer == "openvino":
        quantise_openvino(file, target, name in TRANSFORMERS)
    else:
        quantise_onnxruntime(file, target)


# xor ecx, ecx; xgetbv, which reads what register state the operating system saves; and instead push 7; pop rax: that of
# x87, SSE and AVX.
READS_STATE, STATE_OF_AVX2 = b"\x31\xc9\x0f\x01\xd0", b"\x31\xc9\x6a\x07\x58"


def limited_openvino(python, folder):
    """A folder with a copy of the package `openvino` that uses AVX2 at most."""
    target = folder / "openvino-avx2"
    if not target.exists():
        script = "import importlib.util; print(importlib.util.find_spec('openvino').submodule_search_locations[0])"
        package = subprocess.check_output([python, "-c", script], text=True).strip()
        part = folder / "openvino-avx2.part"
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(package, part / "openvino", symlinks=True)
        for library in (part / "openvino" / "libs").iterdir():
            if library.is_symlink() or not library.name.startswith(("libopenvino.so", "libopenvino_intel_cpu_plugin")):
                continue
            code = library.read_bytes()
            if READS_STATE not in code:
                raise RuntimeError(f"{library.name} cannot be limited to AVX2")
            library.write_bytes(code.replace(READS_STATE, STATE_OF_AVX2))
        part.rename(target)
    return target


def check_limit(compiled):
    for node in compiled.get_runtime_model().get_ops():
        primitive = str(node.get_rt_info()["primitiveType"])
        if "avx512" in primitive or "amx" in primitive:
            raise RuntimeError(f"{node.get_friendly_name()} uses {primitive}")


def serve_openvino(model_file, inputs, batch, precision, threads):
    import openvino

    core = openvino.Core()
    model = core.read_model(str(model_file))
    model.reshape({one.get_any_name(): [batch, *one.get_partial_shape()[1:]] for one in model.inputs})
    compiled = core.compile_model(model, "CPU", {
        "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "bf16" if precision == "bf16" else "f32"})
    if os.environ.get("ONEDNN_MAX_CPU_ISA") == "AVX2":
        check_limit(compiled)
    request = compiled.create_infer_request()
    request.infer(inputs)
    turns.serve_steps(request.infer)


def serve_onnxruntime(model_file, inputs, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(model_file), options, providers=["CPUExecutionProvider"])
    session.run(None, inputs)
    turns.serve_steps(lambda: session.run(None, inputs))


def serve(peer, file, model_file, batch, precision, threads):
    inputs = inputs_of(file, batch, 1)
    if peer == "openvino":
        serve_openvino(model_file, inputs, batch, precision, threads)
    else:
        serve_onnxruntime(model_file, inputs, threads)


def print_versions():
    import importlib.metadata

    print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in MODULES))


# ---- in this process ----


class Case:
    def __init__(self, name, batch, precision):
        self.name, self.batch, self.precision = name, batch, precision

    def __str__(self):
        return f"{self.name} {self.batch} {self.precision}"


def exported(name, folder):
    file = folder / f"{name}.onnx"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{name}.part.onnx"
        subprocess.check_output([str(BIN / "steelyard-cli"), "show", name, "--mode", "infer", "--onnx", str(part)])
        part.rename(file)
    return file


def model_of(peer, case, file, python):
    """The file run by the peer; for int8 one quantised by its tools."""
    if case.precision != "int8":
        return file
    target = file.with_name(f"{case.name}.int8.{'xml' if peer == 'openvino' else 'ort.onnx'}")
    if not target.exists():
        print(f"quantising {case.name} for {PEERS[peer]} (once)", file=sys.stderr, flush=True)
        outcome = subprocess.run([python, __file__, "--inside", "quantise", peer, str(file), str(target), case.name],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if outcome.returncode != 0:
            lines = outcome.stderr.strip().splitlines() or [f"ended with {outcome.returncode}"]
            raise RuntimeError(f"{PEERS[peer]} did not quantise it: {lines[-1]}")
    return target


def environment_of(side, python, args):
    if not args.isa:
        return None
    limited = dict(os.environ, ONEDNN_MAX_CPU_ISA=args.isa.upper())
    if side == "openvino":
        limited["PYTHONPATH"] = str(limited_openvino(python, args.folder))
    return limited


def start(side, case, python, args):
    threads = str(args.threads)
    if side == "own":
        command = [str(BIN / "step_server"), case.name, "infer", str(case.batch), case.precision, threads]
    else:
        file = exported(case.name, args.folder)
        command = [python, __file__, "--inside", "serve", side, str(file), str(model_of(side, case, file, python)),
                   str(case.batch), case.precision, threads]
    return turns.Server(command, environment_of(side, python, args))


def measured(server, steps, each):
    """Seconds per step: of each step, or the mean."""
    if not each:
        return [turns.settled(server, steps)]
    time.sleep(turns.SETTLING)
    server.seconds_per_step(max(1, steps // 10))
    return server.seconds_of_each(steps)


def compare(case, python, args):
    """The seconds of all rounds per side, or the reason for a refusal."""
    servers, found = {}, {}
    try:
        for side in [*args.peers, "own"]:
            try:
                servers[side] = start(side, case, python, args)
            except RuntimeError as error:
                found[side] = str(error).splitlines()[-1] if str(error) else "ended"
        each = case.batch == 1
        steps = {side: max(turns.steps_a_measurement(server), LATENCIES if each else 1) for side, server in servers.items()}
        began, rounds = time.monotonic(), 0
        while rounds < args.rounds and (rounds < 2 or time.monotonic() - began < args.patience):
            for side, server in servers.items():
                found.setdefault(side, []).extend(measured(server, steps[side], each))
            rounds += 1
        return found
    finally:
        for server in servers.values():
            server.close()


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def cell(values, each):
    if isinstance(values, str):
        return "refused"
    median = f"{statistics.median(values) * 1e3:.3f}"
    return f"{median} / {percentile(values, 0.99) * 1e3:.3f}" if each else median


def row_of(case, found, peers, ratios):
    cells = [case.name, str(case.batch), case.precision]
    cells += [cell(found[side], case.batch == 1) for side in [*peers, "own"]]
    own = found["own"]
    for peer in peers:
        if isinstance(found[peer], str) or isinstance(own, str):
            cells.append("")
            continue
        ratio = statistics.median(found[peer]) / statistics.median(own)
        ratios.setdefault((peer, case.precision, case.batch == 1), []).append(ratio)
        cells.append(f"{ratio:.2f}")
    return "| " + " | ".join(cells) + " |"


def versions(python):
    theirs = subprocess.check_output([python, __file__, "--inside", "versions"], text=True).strip()
    own = subprocess.check_output([str(BIN / "steelyard-cli"), "--version"], text=True).strip()
    return f"{own}, {theirs}"


def cases_of(args):
    for precision in args.precisions:
        for batch in args.batches:
            for name in args.networks:
                yield Case(name, BATCHES[name] if batch == "paper" else int(batch), precision)


def inside(words):
    if words[0] == "versions":
        print_versions()
    elif words[0] == "quantise":
        peer, file, target, name = words[1:]
        quantise(peer, pathlib.Path(file), pathlib.Path(target), name)
    else:
        peer, file, model_file, batch, precision, threads = words[1:]
        serve(peer, pathlib.Path(file), pathlib.Path(model_file), int(batch), precision, int(threads))


def parsed(words):
    def names(text):
        return [one for one in text.split(",") if one]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=names, default=NETWORKS)
    parser.add_argument("--batches", type=names, default=["paper", "1"])
    parser.add_argument("--precisions", type=names, default=["fp32", "bf16"])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--patience", type=float, default=40, help="seconds a case, but two rounds")
    parser.add_argument("--isa", default="", choices=["", "avx2"])
    parser.add_argument("--peers", type=names, default=list(PEERS))
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "steelyard-runtimes")
    parser.add_argument("--markdown", type=pathlib.Path, help="appends the table to this file")
    args = parser.parse_args(words)
    if strange := [name for name in args.networks if name not in BATCHES]:
        parser.error(f"not among the networks: {', '.join(strange)}")
    if args.isa:
        args.peers = [peer for peer in args.peers if peer != "onnxruntime"]
    return args


def main(words):
    if words[:1] == ["--inside"]:
        return inside(words[1:])
    args = parsed(words)
    python = peer_python()
    limit = f", at most {args.isa}" if args.isa else ""
    print(f"{versions(python)}; {args.threads} threads{limit}; {args.rounds} rounds or fewer; ms, at batch 1 p50 / p99")
    titles = [PEERS[peer] for peer in args.peers]
    lines = ["| network | batch | precision | " + " | ".join([*titles, "this engine", *(f"{t} / own" for t in titles)]) + " |",
             "|---|---:|---|" + "---:|" * (2 * len(titles) + 1)]
    print("\n".join(lines), flush=True)
    ratios = {}
    for case in cases_of(args):
        found = compare(case, python, args)
        lines.append(row_of(case, found, args.peers, ratios))
        print(lines[-1], flush=True)
        for side, why in found.items():
            if isinstance(why, str):
                print(f"  {side}: {why[:200]}", file=sys.stderr, flush=True)
    for (peer, precision, single), values in ratios.items():
        print(f"{PEERS[peer]}, {precision}, {'batch 1' if single else 'full batch'}: geometric mean "
              f"{statistics.geometric_mean(values):.2f}, lowest {min(values):.2f}, of {len(values)}")
    if args.markdown:
        with open(args.markdown, "a") as file:
            file.write("\n".join(lines) + "\n")
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
