// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda_kernels/operation_runner.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "engine/compute/cuda/kernels/kernels.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"
#include "tests/engine/compute/gradient_check.h"

namespace steelyard::compute::cuda::kernels {
namespace {

using plan::Operation;
using plan::TensorId;

void must(Status status) {
    if (status != kOk) throw std::runtime_error("a kernel refused its arguments");
}

class Runner {
public:
    Runner(const ReferenceStep& step, const Operation& op, const RunOptions& options)
        : m_step(step), m_op(op), m_options(options), m_type(options.type) {}

    std::map<TensorId, Values> run() {
        using K = plan::OperationKind;
        switch (m_op.kind) {
            case K::Activation:
                activation();
                break;
            case K::Dropout:
                dropoutLayer();
                break;
            case K::Add:
                sum();
                break;
            case K::Pool:
                pool();
                break;
            case K::GlobalPool:
                globalPool();
                break;
            case K::BatchNorm:
                batchNorm();
                break;
            case K::LayerNorm:
                layerNorm();
                break;
            case K::RmsNorm:
                rmsNorm();
                break;
            case K::RotaryEmbedding:
                rotaryEmbedding();
                break;
            case K::GatedActivation:
                gatedActivation();
                break;
            case K::Scale:
                scaling();
                break;
            case K::Embedding:
                embedding();
                break;
            case K::AddParameter:
                addParameter();
                break;
            case K::ShortcutPad:
                shortcutPad();
                break;
            case K::Softmax:
            case K::Sigmoid:
            case K::SoftmaxCrossEntropy:
            case K::SigmoidCrossEntropy:
                head();
                break;
            case K::Update:
                update();
                break;
            default:
                break;
        }
        for (auto& [id, buffer] : m_outputs) m_results[id] = fromDeviceOrder(id, buffer.floats());
        return std::move(m_results);
    }

private:
    [[nodiscard]] bool forward() const { return m_op.pass == plan::Pass::Forward; }
    [[nodiscard]] const model::Shape& dims(TensorId id) const { return m_step.plan.tensor(id).dims; }
    [[nodiscard]] std::int64_t count(TensorId id) const { return m_step.plan.tensor(id).elements(); }
    [[nodiscard]] const Values& value(TensorId id) const { return m_step.after.at(id); }

    [[nodiscard]] ImageLayout layout(TensorId id) const {
        const auto& d = dims(id);
        if (d.size() == 4) return {d[0], d[1], d[2], d[3], m_options.channelsLast};
        return {d[0], 1, 1, count(id) / d[0], false};
    }
    // For batch normalisation: [B, F] also has channels.
    [[nodiscard]] ChannelAxes axes(TensorId id) const {
        const auto& d = dims(id);
        return d.size() == 4 ? channelAxes(layout(id)) : ChannelAxes{d[0], d[1], 1};
    }

    [[nodiscard]] Values reordered(TensorId id, const Values& values, bool toDevice) const {
        const auto& d = dims(id);
        if (d.size() != 4 || !m_options.channelsLast) return values;
        Values result(values.size());
        const auto channels = static_cast<std::size_t>(d[1]), pixels = static_cast<std::size_t>(d[2] * d[3]);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto b = i / (channels * pixels), c = i / pixels % channels, p = i % pixels;
            const auto last = (b * pixels + p) * channels + c;
            toDevice ? result[last] = values[i] : result[i] = values[last];
        }
        return result;
    }
    [[nodiscard]] Values fromDeviceOrder(TensorId id, const Values& values) const {
        return reordered(id, values, false);
    }

    void* in(TensorId id) {
        if (id == plan::kNoTensor) return nullptr;
        return m_inputs.emplace_back(m_type, reordered(id, value(id), true)).data();
    }
    void* out(TensorId id) {
        if (id == plan::kNoTensor) return nullptr;
        return m_outputs.try_emplace(id, m_type, count(id)).first->second.data();
    }
    // Float32, independent of the step's type.
    float* wide(const Values& values) { return m_wide.emplace_back(values).data(); }
    float* wideIn(TensorId id) { return wide(value(id)); }
    float* wideOut(TensorId id) {
        return m_results.try_emplace(id, static_cast<std::size_t>(count(id))).first->second.data();
    }
    std::vector<std::int32_t>& integers(TensorId id) {
        const auto& values = value(id);
        return m_integers.emplace_back(values.begin(), values.end());
    }
    void* workspace(std::int64_t bytes) {
        return m_workspaces.emplace_back(static_cast<std::size_t>(bytes / 8 + 1)).data();
    }

