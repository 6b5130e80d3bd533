// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/embedding.h"

#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

void emitEmbeddingForward(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Embedding>(op.layer);
    const auto ids = compiler.value(op.inputs[0]);
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
    // Training looks up in the master copy: a bf16 copy would not pay off for few rows of a large table.
    const auto kind = compiler.training() ? DataKind::f32 : kindOf(y.desc);
    const auto table = compiler.weight(op.parameters[0], plainDesc(Dims{layer.vocabulary, layer.units}, kind));
    const auto tokens = compiler.tensor(op.inputs[0]).elements();
    const auto units = layer.units;
    const bool converts = kind != kindOf(y.desc);
    withElementType(y.desc, [&]<class T>(T) {
        compiler.task("native:embedding", {ids, table, y}, [=](const StepState&) {
            parallelRows(tokens, units, [&](std::int64_t begin, std::int64_t end) {
                for (auto t = begin; t < end; ++t) {
                    const auto row = static_cast<std::int64_t>(ids.as<std::int32_t>()[t]) * units;
                    auto* target = y.as<T>() + t * units;
                    if (converts) {
                        kernels().rows<T>().fromF32(target, table.as<float>() + row, units);
                    } else {
                        std::copy(table.as<T>() + row, table.as<T>() + row + units, target);
                    }
                }
            });
        });
    });
}

struct Occurrence {
    std::int32_t row = 0, token = 0;
};

void sortTokens(const RowGradient& gradient, const std::int32_t* ids) {
    auto* order = gradient.order.as<Occurrence>();
    for (std::int64_t t = 0; t < gradient.tokens; ++t) order[t] = {ids[t], static_cast<std::int32_t>(t)};
    std::sort(order, order + gradient.tokens,
              [](const auto& a, const auto& b) { return a.row != b.row ? a.row < b.row : a.token < b.token; });
    auto* starts = gradient.starts.as<std::int32_t>();
    std::int32_t count = 0;
    for (std::int64_t t = 0; t < gradient.tokens; ++t)
        if (t == 0 || order[t].row != order[t - 1].row) starts[count++] = static_cast<std::int32_t>(t);
    starts[count] = static_cast<std::int32_t>(gradient.tokens);
    *gradient.count.as<std::int32_t>() = count;
}

template <class T>
void sumRows(const RowGradient& gradient, const T* dy) {
    const auto* order = gradient.order.as<Occurrence>();
    const auto* starts = gradient.starts.as<std::int32_t>();
    const auto units = gradient.units;
    parallelRows(gradient.distinct(), units, [&](std::int64_t begin, std::int64_t end) {
        for (auto r = begin; r < end; ++r) {
            auto* sum = gradient.values.as<float>() + r * units;
            std::fill(sum, sum + units, 0.0F);
            for (auto t = starts[r]; t < starts[r + 1]; ++t)
                kernels().rows<T>().addTo(sum, dy + static_cast<std::int64_t>(order[t].token) * units, units);
        }
    });
}

RowGradient makeRowGradient(Compiler& compiler, std::int64_t tokens, const model::Embedding& layer) {
    RowGradient gradient;
    gradient.tokens = tokens;
    gradient.units = layer.units;
    gradient.rows = layer.vocabulary;
    constexpr std::int64_t kWord = 4;
    gradient.order = compiler.scratch(2 * tokens * kWord);
    gradient.starts = compiler.scratch((tokens + 1) * kWord);
    gradient.count = compiler.scratch(kWord);
    gradient.values = compiler.scratch(tokens * layer.units * kWord);
    return gradient;
}

// The gradient of the whole table, if another operation reads it or adds to it.
Value emitDenseGradient(Compiler& compiler, const plan::Operation& op, const RowGradient& rows) {
    const auto id = op.parameterGradients[0];
    const bool added = op.accumulateParameters;
    const auto desc = plainDesc(Dims{rows.rows, rows.units}, DataKind::f32);
    const auto table = added ? compiler.value(id) : compiler.define(id, desc);
    compiler.task("native:table_gradient", {rows.order, rows.starts, rows.count, rows.values, table},
                  [=](const StepState&) {
                      auto* target = table.as<float>();
                      if (!added)
                          parallelRanges(rows.rows * rows.units, [&](std::int64_t begin, std::int64_t end) {
                              std::memset(target + begin, 0, static_cast<std::size_t>(end - begin) * sizeof(float));
                          });
                      parallelRows(rows.distinct(), rows.units, [&](auto begin, auto end) {
                          for (auto r = begin; r < end; ++r)
                              kernels().rows<float>().addTo(target + rows.rowOf(r) * rows.units,
                                                            rows.values.as<float>() + r * rows.units, rows.units);
                      });
                  });
    return table;
}

void emitEmbeddingBackward(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Embedding>(op.layer);
    const auto ids = compiler.value(op.inputs[0]);
    const auto dy = compiler.plainValue(op.outputGradient);
    auto rows = makeRowGradient(compiler, compiler.tensor(op.inputs[0]).elements(), layer);
    withElementType(dy.desc, [&]<class T>(T) {
        compiler.task("native:embedding_gradient", {ids, dy, rows.order, rows.starts, rows.count, rows.values},
                      [=](const StepState&) {
                          sortTokens(rows, ids.as<std::int32_t>());
                          sumRows(rows, dy.as<T>());
                      });
    });
    const bool tied = compiler.writers(op.parameterGradients[0]) > 1;
    rows.sparse = layer.sparseUpdate && !tied;
    if (compiler.options().keepGradients || tied) {
        rows.dense = emitDenseGradient(compiler, op, rows);
    } else {
        rows.zeros = compiler.zeros(kZeroElements * static_cast<std::int64_t>(sizeof(float)));
    }
    compiler.rememberGradient(op.parameterGradients[0], rows);
}

}  // namespace

Result<void> emitEmbedding(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        emitEmbeddingForward(compiler, op);
    } else {
        emitEmbeddingBackward(compiler, op);
    }
    return {};
}

}  // namespace steelyard::compute::cpu
