// SPDX-License-Identifier: Apache-2.0
#include "engine/data/synthetic.h"

#include <fmt/format.h>

#include <limits>

#include "engine/core/messages/data.h"

namespace steelyard::data {
namespace {

// normal(i) uses the 32-bit counters 2 i and 2 i + 1.
constexpr std::int64_t kMostElements = std::int64_t{1} << 31;
constexpr std::int64_t kMostClasses = std::numeric_limits<std::int32_t>::max();

// Features of sample i come from stream 2 i, labels from stream 2 i + 1.
class Synthetic final : public Dataset {
public:
    Synthetic(DatasetInfo info, std::uint64_t seed) : Dataset(std::move(info)), m_seed(seed) {}

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override {
        const auto stream = 2 * static_cast<std::uint64_t>(index);
        fillNormal(target.values, RandomStream(m_seed, stream));
        fillBelow(target.tokens, RandomStream(m_seed, stream),
                  static_cast<std::uint32_t>(info().vocabulary.value_or(1)));
        fillBelow(target.labels, RandomStream(m_seed, stream + 1), static_cast<std::uint32_t>(classCount()));
        return {};
    }

private:
    std::uint64_t m_seed;
};

Result<void> check(const SyntheticOptions& options) {
    const auto bad = [](std::string_view what, Message why) {
        return fail(ErrorKind::InvalidArgument, std::string(what), std::move(why));
    };
    if (options.samples < 1) return bad("samples", messages::atLeastOne());
    std::int64_t elements = 1;
    for (const auto dimension : options.featureShape) {
        if (dimension < 1) return bad("feature shape", messages::dimensionTooSmall());
        if (dimension > kMostElements / elements) return bad("feature shape", messages::tooManyValues());
        elements *= dimension;
    }
    if (options.featureKind == FeatureKind::Tokens && (options.vocabulary < 1 || options.vocabulary > kMostClasses)) {
        return bad("vocabulary", messages::upToInt32());
    }
    if (options.labelLength < 1 || options.labelLength > kMostElements)
        return bad("label length", messages::lengthOutOfRange());
    if (options.classCount < 1 || options.classCount > kMostClasses) {
        return bad("class count", messages::upToInt32());
    }
    if (options.labelKind == LabelKind::Binary && options.classCount != 2)
        return bad("class count", messages::binaryMeansTwo());
    return {};
}

}  // namespace

Result<DatasetPtr> makeSynthetic(const SyntheticOptions& options) {
    TRY(check(options));
    DatasetInfo info;
    info.name = "synthetic";
    info.source = fmt::format("seed {}", options.seed);
    info.synthetic = true;
    info.samples = options.samples;
    info.featureKind = options.featureKind;
    info.featureShape = options.featureShape;
    info.labelKind = options.labelKind;
    info.labelLength = options.labelLength;
    info.classCount = options.classCount;
    if (options.featureKind == FeatureKind::Tokens) info.vocabulary = options.vocabulary;
    info.heldMemory = Bytes(0);
    info.remark = "Synthetic data: accuracy is not meaningful.";
    return std::make_shared<Synthetic>(std::move(info), options.seed);
}

}  // namespace steelyard::data