    void activation() {
        const auto kind = activationOf(std::get<model::Activation>(m_op.layer).kind);
        if (forward())
            return must(activationForward({}, m_type, kind, in(m_op.inputs[0]), out(m_op.output), count(m_op.output)));
        const auto from = slopeNeedsInput(kind) ? m_op.inputs[0] : m_op.output;
        must(activationBackward({}, m_type, kind, in(from), in(m_op.outputGradient), out(m_op.inputGradients[0]),
                                count(from), false));
    }

    void dropoutLayer() {
        const Placed<StepControl> control(StepControl{dropoutSeed(m_step.seed, m_step.context.index), 0, 0});
        const auto id = forward() ? m_op.output : m_op.inputGradients[0];
        const DropoutMask mask{control.get(), static_cast<std::uint64_t>(m_op.node),
                               std::get<model::Dropout>(m_op.layer).rate, layout(id)};
        must(dropout({}, m_type, mask, in(forward() ? m_op.inputs[0] : m_op.outputGradient), out(id), false));
    }

    void sum() {
        if (forward()) {
            std::vector<const void*> inputs;
            for (auto id : m_op.inputs) inputs.push_back(in(id));
            return must(add({}, m_type, inputs.data(), static_cast<int>(inputs.size()), false, out(m_op.output),
                            count(m_op.output)));
        }
        std::vector<void*> dx;
        bool accumulate[kMostAddends] = {};
        for (std::size_t k = 0; k < m_op.inputGradients.size(); ++k) {
            dx.push_back(out(m_op.inputGradients[k]));
            accumulate[k] = m_op.accumulate[k];
        }
        must(addBackward({}, m_type, nullptr, false, in(m_op.outputGradient), dx.data(), accumulate,
                         static_cast<int>(dx.size()), count(m_op.outputGradient)));
    }

    [[nodiscard]] PoolWindow window(TensorId input, TensorId output) const {
        const auto& p = std::get<model::Pool2d>(m_op.layer);
        PoolWindow w{layout(input), layout(output)};
        w.kernelHeight = p.kernel.height, w.kernelWidth = p.kernel.width;
        w.strideHeight = p.stride.height, w.strideWidth = p.stride.width;
        w.paddingTop = p.padding.top, w.paddingLeft = p.padding.left;
        w.countPadding = p.countPadding;
        return w;
    }

    void pool() {
        const bool max = std::get<model::Pool2d>(m_op.layer).kind == model::PoolKind::Max;
        const auto w =
            forward() ? window(m_op.inputs[0], m_op.output) : window(m_op.inputGradients[0], m_op.outputGradient);
        if (!max) {
            return must(forward() ? averagePoolForward({}, m_type, w, in(m_op.inputs[0]), out(m_op.output))
                                  : averagePoolBackward({}, m_type, w, in(m_op.outputGradient),
                                                        out(m_op.inputGradients[0]), false));
        }
        std::vector<std::uint8_t> indices(static_cast<std::size_t>(w.out.elements()));
        const auto saved = m_op.saved.empty() ? plan::kNoTensor : m_op.saved[0];
        if (forward()) {
            must(maxPoolForward({}, m_type, w, in(m_op.inputs[0]), out(m_op.output), indices.data()));
            // With rounded values the position of the maximum may differ.
            if (saved != plan::kNoTensor && m_type == ElementType::F32)
                m_results[saved] = fromDeviceOrder(saved, Values(indices.begin(), indices.end()));
            return;
        }
        const auto kept = reordered(saved, value(saved), true);
        std::transform(kept.begin(), kept.end(), indices.begin(), [](float v) { return static_cast<std::uint8_t>(v); });
        must(maxPoolBackward({}, m_type, w, in(m_op.outputGradient), indices.data(), out(m_op.inputGradients[0]),
                             false));
    }

    void globalPool() {
        const auto id = forward() ? m_op.inputs[0] : m_op.inputGradients[0];
        const auto& d = dims(id);
        MeanAxes a{d[0], d[1], d.back()};
        if (d.size() == 4)
            a = m_options.channelsLast ? MeanAxes{d[0], d[2] * d[3], d[1]} : MeanAxes{d[0] * d[1], d[2] * d[3], 1};
        must(forward() ? meanForward({}, m_type, a, in(id), out(m_op.output))
                       : meanBackward({}, m_type, a, in(m_op.outputGradient), out(id), false));
    }

