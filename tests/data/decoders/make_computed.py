#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes computed/<family>.gguf, small models with drawn weights, and computed/<family>.json: what llama.cpp computes.

    make_computed.py            all of them; needs PyPI's gguf and llama-cpp-python

48 tokens, the logits of the last one with a cache in float32 and without flash attention, and 32 tokens more by the
largest logit. llama.cpp's gelu is a table of 16-bit numbers; its families agree less exactly.
"""
import importlib.metadata
import json
import pathlib
import sys

import gguf
import numpy

import make_files

HERE = pathlib.Path(__file__).parent / "computed"
sys.path.insert(0, str(HERE.parents[2] / "performance" / "compare"))
import llama_peer  # noqa: E402

BASE = {"layers": 2, "width": 32, "heads": 4, "kv_heads": 2, "head_dimension": 8, "feed_forward": 48, "vocabulary": 64, "context_length": 256,
        "rotary_theta": 10000, "tied_embeddings": False, "norm_epsilon": 1e-5}
EXPERTS = {"feed_forward": 0, "experts": 6, "active_experts": 2, "expert_width": 16}
MODELS = {
    "llama": {"family": "llama", "rope_freqs": True},
    "mixtral": {"family": "mixtral", **EXPERTS},
    "qwen2": {"family": "qwen2", "qkv_bias": True, "tied_embeddings": True, "rotary_theta": 1000000},
    "qwen2moe": {"family": "qwen2_moe", "qkv_bias": True, **EXPERTS, "shared_expert_width": 32, "shared_expert_gate": True},
    "qwen3": {"family": "qwen3", "qk_norm": "per_head", "head_dimension": 16, "norm_epsilon": 1e-6},
    "qwen3moe": {"family": "qwen3_moe", "qk_norm": "per_head", **EXPERTS},
    "gemma2": {"family": "gemma2", "norms_per_layer": 4, "tied_embeddings": True, "window": 16, "attention_soft_cap": 50.0, "logit_soft_cap": 30.0},
    "gemma3": {"family": "gemma3_text", "norms_per_layer": 4, "tied_embeddings": True, "window": 16, "qk_norm": "per_head", "layers": 7,
               "rotary_theta": 1000000, "rotary_scaling": "linear", "rotary_factor": 8.0},
    "phi3": {"family": "phi3", "fused_qkv": True},
    "olmo2": {"family": "olmo2", "qk_norm": "whole", "norms_per_layer": 2, "norm_epsilon": 1e-6, "layers": 3},
    "smollm3": {"family": "smollm3", "layers": 4, "tied_embeddings": True, "norm_epsilon": 1e-6},
    "gpt_oss": {"family": "gpt_oss", **EXPERTS, "qkv_bias": True, "output_bias": True, "attention_sinks": True, "window": 16, "gpt_oss": True,
                "rotary_theta": 150000, "rotary_scaling": "yarn", "rotary_factor": 32.0, "context_length": 4096, "original": 64},
}
# Formats of weights, on the family llama.
WIDE = {**BASE, "family": "llama", "width": 128, "head_dimension": 32, "feed_forward": 160, "layers": 1}
TYPES = {"f16": gguf.GGMLQuantizationType.F16, "bf16": gguf.GGMLQuantizationType.BF16, "q8_0": gguf.GGMLQuantizationType.Q8_0,
         "q4_0": gguf.GGMLQuantizationType.Q4_0}


def names(m):
    for name, shape in make_files.tensors(m):
        if m["family"] == "gpt_oss" and name.endswith("ffn_norm.weight"):
            name = name.replace("ffn_norm", "post_attention_norm")
        yield name, shape
    if m.get("rope_freqs"):
        yield "rope_freqs.weight", (m["head_dimension"] // 2,)


def write(path, m, kind=gguf.GGMLQuantizationType.F32):
    arch = make_files.ARCHITECTURES[m["family"]]
    writer = gguf.GGUFWriter(path, arch)
    make_files.facts(writer, m)
    writer.add_tokenizer_model("no_vocab")
    writer.add_vocab_size(m["vocabulary"])
    if m.get("original"):
        writer.add_rope_scaling_orig_ctx_len(m["original"])
    random = numpy.random.default_rng(33)
    for name, shape in names(m):
        values = random.standard_normal(shape).astype(numpy.float32)
        if name == "rope_freqs.weight":
            values = numpy.linspace(1, 8, shape[0]).astype(numpy.float32)
        elif name.endswith("norm.weight"):
            values = 1 + 0.1 * values
        elif len(shape) > 1 and not name.endswith(".bias"):
            values *= (1.0 if name.startswith("token_embd") else 1.5) / numpy.sqrt(shape[-1])
        else:
            values *= 0.3
        if len(shape) == 1 or name.endswith(".bias") or "ffn_gate_inp" in name or kind == gguf.GGMLQuantizationType.F32:
            writer.add_tensor(name, values)
        else:
            writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def expect(path, m):
    tokens = [(i * 37 + 11) % m["vocabulary"] for i in range(48)]
    logits, generated = llama_peer.Peer(path, 128, 2, "f32", flash=False).greedy(tokens, 32)
    text = {"computed_by": "llama.cpp in llama-cpp-python " + importlib.metadata.version("llama-cpp-python"), "tokens": tokens,
            "logits": [float(f"{value:.7g}") for value in logits], "generated": generated}
    path.with_suffix(".json").write_text(json.dumps(text) + "\n", encoding="utf-8")


def main():
    HERE.mkdir(exist_ok=True)
    for name, changes in MODELS.items():
        m = {**BASE, **changes}
        write(HERE / f"{name}.gguf", m)
        expect(HERE / f"{name}.gguf", m)
    for name, kind in TYPES.items():
        write(HERE / f"llama_{name}.gguf", WIDE, kind)
        expect(HERE / f"llama_{name}.gguf", WIDE)


if __name__ == "__main__":
    main()
