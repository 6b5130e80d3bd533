// SPDX-License-Identifier: Apache-2.0
// draw_digits FOLDER TRAIN TEST [--gz] [--seed N]: writes synthetic digits as MNIST files, for tests that run programs.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/drawn_digits.h"

int main(int count, char** values) {
    const std::vector<std::string> arguments(values + 1, values + count);
    if (arguments.size() < 3) {
        std::fputs("usage: draw_digits FOLDER TRAIN TEST [--gz] [--seed N]\n", stderr);
        return 2;
    }
    steelyard::test::DigitFiles files;
    files.train = std::atoi(arguments[1].c_str());
    files.test = std::atoi(arguments[2].c_str());
    for (std::size_t i = 3; i < arguments.size(); ++i) {
        if (arguments[i] == "--gz") {
            files.gzip = true;
        } else if (arguments[i] == "--seed" && i + 1 < arguments.size()) {
            files.seed = std::strtoull(arguments[++i].c_str(), nullptr, 10);
        } else {
            std::fprintf(stderr, "draw_digits: what is %s?\n", arguments[i].c_str());
            return 2;
        }
    }
    const auto written = steelyard::test::writeDrawnDigits(arguments[0], files);
    if (!written) std::fprintf(stderr, "draw_digits: %s\n", steelyard::describe(written.error()).c_str());
    return written ? 0 : 1;
}