    void batchNorm() {
        const auto& layer = std::get<model::BatchNorm>(m_op.layer);
        const auto a = axes(forward() ? m_op.output : m_op.outputGradient);
        const auto epsilon = static_cast<float>(layer.epsilon);
        if (forward()) {
            const auto runningMean = m_op.parameters[2], runningVariance = m_op.parameters[3];
            const BatchNormParameters p{wideBefore(m_op.parameters[0]), wideBefore(m_op.parameters[1]), epsilon};
            if (m_op.saved.empty())
                return must(batchNormApply({}, m_type, a, in(m_op.inputs[0]), p, wideIn(runningMean),
                                           wideIn(runningVariance), nullptr, false, out(m_op.output)));
            m_results[runningMean] = m_step.before.at(runningMean);
            m_results[runningVariance] = m_step.before.at(runningVariance);
            return must(batchNormForward({}, m_type, a, in(m_op.inputs[0]), p, static_cast<float>(layer.momentum),
                                         m_results[runningMean].data(), m_results[runningVariance].data(),
                                         wideOut(m_op.saved[0]), wideOut(m_op.saved[1]), nullptr, false,
                                         out(m_op.output), workspace(batchNormWorkspace(a))));
        }
        BatchNormGradients g;
        g.x = in(m_op.inputs[0]), g.dy = in(m_op.outputGradient), g.dx = out(m_op.inputGradients[0]);
        g.scale = wideBefore(m_op.parameters[0]), g.savedMean = wideIn(m_op.saved[0]),
        g.savedInverse = wideIn(m_op.saved[1]);
        g.dScale = wideOut(m_op.parameterGradients[0]), g.dOffset = wideOut(m_op.parameterGradients[1]);
        must(batchNormBackward({}, m_type, a, g, workspace(batchNormWorkspace(a))));
    }
    // As read by the forward and backward passes: before the update.
    float* wideBefore(TensorId id) { return wide(m_step.before.at(id)); }

    void layerNorm() {
        const auto id = forward() ? m_op.output : m_op.outputGradient;
        const auto features = dims(id).back(), rows = count(id) / features;
        if (forward()) {
            auto* mean = m_op.saved.empty() ? nullptr : wideOut(m_op.saved[0]);
            auto* inverse = m_op.saved.empty() ? nullptr : wideOut(m_op.saved[1]);
            return must(layerNormForward({}, m_type, in(m_op.inputs[0]), wideBefore(m_op.parameters[0]),
                                         wideBefore(m_op.parameters[1]),
                                         static_cast<float>(std::get<model::LayerNorm>(m_op.layer).epsilon), out(id),
                                         mean, inverse, rows, features));
        }
        LayerNormGradients g;
        g.x = in(m_op.inputs[0]), g.dy = in(id), g.dx = out(m_op.inputGradients[0]);
        g.scale = wideBefore(m_op.parameters[0]), g.savedMean = wideIn(m_op.saved[0]),
        g.savedInverse = wideIn(m_op.saved[1]);
        g.dScale = wideOut(m_op.parameterGradients[0]), g.dOffset = wideOut(m_op.parameterGradients[1]);
        must(layerNormBackward({}, m_type, g, rows, features, workspace(layerNormWorkspace(rows, features))));
    }

    void rmsNorm() {
        const auto id = forward() ? m_op.output : m_op.outputGradient;
        const auto features = count(m_op.parameters[0]), rows = count(id) / features;
        auto* scale = wideBefore(m_op.parameters[0]);
        if (forward())
            return must(rmsNormForward({}, m_type, in(m_op.inputs[0]), scale,
                                       static_cast<float>(std::get<model::RmsNorm>(m_op.layer).epsilon), out(id),
                                       m_op.saved.empty() ? nullptr : wideOut(m_op.saved[0]), rows, features));
        RmsNormGradients g;
        g.x = in(m_op.inputs[0]), g.dy = in(id), g.dx = out(m_op.inputGradients[0]);
        g.scale = scale, g.savedInverse = wideIn(m_op.saved[0]);
        if (!m_op.parameterGradients.empty()) g.dScale = wideOut(m_op.parameterGradients[0]);
        must(rmsNormBackward({}, m_type, g, rows, features, workspace(rmsNormWorkspace(rows, features))));
    }

