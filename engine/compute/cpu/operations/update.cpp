// SPDX-License-Identifier: Apache-2.0
// Optimizer updates and gradient clipping over many tensors in one parallel region. All tensors of a parameter have the
// same layout, and their padding is and stays zero, so the rules are applied to memory in order.
#include <algorithm>
#include <cmath>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/embedding.h"

namespace steelyard::compute::cpu {
namespace {

using model::OptimizerKind;

constexpr std::int64_t kPiece = 16384;  // elements: a few pieces per thread even for small networks

struct UpdatePiece {
    Buffer* weight = nullptr;
    Buffer* gradient = nullptr;
    Buffer* states[2] = {nullptr, nullptr};
    std::int64_t begin = 0, count = 0;
    Buffer* bf16 = nullptr;  // the weight in bfloat16, in the same layout
};

void appendPieces(std::vector<UpdatePiece>& pieces, const UpdatePiece& whole) {
    for (std::int64_t begin = 0; begin < whole.count; begin += kPiece) {
        auto piece = whole;
        piece.begin = begin;
        piece.count = std::min(kPiece, whole.count - begin);
        pieces.push_back(piece);
    }
}

float* at(const Buffer* buffer, std::int64_t begin) {
    return buffer == nullptr ? nullptr : buffer->as<float>() + begin;
}

UpdateFactors factorsOf(const model::Optimizer& optimizer, const StepState& state) {
    UpdateFactors factors;
    double rate = state.learningRate;
    if (optimizer.kind == OptimizerKind::Adam) {
        const auto t = static_cast<double>(state.index + 1);
        rate *= std::sqrt(1 - std::pow(optimizer.beta2, t)) / (1 - std::pow(optimizer.beta1, t));
    }
    factors.rate = static_cast<float>(rate);
    factors.weightDecay = static_cast<float>(optimizer.weightDecay);
    factors.momentum = static_cast<float>(optimizer.momentum);
    factors.rho = static_cast<float>(optimizer.rho);
    factors.beta1 = static_cast<float>(optimizer.beta1);
    factors.beta2 = static_cast<float>(optimizer.beta2);
    factors.epsilon = static_cast<float>(optimizer.epsilon);
    return factors;
}

void update(OptimizerKind kind, const UpdateFactors& factors, float* p, const float* g, float* first, float* second,
            std::int64_t count) {
    const auto& kernel = kernels().update;
    switch (kind) {
        case OptimizerKind::Sgd:
            return kernel.sgd(p, g, factors, count);
        case OptimizerKind::Momentum:
            return kernel.momentum(p, g, first, factors, count);
        case OptimizerKind::RmsProp:
            return kernel.rmsProp(p, g, first, factors, count);
        case OptimizerKind::Adadelta:
            return kernel.adadelta(p, g, first, second, factors, count);
        case OptimizerKind::Adam:
            return kernel.adam(p, g, first, second, factors, count);
    }
}

// Whole pieces, evenly distributed over the threads.
template <class Function>
void forPieces(const std::vector<UpdatePiece>& pieces, Function&& function) {
    parallelRanges(
        static_cast<std::int64_t>(pieces.size()),
        [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i) function(static_cast<std::size_t>(i));
        },
        1, 1);
}

// A table whose gradient is given by the rows that occur. Other rows have a gradient of zero, which still changes them
// under rules with state.
struct TableUpdate {
    RowGradient rows;
    UpdatePiece table;  // the whole table

    void updateRow(OptimizerKind kind, const UpdateFactors& factors, std::int64_t row, const float* gradient,
                   std::int64_t elements) const {
        const auto begin = row * rows.units;
        update(kind, factors, at(table.weight, begin), gradient, at(table.states[0], begin), at(table.states[1], begin),
               elements);
    }
    [[nodiscard]] const float* gradientOf(std::int64_t distinct) const {
        return rows.dense ? rows.dense.as<float>() + rows.rowOf(distinct) * rows.units
                          : rows.values.as<float>() + distinct * rows.units;
    }

    void occurring(OptimizerKind kind, const UpdateFactors& factors) const {
        parallelRows(rows.distinct(), rows.units, [&](std::int64_t begin, std::int64_t end) {
            for (auto r = begin; r < end; ++r) updateRow(kind, factors, rows.rowOf(r), gradientOf(r), rows.units);
        });
    }

    void all(OptimizerKind kind, const UpdateFactors& factors) const {
        parallelRows(rows.rows, rows.units, [&](std::int64_t begin, std::int64_t end) {
            std::int64_t next = 0;  // the first occurring row not below `row`
            for (std::int64_t high = rows.distinct(); next < high;) {
                const auto middle = (next + high) / 2;
                if (rows.rowOf(middle) < begin) {
                    next = middle + 1;
                } else {
                    high = middle;
                }
            }
            for (auto row = begin; row < end;) {
                const auto stop = next < rows.distinct() ? std::min<std::int64_t>(end, rows.rowOf(next)) : end;
                withoutGradient(kind, factors, row, stop);
                row = stop;
                if (row == end) break;
                updateRow(kind, factors, row++, gradientOf(next++), rows.units);
            }
        });
    }

