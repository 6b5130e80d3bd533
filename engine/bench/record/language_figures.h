// SPDX-License-Identifier: Apache-2.0
// What follows from the record of a language model. Pure functions.
#pragma once

#include <optional>

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Of the tokens that a model generated behind a prompt; nothing where none were.
struct TokenTimes {
    std::optional<double> firstSeconds;  // to the first token: the prompt and a token; median of the steps
    std::optional<double> p50Seconds, p90Seconds, p99Seconds;  // between the tokens behind it, of all steps together
    // The last quarter of the tokens of a step over the first one, by their medians: the cost of the growing cache.
    // From eight tokens on.
    std::optional<double> growth;

    friend bool operator==(const TokenTimes&, const TokenTimes&) = default;
};
[[nodiscard]] TokenTimes tokenTimes(const LanguageUse& use);

// Where the energy of a step was read.
[[nodiscard]] std::optional<double> joulesPerToken(const CaseRecord& record);

}  // namespace steelyard::bench
