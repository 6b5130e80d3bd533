// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"

#include <algorithm>

#include "tests/fuzz/data_targets.h"
#include "tests/fuzz/document_targets.h"

namespace steelyard::test {

std::span<const FuzzTarget> fuzzTargets() {
    static const auto all = [] {
        std::vector<FuzzTarget> targets(dataTargets().begin(), dataTargets().end());
        targets.insert(targets.end(), documentTargets().begin(), documentTargets().end());
        return targets;
    }();
    return all;
}

const FuzzTarget* findFuzzTarget(std::string_view name) {
    const auto targets = fuzzTargets();
    const auto found = std::ranges::find(targets, name, &FuzzTarget::name);
    return found == targets.end() ? nullptr : &*found;
}

}  // namespace steelyard::test