    void rotaryEmbedding() {
        const auto& layer = std::get<model::RotaryEmbedding>(m_op.layer);
        const auto id = forward() ? m_op.output : m_op.outputGradient;
        const auto frequencies = model::rotaryFrequencies(layer);
        const auto& d = dims(id);
        Values turns;
        for (std::int64_t t = 0; t < d[1]; ++t) {
            for (const double f : frequencies)
                turns.push_back(static_cast<float>(std::cos(static_cast<double>(t) * f)));
            for (const double f : frequencies)
                turns.push_back(static_cast<float>(std::sin(static_cast<double>(t) * f)));
        }
        const RotaryShape shape{.rows = d[0] * d[1],
                                .tokens = d[1],
                                .heads = d[2] / layer.headWidth,
                                .width = layer.headWidth,
                                .pairs = static_cast<std::int64_t>(frequencies.size()),
                                .neighbours = layer.neighbours};
        must(rotate({}, m_type, shape, wide(turns), !forward(), in(forward() ? m_op.inputs[0] : id),
                    out(forward() ? id : m_op.inputGradients[0]), false));
    }

    void gatedActivation() {
        const auto kind = activationOf(std::get<model::GatedActivation>(m_op.layer).kind);
        if (forward())
            return must(gateForward({}, m_type, kind, in(m_op.inputs[0]), in(m_op.inputs[1]), out(m_op.output),
                                    count(m_op.output)));
        GateGradients g;
        g.gate = in(m_op.inputs[0]), g.up = in(m_op.inputs[1]), g.dy = in(m_op.outputGradient);
        g.dGate = out(m_op.inputGradients[0]), g.dUp = out(m_op.inputGradients[1]);
        must(gateBackward({}, m_type, kind, g, count(m_op.outputGradient)));
    }

    void scaling() {
        const auto& layer = std::get<model::Scale>(m_op.layer);
        const auto factor = static_cast<float>(layer.factor), cap = static_cast<float>(layer.cap);
        const auto n = count(forward() ? m_op.output : m_op.outputGradient);
        auto* from = in(forward() ? m_op.inputs[0] : m_op.outputGradient);
        auto* to = out(forward() ? m_op.output : m_op.inputGradients[0]);
        if (!(cap > 0)) return must(scale({}, m_type, from, to, n, factor, false));
        must(forward() ? cappedScale({}, m_type, from, to, n, factor, cap)
                       : cappedScaleBackward({}, m_type, in(m_op.output), from, to, n, factor, cap, false));
    }

    void embedding() {
        const auto& layer = std::get<model::Embedding>(m_op.layer);
        const auto& ids = integers(m_op.inputs[0]);
        const auto tokens = static_cast<std::int64_t>(ids.size());
        if (forward())
            return must(embeddingForward({}, ElementType::F32, wideBefore(m_op.parameters[0]), m_type, ids.data(),
                                         out(m_op.output), tokens, layer.units));
        must(embeddingBackward({}, m_type, in(m_op.outputGradient), ids.data(), wideOut(m_op.parameterGradients[0]),
                               tokens, layer.units, layer.vocabulary,
                               workspace(embeddingWorkspace(tokens, layer.units))));
    }

    void addParameter() {
        const auto id = forward() ? m_op.output : m_op.outputGradient;
        const auto& d = dims(id);
        std::int64_t first = 0, period = d[2];
        if (const auto* position = std::get_if<model::PositionEmbedding>(&m_op.layer)) {
            first = position->offset * d[2];
            period = d[1] * d[2];
        }
        const auto rows = count(id) / period;
        if (forward())
            return must(
                addRow({}, m_type, in(m_op.inputs[0]), wideBefore(m_op.parameters[0]) + first, out(id), rows, period));
        const ChannelAxes a{rows, period, 1};
        must(sumChannels({}, m_type, in(id), a, wideOut(m_op.parameterGradients[0]) + first, false,
                         workspace(sumChannelsWorkspace(a))));
    }

    void shortcutPad() {
        const auto stride = std::get<model::ShortcutPad>(m_op.layer).stride;
        if (forward())
            return must(shortcutPadForward({}, m_type, layout(m_op.inputs[0]), layout(m_op.output), stride,
                                           in(m_op.inputs[0]), out(m_op.output)));
        must(shortcutPadBackward({}, m_type, layout(m_op.inputGradients[0]), layout(m_op.outputGradient), stride,
                                 in(m_op.outputGradient), out(m_op.inputGradients[0]), false));
    }

