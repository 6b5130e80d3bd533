// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/backend_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/compute/comparison_values.h"
#include "engine/compute/step_values.h"
#include "engine/compute/update_rule.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

using plan::TensorId;
using Values = std::vector<float>;

double norm(std::span<const float> values) {
    double squares = 0;
    for (auto value : values) squares += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(squares);
}

double distance(std::span<const float> a, std::span<const float> b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        squares += difference * difference;
    }
    return std::sqrt(squares);
}

double ratio(double difference, double scale) {
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    if (difference <= 0) return 0;
    return difference / scale;  // infinite if the reference is zero
}

// Storing a weight of size |w| has a rounding error of half a unit in the last place, before and after an update, which
// limits the accuracy of small updates.
double roundingOf(std::span<const float> weight) {
    return 0x1p-23 * norm(weight);
}

Result<Values> read(Executable& executable, TensorId tensor) {
    Values values(static_cast<std::size_t>(executable.plan().tensor(tensor).elements()));
    TRY(executable.read(tensor, values));
    return values;
}

constexpr float kLargestLogit = 4;

// Values before an update.
struct UpdateValues {
    Values weight;
    std::array<Values, 2> states;
};

class Comparer {
public:
    Comparer(Executable& candidate, Executable& reference, const ComparisonOptions& options)
        : m_candidate(candidate), m_reference(reference), m_plan(reference.plan()), m_options(options) {}

