// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/compare/run_comparison.h"

#include <algorithm>

namespace steelyard::bench {

std::vector<ComparedCase> compareRuns(const RunRecord& base, const RunRecord& other) {
    std::vector<ComparedCase> pairs;
    for (const auto& record : base.records) {
        const auto hash = caseHash(record.spec);
        const auto match = std::find_if(other.records.begin(), other.records.end(),
                                        [&](const auto& candidate) { return caseHash(candidate.spec) == hash; });
        if (match == other.records.end()) continue;
        pairs.push_back({record, *match, compareRecords(record, *match, {base.suiteVersion, other.suiteVersion})});
    }
    return pairs;
}

}  // namespace steelyard::bench
