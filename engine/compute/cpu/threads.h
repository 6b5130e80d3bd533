// SPDX-License-Identifier: Apache-2.0
// Thread count and floating-point mode of a step: set on entry, restored on exit. Denormals make products a hundred
// times slower, so every worker flushes them to zero.
#pragma once

#include <string>

namespace steelyard::compute::cpu {

class ThreadScope {
public:
    explicit ThreadScope(int threads);
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;
    ~ThreadScope();

private:
    int m_previousThreads = 1;
    unsigned m_previousMode = 0;
};

// "OpenBLAS 0.3.21 ... Cooperlake", and whether it shares OpenMP's threads with oneDNN.
[[nodiscard]] std::string blasVersion();
[[nodiscard]] bool blasUsesOpenMp();

}  // namespace steelyard::compute::cpu
