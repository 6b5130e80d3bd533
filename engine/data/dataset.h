// SPDX-License-Identifier: Apache-2.0
// A supervised data set: inputs and labels by index, converted to float or token ids on request. Data are held in
// memory or read from files on demand (with positioned reads instead of a memory map, so that a truncated file is an
// Error and not a signal). Owned through std::shared_ptr; immutable once built, so all const members are thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/units.h"

namespace steelyard::data {

using Shape = std::vector<std::int64_t>;

// Product of the dimensions; 1 for an empty shape.
[[nodiscard]] std::int64_t elementCount(const Shape& shape);
// "1 x 28 x 28".
[[nodiscard]] std::string shapeText(const Shape& shape);

enum class FeatureKind { Values, Tokens };  // float values, or token ids of type int32
enum class LabelKind { ClassIndex, Binary, TokenSequence };
[[nodiscard]] std::string_view toString(LabelKind kind);  // "class index", "binary", "token sequence"

// Description of a set. Shapes are of one sample and row-major; images are [C, H, W] in [0, 1].
struct DatasetInfo {
    std::string name;        // "MNIST"
    std::string split;       // "train", "validation"; empty when there is only one
    std::string source;      // the folder or file; "seed 1" for synthetic data
    bool synthetic = false;  // accuracy is not meaningful
    std::int64_t samples = 0;
    FeatureKind featureKind = FeatureKind::Values;
    Shape featureShape;
    LabelKind labelKind = LabelKind::ClassIndex;
    std::int64_t labelLength = 1;  // labels per sample: above 1 for TokenSequence only
    std::int64_t classCount = 0;  // labels are in [0, classCount); 2 for Binary; the vocabulary size of a TokenSequence
    std::optional<std::int64_t> vocabulary;  // Tokens: ids are in [0, vocabulary)
    std::vector<std::string> classNames;     // may be empty
    // Samples must be taken in order and in batches of this size, because sample i continues sample i - batch: the
    // network's state is carried over. Not set: any order.
    std::optional<std::int64_t> carriedBatch;
    std::optional<Bytes> heldMemory;
    std::string remark;  // a note for the user, e.g. about excluded words; one sentence or empty
};

// The destination of a sample or a batch. Exactly one of `values` and `tokens` is used, depending on featureKind; the
// sizes must match exactly (samples x elements, samples x labels).
struct SampleTarget {
    std::span<float> values;
    std::span<std::int32_t> tokens;
    std::span<std::int32_t> labels;
};

class Dataset {
public:
    virtual ~Dataset() = default;
    Dataset(const Dataset&) = delete;
    Dataset& operator=(const Dataset&) = delete;

    [[nodiscard]] const DatasetInfo& info() const { return m_info; }
    [[nodiscard]] std::int64_t size() const { return m_info.samples; }
    [[nodiscard]] const Shape& featureShape() const { return m_info.featureShape; }
    [[nodiscard]] FeatureKind featureKind() const { return m_info.featureKind; }
    [[nodiscard]] LabelKind labelKind() const { return m_info.labelKind; }
    [[nodiscard]] std::int64_t classCount() const { return m_info.classCount; }
    [[nodiscard]] std::int64_t featureElements() const { return m_featureElements; }
    [[nodiscard]] std::int64_t labelElements() const { return m_info.labelLength; }

    // InvalidArgument for an index out of range or a target of the wrong size; IoFailed or CorruptData if a file read
    // on demand is unreadable or damaged (subject and offset give the position).
    [[nodiscard]] Result<void> readSample(std::int64_t index, const SampleTarget& target) const;
    // The samples `indices`, concatenated.
    [[nodiscard]] Result<void> fillBatch(std::span<const std::int64_t> indices, const SampleTarget& target) const;

protected:
    explicit Dataset(DatasetInfo info)
        : m_info(std::move(info)), m_featureElements(elementCount(m_info.featureShape)) {}
    // Index and target sizes have been checked.
    [[nodiscard]] virtual Result<void> read(std::int64_t index, const SampleTarget& target) const = 0;

private:
    [[nodiscard]] Result<void> checkTarget(std::int64_t samples, const SampleTarget& target) const;
    [[nodiscard]] SampleTarget slice(const SampleTarget& target, std::int64_t sample) const;

    DatasetInfo m_info;
    std::int64_t m_featureElements = 0;
};

using DatasetPtr = std::shared_ptr<const Dataset>;

struct DatasetPair {
    DatasetPtr train;
    DatasetPtr validation;  // null if the data have no validation part
};

// The samples `indices` of `parent`, in that order. InvalidArgument for an index out of range, or if the parent carries
// state between batches.
[[nodiscard]] Result<DatasetPtr> subset(DatasetPtr parent, std::vector<std::int64_t> indices, std::string split);

// Random split with `validationSamples` samples, by `seed`; both parts keep the parent's order. InvalidArgument if a
// part would be empty or the set carries state between batches.
[[nodiscard]] Result<DatasetPair> splitDataset(DatasetPtr parent, std::int64_t validationSamples, std::uint64_t seed);

}  // namespace steelyard::data
