// SPDX-License-Identifier: Apache-2.0
// The weights of a memory-mapped GGUF file; tensors are pointers into it. All returned pointers lie within the file;
// headers with invalid offsets are rejected when it is opened. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/decoder/gguf_file.h"

namespace steelyard::model {

namespace onnx {
class MappedFile;
}

// Consecutive matrices of rows x columns (one per expert). Rows are sequences of blocks.
struct StoredMatrix {
    TensorType type = TensorType::F32;
    std::int64_t rows = 0, columns = 0, count = 1;
    const std::byte* data = nullptr;  // unaligned; null: absent

    [[nodiscard]] std::int64_t rowBytes() const {
        const auto& format = formatOf(type);
        return columns / format.blockWeights * format.blockBytes;
    }
    [[nodiscard]] const std::byte* row(std::int64_t index, std::int64_t matrix = 0) const {
        return data + (matrix * rows + index) * rowBytes();
    }
    [[nodiscard]] std::int64_t bytes() const { return count * rows * rowBytes(); }
    [[nodiscard]] explicit operator bool() const { return data != nullptr; }
};

class GgufWeightFile {
public:
    // Errors: those of readGgufHeader() and decoderFromGguf(); InvalidArgument for a header without weights.
    [[nodiscard]] static Result<std::shared_ptr<const GgufWeightFile>> open(const std::string& path);

    // The tensors that a file of this model would have, for random weights: norms and biases are generated at once,
    // matrices by draw(), before which they use no memory. Matrices of one format are windows into one shared buffer,
    // little larger than the largest of them, so that generation is fast and needs little memory; where they are
    // repacked, each gets its own memory. Errors: Unsupported if GGUF does not have this scheme or the family.
    [[nodiscard]] static Result<std::shared_ptr<GgufWeightFile>> layOut(const DecoderSpec& spec,
                                                                        const WeightScheme& scheme);
    // Uniform weights with standard deviation 1 / sqrt(width), which keeps activations near 1. Touches drawnBytes().
    void draw(std::uint64_t seed);
    [[nodiscard]] std::int64_t drawnBytes() const { return m_drawnBytes; }  // 0 for a file

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const GgufHeader& header() const { return m_header; }
    [[nodiscard]] const DecoderSpec& spec() const { return m_spec; }
    [[nodiscard]] bool has(std::string_view tensor) const { return m_header.findTensor(tensor) != nullptr; }
    // A numeric header value by its full key.
    [[nodiscard]] std::optional<double> number(const std::string& key) const;

    // Errors: CorruptData if it is missing or has other dimensions; Unsupported for an unsupported format.
    [[nodiscard]] Result<StoredMatrix> matrix(const std::string& tensor, std::int64_t rows, std::int64_t columns,
                                              std::int64_t count = 1) const;
    // A vector dequantised to float: norms, biases.
    [[nodiscard]] Result<std::vector<float>> vector(const std::string& tensor, std::int64_t length) const;

    // Lets the kernel drop the file's pages; they are read again on demand.
    void releasePages() const;

private:
    GgufWeightFile() = default;
    std::string m_path;
    std::shared_ptr<const onnx::MappedFile> m_file;  // null: random weights
    std::unique_ptr<std::byte[]> m_drawn;
    std::int64_t m_drawnBytes = 0;
    // Location of the matrices of a format.
    struct Store {
        TensorType type = TensorType::F32;
        std::int64_t begin = 0, bytes = 0;
    };
    std::vector<Store> m_stores;
    const std::byte* m_data = nullptr;  // base of tensor offsets
    GgufHeader m_header;
    DecoderSpec m_spec;
};

}  // namespace steelyard::model
