#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes <family>/config.json and <family>/header.gguf beside this file, with PyPI's `gguf` (0.17 and later).

    make_files.py ../../../resources/models/decoders.json

Each file describes a published model by its real figures, in the form its family's files have. The GGUF files end with
their headers: names, sizes and types of tensors without the weights. tiny.gguf is a small model with its weights.
"""
import json
import pathlib
import sys

import gguf
import numpy

HERE = pathlib.Path(__file__).parent
# Families that the table of the program does not list: figures of published models.
FURTHER = {
    "olmo2_7b": {"family": "olmo2", "layers": 32, "width": 4096, "heads": 32, "kv_heads": 32, "head_dimension": 128, "feed_forward": 11008,
                 "vocabulary": 100352, "context_length": 4096, "rotary_theta": 500000, "tied_embeddings": False, "norm_epsilon": 1e-6, "qk_norm": "whole"},
    "smollm3_3b": {"family": "smollm3", "layers": 36, "width": 2048, "heads": 16, "kv_heads": 4, "head_dimension": 128, "feed_forward": 11008,
                   "vocabulary": 128256, "context_length": 65536, "rotary_theta": 5000000, "tied_embeddings": True, "norm_epsilon": 1e-6},
    "qwen1_5_moe_a2_7b": {"family": "qwen2_moe", "layers": 24, "width": 2048, "heads": 16, "kv_heads": 16, "head_dimension": 128, "vocabulary": 151936,
                          "context_length": 8192, "rotary_theta": 1000000, "tied_embeddings": False, "norm_epsilon": 1e-6, "qkv_bias": True, "experts": 60,
                          "active_experts": 4, "expert_width": 1408, "shared_expert_width": 5632, "shared_expert_gate": True},
    "gpt2": {"family": "gpt2", "layers": 12, "width": 768, "heads": 12, "kv_heads": 12, "head_dimension": 64, "feed_forward": 3072, "vocabulary": 50257,
             "context_length": 1024, "rotary_theta": 10000, "tied_embeddings": True, "norm_epsilon": 1e-5, "qkv_bias": True},
}
TABLED = ["llama_3_1_8b", "mistral_7b_v0_1", "mixtral_8x7b", "qwen2_5_7b", "qwen3_8b", "qwen3_30b_a3b", "gemma_2_2b", "gemma_3_1b", "phi_3_mini",
          "gpt_oss_20b", "deepseek_v2_lite", "deepseek_v3"]
ARCHITECTURES = {"llama": "llama", "mistral": "llama", "mixtral": "llama", "qwen2": "qwen2", "qwen2_moe": "qwen2moe", "qwen3": "qwen3",
                 "qwen3_moe": "qwen3moe", "gemma2": "gemma2", "gemma3_text": "gemma3", "phi3": "phi3", "gpt_oss": "gpt-oss", "deepseek_v2": "deepseek2",
                 "deepseek_v3": "deepseek2", "olmo2": "olmo2", "smollm3": "smollm3", "gpt2": "gpt2"}


def config(m):
    family = m["family"]
    if family == "gpt2":
        return {"model_type": "gpt2", "n_layer": m["layers"], "n_embd": m["width"], "n_head": m["heads"], "n_positions": m["context_length"],
                "n_ctx": m["context_length"], "vocab_size": m["vocabulary"], "layer_norm_epsilon": m["norm_epsilon"], "activation_function": "gelu_new"}
    c = {"architectures": [family], "model_type": family, "hidden_act": "silu", "torch_dtype": "bfloat16", "num_hidden_layers": m["layers"],
         "hidden_size": m["width"], "num_attention_heads": m["heads"], "num_key_value_heads": m["kv_heads"], "vocab_size": m["vocabulary"],
         "max_position_embeddings": m["context_length"], "rms_norm_eps": m["norm_epsilon"], "rope_theta": m["rotary_theta"],
         "tie_word_embeddings": m["tied_embeddings"]}
    if m["head_dimension"] != m["width"] // m["heads"] and not family.startswith("deepseek"):
        c["head_dim"] = m["head_dimension"]
    experts = m.get("experts", 0)
    if not experts or family == "deepseek_v2" or family == "deepseek_v3":
        c["intermediate_size"] = m["feed_forward"]
    if family in ("mixtral", "gpt_oss"):
        c.update(intermediate_size=m["expert_width"], num_local_experts=experts, num_experts_per_tok=m["active_experts"])
    if family in ("qwen2_moe", "qwen3_moe"):
        c.update(intermediate_size=6144, moe_intermediate_size=m["expert_width"], num_experts=experts, num_experts_per_tok=m["active_experts"],
                 decoder_sparse_step=1, mlp_only_layers=[])
    if family == "qwen2_moe":
        c["shared_expert_intermediate_size"] = m["shared_expert_width"]
    if family.startswith("deepseek"):
        c.update(kv_lora_rank=m["latent_rank"], q_lora_rank=m.get("query_rank"), qk_rope_head_dim=m["latent_rotary"],
                 qk_nope_head_dim=m["latent_plain"], v_head_dim=m["latent_value"], n_routed_experts=experts,
                 n_shared_experts=m["shared_expert_width"] // m["expert_width"], num_experts_per_tok=m["active_experts"],
                 moe_intermediate_size=m["expert_width"], first_k_dense_replace=m["leading_dense_layers"], moe_layer_freq=1)
    if family == "gpt_oss":
        c["layer_types"] = ["sliding_attention", "full_attention"] * (m["layers"] // 2)
    if family == "gemma3_text":
        c["sliding_window_pattern"] = m["global_every"]
        c["rope_local_base_freq"] = m["local_rotary_theta"]
    if family == "gemma2":
        c.update(attn_logit_softcapping=m["attention_soft_cap"], final_logit_softcapping=m["logit_soft_cap"])
    if m.get("window"):
        c["sliding_window"] = m["window"]
    if m.get("rotary_scaling"):
        c["rope_scaling"] = {"rope_type": m["rotary_scaling"], "factor": m["rotary_factor"]}
    return c


def tensors(m):
    """Names and sizes as llama.cpp's conversion writes them, rows last."""
    d, q, kv = m["width"], m["heads"] * m["head_dimension"], m["kv_heads"] * m["head_dimension"]
    family, experts = m["family"], m.get("experts", 0)
    gpt2 = family == "gpt2"
    yield "token_embd.weight", (m["vocabulary"], d)
    if gpt2:
        yield "position_embd.weight", (m["context_length"], d)
    for i in range(m["layers"]):
        def t(name, *shape):
            return f"blk.{i}.{name}", shape
        if m.get("latent_rank"):
            heads = m["heads"] * (m["latent_plain"] + m["latent_rotary"])
            if m.get("query_rank"):
                yield t("attn_q_a.weight", m["query_rank"], d)
                yield t("attn_q_a_norm.weight", m["query_rank"])
                yield t("attn_q_b.weight", heads, m["query_rank"])
            else:
                yield t("attn_q.weight", heads, d)
            yield t("attn_kv_a_mqa.weight", m["latent_rank"] + m["latent_rotary"], d)
            yield t("attn_kv_a_norm.weight", m["latent_rank"])
            yield t("attn_kv_b.weight", m["heads"] * (m["latent_plain"] + m["latent_value"]), m["latent_rank"])
            yield t("attn_output.weight", d, m["heads"] * m["latent_value"])
        else:
            if m.get("fused_qkv") or gpt2:
                yield t("attn_qkv.weight", q + 2 * kv, d)
            else:
                yield t("attn_q.weight", q, d)
                yield t("attn_k.weight", kv, d)
                yield t("attn_v.weight", kv, d)
            yield t("attn_output.weight", d, q)
            if gpt2:
                yield t("attn_qkv.bias", q + 2 * kv)
            elif m.get("qkv_bias"):
                yield t("attn_q.bias", q)
                yield t("attn_k.bias", kv)
                yield t("attn_v.bias", kv)
            if m.get("output_bias") or gpt2:
                yield t("attn_output.bias", d)
            if m.get("qk_norm") == "per_head":
                yield t("attn_q_norm.weight", m["head_dimension"])
                yield t("attn_k_norm.weight", m["head_dimension"])
            if m.get("qk_norm") == "whole":
                yield t("attn_q_norm.weight", q)
                yield t("attn_k_norm.weight", kv)
            if m.get("attention_sinks"):
                yield t("attn_sinks.weight", m["heads"])
        if family != "olmo2":
            yield t("attn_norm.weight", d)
            yield t("ffn_norm.weight", d)
        if m.get("norms_per_layer") == 4 or family == "olmo2":
            yield t("post_attention_norm.weight", d)
            yield t("post_ffw_norm.weight", d)
        if gpt2:
            yield t("attn_norm.bias", d)
            yield t("ffn_norm.bias", d)
        if experts and i >= m.get("leading_dense_layers", 0):
            w = m["expert_width"]
            yield t("ffn_gate_inp.weight", experts, d)
            if family == "gpt_oss":
                yield t("ffn_gate_inp.bias", experts)
                yield t("ffn_gate_exps.bias", experts, w)
                yield t("ffn_up_exps.bias", experts, w)
                yield t("ffn_down_exps.bias", experts, d)
            if family == "deepseek_v3":
                yield t("exp_probs_b.bias", experts)
            yield t("ffn_gate_exps.weight", experts, w, d)
            yield t("ffn_up_exps.weight", experts, w, d)
            yield t("ffn_down_exps.weight", experts, d, w)
            shared = m.get("shared_expert_width", 0)
            if shared:
                if m.get("shared_expert_gate"):
                    yield t("ffn_gate_inp_shexp.weight", d)
                yield t("ffn_gate_shexp.weight", shared, d)
                yield t("ffn_up_shexp.weight", shared, d)
                yield t("ffn_down_shexp.weight", d, shared)
        elif gpt2:
            yield t("ffn_up.weight", m["feed_forward"], d)
            yield t("ffn_up.bias", m["feed_forward"])
            yield t("ffn_down.weight", d, m["feed_forward"])
            yield t("ffn_down.bias", d)
        else:
            if m.get("fused_qkv"):
                yield t("ffn_up.weight", 2 * m["feed_forward"], d)
            else:
                yield t("ffn_gate.weight", m["feed_forward"], d)
                yield t("ffn_up.weight", m["feed_forward"], d)
            yield t("ffn_down.weight", d, m["feed_forward"])
    yield "output_norm.weight", (d,)
    if gpt2:
        yield "output_norm.bias", (d,)
    if not m["tied_embeddings"]:
        yield "output.weight", (m["vocabulary"], d)


