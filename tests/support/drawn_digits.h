// SPDX-License-Identifier: Apache-2.0
// Synthetic handwritten digits in the files and format of MNIST, as training data for tests without the real data set.
// Each image is a pure function of (seed, part, number): the strokes of a digit in one of a few variants, with
// distortion, random size, slant, rotation, position and pen width, and a noisy background. Labels are balanced, in
// random order. A convolutional network reaches over 98 % accuracy; a linear classifier does not.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "engine/core/error.h"

namespace steelyard::test {

inline constexpr int kDigitSide = 28;
using DigitImage = std::array<std::uint8_t, kDigitSide * kDigitSide>;

// `number` is below 2^31; the digit is 0 to 9.
[[nodiscard]] DigitImage drawDigit(int digit, std::uint64_t seed, std::uint32_t number);

struct DigitFiles {
    std::uint64_t seed = 1;
    int train = 6000;
    int test = 1000;
    bool gzip = false;
};
// Writes train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte
// (optionally with .gz) into `folder`, which is created.
[[nodiscard]] Result<void> writeDrawnDigits(const std::filesystem::path& folder, const DigitFiles& files);

}  // namespace steelyard::test
