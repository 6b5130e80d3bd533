// SPDX-License-Identifier: Apache-2.0
// STEELYARD_SANITIZED is 1 if the program is built with AddressSanitizer or ThreadSanitizer, else 0: they reserve
// address space, replace allocation and multiply durations. GCC and Clang indicate it in different ways.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STEELYARD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STEELYARD_SANITIZED 1
#endif
#endif
#ifndef STEELYARD_SANITIZED
#define STEELYARD_SANITIZED 0
#endif
