// SPDX-License-Identifier: Apache-2.0
// The weights of a GGUF file, read in place: the file is mapped, and a tensor is a pointer into it. Everything that is
// handed out lies within the file; what a stranger's header claims beyond it was refused when it was opened. Immutable;
// any thread.
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

// Matrices of rows x columns, one after the other (of experts: one each). The rows are sequences of blocks.
struct StoredMatrix {
    TensorType type = TensorType::F32;
    std::int64_t rows = 0, columns = 0, count = 1;
    const std::byte* data = nullptr;  // no alignment is promised; null: there is none

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
    // Errors of readGgufHeader() and decoderFromGguf(); InvalidArgument for a header without weights.
    [[nodiscard]] static Result<std::shared_ptr<const GgufWeightFile>> open(const std::string& path);

    // The tensors that a file of this model would have, with weights to be drawn: norms and biases are drawn at once,
    // matrices by draw(), before which nothing is in memory. Matrices of one format are windows at different places of
    // one store, little larger than the largest of them, so that drawing is quick and needs little memory; where they
    // are repacked, each has memory of its own. Unsupported: no GGUF file has this scheme, or the family has no
    // architecture.
    [[nodiscard]] static Result<std::shared_ptr<GgufWeightFile>> layOut(const DecoderSpec& spec,
                                                                        const WeightScheme& scheme);
    // Uniform weights of the deviation 1 / sqrt(width), which keeps activations near 1. Touches drawnBytes().
    void draw(std::uint64_t seed);
    [[nodiscard]] std::int64_t drawnBytes() const { return m_drawnBytes; }  // 0 of a file

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const GgufHeader& header() const { return m_header; }
    [[nodiscard]] const DecoderSpec& spec() const { return m_spec; }
    [[nodiscard]] bool has(std::string_view tensor) const { return m_header.findTensor(tensor) != nullptr; }
    // A number of the header under its full key.
    [[nodiscard]] std::optional<double> number(const std::string& key) const;

    // CorruptData: it is missing, or its sizes are others than these. Unsupported: its format cannot be read.
    [[nodiscard]] Result<StoredMatrix> matrix(const std::string& tensor, std::int64_t rows, std::int64_t columns,
                                              std::int64_t count = 1) const;
    // One row as numbers: norms, biases.
    [[nodiscard]] Result<std::vector<float>> vector(const std::string& tensor, std::int64_t length) const;

    // Lets the system take back the memory of what was read from a file; it is read again when it is needed.
    void releasePages() const;

private:
    GgufWeightFile() = default;
    std::string m_path;
    std::shared_ptr<const onnx::MappedFile> m_file;  // none: drawn
    std::unique_ptr<std::byte[]> m_drawn;
    std::int64_t m_drawnBytes = 0;
    // Where the matrices of a format are.
    struct Store {
        TensorType type = TensorType::F32;
        std::int64_t begin = 0, bytes = 0;
    };
    std::vector<Store> m_stores;
    const std::byte* m_data = nullptr;  // to which the offsets of tensors are added
    GgufHeader m_header;
    DecoderSpec m_spec;
};

}  // namespace steelyard::model
