#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Language models on the CPU: this engine against llama.cpp, on the same GGUF files, in turns, with the same threads.

  compare_llama.py [--shapes qwen_0_6b,llama_1b] [--weights q4_0,q4_k_m,q8_0,bf16] [--prompts 128,512] [--contexts 128]
                   [--threads 2] [--rounds 3] [--folder FILES] [--markdown FILE]

Each measurement is a process of its own: steelyard-cli evaluate, or a Python interpreter with PyPI's llama-cpp-python
(cache in binary16, flash attention). A prompt of so many tokens is processed once; behind a context, 32 tokens follow one
by one and their median counts. The best of the rounds counts for each side. The logits behind the first prompt are
compared: the relative RMS difference is printed. Ratios above 1: this engine is faster.

The interpreter is STEELYARD_LLAMA_PYTHON, or that of .venv-llama, made on first use; llama.cpp is built for this machine
then, which takes some minutes and needs cmake.
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

TOP = pathlib.Path(__file__).resolve().parents[2]
CLI = TOP / "build" / os.environ.get("STEELYARD_PRESET", "dev") / "bin" / "steelyard-cli"
DECODED = 32


def tokens_of(count):
    return [(i * 7919 + 13) % 2000 for i in range(count)]


def own(file, count, decoded, threads, logits):
    """Seconds of the prompt, and the median of a token behind it."""
    command = [str(CLI), "evaluate", str(file), "--tokens", ",".join(map(str, tokens_of(count))), "--generate", str(decoded + 1 if decoded else 0),
               "--threads", str(threads), "--outputs", str(logits), "--json"]
    document = json.loads(subprocess.check_output(command, text=True))
    return document["prompt_seconds"], statistics.median(document["token_seconds"]) if decoded else None


def peer(python, file, count, decoded, threads, logits):
    command = [python, __file__, "--peer", str(file), str(count), str(decoded), str(threads), str(logits)]
    document = json.loads(subprocess.check_output(command, text=True))
    return document["prompt"], document["token"]


def serve(file, count, decoded, threads, logits):
    import llama_peer
    import numpy

    model = llama_peer.Peer(file, count + decoded + 8, threads)
    tokens = tokens_of(count)
    model.prompt_seconds(tokens[:16])
    model.clear()
    seconds = model.prompt_seconds(tokens)
    model.clear()
    numpy.save(logits, model.decode(tokens))
    token = statistics.median(model.decode_seconds(decoded)) if decoded else None
    print(json.dumps({"prompt": seconds, "token": token}))


def difference(python, a, b):
    script = "import numpy, sys; a, b = numpy.load(sys.argv[1]), numpy.load(sys.argv[2]); print(numpy.sqrt(((a - b) ** 2).mean() / (b ** 2).mean()))"
    return float(subprocess.check_output([python, "-c", script, str(a), str(b)], text=True))


def compare(python, options, file, count, decoded):
    best = {"own": (math.inf, math.inf), "peer": (math.inf, math.inf)}
    with tempfile.TemporaryDirectory() as folder:
        logits = pathlib.Path(folder) / "own.npy", pathlib.Path(folder) / "peer.npy"
        for _ in range(options.rounds):
            for side, run in (("own", lambda: own(file, count, decoded, options.threads, logits[0])),
                              ("peer", lambda: peer(python, file, count, decoded, options.threads, logits[1]))):
                prompt, token = run()
                best[side] = min(best[side][0], prompt), min(best[side][1], token or math.inf)
        return best, difference(python, *logits)


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--peer":
        file, count, decoded, threads, logits = sys.argv[2:]
        return serve(file, int(count), int(decoded), int(threads), logits)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--shapes", default="qwen_0_6b,llama_1b")
    parser.add_argument("--weights", default="q4_0,q4_k_m,q8_0,bf16")
    parser.add_argument("--prompts", default="128,512")
    parser.add_argument("--contexts", default="128", help="of decoding; 4096 takes minutes")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "steelyard-language")
    parser.add_argument("--markdown", type=pathlib.Path)
    options = parser.parse_args()
    python = bench_python("STEELYARD_LLAMA_PYTHON", ".venv-llama", ["llama_cpp", "gguf"], ["llama-cpp-python", "gguf", "numpy"])
    lines = ["| model | weights | case | own tokens/s | llama.cpp tokens/s | ratio | own GB/s | logits differ |", "|---|---|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    ratios = {"prompt": [], "decode": []}
    for shape in options.shapes.split(","):
        for weights in options.weights.split(","):
            script = f"import sys; sys.path.insert(0, {str(TOP / 'tests' / 'performance')!r}); import language_files; print(language_files.write(sys.argv[1], sys.argv[2], sys.argv[3]))"
            file = pathlib.Path(subprocess.check_output([python, "-c", script, str(options.folder), shape, weights], text=True).strip())
            size = file.stat().st_size
            prompts = [int(n) for n in options.prompts.split(",") if n]
            contexts = [int(n) for n in options.contexts.split(",") if n]
            for count in sorted({*prompts, *contexts}):
                decoded = DECODED if count in contexts else 0
                best, differ = compare(python, options, file, count, decoded)
                if count in prompts:
                    ratios["prompt"].append(best["peer"][0] / best["own"][0])
                    lines.append(f"| {shape} | {weights} | prompt {count} | {count / best['own'][0]:.1f} | {count / best['peer'][0]:.1f} | "
                                 f"{ratios['prompt'][-1]:.2f} | | {differ:.1e} |")
                    print(lines[-1], flush=True)
                if decoded:
                    ratios["decode"].append(best["peer"][1] / best["own"][1])
                    # Every byte of the file is read for a token where the embedding is the head, too.
                    lines.append(f"| {shape} | {weights} | decode at {count} | {1 / best['own'][1]:.1f} | {1 / best['peer'][1]:.1f} | "
                                 f"{ratios['decode'][-1]:.2f} | {size / best['own'][1] / 1e9:.1f} | {differ:.1e} |")
                    print(lines[-1], flush=True)
    for name, values in ratios.items():
        if values:
            lines.append(f"\n{name}: geometric mean {math.exp(statistics.fmean(map(math.log, values))):.2f}, lowest {min(values):.2f}")
            print(lines[-1])
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
