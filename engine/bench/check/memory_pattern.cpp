// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/check/memory_pattern.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

constexpr std::int64_t kWord = sizeof(std::uint64_t);
constexpr std::int64_t kBlockWords = 1 << 17;  // 1 MiB: of a copy to or from a device
constexpr std::size_t kMostFaults = 8;

enum class Pattern { Clear, Set, Odd, Even, Address, Random, Inverse };
constexpr Pattern kPatterns[] = {Pattern::Clear,   Pattern::Set,    Pattern::Odd,    Pattern::Even,
                                 Pattern::Address, Pattern::Random, Pattern::Inverse};

// SplitMix64: S. Vigna, https://prng.di.unimi.it/splitmix64.c (public domain); the word is a function of its position.
std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
}

std::uint64_t patternWord(Pattern pattern, std::int64_t position, std::uint64_t seed) {
    const auto place = static_cast<std::uint64_t>(position);
    switch (pattern) {
        case Pattern::Clear:
            return 0;
        case Pattern::Set:
            return ~std::uint64_t{0};
        case Pattern::Odd:
            return 0x5555555555555555U;
        case Pattern::Even:
            return 0xaaaaaaaaaaaaaaaaU;
        case Pattern::Address:
            return place * kWord;
        case Pattern::Random:
            return mixed(place ^ mixed(seed));
        case Pattern::Inverse:
            return ~mixed(place ^ mixed(seed));
    }
    return 0;
}

class PatternTest {
public:
    PatternTest(compute::RawMemory& memory, const MemoryPatternOptions& options)
        : m_memory(memory), m_options(options), m_words(memory.bytes() / kWord) {
        m_block.resize(static_cast<std::size_t>(std::min(kBlockWords, std::max<std::int64_t>(m_words, 1))));
        m_tally.bytes = m_words * kWord;
    }

    Result<MemoryTally> run() {
        for (const auto pattern : kPatterns) {
            ASSIGN(const auto written, pass(pattern, true));
            if (!written) break;
            ASSIGN(const auto read, pass(pattern, false));
            if (!read) break;
            ++m_tally.patterns;
        }
        return std::move(m_tally);
    }

private:
    // False: cancelled.
    Result<bool> pass(Pattern pattern, bool writing) {
        for (std::int64_t start = 0; start < m_words; start += kBlockWords) {
            if (m_options.cancelled && m_options.cancelled()) {
                m_tally.cancelled = true;
                return false;
            }
            const auto count = std::min(kBlockWords, m_words - start);
            const auto bytes =
                std::as_writable_bytes(std::span(m_block)).first(static_cast<std::size_t>(count * kWord));
            if (writing) {
                for (std::int64_t i = 0; i < count; ++i)
                    m_block[static_cast<std::size_t>(i)] = patternWord(pattern, start + i, m_options.seed);
                TRY(m_memory.write(start * kWord, bytes));
            } else {
                TRY(m_memory.read(start * kWord, bytes));
                compare(pattern, start, count);
            }
            m_done += count;
            const auto all = static_cast<double>(2 * std::size(kPatterns)) * static_cast<double>(m_words);
            if (m_options.onProgress) m_options.onProgress(static_cast<double>(m_done) / all);
        }
        return true;
    }

    void compare(Pattern pattern, std::int64_t start, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto expected = patternWord(pattern, start + i, m_options.seed);
            const auto found = m_block[static_cast<std::size_t>(i)];
            if (found == expected) [[likely]]
                continue;
            ++m_tally.wrongWords;
            m_tally.wrongBits |= expected ^ found;
            if (m_tally.first.size() < kMostFaults) m_tally.first.push_back({(start + i) * kWord, expected, found});
        }
    }

    compute::RawMemory& m_memory;
    const MemoryPatternOptions& m_options;
    std::int64_t m_words;
    std::int64_t m_done = 0;
    std::vector<std::uint64_t> m_block;
    MemoryTally m_tally;
};

class MainMemory final : public compute::RawMemory {
public:
    MainMemory(std::unique_ptr<std::byte[]> data, std::int64_t bytes) : m_data(std::move(data)), m_bytes(bytes) {}

    [[nodiscard]] std::int64_t bytes() const override { return m_bytes; }
    [[nodiscard]] Result<void> write(std::int64_t offset, std::span<const std::byte> values) override {
        std::memcpy(m_data.get() + offset, values.data(), values.size());
        return {};
    }
    [[nodiscard]] Result<void> read(std::int64_t offset, std::span<std::byte> values) override {
        std::memcpy(values.data(), m_data.get() + offset, values.size());
        return {};
    }

private:
    std::unique_ptr<std::byte[]> m_data;
    std::int64_t m_bytes;
};

}  // namespace

Result<MemoryTally> testPatterns(compute::RawMemory& memory, const MemoryPatternOptions& options) {
    return PatternTest(memory, options).run();
}

Result<std::unique_ptr<compute::RawMemory>> allocateMainMemory(Bytes bytes) {
    std::unique_ptr<std::byte[]> data(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes.value())]);
    if (!data) return fail(ErrorKind::OutOfMemory, {}, messages::computerOutOfMemory());
    return std::make_unique<MainMemory>(std::move(data), bytes.value());
}

}  // namespace steelyard::bench
