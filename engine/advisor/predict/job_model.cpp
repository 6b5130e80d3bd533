// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/job_model.h"

#include <algorithm>
#include <array>

namespace steelyard::advisor {
namespace {

using plan::Operation;
using plan::OperationKind;
using plan::Plan;
using plan::TensorId;

constexpr std::array<std::pair<WorkKind, std::string_view>, 18> kWorkNames{{
    {WorkKind::Convolution1x1, "conv1x1"},
    {WorkKind::Convolution3x3, "conv3x3"},
    {WorkKind::ConvolutionOther, "conv"},
    {WorkKind::Depthwise, "depthwise"},
    {WorkKind::MatMul, "matmul"},
    {WorkKind::BatchedMatMul, "batched_matmul"},
    {WorkKind::Recurrent, "recurrent"},
    {WorkKind::BatchNorm, "batch_norm"},
    {WorkKind::LayerNorm, "layer_norm"},
    {WorkKind::Add, "add"},
    {WorkKind::Scale, "scale"},
    {WorkKind::Activation, "activation"},
    {WorkKind::Pool, "pool"},
    {WorkKind::Softmax, "softmax"},
    {WorkKind::Loss, "loss"},
    {WorkKind::Dropout, "dropout"},
    {WorkKind::Concat, "concat"},
    {WorkKind::Embedding, "embedding"},
}};

class Builder {
public:
    explicit Builder(const Plan& plan) : m_plan(plan), m_batch(static_cast<double>(plan.options.batch)) {}

    JobModel run() && {
        m_job.workload = m_plan.workload;
        m_job.mode = m_plan.options.mode;
        m_job.batch = m_plan.options.batch;
        m_job.precision = m_plan.options.precision;
        m_job.optimizerTensors = model::stateTensors(m_plan.options.optimizer.kind);
        const auto& memory = m_plan.memory;
        m_job.plannedFixedBytes = static_cast<double>((memory.weights + memory.gradients + memory.optimizer).value());
        m_job.plannedSampleBytes = static_cast<double>((memory.activations + memory.workspace).value()) / m_batch;
        for (const auto& parameter : m_plan.parameters)
            if (parameter.spec.trainable && !parameter.spec.frozen)
                m_job.parameters += static_cast<double>(model::elementCount(parameter.spec.shape));
        for (const auto& op : m_plan.operations)
            if (op.pass == plan::Pass::Forward) add(op);
        return std::move(m_job);
    }

private:
    [[nodiscard]] double perSample(TensorId id) const {
        return id == plan::kNoTensor ? 0 : static_cast<double>(m_plan.tensor(id).elements()) / m_batch;
    }
    [[nodiscard]] Work sizes(const Operation& op, WorkKind kind) const {
        Work work;
        work.kind = kind;
        for (auto id : op.inputs) {
            const bool constant = isConstant(id);
            (constant ? work.parameters : work.inputs) +=
                constant ? static_cast<double>(m_plan.tensor(id).elements()) : perSample(id);
        }
        work.outputs = perSample(op.output);
        for (auto id : op.parameters) work.parameters += static_cast<double>(m_plan.tensor(id).elements());
        return work;
    }

    // An operand of an imported network that is constant over steps.
    [[nodiscard]] bool isConstant(TensorId id) const {
        return id != plan::kNoTensor && m_plan.tensor(id).role == plan::TensorRole::Weight;
    }

    // Identical operations are merged; their order is irrelevant.
    void put(Work work) {
        const auto same = std::ranges::find_if(m_job.work, [&](Work& known) {
            work.count = known.count;
            return known == work;
        });
        if (same != m_job.work.end()) {
            same->count += 1;
        } else {
            work.count = 1;
            m_job.work.push_back(work);
        }
    }

