// SPDX-License-Identifier: Apache-2.0
// Element-wise operations: activations, dropout, sums of tensors and of learned embeddings; forward and backward.
#include <cmath>
#include <numbers>

#include "engine/compute/reference/step_run.h"
#include "engine/core/random.h"

namespace steelyard::compute::reference {
namespace {

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

// Gelu: D. Hendrycks, K. Gimpel, Gaussian Error Linear Units, 2016; x Phi(x), and the tanh approximation from there.
// Swish: P. Ramachandran, B. Zoph, Q. Le, Searching for Activation Functions, 2017; x sigmoid(x).
constexpr double kGeluScale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // sqrt(2 / pi)
constexpr double kGeluCubic = 0.044715;

double activated(model::ActivationKind kind, double x) {
    using K = model::ActivationKind;
    switch (kind) {
        case K::Relu:
            return x > 0 ? x : 0;
        case K::Relu6:
            return std::clamp(x, 0.0, 6.0);
        case K::Sigmoid:
            return sigmoid(x);
        case K::Tanh:
            return std::tanh(x);
        case K::Gelu:
            return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
        case K::GeluTanh:
            return 0.5 * x * (1 + std::tanh(kGeluScale * (x + kGeluCubic * x * x * x)));
        case K::Swish:
            return x * sigmoid(x);
    }
    return x;
}

// From the output y if that determines the derivative, otherwise from the input x (engine/plan: what a backward pass
// reads).
double slope(model::ActivationKind kind, double x, double y) {
    using K = model::ActivationKind;
    switch (kind) {
        case K::Relu:
            return y > 0 ? 1 : 0;
        case K::Relu6:
            return y > 0 && y < 6 ? 1 : 0;
        case K::Sigmoid:
            return y * (1 - y);
        case K::Tanh:
            return 1 - y * y;
        case K::Gelu: {
            const double density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
            return 0.5 * std::erfc(-x / std::numbers::sqrt2) + x * density;
        }
        case K::GeluTanh: {
            const double t = std::tanh(kGeluScale * (x + kGeluCubic * x * x * x));
            return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kGeluScale * (1 + 3 * kGeluCubic * x * x);
        }
        case K::Swish: {
            const double s = sigmoid(x);
            return s + x * s * (1 - s);
        }
    }
    return 1;
}

// Emulation: moves values so close to a ReLU's kink that another summation order could switch them to the other side.
// Rounding alone does not: it neither changes signs nor lowers values clipped at six.
class Bends {
public:
    Bends(model::ActivationKind kind, std::span<const float> x, int bits) : m_kind(kind) {
        if (bits == 0 || (kind != model::ActivationKind::Relu && kind != model::ActivationKind::Relu6)) return;
        double squares = 0;
        for (const float value : x) squares += static_cast<double>(value) * static_cast<double>(value);
        m_nearZero = std::ldexp(std::sqrt(squares / static_cast<double>(x.size())), -bits - kFiner);
        m_nearSix = std::ldexp(6.0, -bits);
    }

    [[nodiscard]] double switched(double x, double y) const {
        if (std::abs(x) < m_nearZero) return x > 0 ? 0 : m_nearZero;
        if (m_kind == model::ActivationKind::Relu6 && y == 6 && x <= 6 + m_nearSix) return 6 - m_nearSix;
        return y;
    }

private:
    static constexpr int kFiner = 2;  // bits; needed in first layers, later ones inherit earlier rounding

    model::ActivationKind m_kind;
    double m_nearZero = 0, m_nearSix = 0;
};

// The parameter row added to the first token, and its period: position embeddings repeat per sample, row 0 of the token
// types per token.
struct Addend {
    std::size_t first = 0, period = 0;
};
Addend addendOf(const Operation& op, const model::Shape& dims) {
    if (const auto* position = std::get_if<model::PositionEmbedding>(&op.layer))
        return {static_cast<std::size_t>(position->offset * dims[2]), static_cast<std::size_t>(dims[1] * dims[2])};
    return {0, static_cast<std::size_t>(dims[2])};
}

}  // namespace

void runActivation(StepRun& run, const Operation& op) {
    const auto kind = std::get<model::Activation>(op.layer).kind;
    if (op.pass == plan::Pass::Forward) {
        const auto x = run.input(op);
        const auto y = run.output(op);
        const Bends bends(kind, x, run.coarserBits);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double from = static_cast<double>(x[i]);
            y[i] = static_cast<float>(bends.switched(from, activated(kind, from)));
        }
        return;
    }
    const auto x = run.input(op);  // one of the two is absent
    const auto y = run.output(op);
    const auto dy = run.outputGradient(op);
    const auto dx = run.inputGradient(op);
    for (std::size_t i = 0; i < dx.size(); ++i) {
        const double from = x.empty() ? 0 : static_cast<double>(x[i]);
        const double to = y.empty() ? 0 : static_cast<double>(y[i]);
        dx[i] += static_cast<float>(static_cast<double>(dy[i]) * slope(kind, from, to));
    }
}

