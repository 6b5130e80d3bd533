// SPDX-License-Identifier: Apache-2.0
// write_fuzz_seeds FOLDER: writes the valid inputs of every fuzz target, one folder each.
#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/fuzz/targets.h"
#include "tests/support/data_files.h"

int main(int count, char** values) {
    if (count != 2) {
        std::fputs("usage: write_fuzz_seeds FOLDER\n", stderr);
        return 2;
    }
    for (const auto& target : steelyard::test::fuzzTargets()) {
        int number = 0;
        for (const auto& seed : target.seeds()) {
            const auto folder = std::filesystem::path(values[1]) / target.name;
            steelyard::test::writeBytes(folder / std::to_string(number++), seed);
        }
    }
    return 0;
}
