// SPDX-License-Identifier: Apache-2.0
// Batched matrix products of activations, by oneDNN's matmul over the whole batch or one BLAS call each, with strided
// operands; and attention, which is two of them around a softmax.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/array/array.h"
#include "engine/compute/cpu/tuning/implementation.h"

namespace steelyard::compute::cpu {
namespace {

using model::Shape;

// One operand, or the result: [lead.., rows, columns] with any strides; 0 for broadcast dimensions.
struct Matrices {
    Shape shape, strides;
    std::int64_t offset = 0;

    [[nodiscard]] std::int64_t rows() const { return shape[shape.size() - 2]; }
    [[nodiscard]] std::int64_t columns() const { return shape.back(); }
    [[nodiscard]] std::int64_t rowStride() const { return strides[strides.size() - 2]; }
    [[nodiscard]] std::int64_t columnStride() const { return strides.back(); }
    // In BLAS terms: column-major if rows are not contiguous.
    [[nodiscard]] bool transposed() const {
        const bool plain = (columns() == 1 || columnStride() == 1) && (rows() == 1 || rowStride() >= columns());
        return !plain;
    }
    [[nodiscard]] std::int64_t leading() const {
        const bool byColumns = transposed();
        const auto stride = byColumns ? columnStride() : rowStride();
        const auto length = byColumns ? rows() : columns();
        return (byColumns ? columns() : rows()) == 1 ? length : std::max(stride, length);
    }
};

Matrices matricesOf(const OperandView& operand, std::size_t rank) {
    Matrices result{operand.shape, *stridesFor(operand.view, operand.shape), operand.view.offset};
    const auto missing = rank - result.shape.size();
    result.shape.insert(result.shape.begin(), missing, 1);
    result.strides.insert(result.strides.begin(), missing, 0);
    for (std::size_t d = 0; d + 2 < rank; ++d)
        if (result.shape[d] == 1) result.strides[d] = 0;
    return result;
}

struct BatchedProduct {
    Product product;
    Shape lead;
    Matrices a, b, c;
    LeadingSizes leading;
};

// Merges leading dimensions that all three traverse in the same way.
void joinLeads(BatchedProduct& p) {
    Shape lead;
    std::vector<Shape> strides(3);
    const Matrices* all[] = {&p.a, &p.b, &p.c};
    for (std::size_t d = 0; d < p.lead.size(); ++d) {
        if (p.lead[d] == 1) continue;
        bool joins = !lead.empty();
        for (std::size_t k = 0; k < 3 && joins; ++k) joins = strides[k].back() == all[k]->strides[d] * p.lead[d];
        if (joins) {
            lead.back() *= p.lead[d];
            for (std::size_t k = 0; k < 3; ++k) strides[k].back() = all[k]->strides[d];
        } else {
            lead.push_back(p.lead[d]);
            for (std::size_t k = 0; k < 3; ++k) strides[k].push_back(all[k]->strides[d]);
        }
    }
    p.lead = lead;
    Matrices* changed[] = {&p.a, &p.b, &p.c};
    for (std::size_t k = 0; k < 3; ++k) {
        auto& m = *changed[k];
        Shape shape;
        for (std::size_t d = 0; d < lead.size(); ++d) shape.push_back(strides[k][d] == 0 ? 1 : lead[d]);
        shape.insert(shape.end(), {m.rows(), m.columns()});
        auto all2 = strides[k];
        all2.insert(all2.end(), {m.rowStride(), m.columnStride()});
        m.shape = std::move(shape);
        m.strides = std::move(all2);
    }
}

std::int64_t leadOffset(const Shape& lead, const Matrices& m, std::int64_t i) {
    auto place = m.offset;
    for (std::size_t d = lead.size(); d-- > 0; i /= lead[d]) place += i % lead[d] * m.strides[d];
    return place;
}

// Parallel over products if there are enough: the library is single-threaded inside a region.
void runBlas(const BatchedProduct& p, BlasLibrary library, const float* a, const float* b, float* c) {
    const auto count = model::elementCount(p.lead);
    const auto one = [&](std::int64_t i) {
        blasProduct(library, p.product, 1, a + leadOffset(p.lead, p.a, i), b + leadOffset(p.lead, p.b, i), 0,
                    c + leadOffset(p.lead, p.c, i), p.leading);
    };
    if (count >= omp_get_max_threads() && count > 1) {
        parallelRows(count, p.product.m * p.product.n * p.product.k, [&](auto begin, auto end) {
            for (auto i = begin; i < end; ++i) one(i);
        });
    } else {
        for (std::int64_t i = 0; i < count; ++i) one(i);
    }
}

Desc descOf(const Matrices& m, DataKind kind) {
    Dims dims(m.shape.begin(), m.shape.end()), strides(m.strides.begin(), m.strides.end());
    // A dimension of 1 may have any stride but 0.
    std::int64_t dense = 1;
    for (std::size_t d = dims.size(); d-- > 0; dense *= dims[d])
        if (dims[d] == 1) strides[d] = dense;
    return Desc(dims, kind, strides);
}

Trial blasTrialOf(const dnnl::engine& engine, const BatchedProduct& p, BlasLibrary library, std::int64_t a,
                  std::int64_t b, std::int64_t c) {
    const auto memory = [&](std::int64_t elements) {
        return trialMemory(plainDesc(Dims{elements}, DataKind::f32), engine);
    };
    return [p, library, x = memory(a), y = memory(b), z = memory(c)] {
        runBlas(p, library, static_cast<const float*>(x.get_data_handle()),
                static_cast<const float*>(y.get_data_handle()), static_cast<float*>(z.get_data_handle()));
    };
}

// The library's product, if it has code for it.
std::optional<dnnl::matmul::primitive_desc> libraryProduct(const Compiler& compiler, const BatchedProduct& p,
                                                           DataKind kind) {
    if (p.lead.size() > 3) return std::nullopt;
    try {
        auto desc = describe<dnnl::matmul>(compiler.engine(), compiler.attributes(), descOf(p.a, kind),
                                           descOf(p.b, kind), descOf(p.c, kind));
        if (!isReference(desc.impl_info_str())) return desc;
    } catch (const dnnl::error&) {
        // No implementation for these strides.
    }
    return std::nullopt;
}

std::string textOf(const BatchedProduct& p) {
    return fmt::format("{} x {} a {} b {} c {}", p.product.text(), fmt::join(p.lead, "x"), fmt::join(p.a.strides, ","),
                       fmt::join(p.b.strides, ","), fmt::join(p.c.strides, ","));
}

OperandView plainOperand(const Shape& shape) {
    return {shape, model::wholeView(model::elementCount(shape))};
}

// Attention over all leading dimensions, a strip of queries at a time, so that its scores stay in the cache.
struct ArrayAttention {
    Shape lead;
    Matrices q, k, v, y;
    std::vector<Shape> maskStrides;  // for [lead.., T, S]
    float scale = 1;
    BlasLibrary library = BlasLibrary::OpenBlas;

