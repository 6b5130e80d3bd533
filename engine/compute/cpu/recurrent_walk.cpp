// SPDX-License-Identifier: Apache-2.0
// Recurrent layers in bfloat16: samples know nothing of each other, so each thread takes some of them through all
// steps. The product of a step and its gates stay in the cache of one core, and no step waits for another thread.
#include <fmt/format.h>

#include <algorithm>

#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/layout.h"
#include "engine/compute/cpu/recurrent.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kPanel = 64;       // columns of B that lie together
constexpr std::int64_t kTrialSteps = 16;  // tell two ways apart
// The walk needs less memory, its gates, which a trial leaves out, are in the cache, and no thread waits for another at
// each step; with AMX the product is the smaller part. The library's trial was half as long where the layer took twice
// as long.
constexpr double kFavour = 3;

std::int64_t even(std::int64_t count) {
    return (count + 1) / 2 * 2;
}

// Rows of A with all of B, which lies in panels of columns, each [depth / 2, width] pairs.
struct WalkProduct {
    std::int64_t depth = 0, columns = 0;  // depth is even
    bool accumulate = false;

    [[nodiscard]] std::int64_t words() const { return depth / 2 * columns; }
    void run(const BFloat16* a, const std::uint32_t* b, float* c, std::int64_t rows) const {
        NarrowProduct product;
        product.m = rows;
        product.k = product.rowStride = depth;  // in parts, sums would be loaded and stored more often: a fifth slower
        product.leadingC = columns;
        product.accumulate = accumulate;
        product.a = a;
        for (std::int64_t column = 0; column < columns; column += kPanel) {
            product.n = product.leadingB = std::min(kPanel, columns - column);
            product.b = b + depth / 2 * column;
            product.c = c + column;
            kernels().narrowProducts.multiply(product);
        }
    }
};

// [x | h] with [W | R]; an odd number of features or units is filled up with a zero.
WalkProduct forwardProduct(const RecurrentShape& s) {
    return {even(s.features) + even(s.units), s.gateWidth(), false};
}
// The gates' gradients with R.
WalkProduct backwardProduct(const RecurrentShape& s) {
    return {s.gateWidth(), s.units, true};
}

// Of each step what the library does in one call: without the gates, which both ways compute alike.
TrialMaker libraryTrial(const Compiler& compiler, const RecurrentShape& s, const WalkProduct& product,
                        std::int64_t steps) {
    const auto desc = describe<dnnl::matmul>(compiler.engine(), compiler.attributes(),
                                             plainDesc(Dims{s.batch, product.depth}, s.kind),
                                             anyDesc(Dims{product.depth, product.columns}, s.kind),
                                             plainDesc(Dims{s.batch, product.columns}, DataKind::f32));
    return [desc, steps, engine = compiler.engine()]() -> Trial {
        return [steps, one = primitiveTrial(dnnl::matmul(desc), engine,
                                            {{DNNL_ARG_SRC, desc.src_desc()},
                                             {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                                             {DNNL_ARG_DST, desc.dst_desc()}},
                                            desc.scratchpad_desc())] {
            for (std::int64_t step = 0; step < steps; ++step) one();
        };
    };
}

template <class Function>
void parallelSamples(const RecurrentShape& s, Function&& function) {
    parallelRows(s.batch, kSerialElements, function);
}

TrialMaker walkTrial(const Compiler& compiler, const RecurrentShape& s, const WalkProduct& product,
                     std::int64_t steps) {
    return [s, product, steps, engine = compiler.engine()]() -> Trial {
        const auto memory = [&](std::int64_t bytes) {
            return trialMemory(plainDesc(Dims{bytes}, DataKind::u8), engine);
        };
        return [=, a = memory(s.batch * product.depth * 2), b = memory(product.words() * 4),
                c = memory(s.batch * product.columns * 4)] {
            parallelSamples(s, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t step = 0; step < steps; ++step)
                    product.run(static_cast<const BFloat16*>(a.get_data_handle()) + begin * product.depth,
                                static_cast<const std::uint32_t*>(b.get_data_handle()),
                                static_cast<float*>(c.get_data_handle()) + begin * product.columns, end - begin);
            });
        };
    };
}

bool walks(const Compiler& compiler, const RecurrentShape& s, const WalkProduct& product, const char* direction) {
    if (!s.joint || product.depth % 2 != 0 || s.kind != DataKind::bf16 ||
        kernels().narrowProducts.multiply == nullptr || compiler.options().kernels != "auto")
        return false;
    const auto steps = std::min(s.steps, kTrialSteps);
    const auto key = fmt::format("recurrent {} {}x{}x{}x{} {}", direction, steps, s.batch, product.columns,
                                 product.depth, compiler.options().threads);
    const auto choice = compiler.tuner().fastest(
        key, {walkTrial(compiler, s, product, steps), libraryTrial(compiler, s, product, steps)}, kFavour);
    return choice.index == 0;
}

// Where the panels of a product's weights lie: made once when inferring, in each step when training.
template <class Fill>
Value emitPanels(Compiler& compiler, const WalkProduct& product, std::initializer_list<Value> sources, Fill fill) {
    const auto desc = plainDesc(Dims{product.words() * 4}, DataKind::u8);
    if (!compiler.training()) compiler.beginPreparation();
    const auto panels = compiler.training() ? compiler.scratch(desc) : compiler.prepared(desc);
    std::vector<Value> uses(sources);
    uses.push_back(panels);
    compiler.task("own:pack_weights", std::span<const Value>(uses), [=](const StepState&) {
        const auto count = (product.columns + kPanel - 1) / kPanel;
        parallelRows(count, kPanel * product.depth, [&](std::int64_t begin, std::int64_t end) {
            for (auto column = begin * kPanel; column < std::min(product.columns, end * kPanel); column += kPanel)
                fill(panels.as<std::uint32_t>() + product.depth / 2 * column, column,
                     std::min(kPanel, product.columns - column));
        });
    });
    if (!compiler.training()) compiler.endPreparation();
    return panels;
}

