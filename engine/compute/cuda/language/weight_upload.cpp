// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/language/weight_upload.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "engine/model/decoder/weight_blocks.h"

namespace steelyard::compute::cuda {
namespace {

using kernels::kNestedBlocks;
using kernels::kWeightBlock;
using kernels::StoredWeights;
using kernels::WeightFormat;

constexpr std::int64_t kStagingBytes = 32 << 20;
constexpr std::int64_t kMostBytesPerBlock = 48;  // in all parts
constexpr std::int64_t kBlocksPerPiece = kStagingBytes / kMostBytesPerBlock / kNestedBlocks * kNestedBlocks;
constexpr unsigned kMostThreads = 16;

// The parts of some blocks of 32, in host memory.
struct HostParts {
    std::byte *quants, *high, *scales, *supers;
};

std::byte* at(std::byte* base, std::int64_t index, std::int64_t bytes) {
    return base + index * bytes;
}

// Byte j has level j in its low and level j + 16 in its high nibble.
void writeNibbles(std::byte* to, const std::uint8_t* levels) {
    for (int j = 0; j < 16; ++j) to[j] = static_cast<std::byte>((levels[j] & 15) | (levels[j + 16] & 15) << 4);
}

// Splits a GGUF block; its first 32 weights become block `index` of the parts.
void splitBlock(model::TensorType type, WeightFormat format, const std::byte* block, std::int64_t index,
                const HostParts& to) {
    switch (format) {
        case WeightFormat::Nibbles:
            std::memcpy(at(to.scales, index, 2), block, 2);
            std::memcpy(at(to.quants, index, 16), block + 2, 16);
            return;
        case WeightFormat::Bytes:
            std::memcpy(at(to.scales, index, 2), block, 2);
            std::memcpy(at(to.quants, index, 32), block + 2, 32);
            return;
        case WeightFormat::Nested4: {
            std::memcpy(at(to.supers, index / kNestedBlocks, 4), block, 4);
            std::array<std::uint8_t, 12> scales{};
            std::memcpy(scales.data(), block + 4, scales.size());
            for (int sub = 0; sub < kNestedBlocks; ++sub) {
                const auto [factor, minimum] = model::nestedScale(scales.data(), sub);
                auto* pair = at(to.scales, index + sub, 2);
                pair[0] = static_cast<std::byte>(factor);
                pair[1] = static_cast<std::byte>(minimum);
                std::array<std::uint8_t, 32> levels{};
                const auto* from = reinterpret_cast<const std::uint8_t*>(block) + 16 + sub / 2 * 32;
                for (std::size_t j = 0; j < 32; ++j)
                    levels[j] = static_cast<std::uint8_t>(sub % 2 == 0 ? from[j] & 15 : from[j] >> 4);
                writeNibbles(at(to.quants, index + sub, 16), levels.data());
            }
            return;
        }
        case WeightFormat::Nested6: {
            const auto from = model::sixBitLevels(type, block);
            std::memcpy(at(to.supers, index / kNestedBlocks, 2), from.scale, 2);
            for (int sub = 0; sub < kNestedBlocks; ++sub) {
                std::memcpy(at(to.scales, index + sub, 2), from.factors.data() + 2 * sub, 2);
                const auto* levels = from.levels.data() + 32 * sub;
                writeNibbles(at(to.quants, index + sub, 16), levels);
                std::array<std::uint8_t, 8> high{};
                for (std::size_t j = 0; j < 32; ++j)
                    high[j / 16 * 4 + j % 4] |= static_cast<std::uint8_t>(levels[j] >> 4 << (j % 16 / 4 * 2));
                std::memcpy(at(to.high, index + sub, 8), high.data(), 8);
            }
            return;
        }
        default: {
            std::array<model::ByteLevels, kNestedBlocks> levels;
            const auto parts =
                std::span(levels).first(static_cast<std::size_t>(model::formatOf(type).blockWeights / kWeightBlock));
            model::byteLevels(type, block, parts);
            for (const auto& part : parts) {
                const std::array<float, 4> scales{part.scales[0], part.minima[0], part.scales[1], part.minima[1]};
                std::memcpy(at(to.scales, index, 16), scales.data(), 16);
                auto* quants = at(to.quants, index, 32);
                for (std::size_t j = 0; j < 32; ++j) quants[j] = static_cast<std::byte>(part.q[j] ^ 0x80);
                ++index;
            }
        }
    }
}

// Calls f(begin, end) for shares of [0, count) in several threads.
template <typename F>
void inThreads(std::int64_t count, const F& f) {
    const auto threads = static_cast<std::int64_t>(std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads));
    std::vector<std::jthread> running;
    for (std::int64_t i = 1; i < threads; ++i)
        running.emplace_back([&, i] { f(count * i / threads, count * (i + 1) / threads); });
    f(0, count / threads);
}

}  // namespace

Result<WeightUpload> WeightUpload::make(DeviceRuntime& runtime) {
    ASSIGN(auto staging, DeviceMemory::allocatePinned(runtime, kStagingBytes));
    return WeightUpload(runtime, std::move(staging));
}

Result<void> WeightUpload::copyValues(const model::StoredMatrix& matrix, const StoredWeights& target) {
    const auto stream = m_runtime->stream();
    for (std::int64_t done = 0; done < matrix.bytes(); done += kStagingBytes) {
        const auto bytes = std::min(kStagingBytes, matrix.bytes() - done);
        std::memcpy(m_staging.data(), matrix.data + done, static_cast<std::size_t>(bytes));
        TRY(m_runtime->copyToDevice(target.data + done, m_staging.data(), bytes, stream));
        TRY(m_runtime->synchronize(stream));
    }
    return {};
}

Result<void> WeightUpload::copy(const model::StoredMatrix& matrix, const StoredWeights& target) {
    if (!kernels::inBlocks(target.format)) return copyValues(matrix, target);
    const auto stream = m_runtime->stream();
    const auto& format = model::formatOf(matrix.type);
    const auto perBlock = format.blockWeights / kWeightBlock;  // of the file
    const auto sizes = kernels::partBytes(target.format);
    const auto total = target.blocks();
    for (std::int64_t first = 0; first < total; first += kBlocksPerPiece) {
        const auto count = std::min(kBlocksPerPiece, total - first);
        HostParts parts{};
        parts.quants = m_staging.data();
        parts.high = parts.quants + count * sizes.quants;
        parts.scales = parts.high + count * sizes.high;
        parts.supers = parts.scales + count * sizes.scales;
        inThreads(count / perBlock, [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i)
                splitBlock(matrix.type, target.format, matrix.data + (first / perBlock + i) * format.blockBytes,
                           i * perBlock, parts);
        });
        const auto send = [&](const std::byte* from, std::int64_t offset, std::int64_t bytes,
                              std::int64_t shared) -> Result<void> {
            if (bytes == 0) return {};
            return m_runtime->copyToDevice(target.data + offset + first / shared * bytes, from, count / shared * bytes,
                                           stream);
        };
        TRY(send(parts.quants, 0, sizes.quants, 1));
        TRY(send(parts.high, target.highOffset(), sizes.high, 1));
        TRY(send(parts.scales, target.scalesOffset(), sizes.scales, 1));
        TRY(send(parts.supers, target.supersOffset(), sizes.supers, kNestedBlocks));
        TRY(m_runtime->synchronize(stream));
    }
    return {};
}

}  // namespace steelyard::compute::cuda