    [[nodiscard]] std::int64_t tokens() const { return q.rows(); }
    [[nodiscard]] std::int64_t keys() const { return k.columns(); }
    [[nodiscard]] std::int64_t strip() const { return std::min<std::int64_t>(tokens(), 64); }
    [[nodiscard]] std::int64_t strips() const { return blocks(tokens(), strip()); }
};

struct AttentionOperands {
    Value q, k, v, y, scratch;
    std::vector<Value> masks;
};

void addMasks(const ArrayAttention& a, const AttentionOperands& o, float* scores, std::int64_t matrix,
              std::int64_t first, std::int64_t count) {
    const auto rank = a.lead.size() + 2;
    for (std::size_t m = 0; m < o.masks.size(); ++m) {
        const auto& strides = a.maskStrides[m];
        std::int64_t start = 0, rest = matrix;
        for (std::size_t d = a.lead.size(); d-- > 0; rest /= a.lead[d]) start += rest % a.lead[d] * strides[d];
        for (std::int64_t t = 0; t < count; ++t) {
            MapRow row;
            row.kind = model::MapKind::Add;
            row.n = a.keys();
            row.y = scores + t * a.keys();
            row.a = row.y;
            row.b = o.masks[m].as<float>() + start + (first + t) * strides[rank - 2];
            row.repeatsB = strides[rank - 1] == 0;
            kernels().array.map(row);
        }
    }
}

void attendStrip(const ArrayAttention& a, const AttentionOperands& o, std::int64_t matrix, std::int64_t first,
                 float* scores) {
    const auto count = std::min(a.strip(), a.tokens() - first);
    const auto keys = a.keys();
    const auto at = [&](const Value& value, const Matrices& m) {
        return value.as<float>() + leadOffset(a.lead, m, matrix);
    };
    const Product toScores{count, keys, a.q.columns(), a.q.transposed(), a.k.transposed()};
    blasProduct(a.library, toScores, a.scale, at(o.q, a.q) + first * a.q.rowStride(), at(o.k, a.k), 0, scores,
                {a.q.leading(), a.k.leading(), keys});
    addMasks(a, o, scores, matrix, first, count);
    for (std::int64_t t = 0; t < count; ++t) kernels().sequence.scoreSoftmax(scores + t * keys, 1, keys, keys);
    const Product toResult{count, a.v.columns(), keys, false, a.v.transposed()};
    blasProduct(a.library, toResult, 1, scores, at(o.v, a.v), 0, at(o.y, a.y) + first * a.y.rowStride(),
                {keys, a.v.leading(), a.y.leading()});
}

}  // namespace

bool emitAttendArrays(Compiler& compiler, const ArrayOperands& all, const model::AttendArrays& layer) {
    if (!all.allFloat()) return false;
    const auto& op = *all.op;
    const auto& fusion = compiler.fusion();
    auto views = fusion.views;
    if (views.empty())
        for (std::size_t k = 0; k < 3; ++k) views.push_back(plainOperand(all.shapes[k]));
    const auto rank = views[0].shape.size();
    ArrayAttention a;
    a.q = matricesOf(views[0], rank);
    a.k = matricesOf(views[1], rank);
    a.v = matricesOf(views[2], rank);
    a.lead = Shape(a.q.shape.begin(), a.q.shape.end() - 2);
    auto result = a.lead;
    result.insert(result.end(), {a.q.rows(), a.v.columns()});
    auto target = fusion.resultView ? *fusion.resultView : plainOperand(result);
    target.shape = result;
    a.y = matricesOf(target, rank);
    a.scale = static_cast<float>(layer.scale);
    if (compiler.options().kernels == "onednn") a.library = BlasLibrary::OneDnn;
    auto scoreShape = a.lead;
    scoreShape.insert(scoreShape.end(), {a.tokens(), a.keys()});
    AttentionOperands o;
    o.q = floatOperand(compiler, op.inputs[0]);
    o.k = floatOperand(compiler, op.inputs[1]);
    o.v = floatOperand(compiler, op.inputs[2]);
    for (std::size_t m = 3; m < op.inputs.size(); ++m) {
        a.maskStrides.push_back(broadcastStrides(all.shapes[m], scoreShape));
        o.masks.push_back(floatOperand(compiler, op.inputs[m]));
    }
    const auto result32 = floatResult(compiler, op.output);
    o.y = result32.value;
    const auto elements = a.strip() * a.keys();
    o.scratch = compiler.scratch(compiler.options().threads * elements * static_cast<std::int64_t>(sizeof(float)));
    std::vector<Value> uses{o.q, o.k, o.v, o.y, o.scratch};
    uses.insert(uses.end(), o.masks.begin(), o.masks.end());
    arrayTask(compiler, "attention + sgemm", uses, {}, [a, o, elements](const StepState&) {
        const auto work = model::elementCount(a.lead) * a.strips();
        parallelRows(work, elements * a.q.columns(), [&](std::int64_t begin, std::int64_t end) {
            auto* scores = o.scratch.as<float>() + omp_get_thread_num() * elements;
            for (auto i = begin; i < end; ++i) attendStrip(a, o, i / a.strips(), i % a.strips() * a.strip(), scores);
        });
    });
    finishFloat(compiler, result32);
    return true;
}

bool emitMatrixProduct(Compiler& compiler, const ArrayOperands& all) {
    if (!all.allFloat()) return false;
    const auto& op = *all.op;
    const auto& fusion = compiler.fusion();
    std::vector<OperandView> views = fusion.views;
    if (views.empty()) {
        views = {plainOperand(all.shapes[0]), plainOperand(all.shapes[1])};
        if (views[0].shape.size() == 1) views[0].shape.insert(views[0].shape.begin(), 1);
        if (views[1].shape.size() == 1) views[1].shape.push_back(1);
    }
    const auto rank = std::max(views[0].shape.size(), views[1].shape.size());
    BatchedProduct p;
    p.a = matricesOf(views[0], rank);
    p.b = matricesOf(views[1], rank);
    Shape result;
    for (std::size_t d = 0; d + 2 < rank; ++d) result.push_back(std::max(p.a.shape[d], p.b.shape[d]));
    p.lead = result;
    result.insert(result.end(), {p.a.rows(), p.b.columns()});
    auto target = fusion.resultView ? *fusion.resultView : plainOperand(result);
    target.shape = result;  // vectors have fewer dimensions in the Plan
    p.c = matricesOf(target, rank);
    const auto kind = dataKind(compiler.tensor(op.output).type);
    p.product = {p.a.rows(), p.b.columns(), p.a.columns(), p.a.transposed(), p.b.transposed(), kind, kind};
    p.leading = {p.a.leading(), p.b.leading(), p.c.leading()};
    joinLeads(p);

    const auto library = libraryProduct(compiler, p, kind);
    const bool wide = kind == DataKind::f32;
    if (library && !wide) {
        const auto typed = [&](TensorId id) {
            const auto& tensor = compiler.tensor(id);
            const bool parameter = tensor.role == plan::TensorRole::Weight || tensor.role == plan::TensorRole::State;
            return parameter ? compiler.weight(id, plainDesc(Dims(tensor.dims.begin(), tensor.dims.end()), kind))
                             : compiler.plainValue(id);
        };
        const auto a = typed(op.inputs[0]), b = typed(op.inputs[1]);
        const auto c = compiler.define(op.output, compiler.plainDescOf(op.output));
        const auto bytes = [&](const Matrices& m) {
            return m.offset * static_cast<std::int64_t>(dnnl::memory::data_type_size(kind));
        };
        compiler.primitive(dnnl::matmul(*library), *library,
                           {{DNNL_ARG_SRC, a.viewed(library->src_desc(), bytes(p.a))},
                            {DNNL_ARG_WEIGHTS, b.viewed(library->weights_desc(), bytes(p.b))},
                            {DNNL_ARG_DST, c.viewed(library->dst_desc(), bytes(p.c))}});
        return true;
    }
    const auto a = floatOperand(compiler, op.inputs[0]), b = floatOperand(compiler, op.inputs[1]);
    const auto target32 = floatResult(compiler, op.output);
    const auto c = target32.value;
    const auto& kernels = compiler.options().kernels;
    std::vector<Implementation> candidates;
    const auto elementsOf = [&](TensorId id) { return compiler.tensor(id).elements(); };
    const auto blas = [&](char id, BlasLibrary which) {
        Implementation candidate{.id = id};
        candidate.trial = [engine = compiler.engine(), p, which, x = elementsOf(op.inputs[0]),
                           y = elementsOf(op.inputs[1]),
                           z = elementsOf(op.output)] { return blasTrialOf(engine, p, which, x, y, z); };
        candidate.emit = [p, which](Compiler& to, const Operands& o) {
            to.task(which == BlasLibrary::OneDnn ? "onednn:sgemm" : "openblas:sgemm", {o.a, o.b, o.c},
                    [p, which, o](const StepState&) {
                        runBlas(p, which, o.a.as<float>(), o.b.as<float>(), o.c.as<float>());
                    });
        };
        candidates.push_back(std::move(candidate));
    };
    if (kernels != "onednn") blas('2', BlasLibrary::OpenBlas);
    if (kernels != "openblas") blas('1', BlasLibrary::OneDnn);
    if (library && wide && kernels != "openblas") {
        Implementation candidate{.id = '0'};
        candidate.trial = [engine = compiler.engine(), desc = *library] {
            return primitiveTrial(dnnl::matmul(desc), engine,
                                  {{DNNL_ARG_SRC, desc.src_desc()},
                                   {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                                   {DNNL_ARG_DST, desc.dst_desc()}},
                                  desc.scratchpad_desc());
        };
        candidate.emit = [desc = *library, p](Compiler& to, const Operands& o) {
            const auto bytes = [](std::int64_t elements) {
                return elements * static_cast<std::int64_t>(sizeof(float));
            };
            to.primitive(dnnl::matmul(desc), desc,
                         {{DNNL_ARG_SRC, o.a.viewed(desc.src_desc(), bytes(p.a.offset))},
                          {DNNL_ARG_WEIGHTS, o.b.viewed(desc.weights_desc(), bytes(p.b.offset))},
                          {DNNL_ARG_DST, o.c.viewed(desc.dst_desc(), bytes(p.c.offset))}});
        };
        candidates.push_back(std::move(candidate));
    }
    const auto key =
        fmt::format("batched {} {} {} {}", textOf(p), compiler.options().threads, kernels, idsOf(candidates));
    const auto chosen = candidates.size() == 1 ? std::move(candidates.front())
                                               : fastest(compiler.tuner(), key, std::move(candidates)).implementation;
    chosen.emit(compiler, {.a = a, .b = b, .c = c});
    finishFloat(compiler, target32);
    return true;
}

}  // namespace steelyard::compute::cpu
