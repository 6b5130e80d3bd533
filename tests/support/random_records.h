// SPDX-License-Identifier: Apache-2.0
// Random records, runs and events for property tests: every optional field set, none, or a seeded selection.
#pragma once

#include <cstdint>

#include "engine/bench/record/record.h"

namespace steelyard::test {

enum class Optionals { None, Some, All };

[[nodiscard]] bench::Case inventCase(std::uint64_t seed, Optionals optionals);
[[nodiscard]] bench::CaseRecord inventRecord(std::uint64_t seed, Optionals optionals);
[[nodiscard]] bench::RunRecord inventRun(std::uint64_t seed, Optionals optionals, int caseCount = 3);
// An event of this kind with its fields.
[[nodiscard]] bench::Event inventEvent(std::uint64_t seed, Optionals optionals, bench::EventKind kind);

}  // namespace steelyard::test
