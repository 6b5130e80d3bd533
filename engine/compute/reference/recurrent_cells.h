// SPDX-License-Identifier: Apache-2.0
// One step of one unit of a recurrent layer. Internal to engine/compute/reference.
// a_g = W_g x + b_g is a gate's input part, R_g its recurrent weights, s the logistic function:
//   Lstm (S. Hochreiter, J. Schmidhuber, 1997; F. Gers and others, 2000)
//     i = s(a_i + R_i h), f = s(a_f + R_f h), k = tanh(a_c + R_c h), o = s(a_o + R_o h)
//     c' = f c + i k;  h' = o tanh(c')
//   Gru (K. Cho and others, 2014, in cuDNN's form: the reset gate scales the recurrent product)
//     u = s(a_u + R_u h), r = s(a_r + R_r h), o = tanh(a_o + r (R_o h));  h' = (1 - u) o + u h
//   Rnn (J. Elman, 1990)
//     h' = tanh(a + R h)
#pragma once

#include "engine/model/layer.h"

namespace steelyard::compute::reference {

// Values of one step of one unit for the backward pass. `extra`: Lstm the cell c', Gru the product R_o h.
struct Kept {
    double gate[4] = {};
    double extra = 0;
    double hidden = 0;
};

// The state before a step: of the previous step, or the initial state.
struct Before {
    double hidden = 0, cell = 0;
};

// One unit, one step. in[g]: W_g x + b_g; rec[g]: R_g h.
[[nodiscard]] Kept forwardUnit(model::RecurrentCell cell, const double (&in)[4], const double (&rec)[4],
                               const Before& before);

// Gradients of a unit with respect to W x + b and R h of each gate, and the direct part for the previous state.
struct Flow {
    double in[4] = {};
    double rec[4] = {};
    double hidden = 0, cell = 0;
};

// dHidden, dCell: of h' and, from later steps, of c'.
[[nodiscard]] Flow backwardUnit(model::RecurrentCell cell, const Kept& k, const Before& before, double dHidden,
                                double dCell);

}  // namespace steelyard::compute::reference
