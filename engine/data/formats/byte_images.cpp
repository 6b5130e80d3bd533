// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/byte_images.h"

#include <utility>

namespace steelyard::data {
namespace {

DatasetInfo complete(DatasetInfo info, std::size_t bytes) {
    info.featureKind = FeatureKind::Values;
    info.labelKind = LabelKind::ClassIndex;
    info.heldMemory = Bytes(static_cast<std::int64_t>(bytes));
    return info;
}

}  // namespace

ByteImages::ByteImages(DatasetInfo info, std::vector<std::uint8_t> pixels, std::vector<std::uint8_t> labels)
    : Dataset(complete(std::move(info), pixels.size() + labels.size())),
      m_pixels(std::move(pixels)),
      m_labels(std::move(labels)) {}

Result<void> ByteImages::read(std::int64_t index, const SampleTarget& target) const {
    const auto* pixels = m_pixels.data() + index * featureElements();
    for (std::size_t i = 0; i < target.values.size(); ++i) {
        target.values[i] = static_cast<float>(pixels[i]) * (1.0F / 255.0F);
    }
    target.labels[0] = m_labels[static_cast<std::size_t>(index)];
    return {};
}

}  // namespace steelyard::data
