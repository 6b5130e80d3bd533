// SPDX-License-Identifier: Apache-2.0
// Selects the candidate of a library call by trials on scratch memory of the call's sizes: the fastest by device events
// with a workspace within the limit. Choices are kept for the life of the backend, so that each shape is measured once.
// If scratch memory is not available, the library's first candidate is used.
#pragma once

#include <map>
#include <span>
#include <string>

#include "engine/compute/cuda/compile/library_call.h"

namespace steelyard::compute::cuda {

using TuningKey = std::string;

class Tuner {
public:
    // Index of the candidate to run. Unsupported if none is within the limit.
    [[nodiscard]] Result<std::size_t> choose(DeviceRuntime& runtime, LibraryCall& call, const TuningKey& key,
                                             std::span<const std::int64_t> operandBytes, std::int64_t workspaceLimit);
    // The choice for a key other than a library call; null if there is none yet.
    [[nodiscard]] const std::string* chosen(const TuningKey& key) const {
        const auto found = m_chosen.find(key);
        return found == m_chosen.end() ? nullptr : &found->second;
    }
    void remember(const TuningKey& key, std::string name) {
        m_chosen[key] = std::move(name);
        ++m_measured;
    }
    [[nodiscard]] std::size_t measured() const { return m_measured; }  // number of calls measured so far

private:
    std::map<TuningKey, std::string> m_chosen;  // name of the candidate
    std::size_t m_measured = 0;
};

[[nodiscard]] TuningKey keyOf(const MatrixProduct& product);
[[nodiscard]] TuningKey keyOf(const Convolution& convolution);

}  // namespace steelyard::compute::cuda
