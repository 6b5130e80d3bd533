#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares language models with llama.cpp, on the CPU or a GPU: same GGUF files, interleaved runs, same number of threads.

  compare_llama.py [--shapes qwen_0_6b,llama_1b] [--weights q4_0,q4_k_m,q8_0,bf16] [--prompts 128,512] [--contexts 128]
                   [--batches 8] [--cache f16] [--isa avx2] [--threads 2] [--rounds 3] [--folder FILES]
                   [--device cuda:0] [--markdown FILE]

Each measurement is a separate process: steelyard-cli evaluate, or a Python interpreter with PyPI's llama-cpp-python
(flash attention). Prefill: a prompt of the given number of tokens, once. Decode: the median of 32
tokens after the context. The best round of each side is used. The logits after the first prompt are compared: the
relative RMS difference is printed. Ratios above 1: this engine is faster.

For each context, `steelyard-cli run` measures decoding as a fraction of the process's read bandwidth (median of the rounds). For each batch size
one token of that many sequences is measured, on both sides with separate caches that repeat one prompt. Memory is the peak
resident set of a process; for llama.cpp it includes the Python interpreter.

The interpreter is STEELYARD_LLAMA_PYTHON, or that of .venv-llama, created on first use; llama.cpp is then built for this
machine, which takes some minutes and needs cmake. For its AMX kernels build it with clang 19 (CC and CXX): clang 14 does not
name the feature as llama.cpp expects, and a build of GCC 12 ends with an illegal instruction. With --isa avx2 both sides are
limited to AVX2: the interpreter is STEELYARD_LLAMA_AVX2_PYTHON, or that of .venv-llama-avx2. With --device cuda:0 both sides
run on the GPU, each prompt once before it is timed, and the interpreter is STEELYARD_LLAMA_CUDA_PYTHON, whose llama-cpp-python
is built with GGML_CUDA; memory is then that of the process in the computer's memory, and the share of the read bandwidth is not
measured.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from bench_python import bench_python

TOP = pathlib.Path(__file__).resolve().parents[3]
CLI = TOP / "build" / os.environ.get("STEELYARD_PRESET", "dev") / "bin" / "steelyard-cli"
DECODED = 32
AVX2 = "-DGGML_NATIVE=OFF -DGGML_SSE42=ON -DGGML_AVX=ON -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_BMI2=ON -DGGML_AVX512=OFF"


def tokens_of(count):
    return [(i * 7919 + 13) % 2000 for i in range(count)]


