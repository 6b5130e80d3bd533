// SPDX-License-Identifier: Apache-2.0
// Two records by themselves, with nothing known of the noise but their own visits.
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