    void withoutGradient(OptimizerKind kind, const UpdateFactors& factors, std::int64_t begin, std::int64_t end) const {
        const auto last = end * rows.units;
        for (auto element = begin * rows.units; element < last; element += kZeroElements) {
            const auto count = std::min(kZeroElements, last - element);
            update(kind, factors, at(table.weight, element), rows.zeros.as<float>(), at(table.states[0], element),
                   at(table.states[1], element), count);
        }
    }
};

void emitTableUpdate(Compiler& compiler, const TableUpdate& update, std::vector<Value> uses) {
    const auto& rows = update.rows;
    for (const auto& value : {rows.order, rows.starts, rows.count, rows.values, rows.dense, rows.zeros})
        uses.push_back(value);
    const auto optimizer = compiler.plan().options.optimizer;
    const bool onlyOccurring = rows.sparse || (optimizer.kind == OptimizerKind::Sgd && optimizer.weightDecay == 0);
    auto task = [=](const StepState& state) {
        const auto factors = factorsOf(optimizer, state);
        if (onlyOccurring) {
            update.occurring(optimizer.kind, factors);
        } else {
            update.all(optimizer.kind, factors);
        }
    };
    compiler.addTask(std::make_unique<FunctionTask<decltype(task)>>(std::move(task)),
                     onlyOccurring ? "native:update_rows" : "native:update_table", std::span<const Value>(uses));
}

}  // namespace

Result<void> emitUpdates(Compiler& compiler, std::span<const plan::Operation> updates) {
    std::vector<UpdatePiece> pieces;
    std::vector<Value> uses;
    std::vector<std::pair<Value, Value>> elsewhere;  // weights whose bf16 copy has another layout
    for (const auto& op : updates) {
        const auto weight = compiler.value(op.parameters[0]);
        UpdatePiece whole{weight.buffer, nullptr, {}, 0, paddedElements(weight.desc)};
        std::vector<Value> used{weight};
        for (std::size_t s = 0; s < op.states.size(); ++s) {
            used.push_back(compiler.valueAs(op.states[s], weight.desc));
            whole.states[s] = used.back().buffer;
        }
        const auto* rows = compiler.recallGradient<RowGradient>(op.parameterGradients[0]);
        if (rows != nullptr && (rows->sparse || !rows->dense)) {
            emitTableUpdate(compiler, {*rows, whole}, used);
            continue;
        }
        used.push_back(compiler.valueAs(op.parameterGradients[0], weight.desc));
        whole.gradient = used.back().buffer;
        if (const auto bf16 = compiler.bf16Weight(op.parameters[0])) {
            if (isSameLayout(bf16.desc, weight.desc)) {
                whole.bf16 = bf16.buffer;
                used.push_back(bf16);
            } else {
                elsewhere.emplace_back(weight, bf16);
            }
        }
        uses.insert(uses.end(), used.begin(), used.end());
        appendPieces(pieces, whole);
    }
    if (pieces.empty()) return {};
    const auto optimizer = compiler.plan().options.optimizer;
    auto task = [optimizer, pieces = std::move(pieces)](const StepState& state) {
        const auto factors = factorsOf(optimizer, state);
        forPieces(pieces, [&](std::size_t i) {
            const auto& piece = pieces[i];
            update(optimizer.kind, factors, at(piece.weight, piece.begin), at(piece.gradient, piece.begin),
                   at(piece.states[0], piece.begin), at(piece.states[1], piece.begin), piece.count);
            if (piece.bf16 != nullptr)
                kernels().rowsBf16.fromF32(piece.bf16->as<BFloat16>() + piece.begin, at(piece.weight, piece.begin),
                                           piece.count);
        });
    };
    compiler.addTask(std::make_unique<FunctionTask<decltype(task)>>(std::move(task)), "native:update",
                     std::span<const Value>(uses));
    for (const auto& [weight, bf16] : elsewhere) compiler.convert(weight, bf16);
    return {};
}

Result<void> emitClip(Compiler& compiler, const plan::Operation& op) {
    std::vector<UpdatePiece> pieces;
    std::vector<RowGradient> tables;
    std::vector<Value> uses;
    for (auto id : op.parameterGradients) {
        const auto* rows = compiler.recallGradient<RowGradient>(id);
        if (rows != nullptr && !rows->dense) {
            tables.push_back(*rows);
            uses.insert(uses.end(), {rows->count, rows->values});
            continue;
        }
        const auto gradient = compiler.value(id);
        uses.push_back(gradient);
        appendPieces(pieces, {nullptr, gradient.buffer, {}, 0, paddedElements(gradient.desc)});
    }
    const auto limit = *compiler.plan().options.optimizer.clipNorm;
    const auto sums = compiler.scratch(static_cast<std::int64_t>((pieces.size() + 1) * sizeof(double)));
    uses.push_back(sums);
    auto task = [limit, sums, pieces = std::move(pieces), tables = std::move(tables)](const StepState&) {
        const auto& kernel = kernels().update;
        auto* partial = sums.as<double>();
        forPieces(pieces, [&](std::size_t i) {
            partial[i] = kernel.sumOfSquares(at(pieces[i].gradient, pieces[i].begin), pieces[i].count);
        });
        double total = 0;
        for (std::size_t i = 0; i < pieces.size(); ++i) total += partial[i];
        for (const auto& table : tables)
            total += kernel.sumOfSquares(table.values.as<float>(), table.distinct() * table.units);
        const double norm = std::sqrt(total);
        if (norm <= limit) return;
        const auto factor = static_cast<float>(limit / norm);
        forPieces(pieces, [&](std::size_t i) {
            kernel.scale(at(pieces[i].gradient, pieces[i].begin), factor, pieces[i].count);
        });
        for (const auto& table : tables) kernel.scale(table.values.as<float>(), factor, table.distinct() * table.units);
    };
    compiler.addTask(std::make_unique<FunctionTask<decltype(task)>>(std::move(task)), "native:clip",
                     std::span<const Value>(uses));
    return {};
}

}  // namespace steelyard::compute::cpu