    void head() {
        using K = plan::OperationKind;
        const auto rowsOf = [&](TensorId id) { return count(id) / dims(id).back(); };
        const bool softmax = m_op.kind == K::Softmax || m_op.kind == K::SoftmaxCrossEntropy;
        if (m_op.kind == K::Softmax)
            return must(softmaxForward({}, m_type, in(m_op.inputs[0]), out(m_op.output), rowsOf(m_op.output),
                                       dims(m_op.output).back()));
        if (m_op.kind == K::Sigmoid)
            return must(activationForward({}, m_type, Activation::Sigmoid, in(m_op.inputs[0]), out(m_op.output),
                                          count(m_op.output)));
        CrossEntropy c;
        c.labels = integers(m_op.inputs[1]).data();
        c.rows = static_cast<std::int64_t>(value(m_op.inputs[1]).size());
        c.classes = dims(m_op.output).back();
        c.gradientScale = static_cast<float>(m_op.lossWeight / static_cast<double>(c.rows));
        if (!forward()) {
            c.probabilities = in(m_op.output);
            c.gradient = out(m_op.inputGradients[0]);
            return must(crossEntropyBackward({}, m_type, c));
        }
        c.logits = in(m_op.inputs[0]);
        c.probabilities = out(m_op.output);
        Values rowLosses(static_cast<std::size_t>(c.rows));
        c.rowLosses = rowLosses.data();
        must(softmax ? softmaxCrossEntropy({}, m_type, c) : sigmoidCrossEntropy({}, m_type, c));
        must(meanLoss({}, c.rowLosses, c.rows, wideOut(m_op.saved[0]), nullptr, 1, false));
    }

    void update() {
        const auto& optimizer = m_step.plan.options.optimizer;
        const auto weight = m_op.parameters[0];
        const auto start = [&](TensorId id) { return (m_results[id] = m_step.before.at(id)).data(); };
        std::vector<ParameterBlock> blocks(1);
        auto& block = blocks[0];
        block.weight = start(weight);
        block.gradient = wideIn(m_op.parameterGradients[0]);
        if (!m_op.states.empty()) block.state1 = start(m_op.states[0]);
        if (m_op.states.size() > 1) block.state2 = start(m_op.states[1]);
        block.count = count(weight);
        const std::int64_t counts[] = {block.count};
        const auto chunks = chunksOf(counts);
        const Placed<StepControl> control(
            StepControl{0, stepRate(optimizer, learningRate(optimizer, m_step.context), m_step.context.index), 0});
        must(updateParameters({}, optimizer, {blocks.data(), chunks.data(), static_cast<std::int64_t>(chunks.size())},
                              control.get(), nullptr, ElementType::F32));
    }

    const ReferenceStep& m_step;
    const Operation& m_op;
    RunOptions m_options;
    ElementType m_type;
    std::map<TensorId, Typed> m_outputs;
    std::map<TensorId, Values> m_results;
    std::vector<Typed> m_inputs;
    std::vector<Values> m_wide;
    std::vector<std::vector<std::int32_t>> m_integers;
    std::vector<std::vector<std::uint64_t>> m_workspaces;
};

std::map<TensorId, Values> readAll(Executable& executable) {
    std::map<TensorId, Values> all;
    for (const auto& tensor : executable.plan().tensors) all[tensor.id] = readTensor(executable, tensor.id);
    return all;
}

}  // namespace

ReferenceStep ReferenceStep::of(const model::Graph& graph, std::int64_t batch, plan::Mode mode,
                                const model::Optimizer& optimizer, std::uint64_t seed) {
    const auto plan =
        std::make_shared<plan::Plan>(plan::lower(graph, {mode, batch, plan::Precision::Fp32, optimizer}).value());
    const auto backend = makeReferenceBackend();
    const auto executable = backend->compile(plan, {.seed = seed}).value();
    writeRandomStep(*executable, seed, 0.4);
    ReferenceStep step{*plan, {}, {}, seed, {.index = 2}};
    step.before = readAll(*executable);
    (void)executable->step(step.context).value();
    step.after = readAll(*executable);
    return step;
}

std::map<plan::TensorId, Values> runOperation(const ReferenceStep& step, const plan::Operation& op,
                                              const RunOptions& options) {
    return Runner(step, op, options).run();
}

}  // namespace steelyard::compute::cuda::kernels
