// SPDX-License-Identifier: Apache-2.0
// Metrics derived from the record of a language model. Pure functions.
#pragma once

#include <optional>

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Token latencies of generation; all unset for other tasks.
struct TokenTimes {
    std::optional<double> firstSeconds;                        // time to first token, median over the steps
    std::optional<double> p50Seconds, p90Seconds, p99Seconds;  // time between later tokens, over all steps
    // Growth by the KV cache: median of the last quarter of the tokens over that of the first. Needs eight tokens.
    std::optional<double> growth;

    friend bool operator==(const TokenTimes&, const TokenTimes&) = default;
};
[[nodiscard]] TokenTimes tokenTimes(const LanguageUse& use);

// Unset if no energy was measured.
[[nodiscard]] std::optional<double> joulesPerToken(const CaseRecord& record);

}  // namespace steelyard::bench