    Result<Comparison> run() {
        TRY(writeComparedValues(m_candidate, m_options.seed));
        if (!isReferenceDone()) TRY(writeComparedValues(m_reference, m_options.seed));
        if (!training()) TRY(calmHeads());
        for (m_step = 0; m_step < m_options.steps; ++m_step) {
            if (m_step > 0) TRY(synchronise());
            TRY(oneStep());
        }
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool training() const { return m_plan.options.mode == plan::Mode::Train; }
    [[nodiscard]] bool isReferenceDone() const { return m_options.referenceLoss && training() && m_options.steps == 1; }

    // Logits of an untrained network may be so large that its probabilities are 0 and 1, which hide errors. The layer
    // that computes them is then scaled down.
    Result<void> calmHeads() {
        TRY(m_reference.step({0, 1.0}));
        std::map<TensorId, float> factors;  // per parameter
        for (const auto& op : m_plan.operations) {
            if (op.kind != plan::OperationKind::MatMul || !isHead(op.output)) continue;
            ASSIGN(const auto logits, read(m_reference, op.output));
            float largest = 0;
            for (auto value : logits) largest = std::max(largest, std::abs(value));
            for (auto parameter : op.parameters)
                if (largest > kLargestLogit) factors[parameter] = kLargestLogit / largest;
        }
        if (auto ok = writeInitialStates(m_reference); !ok) return ok;  // modified by the step
        for (const auto& [parameter, factor] : factors)
            if (auto ok = scale(parameter, factor); !ok) return ok;
        return {};
    }

    [[nodiscard]] bool isHead(TensorId logits) const {
        return std::any_of(m_plan.heads.begin(), m_plan.heads.end(), [&](const auto& head) {
            return head.logits == logits && head.head.loss != model::LossKind::None;
        });
    }

    Result<void> scale(TensorId parameter, float factor) {
        ASSIGN(auto values, read(m_reference, parameter));
        for (auto& value : values) value *= factor;
        if (auto ok = m_reference.write(parameter, values); !ok) return ok;
        return m_candidate.write(parameter, values);
    }

    Result<void> synchronise() {
        for (const auto& tensor : m_plan.tensors) {
            using R = plan::TensorRole;
            if (tensor.role != R::Weight && tensor.role != R::State && tensor.role != R::OptimizerState) continue;
            if (tensor.type == model::DataType::Int32) continue;  // constants are identical
            ASSIGN(const auto values, read(m_reference, tensor.id));
            if (auto ok = m_candidate.write(tensor.id, values); !ok) return ok;
        }
        return {};
    }

    Result<void> oneStep() {
        if (auto ok = keepBefore(); !ok) return ok;
        const StepContext context{m_step, 1.0};
        StepOutcome expected;
        expected.loss = m_options.referenceLoss;
        if (!isReferenceDone()) {
            ASSIGN(expected, m_reference.step(context));
        }
        ASSIGN(const auto got, m_candidate.step(context));
        if (training()) {
            m_result.referenceLoss = expected.loss.value_or(0);
            compareLoss(got.loss, m_result.referenceLoss);
            if (auto ok = compareUpdates(); !ok) return ok;
        } else if (auto ok = compareOutputs(); !ok) {
            return ok;
        }
        return compareStates();
    }

    Result<void> keepBefore() {
        m_before.clear();
        for (const auto& op : m_plan.operations) {
            if (op.kind != plan::OperationKind::Update) continue;
            // Both have the same values; the candidate has not run a step yet.
            ASSIGN(auto values, readUpdate(isReferenceDone() ? m_candidate : m_reference, op));
            m_before.push_back(std::move(values));
        }
        return {};
    }

    static Result<UpdateValues> readUpdate(Executable& executable, const plan::Operation& op) {
        UpdateValues values;
        auto weight = read(executable, op.parameters[0]);
        if (!weight) return Failure(weight.error());
        values.weight = std::move(*weight);
        for (std::size_t s = 0; s < op.states.size(); ++s) {
            ASSIGN(auto state, read(executable, op.states[s]));
            values.states[s] = std::move(state);
        }
        return values;
    }

    void add(Quantity quantity, TensorId tensor, double relative) {
        m_result.differences.push_back({quantity, m_plan.tensor(tensor).name, m_step, relative});
    }
    void noteUnusable(Message what) {
        if (m_result.unusable.empty()) m_result.unusable = std::move(what);
    }

    void compareLoss(const std::optional<double>& got, double expected) {
        if (!got || !std::isfinite(*got)) return noteUnusable(messages::lossNotANumber());
        m_result.differences.push_back(
            {Quantity::Loss, "loss", m_step, ratio(std::abs(*got - expected), std::abs(expected))});
    }

    Result<void> compareOutputs() {
        for (const auto& head : m_plan.heads) {
            ASSIGN(const auto expected, read(m_reference, head.probabilities));
            ASSIGN(const auto got, read(m_candidate, head.probabilities));
            const auto size = norm(got);
            const auto& name = m_plan.tensor(head.probabilities).name;
            if (!std::isfinite(size)) noteUnusable(messages::isNotANumber(name));
            if (size == 0) noteUnusable(messages::isAllZero(name));
            add(Quantity::Output, head.probabilities, ratio(distance(got, expected), norm(expected)));
        }
        return {};
    }

    // Running statistics and recurrent states. The KV cache is not written by a step.
    Result<void> compareStates() {
        for (const auto& op : m_plan.operations) {
            if (op.pass != plan::Pass::Forward) continue;
            std::vector<TensorId> written;
            if (op.kind == plan::OperationKind::Recurrent) written = op.states;
            if (op.kind == plan::OperationKind::BatchNorm && training())
                written.assign(op.parameters.begin() + 2, op.parameters.end());
            for (auto id : written) {
                ASSIGN(const auto expected, read(m_reference, id));
                ASSIGN(const auto got, read(m_candidate, id));
                add(Quantity::State, id, ratio(distance(got, expected), norm(expected)));
            }
        }
        return {};
    }

    // Some gradients are zero in exact arithmetic (a bias before a normalisation, the key bias of attention), so that
    // only rounding errors remain. A parameter's gradient is therefore measured relative to its own norm, but at least
    // to the typical magnitude of its layer's gradients.
    struct LayerScale {
        double squares = 0;
        double elements = 0;
        [[nodiscard]] double floorOf(std::size_t count) const {
            return std::sqrt(squares / elements * static_cast<double>(count));
        }
    };

    // -1 for operands of array operations, which are separate nodes: the bias of a convolution is measured relative to
    // the convolution's weights.
    [[nodiscard]] model::NodeId ownerOf(const plan::Operation& update) const {
        if (std::holds_alternative<model::Constant>(update.layer)) return -1;
        const auto& ids = m_plan.parameterTensors;
        const auto p = std::find(ids.begin(), ids.end(), update.parameters[0]) - ids.begin();
        return m_plan.parameters[static_cast<std::size_t>(p)].owner;
    }

    Result<std::map<model::NodeId, LayerScale>> layerScales() {
        std::map<model::NodeId, LayerScale> scales;
        double all = 0;
        for (const auto& op : m_plan.operations) {
            if (op.kind != plan::OperationKind::Update) continue;
            ASSIGN(const auto gradient, read(m_reference, op.parameterGradients[0]));
            auto& scale = scales[ownerOf(op)];
            const double size = norm(gradient);
            scale.squares += size * size;
            scale.elements += static_cast<double>(gradient.size());
            all += size;
        }
        if (all == 0) noteUnusable(messages::gradientsZero());
        return scales;
    }

    Result<void> compareUpdates() {
        ASSIGN(const auto scales, layerScales());
        std::size_t index = 0;
        for (const auto& op : m_plan.operations) {
            if (op.kind != plan::OperationKind::Update) continue;
            const auto& before = m_before[index++];
            ASSIGN(const auto expected, read(m_reference, op.parameterGradients[0]));
            const double floor = scales.at(ownerOf(op)).floorOf(expected.size());
            const double size = norm(expected);
            const auto got = read(m_candidate, op.parameterGradients[0]);
            if (got) {
                add(Quantity::Gradient, op.parameterGradients[0],
                    ratio(distance(*got, expected), std::max(size, floor)));
                if (auto ok = compareRule(op, before, *got); !ok) return ok;
            } else if (got.error().kind == ErrorKind::Unsupported) {
                ++m_result.fusedGradients;
                if (auto ok = compareFused(op, before, std::max(size, floor)); !ok) return ok;
            } else {
                return Failure(got.error());
            }
        }
        return {};
    }

    // Applies the update rule to the candidate's own gradient: rules that divide by the gradient's magnitude would
    // amplify rounding errors of a small gradient.
    Result<void> compareRule(const plan::Operation& op, const UpdateValues& before, const Values& gradient) {
        auto expected = before;
        const auto& optimizer = m_plan.options.optimizer;
        const double rate = learningRate(optimizer, {m_step, 1.0});
        const auto width = sparseRowWidth(op);
        for (std::size_t first = 0; first < gradient.size(); first += width) {
            const auto part = [&](auto& values) {
                return values.empty() ? std::span<float>{} : std::span<float>(values).subspan(first, width);
            };
            const auto row = std::span(gradient).subspan(first, width);
            if (width < gradient.size() && norm(row) == 0) continue;  // not in the batch
            applyUpdate(optimizer, rate, m_step,
                        {part(expected.weight), row, part(expected.states[0]), part(expected.states[1])});
        }
        ASSIGN(const auto got, readUpdate(m_candidate, op));
        add(Quantity::Weight, op.parameters[0],
            ratio(distance(got.weight, expected.weight) - roundingOf(before.weight),
                  distance(expected.weight, before.weight)));
        compareOptimizerStates(op, got, expected);
        return {};
    }

    // Row width of a sparsely updated table; otherwise the whole parameter.
    [[nodiscard]] std::size_t sparseRowWidth(const plan::Operation& op) const {
        const auto* embedding = std::get_if<model::Embedding>(&op.layer);
        const auto whole = static_cast<std::size_t>(m_plan.tensor(op.parameters[0]).elements());
        return embedding != nullptr && embedding->sparseUpdate ? static_cast<std::size_t>(embedding->units) : whole;
    }

    // The gradient is not available: the change of the weight and of the optimizer state by the step is compared
    // instead. Sgd and Momentum only (needsGradients): a gradient of `scale` changes the weight by the learning rate
    // times that, and the state by that, which is the minimum scale for differences.
    Result<void> compareFused(const plan::Operation& op, const UpdateValues& before, double scale) {
        ASSIGN(const auto expected, readUpdate(m_reference, op));
        ASSIGN(const auto got, readUpdate(m_candidate, op));
        const double rate = learningRate(m_plan.options.optimizer, {m_step, 1.0});
        double worst = ratio(distance(got.weight, expected.weight) - roundingOf(before.weight),
                             std::max(distance(expected.weight, before.weight), rate * scale));
        for (std::size_t s = 0; s < op.states.size(); ++s)
            worst = std::max(worst, ratio(distance(got.states[s], expected.states[s]),
                                          std::max(distance(expected.states[s], before.states[s]), scale)));
        add(Quantity::Gradient, op.parameterGradients[0], worst);
        return {};
    }

    void compareOptimizerStates(const plan::Operation& op, const UpdateValues& got, const UpdateValues& expected) {
        for (std::size_t s = 0; s < op.states.size(); ++s)
            add(Quantity::State, op.states[s],
                ratio(distance(got.states[s], expected.states[s]), norm(expected.states[s])));
    }

    Executable& m_candidate;
    Executable& m_reference;
    const plan::Plan& m_plan;
    ComparisonOptions m_options;
    Comparison m_result;
    std::int64_t m_step = 0;
    std::vector<UpdateValues> m_before;  // by update operation
};

}  // namespace