    void add(const Operation& op) {
        switch (op.kind) {
            case OperationKind::Convolution:
            case OperationKind::DepthwiseConvolution:
                return addConvolution(op);
            case OperationKind::MatMul:
            case OperationKind::Product:
                return addProduct(op);
            case OperationKind::Attention:
                return addAttention(op);
            case OperationKind::GroupedAttention:
                return addGroupedAttention(op);
            case OperationKind::Recurrent:
                return addRecurrent(op);
            case OperationKind::Array:
                return addArray(op);
            default:
                return addElementwise(op);
        }
    }

    // Maps operations of imported networks to the most similar kind of work.
    void addArray(const Operation& op) {
        const auto& operation = std::get<model::ArrayLayer>(op.layer).operation;
        if (const auto* pass = std::get_if<model::RecurrentPass>(&operation)) return addPass(op, *pass);
        if (op.macs == 0) return addElementwise(op);
        if (std::holds_alternative<model::AttendArrays>(operation)) {
            const auto& q = m_plan.tensor(op.inputs[0]).dims;
            const double tokens = static_cast<double>(q[q.size() - 2]), width = static_cast<double>(q.back());
            const double heads = static_cast<double>(model::elementCount(q)) / tokens / width / m_batch;
            return addScores(perSample(op.output), tokens, op.outputChannels, heads, width);
        }
        auto work = sizes(op, WorkKind::MatMul);
        if (std::holds_alternative<model::ConvolveNd>(operation)) work.kind = WorkKind::ConvolutionOther;
        if (std::holds_alternative<model::MatrixProduct>(operation) && m_plan.tensor(op.output).dims.size() > 2)
            work.kind = WorkKind::BatchedMatMul;
        work.flops = 2 * op.macs / m_batch;
        work.channels = op.outputChannels;
        work.reduction = op.reductionLength;
        put(work);
    }

    // Inputs [T, B, F], the matrices of the input [D, G H, F] and of the state [D, G H, H].
    void addPass(const Operation& op, const model::RecurrentPass& pass) {
        const auto& x = m_plan.tensor(op.inputs[0]).dims;
        const auto& weights = m_plan.tensor(op.inputs[1]).dims;
        const double steps = static_cast<double>(x[0]), features = static_cast<double>(x[2]);
        const double samples = static_cast<double>(x[1]) / m_batch;
        addDirections(static_cast<int>(weights[0]), static_cast<double>(weights[1]), features,
                      static_cast<double>(pass.units), steps, samples);
    }

    void addProduct(const Operation& op) {
        auto work = sizes(op, WorkKind::MatMul);
        work.flops = 2 * op.macs / m_batch;
        work.channels = op.outputChannels;
        work.reduction = op.reductionLength;
        put(work);
    }

    void addConvolution(const Operation& op) {
        const auto& layer = std::get<model::Conv2d>(op.layer);
        const auto& kernel = layer.kernel;
        auto kind = WorkKind::ConvolutionOther;
        if (op.kind == OperationKind::DepthwiseConvolution) {
            kind = WorkKind::Depthwise;
        } else if (kernel.height == 1 && kernel.width == 1) {
            kind = WorkKind::Convolution1x1;
        } else if (kernel.height == 3 && kernel.width == 3 && layer.stride.height == 1 && layer.stride.width == 1 &&
                   layer.groups == 1) {
            kind = WorkKind::Convolution3x3;
        }
        auto work = sizes(op, kind);
        work.flops = 2 * op.macs / m_batch;
        work.channels = op.outputChannels;
        work.reduction = op.reductionLength;
        put(work);
    }

    // Q K^T, scaling and masking, softmax, dropout, P V; fused attention does not write the scores.
    void addAttention(const Operation& op) {
        const auto& layer = std::get<model::Attention>(op.layer);
        const double rows = perSample(op.output);  // T F
        const double tokens = static_cast<double>(m_plan.tensor(op.output).dims[1]);
        const double features = rows / tokens;
        const double cached = static_cast<double>(layer.cachedTokens);
        const double heads = static_cast<double>(layer.heads);
        m_job.cachedElements += 2 * cached * features;
        addScores(rows, tokens, tokens + cached, heads, features / heads);
    }

