// SPDX-License-Identifier: Apache-2.0
// Synthetic data: every value is a pure function of (seed, sample, position), so a sample is bitwise identical in any
// batch, in any order and on any thread. Suitable for timing; accuracy is meaningless, as its info states.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/data/dataset.h"

namespace steelyard::data {

struct SyntheticOptions {
    std::uint64_t seed = 1;
    std::int64_t samples = 0;
    FeatureKind featureKind = FeatureKind::Values;  // standard normal values, or uniform token ids
    Shape featureShape;
    std::int64_t vocabulary = 0;  // Tokens
    LabelKind labelKind = LabelKind::ClassIndex;
    std::int64_t labelLength = 1;
    std::int64_t classCount = 0;  // labels are uniform
};

// InvalidArgument names the invalid option.
[[nodiscard]] Result<DatasetPtr> makeSynthetic(const SyntheticOptions& options);

}  // namespace steelyard::data
