// SPDX-License-Identifier: Apache-2.0
// Shared by the simulated libraries: values with the rounding of their types, and a library call as work in a simulated
// stream.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/compute/cuda/kernels/execution/portable.h"
#include "tests/engine/compute/cuda/simulated_device.h"

namespace steelyard::compute::cuda::test {

using Values = std::vector<float>;

// Ten bits of fraction, to nearest.
inline float tensorFloat(float value) {
    if (!std::isfinite(value)) return value;
    auto bits = std::bit_cast<std::uint32_t>(value);
    bits += 0xfffU + ((bits >> 13) & 1U);
    return std::bit_cast<float>(bits & ~0x1fffU);
}

inline float loadOne(ElementType type, const void* data, std::int64_t at) {
    float value = 0;
    static_cast<void>(kernels::withType(type, [&](auto tag) {
        value = kernels::toFloat(static_cast<const decltype(tag)*>(data)[at]);
        return kernels::kOk;
    }));
    return value;
}

inline void storeOne(ElementType type, void* data, std::int64_t at, float value) {
    static_cast<void>(kernels::withType(type, [&](auto tag) {
        static_cast<decltype(tag)*>(data)[at] = kernels::fromFloat<decltype(tag)>(value);
        return kernels::kOk;
    }));
}

// A library call as work of the stream.
class Call : public LibraryCall {
public:
    // Two algorithms: a slower one without workspace, the default, and a faster one with workspace.
    Call(SimulatedRuntime& runtime, const std::string& name, std::int64_t workspace)
        : Call(runtime, std::vector<Candidate>{{name + ":plain", 0}, {name + ":fast", workspace}}) {}
    Call(SimulatedRuntime& runtime, std::vector<Candidate> candidates)
        : m_runtime(runtime), m_candidates(std::move(candidates)) {}
    std::span<const Candidate> candidates() const override { return m_candidates; }
    Result<void> run(std::size_t candidate, std::span<void* const> operands, void* workspace, Stream stream) override {
        const auto bytes = m_candidates.at(candidate).workspaceBytes;
        if (bytes > 0) m_runtime.requireDevice(workspace, bytes, "the workspace of a call");
        check(m_runtime, operands);
        const std::vector<void*> pointers(operands.begin(), operands.end());
        return m_runtime.enqueue(m_candidates.at(candidate).name, secondsOf(candidate), stream,
                                 [this, pointers, workspace, bytes] {
                                     if (bytes > 0) std::fill_n(static_cast<char*>(workspace), bytes, '\xff');
                                     work(pointers);
                                 });
    }

protected:
    // The next synchronisation returns it.
    void breakDown(std::string why) const {
        m_runtime.breakDown({ErrorKind::Internal, "simulated library", Message(std::move(why)), {}, {}, {}});
    }
    virtual void check(const SimulatedRuntime& runtime, std::span<void* const> operands) const = 0;
    virtual void work(const std::vector<void*>& operands) const = 0;
    virtual double secondsOf(std::size_t candidate) const { return candidate == 0 ? 2e-6 : 1e-6; }

private:
    SimulatedRuntime& m_runtime;
    std::vector<Candidate> m_candidates;
};

}  // namespace steelyard::compute::cuda::test
