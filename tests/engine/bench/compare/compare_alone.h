// SPDX-License-Identifier: Apache-2.0
// Compares two records without knowledge of the noise beyond their visits.
#pragma once

#include <vector>

#include "engine/bench/compare/comparison.h"

namespace steelyard::bench {

inline Comparison compareAlone(const CaseRecord& base, const CaseRecord& other, const SuiteVersions& versions,
                               Scope scope = Scope::SameDevice) {
    auto comparison = testRecords(base, other, versions, {}, scope);
    if (comparison.test) takeVerdict(comparison, judge(std::vector{*comparison.test}).front());
    return comparison;
}

}  // namespace steelyard::bench
