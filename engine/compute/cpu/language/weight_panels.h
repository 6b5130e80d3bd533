// SPDX-License-Identifier: Apache-2.0
// Repacks stored weights to the layout of the kernels (kernels/language_kernels.h). Values are preserved: formats
// without a panel layout become 8-bit integers with scale and minimum (Offset8), which represent them exactly. Pure
// functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/model/decoder/gguf_weights.h"

namespace steelyard::compute::cpu {

struct PanelMatrix {
    PanelFormat format = PanelFormat::Float;
    // `count` matrices, one after the other: experts, or pieces of one matrix, with some of its columns each. 0: absent
    std::int64_t rows = 0, columns = 0, count = 0;
    std::int64_t panels = 0, panelBytes = 0;  // per matrix
    std::byte* data = nullptr;                // not owned

    [[nodiscard]] std::int64_t bytes() const { return count * panels * panelBytes; }
    [[nodiscard]] bool takesBytes() const { return format < PanelFormat::Half; }  // uses 8-bit activations
    // Rows including the padding of the last panel: elements that a product writes per token.
    [[nodiscard]] std::int64_t paddedRows() const { return panels * kPanelRows; }
};

// Sizes without data. `matrix` may be absent; it has whole blocks in each of the pieces (dividesInto()).
[[nodiscard]] PanelMatrix panelsOf(const model::StoredMatrix& matrix, std::int64_t pieces = 1);
// The columns of one matrix divide into as many pieces of whole blocks, of weights and of activations.
[[nodiscard]] bool dividesInto(const model::StoredMatrix& matrix, std::int64_t pieces);
// Writes panels [first, last), counted over all matrices or pieces. Padding rows are zero.
void writePanels(const model::StoredMatrix& matrix, const PanelMatrix& target, std::int64_t first, std::int64_t last);

}  // namespace steelyard::compute::cpu
