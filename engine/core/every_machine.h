// SPDX-License-Identifier: Apache-2.0
// STEELYARD_EVERY_MACHINE before a function compiles it for several instruction sets (function multiversioning); the
// loader selects one at start-up. Functions that it calls must be inlined. Not supported with sanitizers or Clang: the
// macro is then empty.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define STEELYARD_EVERY_MACHINE __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define STEELYARD_EVERY_MACHINE
#endif
