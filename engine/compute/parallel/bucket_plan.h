// SPDX-License-Identifier: Apache-2.0
// Gradient buckets for data parallelism, which averages the gradients of all ranks between the backward pass and the
// update (S. Li et al., PyTorch Distributed: Experiences on Accelerating Data Parallel Training, 2020). A bucket is one
// block of memory and one exchange; buckets are in the order in which the backward pass completes them, so that an
// exchange overlaps with the computation of the next bucket.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/units.h"
#include "engine/plan/plan.h"

namespace steelyard::compute {

struct BucketedGradient {
    plan::TensorId gradient = plan::kNoTensor;
    std::int64_t offset = 0;  // in elements (Float32)
};

struct Bucket {
    std::vector<BucketedGradient> gradients;
    std::int64_t elements = 0;  // including gaps between gradients
    int readyAfter = -1;        // index into Plan::operations of its last writer

    [[nodiscard]] Bytes bytes() const { return Bytes(elements * 4); }
};

struct BucketOptions {
    // A bucket is complete as soon as it has so many bytes; the first one earlier, so that exchanging starts early.
    Bytes enough{std::int64_t{25} << 20};
    Bytes first{std::int64_t{1} << 20};
    std::int64_t alignment = 64;  // of gradients, in elements: 256 bytes
};

// All gradients written by the backward pass, once each. Empty for inference.
[[nodiscard]] std::vector<Bucket> planBuckets(const plan::Plan& plan, const BucketOptions& options = {});

// Whether an embedding only updates rows that occur. Such a step cannot be distributed: each rank would update the rows
// of its own samples, and the tables would diverge.
[[nodiscard]] bool updatesSparsely(const plan::Plan& plan);

}  // namespace steelyard::compute
