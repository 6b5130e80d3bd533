// SPDX-License-Identifier: Apache-2.0
// Stored weights in the order in which the kernels read them (kernels/language_kernels.h). No value changes: formats
// that have no panels of their own become bytes with a scale and a minimum (Offset8), which hold them exactly. Pure
// functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/model/decoder/gguf_weights.h"

namespace steelyard::compute::cpu {

struct PanelMatrix {
    PanelFormat format = PanelFormat::Float;
    std::int64_t rows = 0, columns = 0, count = 0;  // `count` matrices (experts); 0: there is none
    std::int64_t panels = 0, panelBytes = 0;        // of one matrix
    std::byte* data = nullptr;                      // of the owner

    [[nodiscard]] std::int64_t bytes() const { return count * panels * panelBytes; }
    [[nodiscard]] bool takesBytes() const { return format < PanelFormat::Half; }  // 8-bit activations
    // Rows with those that fill up the last panel: what a product writes for a token.
    [[nodiscard]] std::int64_t paddedRows() const { return panels * kPanelRows; }
};

// Its sizes, without data. `matrix` may be none.
[[nodiscard]] PanelMatrix panelsOf(const model::StoredMatrix& matrix);
// Writes panels [first, last), counted over all matrices. Rows that do not exist are zero.
void writePanels(const model::StoredMatrix& matrix, const PanelMatrix& target, std::int64_t first, std::int64_t last);

}  // namespace steelyard::compute::cpu
