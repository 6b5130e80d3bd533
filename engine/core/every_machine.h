// SPDX-License-Identifier: Apache-2.0
// STEELYARD_EVERY_MACHINE before a function: it is compiled for several instruction sets, and the right one is picked
// when the program is loaded. What it calls must be inlined for that. Sanitizers and Clang do not get along with it:
// there it means nothing.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define STEELYARD_EVERY_MACHINE __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define STEELYARD_EVERY_MACHINE
#endif