// y = f(g) u:  dg = dy u f'(g);  du = dy f(g)
void runGatedActivation(StepRun& run, const Operation& op) {
    const auto kind = std::get<model::GatedActivation>(op.layer).kind;
    const auto gate = run.input(op, 0), up = run.input(op, 1);
    if (op.pass == plan::Pass::Forward) {
        const auto y = run.output(op);
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = static_cast<float>(activated(kind, static_cast<double>(gate[i])) * static_cast<double>(up[i]));
        return;
    }
    const auto dy = run.outputGradient(op);
    const auto dGate = run.inputGradient(op, 0);
    for (std::size_t i = 0; i < dGate.size(); ++i) {
        const auto g = static_cast<double>(gate[i]);
        const double change = slope(kind, g, activated(kind, g));
        dGate[i] += static_cast<float>(static_cast<double>(dy[i]) * static_cast<double>(up[i]) * change);
    }
    const auto dUp = run.inputGradient(op, 1);
    for (std::size_t i = 0; i < dUp.size(); ++i)
        dUp[i] += static_cast<float>(static_cast<double>(dy[i]) * activated(kind, static_cast<double>(gate[i])));
}

// Both passes generate the mask from the counter, so nothing is stored (compute::dropoutSeed).
void runDropout(StepRun& run, const Operation& op) {
    const double rate = std::get<model::Dropout>(op.layer).rate;
    const RandomStream mask(dropoutSeed(run.seed, run.context.index), static_cast<std::uint64_t>(op.node));
    const auto keep = static_cast<float>(1 / (1 - rate));
    const bool forward = op.pass == plan::Pass::Forward;
    const auto from = forward ? run.input(op) : run.outputGradient(op);
    const auto to = forward ? run.output(op) : run.inputGradient(op);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const bool kept = static_cast<double>(mask.uniform(static_cast<std::uint32_t>(i))) >= rate;
        const float value = kept ? from[i] * keep : 0.0F;
        to[i] = forward ? value : to[i] + value;
    }
}

void runAdd(StepRun& run, const Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        const auto y = run.output(op);
        for (std::size_t i = 0; i < y.size(); ++i) {
            double sum = 0;
            for (std::size_t k = 0; k < op.inputs.size(); ++k) sum += static_cast<double>(run.input(op, k)[i]);
            y[i] = static_cast<float>(sum);
        }
        return;
    }
    const auto dy = run.outputGradient(op);
    for (std::size_t k = 0; k < op.inputGradients.size(); ++k) {
        const auto dx = run.inputGradient(op, k);
        for (std::size_t i = 0; i < dx.size(); ++i) dx[i] += dy[i];
    }
}

void runAddParameter(StepRun& run, const Operation& op) {
    const bool forward = op.pass == plan::Pass::Forward;
    const auto [first, period] = addendOf(op, run.dims(forward ? op.output : op.outputGradient));
    if (forward) {
        const auto x = run.input(op);
        const auto y = run.output(op);
        const auto parameter = run.parameter(op, 0);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + parameter[first + i % period];
        return;
    }
    const auto dy = run.outputGradient(op);
    const auto dx = run.inputGradient(op);
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] += dy[i];
    const auto gradient = run.parameterGradient(op, 0);
    for (std::size_t p = 0; p < period; ++p) {
        auto sum = static_cast<double>(gradient[first + p]);
        for (std::size_t i = p; i < dy.size(); i += period) sum += static_cast<double>(dy[i]);
        gradient[first + p] = static_cast<float>(sum);
    }
}

}  // namespace steelyard::compute::reference
