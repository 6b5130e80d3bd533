#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes GGUF files with published shapes and random weights, for speed comparisons: write(folder, "llama_1b", "q4_k_m").

Random blocks of a tensor repeat after several thousand, which does not affect the time. Their scales keep activations
bounded, so that logits can be compared."""
import pathlib
import sys

import gguf
import numpy

TOP = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "tests" / "data" / "decoders"))
import make_files  # noqa: E402

SHAPES = {
    "tiny": {"family": "llama", "layers": 4, "width": 512, "heads": 8, "kv_heads": 4, "head_dimension": 64, "feed_forward": 1536, "vocabulary": 2048,
             "tied_embeddings": True, "rotary_theta": 500000},
    "qwen_0_6b": {"family": "qwen3", "layers": 28, "width": 1024, "heads": 16, "kv_heads": 8, "head_dimension": 128, "feed_forward": 3072,
                  "vocabulary": 151936, "tied_embeddings": True, "qk_norm": "per_head", "rotary_theta": 1000000},
    "llama_1b": {"family": "llama", "layers": 16, "width": 2048, "heads": 32, "kv_heads": 8, "head_dimension": 64, "feed_forward": 8192,
                 "vocabulary": 128256, "tied_embeddings": True, "rotary_theta": 500000},
    "llama_8b": {"family": "llama", "layers": 32, "width": 4096, "heads": 32, "kv_heads": 8, "head_dimension": 128, "feed_forward": 14336,
                 "vocabulary": 128256, "tied_embeddings": False, "rotary_theta": 500000},
}
KIND = gguf.GGMLQuantizationType
SCHEMES = {"f32": KIND.F32, "bf16": KIND.BF16, "f16": KIND.F16, "q8_0": KIND.Q8_0, "q4_0": KIND.Q4_0, "q4_k_m": KIND.Q4_K,
           "q2_k": KIND.Q2_K, "q3_k": KIND.Q3_K, "iq4_xs": KIND.IQ4_XS}  # these: all matrices in one type
DISTINCT = 4096  # blocks of a tensor


def kind_of(name, scheme, m):
    """The type of each tensor, as in engine/model/decoder/decoder_spec.cpp."""
    base = SCHEMES[scheme]
    if not scheme.startswith("q4"):
        return base
    if name == "output.weight" or (name == "token_embd.weight" and m["tied_embeddings"]):
        return KIND.Q6_K
    if scheme == "q4_k_m" and ("attn_v" in name or "ffn_down" in name):
        i, count = int(name.split(".")[1]), m["layers"]
        if i < count // 8 or i >= 7 * count // 8 or (i - count // 8) % 3 == 2:
            return KIND.Q6_K
    return base


def halves(values):
    return numpy.asarray(values, numpy.float16).view(numpy.uint8).reshape(len(values), 2)


def blocks(kind, count, deviation, random):
    """`count` blocks of weights with approximately this standard deviation, as bytes."""
    def some(width):
        return random.integers(0, 256, (count, width), dtype=numpy.uint8)
    jitter = random.uniform(0.8, 1.2, count)
    if kind == KIND.Q4_0:  # levels -8 to 7, standard deviation 4.6
        return numpy.concatenate([halves(jitter * deviation / 4.6), some(16)], axis=1)
    if kind == KIND.Q8_0:
        return numpy.concatenate([halves(jitter * deviation / 74), some(32)], axis=1)
    if kind == KIND.Q4_K:  # scales of 32 to 47 and minima that offset 7.5 levels of them, both under one super-scale
        factors = random.integers(1, 6, (count, 8)).astype(numpy.uint8)
        minima = numpy.round(factors * 7.5).astype(numpy.uint8)
        packed = numpy.zeros((count, 12), numpy.uint8)
        packed[:, :4] = factors[:, :4] | (factors[:, 4:] >> 4) << 6
        packed[:, 4:8] = minima[:, :4] | (minima[:, 4:] >> 4) << 6
        packed[:, 8:] = (factors[:, 4:] & 15) | (minima[:, 4:] & 15) << 4
        scale = halves(jitter * deviation / (3.3 * 4.6))
        return numpy.concatenate([scale, scale, packed, some(128)], axis=1)
    if kind == KIND.Q6_K:
        factors = random.integers(20, 61, (count, 16)).astype(numpy.uint8)
        return numpy.concatenate([some(192), factors, halves(jitter * deviation / (42 * 18.5))], axis=1)
    if kind == KIND.Q2_K:  # minima that offset 1.5 levels of the factors; super-scales of 1 and 1.5
        factors = random.integers(6, 16, (count, 16)).astype(numpy.uint8)
        scale = jitter * deviation / (10.5 * 1.12)
        return numpy.concatenate([factors | factors << 4, some(64), halves(scale), halves(1.5 * scale)], axis=1)
    if kind == KIND.Q3_K:  # levels -4 to 3, factors of 8 to 31 stored with an offset of 32
        factors = random.integers(40, 64, (count, 16)).astype(numpy.uint8)
        low, high = factors & 15, factors >> 4
        packed = numpy.concatenate([low[:, :8] | low[:, 8:] << 4, high[:, :4] | high[:, 4:8] << 2 | high[:, 8:12] << 4 | high[:, 12:] << 6], axis=1)
        return numpy.concatenate([some(96), packed, halves(jitter * deviation / (19.5 * 2.3))], axis=1)
    if kind == KIND.IQ4_XS:  # factors as in Q3_K
        factors = random.integers(40, 64, (count, 8)).astype(numpy.uint16)
        high = numpy.zeros(count, numpy.uint16)
        for i in range(8):
            high |= (factors[:, i] >> 4) << (2 * i)
        low = (factors[:, ::2] & 15 | (factors[:, 1::2] & 15) << 4).astype(numpy.uint8)
        return numpy.concatenate([halves(jitter * deviation / (19.5 * 74)), high.view(numpy.uint8).reshape(count, 2), low, some(128)], axis=1)
    raise ValueError(kind)


def drawn(shape, kind, random):
    deviation = (0.7 if len(shape) > 1 else 1) / numpy.sqrt(shape[-1])
    weights = int(numpy.prod(shape))
    if kind in (KIND.F32, KIND.F16, KIND.BF16):
        part = (random.standard_normal(min(weights, 1 << 20)) * deviation).astype(numpy.float32)
        values = part.astype(numpy.float16) if kind == KIND.F16 else gguf.quants.quantize(part, kind) if kind == KIND.BF16 else part
        return numpy.resize(values.view(numpy.uint8), weights * {KIND.F32: 4}.get(kind, 2)).reshape(*shape[:-1], -1)
    size, bytes_of = gguf.GGML_QUANT_SIZES[kind]
    part = blocks(kind, min(weights // size, DISTINCT + 1), deviation, random)
    return numpy.resize(part, weights // size * bytes_of).reshape(*shape[:-1], -1)


def write(folder, shape, scheme):
    path = pathlib.Path(folder) / f"{shape}_{scheme}.gguf"
    if path.exists():
        return path
    m = {"norm_epsilon": 1e-5, "context_length": 32768, **SHAPES[shape]}
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    writer = gguf.GGUFWriter(temporary, make_files.ARCHITECTURES[m["family"]], use_temp_file=False)
    make_files.facts(writer, m)
    writer.add_tokenizer_model("no_vocab")
    writer.add_vocab_size(m["vocabulary"])
    random = numpy.random.default_rng(33)
    planned = []
    for name, size in make_files.tensors(m):
        kind = KIND.F32 if len(size) == 1 else kind_of(name, scheme, m)
        block, bytes_of = gguf.GGML_QUANT_SIZES[kind]
        count = int(numpy.prod(size)) // block * bytes_of
        stored = (*size[:-1], size[-1] // block * bytes_of)
        writer.add_tensor_info(name, stored if len(size) > 1 else size, numpy.dtype(numpy.uint8 if len(size) > 1 else numpy.float32), count, raw_dtype=kind)
        planned.append((name, size, kind))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for name, size, kind in planned:
        values = drawn(size, kind, random) if len(size) > 1 else numpy.ones(size, numpy.float32)
        writer.write_tensor_data(values)
    writer.close()
    temporary.rename(path)
    return path
