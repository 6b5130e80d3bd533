// SPDX-License-Identifier: Apache-2.0
// Shared by the float32 and bfloat16 implementations of attention: shapes, offsets, and distribution of heads over
// threads. Internal to attention*.cpp; formulas there.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/kernels/near_first.h"

namespace steelyard::compute::cpu {

constexpr std::int64_t kFewQueries = 4;  // below this, transposing or packing the keys costs more than it gains

struct AttentionShape {
    std::int64_t batch = 0, tokens = 0, features = 0, heads = 0, cached = 0, width = 0;  // width: D
    bool causal = false;

    [[nodiscard]] std::int64_t keys() const { return cached + tokens; }
    [[nodiscard]] float scale() const { return 1.0F / std::sqrt(static_cast<float>(width)); }
    [[nodiscard]] std::int64_t visible(std::int64_t token) const { return causal ? cached + token + 1 : keys(); }
    // Offset of Q (0), K (1) or V (2) of a head in [B, T, 3 F], and of the head in [B, T, F].
    [[nodiscard]] std::int64_t inputAt(std::int64_t sample, std::int64_t head, std::int64_t part) const {
        return sample * tokens * 3 * features + part * features + head * width;
    }
    [[nodiscard]] std::int64_t outputAt(std::int64_t sample, std::int64_t head) const {
        return sample * tokens * features + head * width;
    }
    [[nodiscard]] std::int64_t cacheAt(std::int64_t sample, std::int64_t head) const {
        return sample * cached * features + head * width;
    }
};

// `input`: [B, T, 3 F].
[[nodiscard]] AttentionShape attentionShape(const plan::Operation& op, const model::Shape& input);

// Rows of a matrix within a larger one; T: float or BFloat16.
template <class T>
struct RowsOf {
    const T* data = nullptr;
    std::int64_t leading = 0;
};

// Keys (part 1) or values (part 2) of a head: in x, or copied to `memory` after those of the cache. `v` has shape, x,
// cachedKeys and cachedValues.
template <class T, class Values>
RowsOf<T> keysOf(const Values& v, std::int64_t sample, std::int64_t head, std::int64_t part, T* memory) {
    const auto& s = v.shape;
    const RowsOf<T> fresh{v.x.template as<T>() + s.inputAt(sample, head, part), 3 * s.features};
    if (s.cached == 0) return fresh;
    const auto* cache = (part == 1 ? v.cachedKeys : v.cachedValues).template as<T>() + s.cacheAt(sample, head);
    for (std::int64_t t = 0; t < s.keys(); ++t) {
        const auto* row = t < s.cached ? cache + t * s.features : fresh.data + (t - s.cached) * fresh.leading;
        std::copy(row, row + s.width, memory + t * s.width);
    }
    return {memory, s.width};
}

// Calls work(sample, head, scratch of the thread) for all heads; `elements`: floats of scratch per thread.
template <class Work>
void forEachHead(const AttentionShape& s, const Value& scratch, std::int64_t elements, const Work& work) {
    const auto count = s.batch * s.heads;
    NearFirst heads(count, omp_get_max_threads());
#pragma omp parallel if (count > 1)
    {
        const auto thread = omp_get_thread_num();
        auto* own = scratch.as<float>() + thread * elements;
        for (auto i = heads.next(thread); i >= 0; i = heads.next(thread)) work(i / s.heads, i % s.heads, own);
    }
}

// bfloat16 with float32 sums and float32 softmax; requires hasBfloat16Products(). Forward, the tensors may be float32
// (without a cache, from kFewQueries tokens on): their values are rounded to bfloat16. attention_bf16.cpp.
void emitBf16AttentionForward(Compiler& compiler, const plan::Operation& op);
void emitBf16AttentionBackward(Compiler& compiler, const plan::Operation& op);

}  // namespace steelyard::compute::cpu
