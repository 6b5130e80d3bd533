// SPDX-License-Identifier: Apache-2.0
// execution.h on the host: one thread simulates all, one after the other. Internal to kernels/.
#pragma once

#include <array>
#include <cstddef>

#include "engine/compute/cuda/kernels/execution/portable.h"

namespace steelyard::compute::cuda::kernels {

template <int Size>
class Team {
public:
    static constexpr int kSize = Size;

    template <typename Partial, typename Take, typename Merge>
    Partial reduce(std::int64_t count, const Take& take, const Merge& merge) const {
        constexpr int kWarp = 32;
        std::array<Partial, static_cast<std::size_t>(Size)> threads{};
        for (int rank = 0; rank < Size; ++rank)
            for (std::int64_t i = rank; i < count; i += Size) take(threads[at(rank)], i);
        for (int warp = 0; warp < Size; warp += kWarp)
            for (int offset = kWarp / 2; offset > 0; offset /= 2)
                for (int lane = 0; lane < offset; ++lane)
                    threads[at(warp + lane)] = merge(threads[at(warp + lane)], threads[at(warp + lane + offset)]);
        Partial whole = threads[0];
        for (int warp = kWarp; warp < Size; warp += kWarp) whole = merge(whole, threads[at(warp)]);
        return whole;
    }
    template <typename F>
    void each(std::int64_t count, const F& f) const {
        for (std::int64_t i = 0; i < count; ++i) f(i);
    }
    template <typename F>
    void once(const F& f) const {
        f();
    }

private:
    static constexpr std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
};

template <typename Work>
Status elements(Stream /*stream*/, std::int64_t count, const Work& work) {
    if (count < 0) return kInvalidValue;
    for (std::int64_t i = 0; i < count; ++i) work(i);
    return kOk;
}

template <int N, typename Work>
Status packs(Stream /*stream*/, std::int64_t count, bool aligned, const Work& work) {
    if (count < 0) return kInvalidValue;
    const std::int64_t whole = aligned ? count / N : 0;
    for (std::int64_t i = 0; i < whole; ++i) work.template run<N>(i * N);
    for (std::int64_t i = whole * N; i < count; ++i) work.template run<1>(i);
    return kOk;
}

template <int Size, typename Work>
Status teams(Stream /*stream*/, std::int64_t rows, const Work& work) {
    if (rows < 0) return kInvalidValue;
    for (std::int64_t row = 0; row < rows; ++row) work(Team<Size>(), row);
    return kOk;
}

}  // namespace steelyard::compute::cuda::kernels
