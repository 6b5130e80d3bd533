// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/language/weight_panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/model/decoder/weight_blocks.h"

namespace steelyard::compute::cpu {
namespace {

using model::TensorType;

std::uint8_t byteAt(const std::byte* bytes, std::int64_t index) {
    return std::to_integer<std::uint8_t>(bytes[index]);
}

PanelFormat formatFor(TensorType type) {
    switch (type) {
        case TensorType::F32:
            return PanelFormat::Float;
        case TensorType::F16:
            return PanelFormat::Half;
        case TensorType::Bf16:
            return PanelFormat::Bfloat16;
        case TensorType::Q8_0:
            return PanelFormat::Bytes;
        case TensorType::Q4_0:
            return PanelFormat::Nibbles;
        case TensorType::Q4K:
            return PanelFormat::Nested4;
        case TensorType::Q2K:
            return PanelFormat::Nested2;
        case TensorType::Q3K:
        case TensorType::Q6K:
            return PanelFormat::Nested6;
        default:
            return PanelFormat::Offset8;
    }
}

// Position of column j (of 32) of a row in the byte groups.
std::int64_t placeOf(std::int64_t row, std::int64_t j) {
    return j / 4 * kPanelGroup + row * 4 + j % 4;
}

void writePairs(const std::byte* from, std::int64_t columns, std::int64_t row, std::byte* panel) {
    for (std::int64_t c = 0; c < columns; ++c)
        std::memcpy(panel + c / 2 * kPanelGroup + 4 * row + c % 2 * 2, from + 2 * c, 2);
}

// Writes one row of a unit; `unit` is zero-initialized.
using WriteRow = void (*)(TensorType type, const std::byte* block, std::int64_t row, std::byte* unit);

void writeNibbles(TensorType, const std::byte* block, std::int64_t row, std::byte* unit) {
    std::memcpy(unit + 2 * row, block, 2);
    for (std::int64_t j = 0; j < 16; ++j) unit[32 + placeOf(row, j)] = block[2 + j];
}

void writeBytes(TensorType, const std::byte* block, std::int64_t row, std::byte* unit) {
    std::memcpy(unit + 2 * row, block, 2);
    for (std::int64_t j = 0; j < 32; ++j) unit[32 + placeOf(row, j)] = block[2 + j] ^ std::byte{0x80};
}

void writeNested4(TensorType, const std::byte* block, std::int64_t row, std::byte* unit) {
    std::memcpy(unit + 2 * row, block, 2);
    std::memcpy(unit + 32 + 2 * row, block + 2, 2);
    std::array<std::uint8_t, 12> scales{};
    std::memcpy(scales.data(), block + 4, scales.size());
    auto* const scalesOfRow = unit + 2 * kPanelHalves + row;
    auto* groups = unit + 2 * kPanelHalves + kNested4Scales;
    for (int part = 0; part < 8; ++part, groups += 4 * kPanelGroup) {
        const auto [factor, minimum] = model::nestedScale(scales.data(), part);
        scalesOfRow[16 * part] |= static_cast<std::byte>(factor);
        if (part < 4)
            scalesOfRow[2 * kPanelGroup + 16 * part] |= static_cast<std::byte>(minimum);
        else
            for (int k = 0; k < 3; ++k)
                scalesOfRow[k * kPanelGroup + 16 * (part - 4)] |= static_cast<std::byte>((minimum >> 2 * k & 3) << 6);
        const auto* from = block + 16 + part / 2 * 32;
        const auto level = [&](std::int64_t j) { return part % 2 == 0 ? byteAt(from, j) & 15 : byteAt(from, j) >> 4; };
        for (std::int64_t j = 0; j < 16; ++j)
            groups[placeOf(row, j)] = static_cast<std::byte>(level(j) | level(j + 16) << 4);
    }
}

void writeNested2(TensorType, const std::byte* block, std::int64_t row, std::byte* unit) {
    std::memcpy(unit + 2 * row, block + model::kScaleOfQ2K, 2);
    std::memcpy(unit + 32 + 2 * row, block + model::kMinimumScaleOfQ2K, 2);
    const auto [factors, minima] = model::scalesOfQ2K(block);
    auto* group = unit + 2 * kPanelHalves + kNested2Scales;
    for (std::int64_t part = 0; part < 16; ++part, group += kPanelGroup) {
        const auto index = static_cast<std::size_t>(part);
        unit[2 * kPanelHalves + 16 * part + row] = static_cast<std::byte>(factors[index] | minima[index] << 4);
        for (std::int64_t j = 0; j < 16; ++j)
            group[row * 4 + j % 4] |= static_cast<std::byte>(model::levelOfQ2K(block, 16 * part + j) << (j / 4 * 2));
    }
}

void writeNested6(TensorType type, const std::byte* block, std::int64_t row, std::byte* unit) {
    const auto from = model::sixBitLevels(type, block);
    std::memcpy(unit + 2 * row, from.scale, 2);
    for (int sub = 0; sub < 8; ++sub) {
        auto* part = unit + 32 + sub * (32 + 6 * kPanelGroup);
        part[row] = static_cast<std::byte>(from.factors[static_cast<std::size_t>(2 * sub)] & 0xFF);
        part[16 + row] = static_cast<std::byte>(from.factors[static_cast<std::size_t>(2 * sub + 1)] & 0xFF);
        const auto* levels = from.levels.data() + 32 * sub;
        for (std::int64_t half = 0; half < 2; ++half)
            for (std::int64_t j = 0; j < 12; ++j) {
                const int level = levels[16 * half + j], last = levels[16 * half + 12 + j % 4];
                part[32 + 3 * half * kPanelGroup + placeOf(row, j)] =
                    static_cast<std::byte>(level | (last >> (j / 4 * 2) & 3) << 6);
            }
    }
}

// `block` holds 32 weights, or 256 for eight units.
void writeOffset8(TensorType type, const std::byte* block, std::int64_t row, std::byte* unit) {
    const auto weights = model::formatOf(type).blockWeights;
    std::array<model::ByteLevels, 8> levels;
    const auto parts = std::span(levels).first(static_cast<std::size_t>(weights / 32));
    model::byteLevels(type, block, parts);
    for (const auto& part : parts) {
        std::memcpy(unit + 4 * row, part.scales.data(), 4);
        std::memcpy(unit + kPanelGroup + 4 * row, part.minima.data(), 4);
        for (std::int64_t j = 0; j < 32; ++j)
            unit[2 * kPanelGroup + placeOf(row, j)] = static_cast<std::byte>(part.q[static_cast<std::size_t>(j)]);
        unit += 10 * kPanelGroup;
    }
}

template <std::size_t Width>
void writeColumn(TensorType, const std::byte* block, std::int64_t row, std::byte* unit) {
    std::memcpy(unit + static_cast<std::int64_t>(Width) * row, block, Width);
}

WriteRow writerOf(PanelFormat format) {
    switch (format) {
        case PanelFormat::Nibbles:
            return writeNibbles;
        case PanelFormat::Bytes:
            return writeBytes;
        case PanelFormat::Nested2:
            return writeNested2;
        case PanelFormat::Nested4:
            return writeNested4;
        case PanelFormat::Nested6:
            return writeNested6;
        case PanelFormat::Offset8:
            return writeOffset8;
        case PanelFormat::Half:
            return writeColumn<2>;
        case PanelFormat::Bfloat16:
            return nullptr;  // a row may end within a pair
        case PanelFormat::Float:
            return writeColumn<4>;
    }
    return nullptr;
}

}  // namespace

PanelMatrix::Stored PanelMatrix::from(std::int64_t matrix, std::int64_t panel) const {
    const auto part = division.byColumns ? matrix : shareWith(panel, panels, division.unit, division.parts);
    const auto [begin, end] = rangeOf(part);
    const auto before = (division.byColumns ? 0 : matrix * (end - begin)) + panel - begin;
    return {parts[static_cast<std::size_t>(part)] + before * panelBytes, end - panel};
}

bool dividesInto(const model::StoredMatrix& matrix, std::int64_t parts) {
    const auto block = std::max({panelUnit(formatFor(matrix.type)).columns, model::formatOf(matrix.type).blockWeights,
                                 kActivationBlock});  // powers of two
    return matrix.count == 1 && matrix.columns % (parts * block) == 0;
}

PanelMatrix panelsOf(const model::StoredMatrix& matrix, const PanelDivision& division) {
    PanelMatrix panels;
    if (!matrix) return panels;
    const auto pieces = division.byColumns ? division.parts : 1;
    panels.format = formatFor(matrix.type);
    panels.rows = matrix.rows;
    panels.columns = matrix.columns / pieces;
    panels.count = matrix.count * pieces;
    panels.panels = (matrix.rows + kPanelRows - 1) / kPanelRows;
    const auto unit = panelUnit(panels.format);
    panels.panelBytes = (panels.columns + unit.columns - 1) / unit.columns * unit.bytes;
    panels.division = division;
    return panels;
}

void writePanels(const model::StoredMatrix& matrix, const PanelMatrix& target, std::int64_t part, std::int64_t first,
                 std::int64_t last) {
    const auto unit = panelUnit(target.format);
    const auto& format = model::formatOf(matrix.type);
    const auto step = std::max(unit.columns, format.blockWeights);  // columns written at a time
    const auto write = writerOf(target.format);
    const auto own = target.rangeOf(part);
    const auto ofMatrix = std::max<std::int64_t>(1, own.end - own.begin);
    const auto firstBlock = target.division.byColumns ? part * target.columns / format.blockWeights : 0;
    for (auto panel = first; panel < last; ++panel) {
        auto* to = target.parts[static_cast<std::size_t>(part)] + panel * target.panelBytes;
        std::memset(to, 0, static_cast<std::size_t>(target.panelBytes));
        const auto which = panel / ofMatrix, begin = (own.begin + panel % ofMatrix) * kPanelRows;
        const auto rows = std::min(kPanelRows, matrix.rows - begin);
        if (target.format == PanelFormat::Bfloat16) {
            for (std::int64_t row = 0; row < rows; ++row)
                writePairs(matrix.row(begin + row, which) + firstBlock * format.blockBytes, target.columns, row, to);
            continue;
        }
        for (std::int64_t column = 0; column < target.columns; column += step)
            for (std::int64_t row = 0; row < rows; ++row)
                write(matrix.type,
                      matrix.row(begin + row, which) + (firstBlock + column / format.blockWeights) * format.blockBytes,
                      row, to + column / unit.columns * unit.bytes);
    }
}

}  // namespace steelyard::compute::cpu
