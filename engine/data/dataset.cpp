// SPDX-License-Identifier: Apache-2.0
#include "engine/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/core/random.h"

namespace steelyard::data {
namespace {

// A subset of another set's samples.
class Subset final : public Dataset {
public:
    Subset(DatasetInfo info, DatasetPtr parent, std::vector<std::int64_t> indices)
        : Dataset(std::move(info)), m_parent(std::move(parent)), m_indices(std::move(indices)) {}

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override {
        return m_parent->readSample(m_indices[static_cast<std::size_t>(index)], target);
    }

private:
    DatasetPtr m_parent;
    std::vector<std::int64_t> m_indices;
};

Failure wrongSize(std::string_view what, std::int64_t expected, std::size_t given) {
    return fail(ErrorKind::InvalidArgument, "target", messages::mustHold(what, expected, given));
}

}  // namespace

std::int64_t elementCount(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string shapeText(const Shape& shape) {
    return fmt::format("{}", fmt::join(shape, " x "));
}

std::string_view toString(LabelKind kind) {
    switch (kind) {
        case LabelKind::ClassIndex:
            return "class index";
        case LabelKind::Binary:
            return "binary";
        case LabelKind::TokenSequence:
            return "token sequence";
    }
    return "class index";
}

Result<void> Dataset::checkTarget(std::int64_t samples, const SampleTarget& target) const {
    const auto features = samples * m_featureElements;
    const auto labels = samples * m_info.labelLength;
    const bool values = m_info.featureKind == FeatureKind::Values;
    if (std::cmp_not_equal(target.values.size(), values ? features : 0)) {
        return wrongSize("values", values ? features : 0, target.values.size());
    }
    if (std::cmp_not_equal(target.tokens.size(), values ? 0 : features)) {
        return wrongSize("tokens", values ? 0 : features, target.tokens.size());
    }
    if (std::cmp_not_equal(target.labels.size(), labels)) return wrongSize("labels", labels, target.labels.size());
    return {};
}

SampleTarget Dataset::slice(const SampleTarget& target, std::int64_t sample) const {
    const auto features = static_cast<std::size_t>(m_featureElements);
    const auto labels = static_cast<std::size_t>(m_info.labelLength);
    const auto i = static_cast<std::size_t>(sample);
    SampleTarget part;
    if (m_info.featureKind == FeatureKind::Values) {
        part.values = target.values.subspan(i * features, features);
    } else {
        part.tokens = target.tokens.subspan(i * features, features);
    }
    part.labels = target.labels.subspan(i * labels, labels);
    return part;
}

Result<void> Dataset::readSample(std::int64_t index, const SampleTarget& target) const {
    return fillBatch(std::span(&index, 1), target);
}

Result<void> Dataset::fillBatch(std::span<const std::int64_t> indices, const SampleTarget& target) const {
    const auto samples = static_cast<std::int64_t>(indices.size());
    if (auto checked = checkTarget(samples, target); !checked) return checked;
    for (std::int64_t i = 0; i < samples; ++i) {
        const auto index = indices[static_cast<std::size_t>(i)];
        if (index < 0 || index >= size()) {
            return fail(ErrorKind::InvalidArgument, "index", messages::sampleOutside(index, size(), m_info.name));
        }
        if (auto done = read(index, slice(target, i)); !done) return done;
    }
    return {};
}

Result<DatasetPtr> subset(DatasetPtr parent, std::vector<std::int64_t> indices, std::string split) {
    const bool inside = std::all_of(indices.begin(), indices.end(),
                                    [&](std::int64_t index) { return index >= 0 && index < parent->size(); });
    if (!inside) return fail(ErrorKind::InvalidArgument, "indices", messages::indicesOutside(parent->info().name));
    auto info = parent->info();
    if (info.carriedBatch) {
        return fail(ErrorKind::InvalidArgument, info.name, messages::batchesContinue());
    }
    info.split = std::move(split);
    info.samples = static_cast<std::int64_t>(indices.size());
    return std::make_shared<Subset>(std::move(info), std::move(parent), std::move(indices));
}

Result<DatasetPair> splitDataset(DatasetPtr parent, std::int64_t validationSamples, std::uint64_t seed) {
    const auto count = parent->size();
    if (validationSamples < 1 || validationSamples >= count) {
        return fail(ErrorKind::InvalidArgument, "validation samples", messages::emptyPart(validationSamples, count));
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    // The first `validationSamples` steps of a Fisher-Yates shuffle select the validation part.
    const RandomStream stream(seed, 0x73706c6974);  // "split"
    for (std::int64_t i = 0; i < validationSamples; ++i) {
        const auto left = static_cast<std::uint32_t>(count - i);
        const auto other = i + stream.below(static_cast<std::uint32_t>(i), left);
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
    }
    const auto border = order.begin() + validationSamples;
    std::sort(order.begin(), border);
    std::sort(border, order.end());
    auto validation = subset(parent, {order.begin(), border}, "validation");
    auto train = subset(parent, {border, order.end()}, "train");
    if (!validation) return Failure(validation.error());
    if (!train) return Failure(train.error());
    return DatasetPair{*train, *validation};
}

}  // namespace steelyard::data
