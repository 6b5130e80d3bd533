// SPDX-License-Identifier: Apache-2.0
// What is fuzzed: each parser that reads files from outside, fed with arbitrary bytes. A target ends the program when a
// promise is broken (an error without a file name, an offset outside the file, a result that contradicts itself);
// sanitizers find the rest. Used by libFuzzer (fuzz_main.cpp) and by an ordinary test with random mutations.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace steelyard::test {

struct FuzzTarget {
    std::string_view name;
    void (*run)(std::span<const std::uint8_t> bytes);
    std::vector<std::vector<std::uint8_t>> (*seeds)();  // intact inputs to begin with
    std::uint64_t mutations = 20'000;                   // in the ordinary test; fewer where one input takes long
};

[[nodiscard]] std::span<const FuzzTarget> fuzzTargets();
[[nodiscard]] const FuzzTarget* findFuzzTarget(std::string_view name);

}  // namespace steelyard::test
