// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/reference/recurrent_cells.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace steelyard::compute::reference {
namespace {

using model::RecurrentCell;

double logistic(double x) {
    return 1 / (1 + std::exp(-x));
}

}  // namespace

Kept forwardUnit(RecurrentCell cell, const double (&in)[4], const double (&rec)[4], const Before& before) {
    Kept k;
    switch (cell) {
        case RecurrentCell::Lstm:
            for (int g = 0; g < 4; ++g) k.gate[g] = g == 2 ? std::tanh(in[g] + rec[g]) : logistic(in[g] + rec[g]);
            k.extra = k.gate[1] * before.cell + k.gate[0] * k.gate[2];
            k.hidden = k.gate[3] * std::tanh(k.extra);
            break;
        case RecurrentCell::Gru:
            k.gate[0] = logistic(in[0] + rec[0]);
            k.gate[1] = logistic(in[1] + rec[1]);
            k.gate[2] = std::tanh(in[2] + k.gate[1] * rec[2]);
            k.extra = rec[2];
            k.hidden = (1 - k.gate[0]) * k.gate[2] + k.gate[0] * before.hidden;
            break;
        case RecurrentCell::Rnn:
            k.hidden = std::tanh(in[0] + rec[0]);
            break;
    }
    return k;
}

Flow backwardUnit(RecurrentCell cell, const Kept& k, const Before& before, double dHidden, double dCell) {
    Flow flow;
    switch (cell) {
        case RecurrentCell::Lstm: {
            const double t = std::tanh(k.extra);
            const double dc = dCell + dHidden * k.gate[3] * (1 - t * t);
            flow.in[0] = dc * k.gate[2] * k.gate[0] * (1 - k.gate[0]);
            flow.in[1] = dc * before.cell * k.gate[1] * (1 - k.gate[1]);
            flow.in[2] = dc * k.gate[0] * (1 - k.gate[2] * k.gate[2]);
            flow.in[3] = dHidden * t * k.gate[3] * (1 - k.gate[3]);
            std::copy(std::begin(flow.in), std::end(flow.in), std::begin(flow.rec));
            flow.cell = dc * k.gate[1];
            break;
        }
        case RecurrentCell::Gru:
            flow.in[0] = dHidden * (before.hidden - k.gate[2]) * k.gate[0] * (1 - k.gate[0]);
            flow.in[2] = dHidden * (1 - k.gate[0]) * (1 - k.gate[2] * k.gate[2]);
            flow.in[1] = flow.in[2] * k.extra * k.gate[1] * (1 - k.gate[1]);
            flow.rec[0] = flow.in[0];
            flow.rec[1] = flow.in[1];
            flow.rec[2] = flow.in[2] * k.gate[1];
            flow.hidden = dHidden * k.gate[0];
            break;
        case RecurrentCell::Rnn:
            flow.in[0] = flow.rec[0] = dHidden * (1 - k.hidden * k.hidden);
            break;
    }
    return flow;
}

}  // namespace steelyard::compute::reference
