// SPDX-License-Identifier: Apache-2.0
// The fuzz targets: each parser of external files, run on arbitrary bytes. A target ends the program if a property is
// violated (an error without a file name, an offset outside the file, an inconsistent result); sanitizers detect the
// rest. Used by libFuzzer (fuzz_main.cpp) and by an ordinary test with random mutations.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace steelyard::test {

struct FuzzTarget {
    std::string_view name;
    void (*run)(std::span<const std::uint8_t> bytes);
    std::vector<std::vector<std::uint8_t>> (*seeds)();  // valid inputs to start from
    std::uint64_t mutations = 20'000;                   // in the ordinary test; fewer for slow targets
};

[[nodiscard]] std::span<const FuzzTarget> fuzzTargets();
[[nodiscard]] const FuzzTarget* findFuzzTarget(std::string_view name);

}  // namespace steelyard::test