std::string_view toString(Quantity quantity) {
    constexpr std::array<std::string_view, 5> names{"output", "loss", "gradient", "weight", "state"};
    return names[static_cast<std::size_t>(quantity)];
}

const Difference* Comparison::largest() const {
    const auto at = std::max_element(differences.begin(), differences.end(),
                                     [](const auto& a, const auto& b) { return a.relative < b.relative; });
    return at == differences.end() ? nullptr : &*at;
}

double Comparison::largestOf(Quantity quantity) const {
    double largest = 0;
    for (const auto& difference : differences)
        if (difference.quantity == quantity) largest = std::max(largest, difference.relative);
    return largest;
}

bool needsGradients(const model::Optimizer& optimizer) {
    return optimizer.kind != model::OptimizerKind::Sgd && optimizer.kind != model::OptimizerKind::Momentum;
}

Result<Comparison> compareExecutables(Executable& candidate, Executable& reference, const ComparisonOptions& options) {
    return Comparer(candidate, reference, options).run();
}

Result<Comparison> compareBackends(Backend& candidate, Backend& reference,
                                   const std::shared_ptr<const plan::Plan>& plan, const CompileOptions& compile,
                                   const ComparisonOptions& options) {
    CompileOptions judgedOptions = compile;
    judgedOptions.keepGradients = needsGradients(plan->options.optimizer);
    ASSIGN(const auto judged, candidate.compile(plan, judgedOptions));
    CompileOptions plain = compile;
    plain.device = "reference";
    plain.memoryLimit.reset();  // applies to the candidate's device
    ASSIGN(const auto exact, reference.compile(plan, plain));
    return compareExecutables(*judged, *exact, options);
}

}  // namespace steelyard::compute
