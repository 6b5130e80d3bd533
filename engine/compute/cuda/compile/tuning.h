// SPDX-License-Identifier: Apache-2.0
// Chooses between the candidates of a library call by running each on scratch memory of the call's sizes and taking the
// fastest, by device events, whose workspace is within the limit. A choice is kept for the life of the backend, so that
// the same shape is measured once. Where scratch memory cannot be had, the library's favourite is taken.
#pragma once

#include <map>
#include <span>
#include <string>

#include "engine/compute/cuda/compile/library_call.h"

namespace steelyard::compute::cuda {

using TuningKey = std::string;

class Tuner {
public:
    // Index of the candidate to run. Unsupported when none is within the limit.
    [[nodiscard]] Result<std::size_t> choose(DeviceRuntime& runtime, LibraryCall& call, const TuningKey& key,
                                             std::span<const std::int64_t> operandBytes, std::int64_t workspaceLimit);
    // What was chosen for a key that is not a library call's; null when nothing was yet.
    [[nodiscard]] const std::string* chosen(const TuningKey& key) const {
        const auto found = m_chosen.find(key);
        return found == m_chosen.end() ? nullptr : &found->second;
    }
    void remember(const TuningKey& key, std::string name) {
        m_chosen[key] = std::move(name);
        ++m_measured;
    }
    [[nodiscard]] std::size_t measured() const { return m_measured; }  // how many calls were measured so far

private:
    std::map<TuningKey, std::string> m_chosen;  // the candidate's name
    std::size_t m_measured = 0;
};

[[nodiscard]] TuningKey keyOf(const MatrixProduct& product);
[[nodiscard]] TuningKey keyOf(const Convolution& convolution);

}  // namespace steelyard::compute::cuda
