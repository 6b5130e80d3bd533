// SPDX-License-Identifier: Apache-2.0
// Pooling compared with element-wise loops: both orders, packs and single channels, overlapping and adjacent windows
// and windows with gaps, accumulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/compute/cuda/kernels/kernels.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

using Floats = std::vector<float>;

struct Expected {
    Floats y, dx;
    std::vector<std::uint8_t> indices;
};

std::size_t at(const ImageLayout& l, std::int64_t b, std::int64_t c, std::int64_t row, std::int64_t column) {
    return static_cast<std::size_t>(l.channelsLast ? ((b * l.height + row) * l.width + column) * l.channels + c
                                                   : ((b * l.channels + c) * l.height + row) * l.width + column);
}

// One window; accumulates into dx.
void window(const PoolWindow& w, bool max, const Floats& x, const Floats& dy, std::int64_t b, std::int64_t c,
            std::int64_t row, std::int64_t column, Expected& e) {
    const auto to = at(w.out, b, c, row, column);
    const std::int64_t top = row * w.strideHeight - w.paddingTop, left = column * w.strideWidth - w.paddingLeft;
    float best = -std::numeric_limits<float>::infinity();
    std::size_t from = x.size();
    std::int64_t count = 0;
    const auto inside = [&](auto&& f) {
        for (std::int64_t i = 0; i < w.kernelHeight * w.kernelWidth; ++i) {
            const auto r = top + i / w.kernelWidth, k = left + i % w.kernelWidth;
            if (r >= 0 && r < w.in.height && k >= 0 && k < w.in.width) f(i, at(w.in, b, c, r, k));
        }
    };
    float sum = 0;
    inside([&](std::int64_t i, std::size_t here) {
        ++count;
        sum += x[here];
        if (from < x.size() && !(x[here] > best)) return;
        best = x[here];
        from = here;
        e.indices[to] = static_cast<std::uint8_t>(i);
    });
    if (max) {
        e.y[to] = best;
        e.dx[from] += dy[to];
        return;
    }
    const auto divisor = static_cast<float>(w.countPadding ? w.kernelHeight * w.kernelWidth : count);
    e.y[to] = sum / divisor;
    inside([&](std::int64_t, std::size_t here) { e.dx[here] += dy[to] / divisor; });
}

Expected expectedOf(const PoolWindow& w, bool max, const Floats& x, const Floats& dy) {
    Expected e{Floats(dy.size()), Floats(x.size()), std::vector<std::uint8_t>(dy.size())};
    for (std::int64_t b = 0; b < w.out.batch; ++b)
        for (std::int64_t c = 0; c < w.out.channels; ++c)
            for (std::int64_t row = 0; row < w.out.height; ++row)
                for (std::int64_t column = 0; column < w.out.width; ++column)
                    window(w, max, x, dy, b, c, row, column, e);
    return e;
}

struct Sizes {
    std::int64_t in, kernel, stride, padding, out;
};

PoolWindow windowOf(const Sizes& s, std::int64_t channels, bool channelsLast) {
    PoolWindow w;
    w.in = {2, channels, s.in, s.in + 1, channelsLast};
    w.out = {2, channels, s.out, s.out, channelsLast};
    w.kernelHeight = w.kernelWidth = s.kernel;
    w.strideHeight = w.strideWidth = s.stride;
    w.paddingTop = w.paddingLeft = s.padding;
    return w;
}

// Forward, and backward twice: overwriting, and accumulating.
void check(const PoolWindow& w, ElementType type, bool max, std::int64_t shift) {
    const auto x = rounded(type, normals(w.in.elements(), 1)), dy = rounded(type, normals(w.out.elements(), 2));
    const auto e = expectedOf(w, max, x, dy);
    Typed tx(type, x, shift), tdy(type, dy, shift), y(type, w.out.elements(), shift), dx(type, w.in.elements(), shift);
    std::vector<std::uint8_t> indices(dy.size());
    const auto backward = [&](bool accumulate) {
        return max ? maxPoolBackward({}, type, w, tdy.data(), indices.data(), dx.data(), accumulate)
                   : averagePoolBackward({}, type, w, tdy.data(), dx.data(), accumulate);
    };
    ASSERT_EQ(max ? maxPoolForward({}, type, w, tx.data(), y.data(), indices.data())
                  : averagePoolForward({}, type, w, tx.data(), y.data()),
              kOk);
    EXPECT_LT(difference(e.y, y.floats()), toleranceOf(type));
    if (max) {
        EXPECT_EQ(indices, e.indices);
    }
    ASSERT_EQ(backward(false), kOk);
    EXPECT_LT(difference(e.dx, dx.floats()), toleranceOf(type));
    ASSERT_EQ(backward(true), kOk);
    auto twice = e.dx;
    for (auto& value : twice) value *= 2;
    EXPECT_LT(difference(twice, dx.floats()), toleranceOf(type));
}

TEST(Pooling, OfEveryWindowOrderAndWidth) {
    // Adjacent, adjacent with remainder, padded, with gaps, overlapping, overlapping and padded, one window, stride 1,
    // and a stride that needs 64-bit indices.
    const Sizes sizes[] = {{8, 2, 2, 0, 4},  {9, 2, 2, 0, 4}, {7, 2, 2, 1, 4},
                           {11, 2, 4, 0, 3}, {9, 3, 2, 0, 4}, {9, 3, 2, 1, 5},
                           {6, 6, 1, 0, 1},  {6, 3, 1, 1, 6}, {4, 2, std::int64_t{1} << 29, 0, 1}};
    for (const auto type : kTypes)
        for (const auto& s : sizes)
            for (const std::int64_t channels : {3, 8, 24})
                for (const bool channelsLast : {false, true})
                    for (const bool max : {false, true})
                        for (const std::int64_t shift : {0, 1}) {
                            SCOPED_TRACE(testing::Message() << "window " << s.kernel << " stride " << s.stride << " of "
                                                            << s.in << ", channels " << channels << ' ' << channelsLast
                                                            << max << shift << static_cast<int>(type));
                            check(windowOf(s, channels, channelsLast), type, max, shift);
                        }
}

TEST(Pooling, CountsThePaddingWhereAsked) {
    auto w = windowOf({7, 3, 2, 1, 4}, 8, true);
    w.countPadding = true;
    for (const auto type : kTypes) check(w, type, false, 0);
}

TEST(Pooling, PutsNothingDownForWindowsOutsideTheImage) {
    auto w = windowOf({2, 1, 2, 0, 2}, 8, true);  // the second window starts beyond the image
    const Floats x(static_cast<std::size_t>(w.in.elements()), -1.0F);
    Floats y(static_cast<std::size_t>(w.out.elements()), 7.0F);
    ASSERT_EQ(maxPoolForward({}, ElementType::F32, w, x.data(), y.data(), nullptr), kOk);
    EXPECT_EQ(y[0], -1.0F);
    EXPECT_EQ(y.back(), 0.0F);
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels
