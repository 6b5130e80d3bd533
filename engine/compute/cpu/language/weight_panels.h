// SPDX-License-Identifier: Apache-2.0
// Repacks stored weights to the layout of the kernels (kernels/language_kernels.h). Values are preserved: formats
// without a panel layout become 8-bit integers with scale and minimum (Offset8), which represent them exactly. Pure
// functions; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/model/decoder/gguf_weights.h"

namespace steelyard::compute::cpu {

struct PanelRange {
    std::int64_t begin, end;
};
// Share `index` of `size`: begins and ends at multiples of `unit`, or at `count`.
constexpr PanelRange shareOf(std::int64_t count, std::int64_t unit, std::int64_t index, std::int64_t size) {
    const auto units = (count + unit - 1) / unit;
    return {std::min(units * index / size * unit, count), std::min(units * (index + 1) / size * unit, count)};
}
// The share that contains `panel`, the last one for `count`.
constexpr std::int64_t shareWith(std::int64_t panel, std::int64_t count, std::int64_t unit, std::int64_t size) {
    const auto units = (count + unit - 1) / unit;
    return std::min(((panel / unit + 1) * size + units - 1) / units, size) - 1;
}

// How a matrix is divided into parts, one for each thread: by columns, or by rows, in units of panels.
struct PanelDivision {
    std::int64_t parts = 1, unit = 1;
    bool byColumns = false;
};

// Each part is stored separately, so that what a thread multiplies is contiguous.
struct PanelMatrix {
    PanelFormat format = PanelFormat::Float;
    // `count` matrices: experts, or the parts of one matrix that is divided by columns. 0: absent
    std::int64_t rows = 0, columns = 0, count = 0;
    std::int64_t panels = 0, panelBytes = 0;  // per matrix
    PanelDivision division;
    std::vector<std::byte*> parts;  // each [matrix][panel of the part], by columns one matrix; not owned

    [[nodiscard]] std::int64_t bytes() const { return count * panels * panelBytes; }
    // Panels of a matrix that a part holds.
    [[nodiscard]] PanelRange rangeOf(std::int64_t part) const {
        return division.byColumns ? PanelRange{0, panels} : shareOf(panels, division.unit, part, division.parts);
    }
    [[nodiscard]] std::int64_t partPanels(std::int64_t part) const {
        const auto [begin, end] = rangeOf(part);
        return (division.byColumns ? 1 : count) * (end - begin);
    }
    [[nodiscard]] std::int64_t partBytes(std::int64_t part) const { return partPanels(part) * panelBytes; }
    // Contiguous panels, from one on to the end of its part.
    struct Stored {
        std::byte* data;
        std::int64_t count;
    };
    [[nodiscard]] Stored from(std::int64_t matrix, std::int64_t panel) const;

    [[nodiscard]] bool takesBytes() const { return format < PanelFormat::Half; }  // uses 8-bit activations
    // Rows including the padding of the last panel: elements that a product writes per token.
    [[nodiscard]] std::int64_t paddedRows() const { return panels * kPanelRows; }
};

// Sizes without data. `matrix` may be absent; it divides by columns if dividesInto() says so.
[[nodiscard]] PanelMatrix panelsOf(const model::StoredMatrix& matrix, const PanelDivision& division = {});
// The columns of one matrix divide into as many parts of whole blocks, of weights and of activations.
[[nodiscard]] bool dividesInto(const model::StoredMatrix& matrix, std::int64_t parts);
// Writes panels [first, last) of a part, in the order of their storage. Padding rows are zero.
void writePanels(const model::StoredMatrix& matrix, const PanelMatrix& target, std::int64_t part, std::int64_t first,
                 std::int64_t last);

}  // namespace steelyard::compute::cpu
