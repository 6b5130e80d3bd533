// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/operations/recurrent/recurrent.h"

namespace steelyard::compute::cpu {
namespace {

std::int64_t depthOf(const RecurrentShape& s) {
    return s.features + s.units;
}
std::int64_t sizeOf(const RecurrentShape& s) {
    return s.kind == DataKind::f32 ? kFloat : 2;
}

// Rows of [x | h] for all steps: x now, in the order of the direction; also h of the first step.
Value emitOperand(Compiler& compiler, const Direction& d, const Value& x) {
    const auto& s = d.shape;
    const auto depth = depthOf(s);
    const auto operand = compiler.scratch(plainDesc(Dims{s.rows(), depth}, s.kind));
    withElementType(operand.desc, [&]<class T>(T) {
        compiler.task("native:steps_first", {x, operand, d.hidden}, [=](const StepState&) {
            parallelRows(s.steps, s.batch * depth, [&](std::int64_t begin, std::int64_t end) {
                for (auto step = begin; step < end; ++step)
                    for (std::int64_t b = 0; b < s.batch; ++b) {
                        auto* row = operand.as<T>() + (step * s.batch + b) * depth;
                        const auto* source = x.as<T>() + (b * s.steps + d.timeOf(step)) * s.features;
                        std::copy(source, source + s.features, row);
                        if (step == 0)
                            kernels().rows<T>().fromF32(row + s.features, d.hidden.as<float>() + b * s.units, s.units);
                    }
            });
        });
    });
    return operand;
}

// [W | R], packed for the product.
PackedProduct packJoint(Compiler& compiler, const plan::Operation& op, const Direction& d) {
    const auto& s = d.shape;
    const auto depth = depthOf(s), width = s.gateWidth(), size = sizeOf(s);
    const auto parameter = [&](std::int64_t i) { return op.parameters[static_cast<std::size_t>(3 * d.index + i)]; };
    const auto input = compiler.weight(parameter(0), plainDesc(Dims{width, s.features}, s.kind));
    const auto recurrent = compiler.weight(parameter(1), plainDesc(Dims{width, s.units}, s.kind));
    PackedProduct product;
    product.desc =
        describe<dnnl::matmul>(compiler.engine(), compiler.attributes(), plainDesc(Dims{s.batch, depth}, s.kind),
                               anyDesc(Dims{depth, width}, s.kind), plainDesc(Dims{s.batch, width}, DataKind::f32));
    if (!compiler.training()) compiler.beginPreparation();
    const auto concatenated = compiler.scratch(plainDesc(Dims{width, depth}, s.kind));
    compiler.task("native:join_weights", {input, recurrent, concatenated}, [=](const StepState&) {
        parallelRows(width, depth, [&](std::int64_t begin, std::int64_t end) {
            for (auto row = begin; row < end; ++row) {
                auto* target = concatenated.as<std::byte>() + row * depth * size;
                std::memcpy(target, input.as<std::byte>() + row * s.features * size,
                            static_cast<std::size_t>(s.features * size));
                std::memcpy(target + s.features * size, recurrent.as<std::byte>() + row * s.units * size,
                            static_cast<std::size_t>(s.units * size));
            }
        });
    });
    const auto packed = product.desc.weights_desc();
    product.weights = compiler.training() ? compiler.scratch(packed) : compiler.prepared(packed);
    compiler.convert(concatenated.viewed(Desc({depth, width}, s.kind, Dims{1, depth})), product.weights);
    if (!compiler.training()) compiler.endPreparation();
    return product;
}

// The state also becomes part of the next step's operand.
void emitGatesInto(Compiler& compiler, const Direction& d, std::int64_t step, const Value& bias, const Value& operand) {
    const auto& s = d.shape;
    const auto gates = gateStep(d, step, {}, bias);
    const auto depth = depthOf(s);
    const bool last = step + 1 == s.steps;
    withElementType(operand.desc, [&]<class T>(T) {
        compiler.task("native:gates",
                      {gates.gates, bias, gates.before, gates.after, gates.cellBefore, gates.extra, operand},
                      [=](const StepState&) {
                          parallelRows(s.batch, s.gateWidth() * 4, [&](std::int64_t begin, std::int64_t end) {
                              const auto rows = gates.rows(begin, end);
                              kernels().sequence.recurrentForward(rows);
                              auto* next = operand.as<T>() + ((step + 1) * s.batch + begin) * depth + s.features;
                              for (std::int64_t b = 0; !last && b < rows.samples; ++b)
                                  kernels().rows<T>().fromF32(next + b * depth, rows.hidden + b * s.units, s.units);
                          });
                      });
    });
}

}  // namespace

void emitConcatenatedSteps(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& x) {
    const auto& s = d.shape;
    const auto bias = compiler.weight(op.parameters[static_cast<std::size_t>(3 * d.index + 2)],
                                      plainDesc(Dims{s.gateWidth()}, DataKind::f32));
    const auto product = packJoint(compiler, op, d);
    const auto operand = emitOperand(compiler, d, x);
    for (std::int64_t step = 0; step < s.steps; ++step) {
        emitPackedProduct(compiler, product, Direction::at(operand, step, s.batch * depthOf(s), sizeOf(s)),
                          d.gatesAt(step));
        emitGatesInto(compiler, d, step, bias, operand);
    }
}

}  // namespace steelyard::compute::cpu
