// SPDX-License-Identifier: Apache-2.0
#include "engine/model/array/array_gradient.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/model/layer.h"

namespace steelyard::model {
namespace {

// Windows are processed one tap at a time.
constexpr std::int64_t kMostTaps = 32;
// Steps of a recurrent layer are processed one at a time, too, each by some 20 operations.
constexpr std::int64_t kMostSteps = 512;

bool isWanted(const std::vector<bool>& wanted, std::size_t input) {
    return input < wanted.size() && wanted[input];
}

// No element is read twice, except along axes of stride 0.
bool readsApart(const Rearrange& l) {
    std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, extent
    for (std::size_t d = 0; d < l.extents.size(); ++d)
        if (l.extents[d] > 1 && l.strides[d] != 0) axes.emplace_back(std::abs(l.strides[d]), l.extents[d]);
    std::sort(axes.begin(), axes.end());
    std::int64_t reach = 1;
    for (const auto& [stride, extent] : axes) {
        if (stride < reach) return false;
        reach += (extent - 1) * stride;
    }
    return true;
}

struct HasGradient {
    const std::vector<Shape>& inputs;
    const Shape& output;
    const std::vector<bool>& wanted;

    bool operator()(const Map& map) const {
        switch (map.kind) {
            case MapKind::Pow:
            case MapKind::Max:
            case MapKind::Min:
                return inputs.size() <= 2 && (map.kind != MapKind::Pow || !isWanted(wanted, 1));
            case MapKind::Identity:
            case MapKind::Neg:
            case MapKind::Abs:
            case MapKind::Exp:
            case MapKind::Log:
            case MapKind::Sqrt:
            case MapKind::Reciprocal:
            case MapKind::Erf:
            case MapKind::Sin:
            case MapKind::Cos:
            case MapKind::Tan:
            case MapKind::Atan:
            case MapKind::Sinh:
            case MapKind::Cosh:
            case MapKind::Tanh:
            case MapKind::Sigmoid:
            case MapKind::Relu:
            case MapKind::Gelu:
            case MapKind::GeluTanh:
            case MapKind::Softplus:
            case MapKind::Softsign:
            case MapKind::Elu:
            case MapKind::LeakyRelu:
            case MapKind::HardSigmoid:
            case MapKind::HardSwish:
            case MapKind::Clip:
            case MapKind::Scale:
            case MapKind::Add:
            case MapKind::Sub:
            case MapKind::Mul:
            case MapKind::Div:
            case MapKind::Mean:
            case MapKind::PRelu:
            case MapKind::Where:
                return true;
            default:
                return false;
        }
    }
    bool operator()(const Rearrange& l) const { return readsApart(l); }
    bool operator()(const PadArray& l) const { return l.mode == PadMode::Constant; }
    bool operator()(const JoinArrays& /*all*/) const { return true; }
    bool operator()(const Reduce& l) const {
        using K = ReduceKind;
        return l.kind == K::Sum || l.kind == K::Mean || l.kind == K::Max || l.kind == K::Min || l.kind == K::L1 ||
               l.kind == K::L2 || l.kind == K::SumSquare || l.kind == K::LogSumExp;
    }
    bool operator()(const LookUp& l) const {
        if (l.kind == LookUpKind::Axis) return l.axis == 0;
        return l.kind == LookUpKind::Elements || l.batchDimensions == 0;
    }
    bool operator()(const Scatter& /*none*/) const { return false; }
    bool operator()(const MatrixProduct& /*all*/) const { return true; }
    bool operator()(const SoftmaxAlong& /*all*/) const { return true; }
    bool operator()(const ConvolveNd& l) const { return l.groups == 1 || !isWanted(wanted, 1); }
    bool operator()(const PoolNd& l) const {
        const auto spatial = Shape(output.begin() + 2, output.end());
        if (elementCount(l.kernel) > kMostTaps || l.kind == WindowKind::L2) return false;
        if (l.kind == WindowKind::Max) return true;
        // Averages over equally many elements.
        for (std::size_t d = 0; d < spatial.size(); ++d) {
            const auto reached = (spatial[d] - 1) * l.stride[d] + (l.kernel[d] - 1) * l.dilation[d] + 1;
            const auto within = inputs[0][d + 2] + (l.countPadding ? l.before[d] + l.after[d] : 0);
            if (reached > within || (!l.countPadding && l.before[d] != 0)) return false;
        }
        return true;
    }
    bool operator()(const ResizeArray& /*all are linear*/) const { return true; }
    bool operator()(const Normalise& l) const {
        using K = NormaliseKind;
        return l.kind == K::Instance || l.kind == K::Group || l.kind == K::Layer || l.kind == K::RootMeanSquare ||
               (l.kind == K::LocalResponse && l.size <= kMostTaps);
    }
    bool operator()(const RecurrentPass& l) const {
        return l.activations.empty() && !l.hasLengths && !l.hasPeepholes && !l.inputForget && l.clip == 0 &&
               inputs[0][0] <= kMostSteps;
    }
    bool operator()(const CumulativeSum& /*all*/) const { return true; }
    bool operator()(const Triangle& /*all*/) const { return true; }
    bool operator()(const AttendArrays& /*all*/) const { return true; }
};

}  // namespace

bool passesGradient(const ArrayOperation& operation) {
    if (const auto* reduce = std::get_if<Reduce>(&operation))
        return reduce->kind != ReduceKind::ArgMax && reduce->kind != ReduceKind::ArgMin;
    const auto* map = std::get_if<Map>(&operation);
    if (map == nullptr) return true;
    switch (map->kind) {
        case MapKind::Floor:
        case MapKind::Ceil:
        case MapKind::Round:
        case MapKind::Sign:
        case MapKind::Truncate:
        case MapKind::ToBool:
        case MapKind::Not:
        case MapKind::IsNaN:
        case MapKind::IsInf:
        case MapKind::IntegerDiv:
        case MapKind::And:
        case MapKind::Or:
        case MapKind::Xor:
        case MapKind::Equal:
        case MapKind::Less:
        case MapKind::LessOrEqual:
        case MapKind::Greater:
        case MapKind::GreaterOrEqual:
            return false;
        default:
            return true;
    }
}

bool hasGradient(const ArrayOperation& operation, const std::vector<Shape>& inputs, const Shape& output,
                 const std::vector<bool>& wanted) {
    return std::none_of(wanted.begin(), wanted.end(), [](bool one) { return one; }) ||
           std::visit(HasGradient{inputs, output, wanted}, operation);
}

bool repeatsElements(const ResizeArray& l, const Shape& input, const Shape& output) {
    if (l.mode != ResizeMode::Nearest) return false;
    const bool rounds = l.nearest == Nearest::RoundPreferFloor || l.nearest == Nearest::RoundPreferCeil;
    const bool centres = l.coordinates == Coordinates::HalfPixel || l.coordinates == Coordinates::PytorchHalfPixel ||
                         l.coordinates == Coordinates::HalfPixelSymmetric;
    const bool corners = l.coordinates == Coordinates::Asymmetric && l.nearest == Nearest::Floor;
    if (!corners && !(centres && rounds)) return false;
    for (std::size_t d = 0; d < input.size(); ++d) {
        if (input[d] < 1 || output[d] % input[d] != 0) return false;
        const auto factor = static_cast<double>(output[d] / input[d]);
        if (d < l.scales.size() && std::abs(l.scales[d] - factor) > 1e-9 * factor) return false;
    }
    return true;
}

}  // namespace steelyard::model
