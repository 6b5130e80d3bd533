// SPDX-License-Identifier: Apache-2.0
// Measurement kernels. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/execution/probe.h"

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {
namespace {

struct Nothing {
    STEELYARD_HD_MEMBER void operator()(std::int64_t /*i*/) const {}
};

struct Triad {
    float* a;
    const float* b;
    const float* c;
    float factor;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        auto left = load<N>(b + first);
        const auto right = load<N>(c + first);
        for (int i = 0; i < N; ++i) left.at[i] += factor * right.at[i];
        store<N>(a + first, left);
    }
};

}  // namespace

Status empty(Stream stream) {
    return elements(stream, 1, Nothing{});
}

Status triad(Stream stream, float* a, const float* b, const float* c, float factor, std::int64_t n) {
    return packs<4>(stream, n, areAligned(a, b, c), Triad{a, b, c, factor});
}

}  // namespace steelyard::compute::cuda::kernels
