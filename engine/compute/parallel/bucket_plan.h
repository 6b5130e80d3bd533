// SPDX-License-Identifier: Apache-2.0
// Which gradients are exchanged together, and when they can be: data parallelism averages the gradients of all ranks
// between the backward pass and the update (S. Li and others, PyTorch Distributed: Experiences on Accelerating Data
// Parallel Training, 2020). A bucket is one piece of memory and one exchange; buckets are in the order in which the
// backward pass completes them, so that the exchange of one hides behind the computing of the next.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/units.h"
#include "engine/plan/plan.h"

namespace steelyard::compute {

struct BucketedGradient {
    plan::TensorId gradient = plan::kNoTensor;
    std::int64_t offset = 0;  // in its bucket, in elements (Float32)
};

struct Bucket {
    std::vector<BucketedGradient> gradients;
    std::int64_t elements = 0;  // with the gaps between gradients
    int readyAfter = -1;        // index into Plan::operations of the last one that writes to it

    [[nodiscard]] Bytes bytes() const { return Bytes(elements * 4); }
};

struct BucketOptions {
    Bytes limit{std::int64_t{25} << 20};  // of a bucket; one larger gradient is a bucket of its own
    Bytes first{std::int64_t{1} << 20};   // of the first one, so that exchanging begins early
    std::int64_t alignment = 64;          // of a gradient in its bucket, in elements: 256 bytes
};

// Every gradient that the backward pass writes, once. Empty when inferring.
[[nodiscard]] std::vector<Bucket> planBuckets(const plan::Plan& plan, const BucketOptions& options = {});

// Whether an embedding updates the rows that occur only. Ranks cannot share such a step: each marks the rows of its own
// samples, so their tables would drift apart.
[[nodiscard]] bool updatesSparsely(const plan::Plan& plan);

}  // namespace steelyard::compute
