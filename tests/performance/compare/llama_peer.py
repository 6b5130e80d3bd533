#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a GGUF file in llama.cpp, using PyPI's llama-cpp-python: logits, and times of prefill and decode."""
import ctypes
import time

import llama_cpp
import numpy

_quiet = llama_cpp.llama_log_callback(lambda level, text, data: None)
llama_cpp.llama_log_set(_quiet, ctypes.c_void_p(0))
llama_cpp.llama_backend_init()


class Peer:
    """One model and one context. cache: "f32", "f16" or "q8_0". On a GPU: all layers, the embedding on the CPU as llama.cpp does."""

    def __init__(self, file, context, threads, cache="f16", flash=True, sequences=1, gpu=False):
        options = llama_cpp.llama_model_default_params()
        options.n_gpu_layers = 999 if gpu else 0
        self.model = llama_cpp.llama_model_load_from_file(str(file).encode(), options)
        if not self.model:
            raise RuntimeError(f"llama.cpp cannot load {file}")
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self.model))
        options = llama_cpp.llama_context_default_params()
        options.n_ctx = context * sequences
        options.n_batch = options.n_ubatch = 512
        options.n_seq_max = sequences
        options.kv_unified = False  # one cache per sequence
        self.sequences = sequences
        options.n_threads = options.n_threads_batch = threads
        options.type_k = options.type_v = getattr(llama_cpp, f"GGML_TYPE_{cache.upper()}")
        options.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED if flash else llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self.context = llama_cpp.llama_init_from_model(self.model, options)
        if not self.context:
            raise RuntimeError("llama.cpp makes no context")

    def decode(self, tokens):
        for first in range(0, len(tokens), 512):
            part = tokens[first:first + 512]
            array = (llama_cpp.llama_token * len(part))(*part)
            if llama_cpp.llama_decode(self.context, llama_cpp.llama_batch_get_one(array, len(part))) != 0:
                raise RuntimeError("llama_decode failed")
        pointer = llama_cpp.llama_get_logits_ith(self.context, -1)
        return numpy.ctypeslib.as_array(pointer, shape=(self.vocabulary,)).copy()

    def repeat(self):
        """Copies the first sequence's cache to the others."""
        memory = llama_cpp.llama_get_memory(self.context)
        for sequence in range(1, self.sequences):
            llama_cpp.llama_memory_seq_cp(memory, 0, sequence, -1, -1)

    def step_seconds(self, position, count):
        """Seconds of each of `count` steps: one token per sequence, starting at this position."""
        batch = llama_cpp.llama_batch_init(self.sequences, 0, 1)
        batch.n_tokens = self.sequences
        seconds = []
        for step in range(count):
            for i in range(self.sequences):
                batch.token[i] = (step * self.sequences + i) * 7919 % 2000
                batch.pos[i] = position + step
                batch.n_seq_id[i] = 1
                batch.seq_id[i][0] = i
                batch.logits[i] = 1
            start = time.perf_counter()
            if llama_cpp.llama_decode(self.context, batch) != 0:
                raise RuntimeError("llama_decode failed")
            llama_cpp.llama_get_logits_ith(self.context, -1)
            seconds.append(time.perf_counter() - start)
        llama_cpp.llama_batch_free(batch)
        return seconds

    def clear(self):
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)

    def greedy(self, tokens, count):
        """The logits after the tokens, and the given number of further tokens."""
        logits = first = self.decode(tokens)
        found = []
        for _ in range(count):
            found.append(int(numpy.argmax(logits)))
            if len(found) < count:
                logits = self.decode(found[-1:])
        return first, found

    def prompt_seconds(self, tokens):
        self.clear()
        start = time.perf_counter()
        self.decode(tokens)
        return time.perf_counter() - start

    def decode_seconds(self, count):
        """Seconds of each of `count` tokens after the current cache."""
        seconds, token = [], 1
        for _ in range(count):
            start = time.perf_counter()
            token = int(numpy.argmax(self.decode([token])))
            seconds.append(time.perf_counter() - start)
        return seconds
