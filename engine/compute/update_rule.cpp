// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/update_rule.h"

#include <cmath>

namespace steelyard::compute {
namespace {

// One element: its weight, gradient and up to two states, in double.
struct Element {
    double weight = 0, gradient = 0, state1 = 0, state2 = 0;
};

double decayedMean(double mean, double keep, double value) {
    return keep * mean + (1 - keep) * value;
}

void updateElement(const model::Optimizer& o, double rate, Element& e) {
    const double g = e.gradient;
    switch (o.kind) {
        case model::OptimizerKind::Sgd:
            e.weight -= rate * (g + o.weightDecay * e.weight);
            return;
        case model::OptimizerKind::Momentum:
            e.state1 = o.momentum * e.state1 + (g + o.weightDecay * e.weight);
            e.weight -= rate * e.state1;
            return;
        case model::OptimizerKind::RmsProp:
            e.state1 = decayedMean(e.state1, o.rho, g * g);
            e.weight -= rate * g / (std::sqrt(e.state1) + o.epsilon);
            return;
        case model::OptimizerKind::Adadelta: {
            e.state1 = decayedMean(e.state1, o.rho, g * g);
            const double u = g * std::sqrt(e.state2 + o.epsilon) / std::sqrt(e.state1 + o.epsilon);
            e.weight -= rate * u;
            e.state2 = decayedMean(e.state2, o.rho, u * u);
            return;
        }
        case model::OptimizerKind::Adam:
            e.state1 = decayedMean(e.state1, o.beta1, g);
            e.state2 = decayedMean(e.state2, o.beta2, g * g);
            e.weight -= rate * e.state1 / (std::sqrt(e.state2) + o.epsilon);
            return;
    }
}

}  // namespace

void applyUpdate(const model::Optimizer& optimizer, double learningRate, std::int64_t step,
                 const ParameterUpdate& update) {
    double rate = learningRate;
    if (optimizer.kind == model::OptimizerKind::Adam) {  // bias correction, the same for every element
        const auto t = static_cast<double>(step + 1);
        rate *= std::sqrt(1 - std::pow(optimizer.beta2, t)) / (1 - std::pow(optimizer.beta1, t));
    }
    const int states = model::stateTensors(optimizer.kind);
    for (std::size_t i = 0; i < update.weight.size(); ++i) {
        Element e{static_cast<double>(update.weight[i]), static_cast<double>(update.gradient[i]),
                  states > 0 ? static_cast<double>(update.state1[i]) : 0,
                  states > 1 ? static_cast<double>(update.state2[i]) : 0};
        updateElement(optimizer, rate, e);
        update.weight[i] = static_cast<float>(e.weight);
        if (states > 0) update.state1[i] = static_cast<float>(e.state1);
        if (states > 1) update.state2[i] = static_cast<float>(e.state2);
    }
}

}  // namespace steelyard::compute