    void addGroupedAttention(const Operation& op) {
        const auto heads = static_cast<double>(std::get<model::GroupedAttention>(op.layer).heads);
        const double tokens = static_cast<double>(m_plan.tensor(op.output).dims[1]);
        addScores(perSample(op.output), tokens, op.outputChannels, heads, op.reductionLength);
    }

    // `rows`: elements of the result per sample; `heads`: score matrices per sample, for heads of `width`.
    void addScores(double rows, double tokens, double keys, double heads, double width) {
        const double features = heads * width;
        const double scores = heads * tokens * keys;
        Work product{.kind = WorkKind::BatchedMatMul,
                     .flops = 2 * tokens * keys * features,
                     .inputs = rows + keys * features,
                     .outputs = scores,
                     .scores = scores,
                     .channels = keys,
                     .reduction = width};
        put(product);
        put({.kind = WorkKind::Activation, .inputs = scores, .outputs = scores, .scoresOnly = true, .kept = false});
        put({.kind = WorkKind::Softmax, .inputs = scores, .outputs = scores, .scoresOnly = true});
        put({.kind = WorkKind::Dropout, .inputs = scores, .outputs = scores, .scoresOnly = true, .kept = false});
        product.inputs = scores + keys * features;
        product.outputs = rows;
        product.channels = width;
        product.reduction = keys;
        put(product);
    }

    // The product with the input is one large one; only the recurrent part is sequential.
    void addRecurrent(const Operation& op) {
        const auto& layer = std::get<model::Recurrent>(op.layer);
        const auto& dims = m_plan.tensor(op.inputs[0]).dims;  // [B, T, F]
        const double steps = static_cast<double>(dims[1]), features = static_cast<double>(dims[2]);
        const double units = static_cast<double>(layer.units);
        const double gates = static_cast<double>(model::gateCount(layer.cell)) * units;
        addDirections(layer.bidirectional ? 2 : 1, gates, features, units, steps,
                      static_cast<double>(dims[0]) / m_batch);
    }
    // `rows`: sequences per sample of the batch.
    void addDirections(int directions, double gates, double features, double units, double steps, double rows) {
        for (int direction = 0; direction < directions; ++direction) {
            put({.kind = WorkKind::MatMul,
                 .flops = 2 * gates * features * steps * rows,
                 .inputs = features * steps * rows,
                 .outputs = gates * steps * rows,
                 .parameters = gates * (features + 1),
                 .channels = gates,
                 .reduction = features});
            put({.kind = WorkKind::Recurrent,
                 .flops = 2 * gates * units * steps * rows,
                 .inputs = gates * steps * rows,
                 .outputs = 2 * units * steps * rows,
                 .parameters = gates * units,
                 .channels = gates,
                 .reduction = units,
                 .steps = steps});
        }
    }

    void addElementwise(const Operation& op) {
        const auto kind = elementwiseKind(op);
        if (!kind) return;
        auto work = sizes(op, *kind);
        switch (*kind) {
            case WorkKind::Activation: {
                // Activations whose derivative is computed from the output may run in place.
                const auto* layer = std::get_if<model::Activation>(&op.layer);
                work.kept = layer != nullptr && model::slopeNeedsInput(layer->kind);
                break;
            }
            case WorkKind::Add:
                work.inputs = std::max(work.inputs, 2 * work.outputs);  // a parameter that is added is also read
                work.kept = false;
                break;
            case WorkKind::Dropout:
                work.kept = false;
                break;
            case WorkKind::Embedding:
                work.inputs = work.outputs;  // the looked-up rows
                break;
            case WorkKind::Loss:
                work.inputs = work.outputs;
                break;
            default:
                break;
        }
        put(work);
    }

