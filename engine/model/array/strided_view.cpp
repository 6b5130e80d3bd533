// SPDX-License-Identifier: Apache-2.0
#include "engine/model/array/strided_view.h"

#include <algorithm>
#include <numeric>

#include "engine/model/layer.h"

namespace steelyard::model {
namespace {

// Number of elements per step of each extent.
Shape blocksOf(const Shape& extents) {
    Shape blocks(extents.size(), 1);
    for (std::size_t i = extents.size(); i-- > 1;) blocks[i - 1] = blocks[i] * extents[i];
    return blocks;
}

}  // namespace

std::int64_t StridedView::elements() const {
    return elementCount(extents);
}

std::int64_t StridedView::at(std::int64_t i) const {
    auto place = offset;
    for (std::size_t d = extents.size(); d-- > 0; i /= extents[d]) place += i % extents[d] * strides[d];
    return place;
}

StridedView wholeView(std::int64_t elements) {
    return {{elements}, {1}, 0};
}

StridedView simplified(const StridedView& view) {
    StridedView result{{}, {}, view.offset};
    for (std::size_t d = 0; d < view.extents.size(); ++d) {
        if (view.extents[d] == 1) continue;
        if (!result.extents.empty() && result.strides.back() == view.strides[d] * view.extents[d]) {
            result.extents.back() *= view.extents[d];
            result.strides.back() = view.strides[d];
        } else {
            result.extents.push_back(view.extents[d]);
            result.strides.push_back(view.strides[d]);
        }
    }
    if (result.extents.empty()) {
        result.extents = {1};
        result.strides = {1};
    }
    return result;
}

std::optional<StridedView> composed(const StridedView& given, const StridedView& inner) {
    const auto outer = simplified(given);
    const auto blocks = blocksOf(outer.extents);
    // The largest coordinate in each outer extent: there must be no carry.
    Shape reached(outer.extents.size(), 0);
    auto rest = inner.offset;
    StridedView result;
    for (std::size_t d = outer.extents.size(); d-- > 0; rest /= outer.extents[d]) reached[d] = rest % outer.extents[d];
    result.offset = outer.at(inner.offset);
    for (std::size_t k = 0; k < inner.extents.size(); ++k) {
        auto extent = inner.extents[k], stride = inner.strides[k];
        if (extent == 1) continue;
        if (stride < 0) return std::nullopt;
        if (stride == 0) {
            result.extents.push_back(extent);
            result.strides.push_back(0);
            continue;
        }
        Shape extents, strides;  // from the innermost
        while (extent > 1) {
            std::size_t d = 0;
            while (d < blocks.size() && blocks[d] > stride) ++d;
            if (d == blocks.size() || stride % blocks[d] != 0) return std::nullopt;
            const auto step = stride / blocks[d];
            auto taken = extent;
            if ((extent - 1) * step >= outer.extents[d]) {
                if (outer.extents[d] % step != 0 || extent % (outer.extents[d] / step) != 0) return std::nullopt;
                taken = outer.extents[d] / step;
                if (taken == 1) return std::nullopt;
            }
            extents.push_back(taken);
            strides.push_back(step * outer.strides[d]);
            reached[d] += (taken - 1) * step;
            extent /= taken;
            stride *= taken;
        }
        result.extents.insert(result.extents.end(), extents.rbegin(), extents.rend());
        result.strides.insert(result.strides.end(), strides.rbegin(), strides.rend());
    }
    for (std::size_t d = 0; d < reached.size(); ++d)
        if (reached[d] >= outer.extents[d]) return std::nullopt;
    if (result.extents.empty()) {
        result.extents = {1};
        result.strides = {1};
    }
    return result;
}

std::optional<StridedView> inverse(const StridedView& given) {
    const auto view = simplified(given);
    if (view.offset != 0) return std::nullopt;
    const auto blocks = blocksOf(view.extents);
    std::vector<std::size_t> order(view.extents.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return view.strides[a] > view.strides[b]; });
    StridedView result;
    for (auto d : order) {
        result.extents.push_back(view.extents[d]);
        result.strides.push_back(blocks[d]);
    }
    const auto dense = blocksOf(result.extents);
    for (std::size_t i = 0; i < order.size(); ++i)
        if (view.strides[order[i]] != dense[i]) return std::nullopt;
    return result;
}

std::optional<Shape> stridesFor(const StridedView& given, const Shape& extents) {
    const auto view = simplified(given);
    Shape strides(extents.size(), 0);
    auto d = static_cast<std::ptrdiff_t>(view.extents.size()) - 1;
    std::int64_t left = view.extents[static_cast<std::size_t>(d)], step = view.strides[static_cast<std::size_t>(d)];
    for (std::size_t i = extents.size(); i-- > 0;) {
        if (extents[i] == 1) continue;
        if (left == 1) {
            if (--d < 0) return std::nullopt;
            left = view.extents[static_cast<std::size_t>(d)];
            step = view.strides[static_cast<std::size_t>(d)];
        }
        if (left % extents[i] != 0) return std::nullopt;
        strides[i] = step;
        step *= extents[i];
        left /= extents[i];
    }
    return left == 1 && d == 0 ? std::optional(strides) : std::nullopt;
}

}  // namespace steelyard::model