struct Walk {
    Direction d;
    WalkProduct product;
    Value x, panels, operand;  // operand: [x | h] of one step
    std::vector<GateStep> steps;

    [[nodiscard]] BFloat16* row(std::int64_t b) const { return operand.as<BFloat16>() + b * product.depth; }

    void load(std::int64_t begin, std::int64_t end) const {
        const auto& s = d.shape;
        for (auto b = begin; b < end; ++b) {
            std::fill(row(b), row(b) + product.depth, BFloat16{});
            kernels().rowsBf16.narrow(row(b) + even(s.features), d.hidden.as<float>() + b * s.units, s.units);
        }
    }
    void run(std::int64_t begin, std::int64_t end) const {
        const auto& s = d.shape;
        load(begin, end);
        for (std::int64_t step = 0; step < s.steps; ++step) {
            for (auto b = begin; b < end; ++b)
                std::copy_n(x.as<BFloat16>() + (b * s.steps + d.timeOf(step)) * s.features, s.features, row(b));
            const auto rows = steps[static_cast<std::size_t>(step)].rows(begin, end);
            product.run(row(begin), panels.as<std::uint32_t>(), rows.gates, rows.samples);
            kernels().sequence.recurrentForward(rows);
            for (auto b = begin; b < end; ++b)
                kernels().rowsBf16.narrow(row(b) + even(s.features), rows.hidden + (b - begin) * s.units, s.units);
        }
    }
};

}  // namespace

bool walksForward(const Compiler& compiler, const RecurrentShape& shape) {
    return walks(compiler, shape, forwardProduct(shape), "forward");
}

bool walksBackward(const Compiler& compiler, const RecurrentShape& shape) {
    return walks(compiler, shape, backwardProduct(shape), "backward");
}

void emitWalk(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& x) {
    const auto& s = d.shape;
    const auto parameter = [&](std::int64_t i) { return op.parameters[static_cast<std::size_t>(3 * d.index + i)]; };
    const auto input = compiler.weight(parameter(0), plainDesc(Dims{s.gateWidth(), s.features}, s.kind));
    const auto recurrent = compiler.weight(parameter(1), plainDesc(Dims{s.gateWidth(), s.units}, s.kind));
    const auto bias = compiler.weight(parameter(2), plainDesc(Dims{s.gateWidth()}, DataKind::f32));
    Walk walk{d, forwardProduct(s), x, {}, {}, {}};
    walk.panels = emitPanels(
        compiler, walk.product, {input, recurrent}, [=](std::uint32_t* words, std::int64_t column, std::int64_t width) {
            const auto& products = kernels().narrowProducts;
            products.pairColumns(words, input.as<BFloat16>() + column * s.features, width, s.features, s.features);
            products.pairColumns(words + even(s.features) / 2 * width, recurrent.as<BFloat16>() + column * s.units,
                                 width, s.units, s.units);
        });
    walk.operand = compiler.scratch(plainDesc(Dims{s.batch, walk.product.depth}, s.kind));
    for (std::int64_t step = 0; step < s.steps; ++step) walk.steps.push_back(gateStep(d, step, {}, bias));
    compiler.task(
        "own:recurrent", {x, walk.panels, walk.operand, bias, d.gates, d.hidden, d.extra}, [=](const StepState&) {
            parallelSamples(walk.d.shape, [&](std::int64_t begin, std::int64_t end) { walk.run(begin, end); });
        });
}

void emitWalkBack(Compiler& compiler, const plan::Operation& op, const Direction& d, const BackwardValues& v) {
    const auto& s = d.shape;
    const auto product = backwardProduct(s);
    const auto recurrent = compiler.weight(op.parameters[static_cast<std::size_t>(3 * d.index + 1)],
                                           plainDesc(Dims{s.gateWidth(), s.units}, s.kind));
    const auto panels =
        emitPanels(compiler, product, {recurrent}, [=](std::uint32_t* words, std::int64_t column, std::int64_t width) {
            kernels().narrowProducts.pairRows(words, recurrent.as<BFloat16>() + column, s.gateWidth(), width, s.units);
        });
    std::vector<GateGradientStep> steps;
    for (std::int64_t step = 0; step < s.steps; ++step) steps.push_back(gateGradientStep(d, step, v));
    compiler.task("own:recurrent_gradients",
                  {panels, d.gates, d.hidden, d.extra, v.dy, v.dHidden, v.dCell, v.narrowInput},
                  [=, samples = d.shape](const StepState&) {
                      parallelSamples(samples, [&](std::int64_t begin, std::int64_t end) {
                          for (auto step = samples.steps; step-- > 0;) {
                              const auto& gradient = steps[static_cast<std::size_t>(step)];
                              gradient.run(begin, end);
                              const auto* flow = gradient.v.narrowInput.as<BFloat16>() + begin * samples.gateWidth();
                              if (step > 0)
                                  product.run(flow, panels.as<std::uint32_t>(),
                                              v.dHidden.as<float>() + begin * samples.units, end - begin);
                          }
                      });
                  });
}

}  // namespace steelyard::compute::cpu