def document_of(command, environment=None):
    """Output of a separate process, and its peak resident set in bytes."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as remarks:
        child = subprocess.Popen(command, stdout=out, stderr=remarks, env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            remarks.seek(0)
            raise RuntimeError(f"{command[0]} ended with {child.returncode}: {remarks.read().strip()}")
        out.seek(0)
        return json.load(out), usage.ru_maxrss * 1024


class Comparison:
    """Seconds and bytes of each side for one file, best of the rounds."""

    def __init__(self, python, options, file):
        self.python, self.options, self.file = python, options, file
        self.device = ["--device", options.device] if options.device != "cpu" else []
        self.environment = {"ONEDNN_MAX_CPU_ISA": "AVX2"} if options.isa == "avx2" else {}

    def own(self, count, decoded, logits, sequences=1):
        command = [str(CLI), "evaluate", str(self.file), "--tokens", ",".join(map(str, tokens_of(count))), "--generate",
                   str(decoded + 1 if decoded else 0), "--threads", str(self.options.threads), "--cache", self.options.cache, "--outputs", str(logits), "--json", *self.device, *(["--warm-up"] if self.device else []), "--sequences", str(sequences)]
        document, memory = document_of(command, self.environment)
        return document["prompt_seconds"], statistics.median(document["token_seconds"]) if decoded else math.inf, memory

    def peer(self, count, decoded, batch, logits):
        document, memory = document_of([self.python, __file__, "--peer", str(self.file), str(count), str(decoded), str(batch), str(self.options.threads), self.options.cache, str(logits), self.options.device])
        return document["prompt"], document["token"] or math.inf, memory

    def step(self, context, batch):
        """A case of `run`: seconds per step, and its bytes per second relative to the read bandwidth."""
        command = [str(CLI), "run", "--workload", str(self.file), "--mode", "decode", "--context", str(context), "--batch", str(batch), "--cache", self.options.cache, "--threads",
                   str(self.options.threads), "--no-save", "--no-verify", "--json", *self.device]
        if self.options.isa:
            command += ["--isa", self.options.isa]
        record = document_of(command)[0]["records"][0]
        if record["status"] != "ok":
            raise RuntimeError(record["reason"])
        use = record["utilization"]
        return record["step_seconds"]["median"], use["achieved_bytes"] / use["peak_bytes"]

    def one(self, count, decoded):
        best = {"own": (math.inf,) * 3, "peer": (math.inf,) * 3}
        with tempfile.TemporaryDirectory() as folder:
            logits = pathlib.Path(folder) / "own.npy", pathlib.Path(folder) / "peer.npy"
            for _ in range(self.options.rounds):
                best["own"] = tuple(map(min, best["own"], self.own(count, decoded, logits[0])))
                best["peer"] = tuple(map(min, best["peer"], self.peer(count, decoded, 1, logits[1])))
            return best["own"], best["peer"], difference(self.python, *logits)

    def several(self, context, batch):
        own = peer = math.inf
        for _ in range(self.options.rounds):
            own = min(own, self.own(context, DECODED, os.devnull, batch)[1] if self.device else self.step(context, batch)[0])
            peer = min(peer, self.peer(context, DECODED, batch, os.devnull)[1])
        return own, peer


def serve(file, count, decoded, batch, threads, cache, logits, device):
    import time

    import llama_peer
    import numpy

    gpu = device != "cpu"
    model = llama_peer.Peer(file, count + decoded + 8, threads, cache, sequences=batch, gpu=gpu)
    tokens = tokens_of(count)
    model.prompt_seconds(tokens if gpu else tokens[:16])
    model.clear()
    start = time.perf_counter()
    found = model.decode(tokens)
    seconds = time.perf_counter() - start
    if batch > 1:
        model.repeat()
        print(json.dumps({"prompt": seconds, "token": statistics.median(model.step_seconds(count, decoded))}))
        return
    numpy.save(logits, found)
    token = statistics.median(model.decode_seconds(decoded)) if decoded else None
    print(json.dumps({"prompt": seconds, "token": token}))


def difference(python, a, b):
    script = "import numpy, sys; a, b = numpy.load(sys.argv[1]), numpy.load(sys.argv[2]); print(numpy.sqrt(((a - b) ** 2).mean() / (b ** 2).mean()))"
    return float(subprocess.check_output([python, "-c", script, str(a), str(b)], text=True))


def numbers(text):
    return [int(n) for n in text.split(",") if n]


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--peer":
        file, count, decoded, batch, threads, cache, logits, device = sys.argv[2:]
        return serve(file, int(count), int(decoded), int(batch), int(threads), cache, logits, device)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--shapes", default="qwen_0_6b,llama_1b")
    parser.add_argument("--weights", default="q4_0,q4_k_m,q8_0,bf16")
    parser.add_argument("--prompts", type=numbers, default=[128, 512])
    parser.add_argument("--contexts", type=numbers, default=[128], help="of decoding; 4096 takes minutes")
    parser.add_argument("--batches", type=numbers, default=[8], help="sequences at once, behind the first of the contexts")
    parser.add_argument("--cache", default="f16", choices=["f32", "f16", "q8_0"], help="type of the KV cache, on both sides")
    parser.add_argument("--isa", choices=["avx2"])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "steelyard-language")
    parser.add_argument("--markdown", type=pathlib.Path)
    options = parser.parse_args()
    packages = ["llama-cpp-python", "gguf", "numpy"]
    if options.device != "cpu":
        python = bench_python("STEELYARD_LLAMA_CUDA_PYTHON", ".venv-llama-cuda", ["llama_cpp", "gguf"], packages, {"CMAKE_ARGS": "-DGGML_CUDA=ON"})
    elif options.isa:
        python = bench_python("STEELYARD_LLAMA_AVX2_PYTHON", ".venv-llama-avx2", ["llama_cpp", "gguf"], packages, {"CMAKE_ARGS": AVX2})
    else:
        python = bench_python("STEELYARD_LLAMA_PYTHON", ".venv-llama", ["llama_cpp", "gguf"], packages)
    lines = ["| model | weights | case | own tokens/s | llama.cpp tokens/s | ratio | own GB/s | of reading | own MiB | llama.cpp MiB | logits differ |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    ratios = {}

    def add(kind, shape, weights, case, tokens, own, peer, rest):
        ratios.setdefault(kind, []).append(peer / own)
        lines.append(f"| {shape} | {weights} | {case} | {tokens / own:.1f} | {tokens / peer:.1f} | {peer / own:.2f} | {rest} |")
        print(lines[-1], flush=True)

    for shape in options.shapes.split(","):
        for weights in options.weights.split(","):
            script = f"import sys; sys.path.insert(0, {str(pathlib.Path(__file__).resolve().parent)!r}); import language_files; print(language_files.write(sys.argv[1], sys.argv[2], sys.argv[3]))"
            file = pathlib.Path(subprocess.check_output([python, "-c", script, str(options.folder), shape, weights], text=True).strip())
            size = file.stat().st_size
            compared = Comparison(python, options, file)
            for count in sorted({*options.prompts, *options.contexts}):
                decoded = DECODED if count in options.contexts else 0
                own, peer, differ = compared.one(count, decoded)
                memory = f"{own[2] / 2**20:.0f} | {peer[2] / 2**20:.0f} | {differ:.1e}"
                if count in options.prompts:
                    add("prompts", shape, weights, f"prompt {count}", count, own[0], peer[0], f"| | {memory}")
                if decoded:
                    share = "" if compared.device else f"{100 * statistics.median(compared.step(count, 1)[1] for _ in range(options.rounds)):.0f} %"
                    # If the embedding is also the output head, every byte of the file is read per token.
                    add(f"decode at {count}", shape, weights, f"decode at {count}", 1, own[1], peer[1], f"{size / own[1] / 1e9:.1f} | {share} | {memory}")
            for batch in options.batches if options.contexts else []:
                context = options.contexts[0]
                own, peer = compared.several(context, batch)
                add(f"batch {batch}", shape, weights, f"decode at {context}, batch {batch}", batch, own, peer, "| | | | ")
    for name, values in ratios.items():
        lines.append(f"\n{name}: geometric mean {math.exp(statistics.fmean(map(math.log, values))):.2f}, lowest {min(values):.2f}")
        print(lines[-1])
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
