// SPDX-License-Identifier: Apache-2.0
#include "engine/model/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace steelyard::model {
namespace {

// Levenshtein distance.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
        }
    }
    return row.back();
}

}  // namespace

std::string_view nearestName(std::string_view written, const std::vector<std::string_view>& known) {
    if (known.empty()) return {};
    written = written.substr(0, 100);  // the cost is the product of the lengths
    return *std::min_element(known.begin(), known.end(),
                             [&](auto a, auto b) { return editDistance(written, a) < editDistance(written, b); });
}

}  // namespace steelyard::model
