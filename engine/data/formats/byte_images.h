// SPDX-License-Identifier: Apache-2.0
// Images of equal size kept in memory as bytes, with one class label each: MNIST and CIFAR-10 after reading. Returned
// as float in [0, 1]. Internal to engine/data.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/data/dataset.h"

namespace steelyard::data {

// pixels: samples x C x H x W; labels: samples, each below info.classCount (checked by the caller).
class ByteImages final : public Dataset {
public:
    ByteImages(DatasetInfo info, std::vector<std::uint8_t> pixels, std::vector<std::uint8_t> labels);

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override;

private:
    std::vector<std::uint8_t> m_pixels;
    std::vector<std::uint8_t> m_labels;
};

}  // namespace steelyard::data
