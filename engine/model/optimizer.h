// SPDX-License-Identifier: Apache-2.0
// Optimizers and their update rules. g is the gradient averaged over the batch, t the step counted from 1.
// Learning-rate decay (Keras 2): lr_t = lr / (1 + decay (t - 1)).
//   Sgd       p -= lr (g + wd p)                                                    Robbins & Monro 1951
//   Momentum  v = momentum v + (g + wd p);  p -= lr v                               Polyak 1964
//   RmsProp   a = rho a + (1 - rho) g^2;  p -= lr g / (sqrt(a) + eps)               Tieleman & Hinton 2012
//   Adadelta  a = rho a + (1 - rho) g^2;  u = g sqrt(d + eps) / sqrt(a + eps);
//             p -= lr u;  d = rho d + (1 - rho) u^2                                 Zeiler 2012
//   Adam      m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;
//             p -= lr sqrt(1 - b2^t) / (1 - b1^t) m / (sqrt(v) + eps)               Kingma & Ba 2015, section 2
#pragma once

#include <optional>
#include <string_view>

namespace steelyard::model {

enum class OptimizerKind { Sgd, Momentum, RmsProp, Adadelta, Adam };

struct Optimizer {
    OptimizerKind kind = OptimizerKind::Sgd;
    double learningRate = 0.01;
    double decay = 0;
    double momentum = 0.9;
    double rho = 0.9;
    double beta1 = 0.9, beta2 = 0.999;
    double epsilon = 1e-8;
    double weightDecay = 0;
    std::optional<double> clipNorm;  // global gradient norm is clipped to this
};

[[nodiscard]] constexpr int stateTensors(OptimizerKind kind) {
    switch (kind) {
        case OptimizerKind::Sgd:
            return 0;
        case OptimizerKind::Momentum:
        case OptimizerKind::RmsProp:
            return 1;
        case OptimizerKind::Adadelta:
        case OptimizerKind::Adam:
            return 2;
    }
    return 0;
}

[[nodiscard]] constexpr std::string_view toString(OptimizerKind kind) {
    switch (kind) {
        case OptimizerKind::Sgd:
            return "sgd";
        case OptimizerKind::Momentum:
            return "momentum";
        case OptimizerKind::RmsProp:
            return "rmsprop";
        case OptimizerKind::Adadelta:
            return "adadelta";
        case OptimizerKind::Adam:
            return "adam";
    }
    return "sgd";
}

}  // namespace steelyard::model