    // By memory traffic: each operand is read or written once.
    static WorkKind arrayKind(const Operation& op) {
        const auto& operation = std::get<model::ArrayLayer>(op.layer).operation;
        if (std::holds_alternative<model::Map>(operation))
            return op.inputs.size() > 1 ? WorkKind::Add : WorkKind::Activation;
        if (std::holds_alternative<model::SoftmaxAlong>(operation)) return WorkKind::Softmax;
        if (std::holds_alternative<model::Normalise>(operation)) return WorkKind::LayerNorm;
        if (std::holds_alternative<model::PoolNd>(operation) || std::holds_alternative<model::Reduce>(operation))
            return WorkKind::Pool;
        if (std::holds_alternative<model::LookUp>(operation)) return WorkKind::Embedding;
        return WorkKind::Concat;
    }

    static std::optional<WorkKind> elementwiseKind(const Operation& op) {
        switch (op.kind) {
            case OperationKind::Activation:
            case OperationKind::RotaryEmbedding:
            case OperationKind::Scale:
                return WorkKind::Activation;
            case OperationKind::GatedActivation:
                return WorkKind::Add;
            case OperationKind::Dropout:
                return WorkKind::Dropout;
            case OperationKind::Add:
            case OperationKind::AddParameter:
                return WorkKind::Add;
            case OperationKind::Concat:
            case OperationKind::ShortcutPad:
                return WorkKind::Concat;
            case OperationKind::Array:
                return arrayKind(op);
            case OperationKind::Pool:
            case OperationKind::GlobalPool:
                return WorkKind::Pool;
            case OperationKind::BatchNorm:
                return WorkKind::BatchNorm;
            case OperationKind::LayerNorm:
            case OperationKind::RmsNorm:
                return WorkKind::LayerNorm;
            case OperationKind::Embedding:
                return WorkKind::Embedding;
            case OperationKind::Softmax:
            case OperationKind::Sigmoid:
            case OperationKind::SoftmaxCrossEntropy:
            case OperationKind::SigmoidCrossEntropy:
                return WorkKind::Loss;
            default:
                return std::nullopt;  // views and single rows: negligible traffic
        }
    }

    const Plan& m_plan;
    double m_batch;
    JobModel m_job;
};

}  // namespace

bool isMatrixLike(WorkKind kind) {
    return kind <= WorkKind::Recurrent;
}

std::string_view toString(WorkKind kind) {
    for (const auto& [value, name] : kWorkNames)
        if (value == kind) return name;
    return "unknown";
}

std::optional<WorkKind> workKindFromString(std::string_view name) {
    for (const auto& [value, known] : kWorkNames)
        if (known == name) return value;
    return std::nullopt;
}

std::string_view toString(Family family) {
    switch (family) {
        case Family::Convolutional:
            return "convolutional";
        case Family::Transformer:
            return "transformer";
        case Family::Recurrent:
            return "recurrent";
        case Family::Dense:
            return "dense";
    }
    return "dense";
}

Family JobModel::family() const {
    const auto has = [&](auto... kinds) {
        return std::ranges::any_of(work, [&](const Work& w) { return ((w.kind == kinds) || ...); });
    };
    if (has(WorkKind::Recurrent)) return Family::Recurrent;
    if (has(WorkKind::BatchedMatMul)) return Family::Transformer;
    if (has(WorkKind::Convolution1x1, WorkKind::Convolution3x3, WorkKind::ConvolutionOther, WorkKind::Depthwise))
        return Family::Convolutional;
    return Family::Dense;
}

double JobModel::forwardMacsPerSample() const {
    double flops = 0;
    for (const auto& w : work) flops += w.flops * w.count;
    return flops / 2;
}

double JobModel::forwardOutputsPerSample() const {
    double elements = 0;
    for (const auto& w : work) elements += w.outputs * w.count;
    return elements;
}

JobModel jobModel(const plan::Plan& plan) {
    return Builder(plan).run();
}

}  // namespace steelyard::advisor
