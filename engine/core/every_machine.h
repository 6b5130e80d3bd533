// SPDX-License-Identifier: Apache-2.0
// STEELYARD_EVERY_MACHINE before a function: it is compiled for several instruction sets, and the loader selects one
// of them when the program starts. Functions that it calls must be inlined. Not supported by sanitizers and Clang:
// there the macro is empty.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define STEELYARD_EVERY_MACHINE __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define STEELYARD_EVERY_MACHINE
#endif