def facts(writer, m):
    arch, family = ARCHITECTURES[m["family"]], m["family"]
    writer.add_block_count(m["layers"])
    writer.add_embedding_length(m["width"])
    writer.add_head_count(m["heads"])
    writer.add_context_length(m["context_length"])
    if m["kv_heads"] != m["heads"]:
        writer.add_head_count_kv(m["kv_heads"])
    experts = m.get("experts", 0)
    writer.add_feed_forward_length(m.get("feed_forward") or m["expert_width"])
    if experts:
        writer.add_expert_count(experts)
        writer.add_expert_used_count(m["active_experts"])
        if family not in ("mixtral",):
            writer.add_expert_feed_forward_length(m["expert_width"])
        if family == "qwen2_moe":
            writer.add_expert_shared_feed_forward_length(m["shared_expert_width"])
        if family.startswith("deepseek"):
            writer.add_expert_shared_count(m["shared_expert_width"] // m["expert_width"])
            writer.add_leading_dense_block_count(m["leading_dense_layers"])
    if family == "gpt2":
        writer.add_layer_norm_eps(m["norm_epsilon"])
    else:
        writer.add_layer_norm_rms_eps(m["norm_epsilon"])
        writer.add_rope_freq_base(m["rotary_theta"])
    if m.get("latent_rank"):
        writer.add_kv_lora_rank(m["latent_rank"])
        if m.get("query_rank"):
            writer.add_q_lora_rank(m["query_rank"])
        writer.add_key_length(m["latent_plain"] + m["latent_rotary"])
        writer.add_value_length(m["latent_value"])
        writer.add_rope_dimension_count(m["latent_rotary"])
    elif family != "gpt2":
        writer.add_key_length(m["head_dimension"])
        writer.add_value_length(m["head_dimension"])
        writer.add_rope_dimension_count(m["head_dimension"])
    # llama.cpp's conversion bakes the scaling of Llama 3 into a tensor of factors and writes no key for it.
    if m.get("rotary_scaling") in ("linear", "yarn"):
        writer.add_string(f"{arch}.rope.scaling.type", m["rotary_scaling"])
        writer.add_float32(f"{arch}.rope.scaling.factor", m["rotary_factor"])
    if m.get("window"):
        writer.add_sliding_window(m["window"])
    if m.get("attention_soft_cap"):
        writer.add_attn_logit_softcapping(m["attention_soft_cap"])
        writer.add_final_logit_softcapping(m["logit_soft_cap"])
    writer.add_file_type(int(gguf.LlamaFileType.MOSTLY_BF16))


def header(path, m):
    writer = gguf.GGUFWriter(path, ARCHITECTURES[m["family"]])
    facts(writer, m)
    for name, shape in tensors(m):
        matrix = len(shape) > 1
        writer.add_tensor_info(name, shape, numpy.dtype(numpy.float32), int(numpy.prod(shape)) * (2 if matrix else 4),
                               raw_dtype=gguf.GGMLQuantizationType.BF16 if matrix else gguf.GGMLQuantizationType.F32)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()


def tiny(path):
    m = {"family": "llama", "layers": 2, "width": 64, "heads": 4, "kv_heads": 2, "head_dimension": 16, "feed_forward": 128, "vocabulary": 40,
         "context_length": 256, "rotary_theta": 10000, "tied_embeddings": True, "norm_epsilon": 1e-5}
    writer = gguf.GGUFWriter(path, "llama")
    facts(writer, m)
    writer.add_token_list([f"word{i}" for i in range(m["vocabulary"])])
    random = numpy.random.default_rng(1)
    for name, shape in tensors(m):
        values = random.standard_normal(shape).astype(numpy.float32)
        if len(shape) > 1:
            kind = gguf.GGMLQuantizationType.Q8_0 if "attn" in name else gguf.GGMLQuantizationType.Q4_0
            writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    table = {m["id"]: m for m in json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["models"]}
    for name, m in {**{name: table[name] for name in TABLED}, **FURTHER}.items():
        folder = HERE / name
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config(m), indent=1) + "\n", encoding="utf-8")
        header(folder / "header.gguf", m)
    tiny(HERE / "tiny.gguf")


if __name__ == "__main__":
    main()
