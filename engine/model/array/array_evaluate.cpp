// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "engine/model/array/array_layer.h"
#include "engine/model/array/map_math.h"
#include "engine/model/array/resize_taps.h"
#include "engine/model/array/strides.h"

namespace steelyard::model {
namespace {

using Views = std::vector<ArrayView>;
using Values = std::vector<double>;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  // index out of range

std::int64_t countOf(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Strides of an operand in the coordinates of the result; 0 for broadcast dimensions.
Shape broadcastStrides(const Shape& operand, const Shape& result) {
    Shape strides(result.size(), 0);
    const auto own = rowMajorStrides(operand);
    const auto lead = result.size() - operand.size();
    for (std::size_t i = 0; i < operand.size(); ++i) strides[lead + i] = operand[i] == 1 ? 0 : own[i];
    return strides;
}

// Calls visit(index, coordinates) for every element of `shape` in row-major order.
template <class Visit>
void forEach(const Shape& shape, const Visit& visit) {
    const auto count = countOf(shape);
    Shape at(shape.size(), 0);
    for (std::int64_t i = 0; i < count; ++i) {
        visit(i, at);
        for (std::size_t d = shape.size(); d-- > 0;) {
            if (++at[d] < shape[d]) break;
            at[d] = 0;
        }
    }
}

std::int64_t dot(const Shape& a, const Shape& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0});
}

bool run(const Map& map, const Views& in, const Shape& shape, Values& y) {
    if (map.kind < MapKind::Add) {
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = unaryValue(map.kind, in[0].values[i], map.alpha, map.beta);
        return true;
    }
    std::vector<Shape> strides;
    for (const auto& view : in) strides.push_back(broadcastStrides(view.shape, shape));
    forEach(shape, [&](std::int64_t i, const Shape& at) {
        double value = in[0].values[dot(at, strides[0])];
        if (map.kind == MapKind::Where) {
            const auto chosen = value != 0 ? 1U : 2U;
            value = in[chosen].values[dot(at, strides[chosen])];
        } else {
            for (std::size_t k = 1; k < in.size(); ++k)
                value = binaryValue(map.kind, value, in[k].values[dot(at, strides[k])]);
            if (map.kind == MapKind::Mean) value /= static_cast<double>(in.size());
        }
        y[static_cast<std::size_t>(i)] = value;
    });
    return true;
}

bool run(const Rearrange& l, const Views& in, const Shape& /*shape*/, Values& y) {
    forEach(l.extents, [&](std::int64_t i, const Shape& at) {
        y[static_cast<std::size_t>(i)] = in[0].values[l.offset + dot(at, l.strides)];
    });
    return true;
}

bool run(const PadArray& l, const Views& in, const Shape& shape, Values& y) {
    const auto& from = in[0].shape;
    const auto strides = rowMajorStrides(from);
    forEach(shape, [&](std::int64_t i, const Shape& at) {
        std::int64_t source = 0;
        bool inside = true;
        for (std::size_t d = 0; d < at.size(); ++d) {
            auto place = at[d] - l.before[d];
            const auto extent = from[d];
            if (place < 0 || place >= extent) {
                if (l.mode == PadMode::Constant) inside = false;
                if (l.mode == PadMode::Edge) place = std::clamp<std::int64_t>(place, 0, extent - 1);
                if (l.mode == PadMode::Reflect) place = place < 0 ? -place : 2 * (extent - 1) - place;
                if (l.mode == PadMode::Wrap) place = ((place % extent) + extent) % extent;
            }
            source += place * strides[d];
        }
        y[static_cast<std::size_t>(i)] = inside ? in[0].values[source] : l.value;
    });
    return true;
}

// An array viewed along one axis: outer x extent x inner.
struct Along {
    std::int64_t outer = 1, extent = 1, inner = 1;
    Along(const Shape& shape, std::int64_t axis) {
        for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.size()); ++d)
            (d < axis ? outer : d == axis ? extent : inner) *= shape[static_cast<std::size_t>(d)];
    }
};

bool run(const JoinArrays& l, const Views& in, const Shape& shape, Values& y) {
    const Along whole(shape, l.axis);
    std::int64_t first = 0;
    for (const auto& view : in) {
        const Along part(view.shape, l.axis);
        const auto block = part.extent * part.inner;
        for (std::int64_t o = 0; o < part.outer; ++o)
            std::copy_n(view.values + o * block, block, y.begin() + o * whole.extent * whole.inner + first);
        first += block;
    }
    return true;
}

class Accumulator {
public:
    explicit Accumulator(const Reduce& l) : m_kind(l.kind), m_last(l.lastIndex) {
        using K = ReduceKind;
        if (m_kind == K::Prod) m_value = 1;
        if (m_kind == K::Max || m_kind == K::ArgMax || m_kind == K::LogSumExp) m_value = -kInfinity;
        if (m_kind == K::Min || m_kind == K::ArgMin) m_value = kInfinity;
    }
    void add(double x) {
        using K = ReduceKind;
        switch (m_kind) {
            case K::Prod:
                m_value *= x;
                break;
            case K::Max:
                m_value = std::isnan(x) ? x : std::max(m_value, x);
                break;
            case K::Min:
                m_value = std::isnan(x) ? x : std::min(m_value, x);
                break;
            case K::L1:
                m_value += std::abs(x);
                break;
            case K::L2:
            case K::SumSquare:
                m_value += x * x;
                break;
            case K::LogSumExp: {  // as maximum and scaled sum
                if (x > m_value) {
                    m_sum = m_value == -kInfinity ? 1 : m_sum * std::exp(m_value - x) + 1;
                    m_value = x;
                } else if (x != -kInfinity) {
                    m_sum += std::exp(x - m_value);
                }
                break;
            }
            case K::ArgMax:
                if (x > m_value || m_count == 0 || (m_last && x == m_value)) m_value = x, m_index = m_count;
                break;
            case K::ArgMin:
                if (x < m_value || m_count == 0 || (m_last && x == m_value)) m_value = x, m_index = m_count;
                break;
            default:
                m_value += x;
        }
        ++m_count;
    }
    [[nodiscard]] double result() const {
        using K = ReduceKind;
        switch (m_kind) {
            case K::Mean:
                return m_value / static_cast<double>(m_count);
            case K::L2:
                return std::sqrt(m_value);
            case K::LogSum:
                return std::log(m_value);
            case K::LogSumExp:
                return m_count == 0 || m_value == -kInfinity ? -kInfinity : m_value + std::log(m_sum);
            case K::ArgMax:
            case K::ArgMin:
                return static_cast<double>(m_index);
            default:
                return m_value;
        }
    }

private:
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ReduceKind m_kind;
    bool m_last;
    double m_value = 0, m_sum = 0;
    std::int64_t m_count = 0, m_index = 0;
};

bool run(const Reduce& l, const Views& in, const Shape& /*shape*/, Values& y) {
    Shape strides(in[0].shape.size(), 0);
    std::int64_t next = 1;
    for (std::size_t d = strides.size(); d-- > 0;) {
        if (std::find(l.axes.begin(), l.axes.end(), static_cast<std::int64_t>(d)) != l.axes.end()) continue;
        strides[d] = next;
        next *= in[0].shape[d];
    }
    std::vector<Accumulator> sums(y.size(), Accumulator(l));
    forEach(in[0].shape, [&](std::int64_t i, const Shape& at) {
        sums[static_cast<std::size_t>(dot(at, strides))].add(in[0].values[i]);
    });
    std::transform(sums.begin(), sums.end(), y.begin(), [](const Accumulator& sum) { return sum.result(); });
    return true;
}

// The index with negative values resolved, or -1.
std::int64_t indexOf(double value, std::int64_t extent) {
    if (!(value >= -static_cast<double>(extent) && value < static_cast<double>(extent))) return -1;
    const auto index = static_cast<std::int64_t>(value);
    return index < 0 ? index + extent : index;
}

bool run(const LookUp& l, const Views& in, const Shape& /*shape*/, Values& y) {
    const auto& data = in[0];
    const auto& indices = in[1];
    const auto strides = rowMajorStrides(data.shape);
    bool inRange = true;
    if (l.kind == LookUpKind::Elements) {
        const auto axis = static_cast<std::size_t>(l.axis);
        forEach(indices.shape, [&](std::int64_t i, const Shape& at) {
            const auto index = indexOf(indices.values[i], data.shape[axis]);
            auto& to = y[static_cast<std::size_t>(i)];
            if (index < 0) {
                to = kNothing;
                inRange = false;
            } else {
                to = data.values[dot(at, strides) + (index - at[axis]) * strides[axis]];
            }
        });
        return inRange;
    }
    if (l.kind == LookUpKind::Axis) {
        const Along along(data.shape, l.axis);
        const auto count = countOf(indices.shape);
        for (std::int64_t o = 0; o < along.outer; ++o) {
            for (std::int64_t i = 0; i < count; ++i) {
                const auto index = indexOf(indices.values[i], along.extent);
                const auto to = y.begin() + (o * count + i) * along.inner;
                if (index < 0) {
                    std::fill_n(to, along.inner, kNothing);
                    inRange = false;
                } else {
                    std::copy_n(data.values + (o * along.extent + index) * along.inner, along.inner, to);
                }
            }
        }
        return inRange;
    }
    const auto batch = static_cast<std::size_t>(l.batchDimensions);
    const auto depth = static_cast<std::size_t>(indices.shape.back());
    const auto rows = depth == 0 ? countOf(Shape(indices.shape.begin(), indices.shape.end() - 1))
                                 : countOf(indices.shape) / static_cast<std::int64_t>(depth);
    const auto rowsPerBatch =
        rows / std::max<std::int64_t>(
                   1, countOf(Shape(data.shape.begin(), data.shape.begin() + static_cast<std::ptrdiff_t>(batch))));
    const auto length =
        countOf(Shape(data.shape.begin() + static_cast<std::ptrdiff_t>(batch + depth), data.shape.end()));
    const auto sample = countOf(Shape(data.shape.begin() + static_cast<std::ptrdiff_t>(batch), data.shape.end()));
    for (std::int64_t r = 0; r < rows; ++r) {
        std::int64_t from = r / std::max<std::int64_t>(1, rowsPerBatch) * sample;
        for (std::size_t d = 0; d < depth; ++d) {
            const auto index = indexOf(indices.values[static_cast<std::size_t>(r) * depth + d], data.shape[batch + d]);
            if (index < 0) {
                from = -1;
                break;
            }
            from += index * strides[batch + d];
        }
        if (from < 0) {
            std::fill_n(y.begin() + r * length, length, kNothing);
            inRange = false;
        } else {
            std::copy_n(data.values + from, length, y.begin() + r * length);
        }
    }
    return inRange;
}

void combine(ScatterReduction reduction, double& target, double value) {
    switch (reduction) {
        case ScatterReduction::None:
            target = value;
            break;
        case ScatterReduction::Add:
            target += value;
            break;
        case ScatterReduction::Mul:
            target *= value;
            break;
        case ScatterReduction::Max:
            target = std::max(target, value);
            break;
        case ScatterReduction::Min:
            target = std::min(target, value);
            break;
    }
}

bool run(const Scatter& l, const Views& in, const Shape& shape, Values& y) {
    const auto strides = rowMajorStrides(shape);
    std::copy_n(in[0].values, y.size(), y.begin());
    const auto& indices = in[1];
    bool inRange = true;
    if (l.kind == ScatterKind::Elements) {
        const auto axis = static_cast<std::size_t>(l.axis);
        forEach(indices.shape, [&](std::int64_t i, const Shape& at) {
            const auto index = indexOf(indices.values[i], shape[axis]);
            if (index < 0) return (void)(inRange = false);
            const auto to = dot(at, strides) + (index - at[axis]) * strides[axis];
            combine(l.reduction, y[static_cast<std::size_t>(to)], in[2].values[i]);
        });
        return inRange;
    }
    const auto depth = indices.shape.back();
    const auto rows = countOf(Shape(indices.shape.begin(), indices.shape.end() - 1));
    const auto length = countOf(Shape(shape.begin() + depth, shape.end()));
    for (std::int64_t r = 0; r < rows; ++r) {
        std::int64_t to = 0;
        for (std::int64_t d = 0; d < depth; ++d) {
            const auto index = indexOf(indices.values[r * depth + d], shape[static_cast<std::size_t>(d)]);
            if (index < 0) {
                to = -1;
                break;
            }
            to += index * strides[static_cast<std::size_t>(d)];
        }
        if (to < 0) inRange = false;
        for (std::int64_t i = 0; i < length && to >= 0; ++i)
            combine(l.reduction, y[static_cast<std::size_t>(to + i)], in[2].values[r * length + i]);
    }
    return inRange;
}

bool run(const MatrixProduct&, const Views& in, const Shape& shape, Values& y) {
    auto a = in[0].shape, b = in[1].shape;
    auto c = shape;
    if (b.size() == 1) {
        b.push_back(1);
        c.push_back(1);
    }
    if (a.size() == 1) {
        a.insert(a.begin(), 1);
        c.insert(c.end() - 1, 1);
    }
    const auto m = a[a.size() - 2], k = a.back(), n = b.back();
    const Shape lead(c.begin(), c.end() - 2);
    const auto aStrides = broadcastStrides(Shape(a.begin(), a.end() - 2), lead);
    const auto bStrides = broadcastStrides(Shape(b.begin(), b.end() - 2), lead);
    forEach(lead, [&](std::int64_t i, const Shape& at) {
        const auto* left = in[0].values + dot(at, aStrides) * m * k;
        const auto* right = in[1].values + dot(at, bStrides) * k * n;
        auto* to = y.data() + i * m * n;
        std::fill_n(to, m * n, 0.0);
        for (std::int64_t r = 0; r < m; ++r)
            for (std::int64_t p = 0; p < k; ++p)
                for (std::int64_t s = 0; s < n; ++s) to[r * n + s] += left[r * k + p] * right[p * n + s];
    });
    return true;
}

bool run(const AttendArrays& l, const Views& in, const Shape& shape, Values& y) {
    const auto& q = in[0].shape;
    const auto tokens = q[q.size() - 2], depth = q.back(), keys = in[1].shape.back(), width = shape.back();
    auto scoreShape = q;
    scoreShape.back() = keys;
    std::vector<Shape> strides;
    for (std::size_t m = 3; m < in.size(); ++m) strides.push_back(broadcastStrides(in[m].shape, scoreShape));
    Shape rows(scoreShape.begin(), scoreShape.end() - 1);
    Values row(static_cast<std::size_t>(keys));
    forEach(rows, [&](std::int64_t r, const Shape& at) {
        const auto matrix = r / tokens;
        const auto* query = in[0].values + r * depth;
        double top = -std::numeric_limits<double>::infinity(), sum = 0;
        for (std::int64_t s = 0; s < keys; ++s) {
            double score = 0;
            for (std::int64_t d = 0; d < depth; ++d) score += query[d] * in[1].values[(matrix * depth + d) * keys + s];
            score *= l.scale;
            for (std::size_t m = 3; m < in.size(); ++m) {
                const auto& stride = strides[m - 3];
                score += in[m].values[std::inner_product(at.begin(), at.end(), stride.begin(), s * stride.back())];
            }
            row[static_cast<std::size_t>(s)] = score;
            top = std::max(top, score);
        }
        for (auto& score : row) sum += score = std::exp(score - top);
        for (std::int64_t e = 0; e < width; ++e) {
            double value = 0;
            for (std::int64_t s = 0; s < keys; ++s)
                value += row[static_cast<std::size_t>(s)] * in[2].values[(matrix * keys + s) * width + e];
            y[static_cast<std::size_t>(r * width + e)] = value / sum;
        }
    });
    return true;
}

bool run(const SoftmaxAlong& l, const Views& in, const Shape& shape, Values& y) {
    const Along along(shape, l.axis);
    for (std::int64_t o = 0; o < along.outer; ++o) {
        for (std::int64_t j = 0; j < along.inner; ++j) {
            const auto first = o * along.extent * along.inner + j;
            const auto* x = in[0].values + first;
            double top = -std::numeric_limits<double>::infinity(), sum = 0;
            for (std::int64_t i = 0; i < along.extent; ++i) top = std::max(top, x[i * along.inner]);
            for (std::int64_t i = 0; i < along.extent; ++i) sum += std::exp(x[i * along.inner] - top);
            for (std::int64_t i = 0; i < along.extent; ++i) {
                const double shifted = x[i * along.inner] - top;
                y[static_cast<std::size_t>(first + i * along.inner)] =
                    l.logarithm ? shifted - std::log(sum) : std::exp(shifted) / sum;
            }
        }
    }
    return true;
}

bool run(const ConvolveNd& l, const Views& in, const Shape& shape, Values& y) {
    const auto& x = in[0].shape;
    const Shape inSpace(x.begin() + 2, x.end()), outSpace(shape.begin() + 2, shape.end());
    const auto inStrides = rowMajorStrides(inSpace), outStrides = rowMajorStrides(outSpace);
    const auto inPixels = countOf(inSpace), outPixels = countOf(outSpace), taps = countOf(l.kernel);
    const auto inChannels = x[1], outChannels = shape[1];
    const auto inGroup = inChannels / l.groups, outGroup = outChannels / l.groups;
    for (std::int64_t b = 0; b < shape[0]; ++b)
        for (std::int64_t k = 0; k < outChannels; ++k)
            std::fill_n(y.begin() + (b * outChannels + k) * outPixels, outPixels,
                        in.size() == 3 ? in[2].values[k] : 0.0);
    // Iterates over the strided side's counterpart: outputs of a convolution, inputs of a transposed one.
    const auto& walked = l.transposed ? inSpace : outSpace;
    const auto& reached = l.transposed ? outSpace : inSpace;
    const auto& reachedStrides = l.transposed ? outStrides : inStrides;
    forEach(l.kernel, [&](std::int64_t tap, const Shape& offset) {
        forEach(walked, [&](std::int64_t pixel, const Shape& at) {
            std::int64_t other = 0;
            for (std::size_t d = 0; d < at.size(); ++d) {
                const auto place = at[d] * l.stride[d] + offset[d] * l.dilation[d] - l.before[d];
                if (place < 0 || place >= reached[d]) return;
                other += place * reachedStrides[d];
            }
            const auto from = l.transposed ? pixel : other, to = l.transposed ? other : pixel;
            for (std::int64_t b = 0; b < shape[0]; ++b)
                for (std::int64_t k = 0; k < outChannels; ++k) {
                    const auto group = k / outGroup;
                    double sum = 0;
                    for (std::int64_t c = 0; c < inGroup; ++c) {
                        const auto weight =
                            l.transposed ? ((group * inGroup + c) * outGroup + k % outGroup) : (k * inGroup + c);
                        sum += in[0].values[(b * inChannels + group * inGroup + c) * inPixels + from] *
                               in[1].values[weight * taps + tap];
                    }
                    y[static_cast<std::size_t>((b * outChannels + k) * outPixels + to)] += sum;
                }
        });
    });
    return true;
}

bool run(const PoolNd& l, const Views& in, const Shape& shape, Values& y) {
    const auto& x = in[0].shape;
    const Shape inSpace(x.begin() + 2, x.end()), outSpace(shape.begin() + 2, shape.end());
    const auto strides = rowMajorStrides(inSpace);
    const auto inPixels = countOf(inSpace), outPixels = countOf(outSpace);
    for (std::int64_t plane = 0; plane < shape[0] * shape[1]; ++plane) {
        const auto* from = in[0].values + plane * inPixels;
        forEach(outSpace, [&](std::int64_t pixel, const Shape& at) {
            double sum = l.kind == WindowKind::Max ? -std::numeric_limits<double>::infinity() : 0;
            std::int64_t seen = 0, counted = 0;
            forEach(l.kernel, [&](std::int64_t /*tap*/, const Shape& offset) {
                std::int64_t other = 0;
                bool inside = true, padded = true;
                for (std::size_t d = 0; d < at.size(); ++d) {
                    const auto place = at[d] * l.stride[d] + offset[d] * l.dilation[d] - l.before[d];
                    inside = inside && place >= 0 && place < inSpace[d];
                    padded = padded && place < inSpace[d] + l.after[d];
                    other += place * strides[d];
                }
                if (padded) ++counted;
                if (!inside) return;
                ++seen;
                if (l.kind == WindowKind::Max) sum = std::max(sum, from[other]);
                if (l.kind == WindowKind::Average) sum += from[other];
                if (l.kind == WindowKind::L2) sum += std::pow(std::abs(from[other]), l.power);
            });
            if (l.kind == WindowKind::Average)
                sum /= static_cast<double>(std::max<std::int64_t>(1, l.countPadding ? counted : seen));
            if (l.kind == WindowKind::L2) sum = std::pow(sum, 1 / l.power);
            y[static_cast<std::size_t>(plane * outPixels + pixel)] = sum;
        });
    }
    return true;
}

double sourceOf(const ResizeArray& l, std::int64_t out, double scale, std::int64_t from, std::int64_t to) {
    const auto x = static_cast<double>(out);
    switch (l.coordinates) {
        case Coordinates::HalfPixel:
            return (x + 0.5) / scale - 0.5;
        case Coordinates::PytorchHalfPixel:
            return to > 1 ? (x + 0.5) / scale - 0.5 : 0;
        case Coordinates::AlignCorners:
            return to > 1 ? x * static_cast<double>(from - 1) / (scale * static_cast<double>(from) - 1) : 0;
        case Coordinates::Asymmetric:
            return x / scale;
        case Coordinates::HalfPixelSymmetric: {
            const double adjustment = static_cast<double>(to) / (scale * static_cast<double>(from));
            const double centre = static_cast<double>(from) / 2;
            return centre * (1 - adjustment) + (x + 0.5) / scale - 0.5;
        }
    }
    return x;
}

// One dimension at a time: all modes are separable.
bool run(const ResizeArray& l, const Views& in, const Shape& shape, Values& y) {
    Values values(in[0].values, in[0].values + countOf(in[0].shape));
    auto current = in[0].shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (current[d] == shape[d] && l.scales[d] == 1) continue;
        const Along from(current, static_cast<std::int64_t>(d));
        const auto extent = shape[d];
        Values resized(static_cast<std::size_t>(from.outer * extent * from.inner));
        for (std::int64_t i = 0; i < extent; ++i) {
            const auto taps = resizeTaps(l, i, l.scales[d], from.extent, extent);
            for (std::int64_t o = 0; o < from.outer; ++o)
                for (std::int64_t j = 0; j < from.inner; ++j) {
                    double sum = 0;
                    for (std::size_t t = 0; t < taps.places.size(); ++t)
                        sum += taps.weights[t] *
                               values[static_cast<std::size_t>((o * from.extent + taps.places[t]) * from.inner + j)];
                    resized[static_cast<std::size_t>((o * extent + i) * from.inner + j)] = sum;
                }
        }
        values = std::move(resized);
        current[d] = extent;
    }
    y = std::move(values);
    return true;
}

// (x - mean) / sqrt(variance + epsilon) of `count` values; for RMS normalisation the mean is zero.
void standardise(const double* x, double* y, std::int64_t count, double epsilon, bool centred) {
    double mean = 0, squares = 0;
    if (centred) {
        for (std::int64_t i = 0; i < count; ++i) mean += x[i];
        mean /= static_cast<double>(count);
    }
    for (std::int64_t i = 0; i < count; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const double factor = 1 / std::sqrt(squares / static_cast<double>(count) + epsilon);
    for (std::int64_t i = 0; i < count; ++i) y[i] = (x[i] - mean) * factor;
}

void normaliseChannels(const Normalise& l, const Views& in, const Shape& shape, Values& y) {
    const Along along(shape, 1);
    const auto groups = l.kind == NormaliseKind::Group ? l.groups : along.extent;
    const auto size = along.extent / groups * along.inner;
    for (std::int64_t g = 0; g < along.outer * groups; ++g)
        standardise(in[0].values + g * size, y.data() + g * size, size, l.epsilon, true);
    if (in.size() < 3) return;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(y.size()); ++i) {
        const auto channel = i / along.inner % along.extent;
        auto& value = y[static_cast<std::size_t>(i)];
        value = value * in[1].values[channel] + in[2].values[channel];
    }
}

void normaliseResponse(const Normalise& l, const Views& in, const Shape& shape, Values& y) {
    const Along along(shape, 1);
    const auto before = (l.size - 1) / 2, after = l.size - 1 - before;
    for (std::int64_t o = 0; o < along.outer; ++o)
        for (std::int64_t c = 0; c < along.extent; ++c)
            for (std::int64_t i = 0; i < along.inner; ++i) {
                double squares = 0;
                for (auto k = std::max<std::int64_t>(0, c - before); k <= std::min(along.extent - 1, c + after); ++k) {
                    const double x = in[0].values[(o * along.extent + k) * along.inner + i];
                    squares += x * x;
                }
                const auto at = (o * along.extent + c) * along.inner + i;
                y[static_cast<std::size_t>(at)] =
                    in[0].values[at] / std::pow(l.bias + l.alpha / static_cast<double>(l.size) * squares, l.beta);
            }
}

void normaliseLength(const Normalise& l, const Views& in, const Shape& shape, Values& y) {
    const Along along(shape, l.axis);
    for (std::int64_t o = 0; o < along.outer; ++o)
        for (std::int64_t i = 0; i < along.inner; ++i) {
            const auto first = o * along.extent * along.inner + i;
            double sum = 0;
            for (std::int64_t c = 0; c < along.extent; ++c)
                sum += std::pow(std::abs(in[0].values[first + c * along.inner]), l.power);
            const double length = std::pow(sum, 1 / l.power);
            for (std::int64_t c = 0; c < along.extent; ++c)
                y[static_cast<std::size_t>(first + c * along.inner)] =
                    length == 0 ? 0 : in[0].values[first + c * along.inner] / length;
        }
}

void normaliseMoments(const Normalise& l, const Views& in, const Shape& shape, Values& y) {
    const auto whole = static_cast<double>(y.size());
    Values mean, square;
    Shape reduced = shape;
    for (auto axis : l.axes) reduced[static_cast<std::size_t>(axis)] = 1;
    mean.assign(static_cast<std::size_t>(countOf(reduced)), 0);
    square = mean;
    const auto strides = broadcastStrides(reduced, shape);
    const double count = whole / static_cast<double>(mean.size());
    forEach(shape, [&](std::int64_t i, const Shape& at) {
        const auto to = static_cast<std::size_t>(dot(at, strides));
        mean[to] += in[0].values[i] / count;
        square[to] += in[0].values[i] * in[0].values[i] / count;
    });
    forEach(shape, [&](std::int64_t i, const Shape& at) {
        const auto from = static_cast<std::size_t>(dot(at, strides));
        y[static_cast<std::size_t>(i)] =
            (in[0].values[i] - mean[from]) / (std::sqrt(square[from] - mean[from] * mean[from]) + l.epsilon);
    });
}

bool run(const Normalise& l, const Views& in, const Shape& shape, Values& y) {
    switch (l.kind) {
        case NormaliseKind::Instance:
        case NormaliseKind::Group:
            normaliseChannels(l, in, shape, y);
            return true;
        case NormaliseKind::LocalResponse:
            normaliseResponse(l, in, shape, y);
            return true;
        case NormaliseKind::Lp:
            normaliseLength(l, in, shape, y);
            return true;
        case NormaliseKind::MeanVariance:
            normaliseMoments(l, in, shape, y);
            return true;
        default:
            break;
    }
    const auto size = countOf(Shape(shape.begin() + l.axis, shape.end()));
    const auto rows = static_cast<std::int64_t>(y.size()) / std::max<std::int64_t>(1, size);
    for (std::int64_t r = 0; r < rows; ++r)
        standardise(in[0].values + r * size, y.data() + r * size, size, l.epsilon, l.kind == NormaliseKind::Layer);
    for (std::size_t k = 1; k < in.size(); ++k) {
        const auto strides = broadcastStrides(in[k].shape, shape);
        forEach(shape, [&](std::int64_t i, const Shape& at) {
            const double factor = in[k].values[dot(at, strides)];
            auto& value = y[static_cast<std::size_t>(i)];
            value = k == 1 ? value * factor : value + factor;
        });
    }
    return true;
}

// One direction of a recurrent layer, over one sample.
class Pass {
public:
    Pass(const RecurrentPass& l, const Views& in, std::int64_t direction) : m_l(l), m_direction(direction) {
        m_gates = l.cell == PassCell::Lstm ? 4 : l.cell == PassCell::Gru ? 3 : 1;
        m_steps = in[0].shape[0];
        m_batch = in[0].shape[1];
        m_features = in[0].shape[2];
        m_x = in[0].values;
        m_w = in[1].values + direction * m_gates * l.units * m_features;
        m_r = in[2].values + direction * m_gates * l.units * l.units;
        std::size_t next = 3;
        if (l.hasBias) m_bias = in[next++].values + direction * 2 * m_gates * l.units;
        if (l.hasLengths) m_lengths = in[next++].values;
        if (l.hasHidden) m_hidden = in[next++].values + direction * m_batch * l.units;
        if (l.hasCell) m_cell = in[next++].values + direction * m_batch * l.units;
        if (l.hasPeepholes) m_peepholes = in[next++].values + direction * 3 * l.units;
    }

    void run(std::int64_t sample, std::int64_t directions, Values& y) const {
        const auto units = m_l.units;
        Values h(static_cast<std::size_t>(units), 0), c = h;
        if (m_hidden != nullptr) std::copy_n(m_hidden + sample * units, units, h.begin());
        if (m_cell != nullptr) std::copy_n(m_cell + sample * units, units, c.begin());
        const auto length = m_lengths == nullptr
                                ? m_steps
                                : std::clamp<std::int64_t>(static_cast<std::int64_t>(m_lengths[sample]), 0, m_steps);
        const bool reverse = m_l.direction == PassDirection::Reverse || m_direction == 1;
        for (std::int64_t s = 0; s < length; ++s) {
            const auto t = reverse ? length - 1 - s : s;
            step(m_x + (t * m_batch + sample) * m_features, h, c);
            std::copy(h.begin(), h.end(), y.begin() + ((t * directions + m_direction) * m_batch + sample) * units);
        }
        const auto all = m_steps * directions * m_batch * units;
        const auto last = (m_direction * m_batch + sample) * units;
        std::copy(h.begin(), h.end(), y.begin() + all + last);
        if (m_l.cell == PassCell::Lstm)
            std::copy(c.begin(), c.end(), y.begin() + all + directions * m_batch * units + last);
    }

private:
    static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
    [[nodiscard]] double clipped(double x) const { return m_l.clip > 0 ? std::clamp(x, -m_l.clip, m_l.clip) : x; }
    [[nodiscard]] double activated(std::int64_t which, double x) const {
        const std::int64_t each = m_l.cell == PassCell::Lstm ? 3 : m_l.cell == PassCell::Gru ? 2 : 1;
        const auto index = at(m_direction * each + which);
        auto kind = m_l.cell == PassCell::Rnn || which > 0 ? MapKind::Tanh : MapKind::Sigmoid;
        if (index < m_l.activations.size()) kind = m_l.activations[index];
        Map map{kind, 0, 0};
        if (kind == MapKind::HardSigmoid) map = {kind, 0.2, 0.5};
        if (kind == MapKind::LeakyRelu) map.alpha = 0.01;
        if (kind == MapKind::Elu) map.alpha = 1;
        return unaryValue(map.kind, clipped(x), map.alpha, map.beta);
    }
    [[nodiscard]] double fromInput(const double* x, std::int64_t row) const {
        double sum = m_bias == nullptr ? 0 : m_bias[row];
        for (std::int64_t f = 0; f < m_features; ++f) sum += m_w[row * m_features + f] * x[f];
        return sum;
    }
    [[nodiscard]] double fromState(const Values& h, std::int64_t row, bool withBias = true) const {
        double sum = m_bias == nullptr || !withBias ? 0 : m_bias[m_gates * m_l.units + row];
        for (std::int64_t u = 0; u < m_l.units; ++u) sum += m_r[row * m_l.units + u] * h[at(u)];
        return sum;
    }
    [[nodiscard]] double peephole(std::int64_t gate, std::int64_t u, double c) const {
        return m_peepholes == nullptr ? 0 : m_peepholes[gate * m_l.units + u] * c;
    }

    void step(const double* x, Values& h, Values& c) const {
        const auto units = m_l.units;
        Values next(at(units)), reset(at(units)), update(at(units));
        if (m_l.cell == PassCell::Rnn) {
            for (std::int64_t u = 0; u < units; ++u) next[at(u)] = activated(0, fromInput(x, u) + fromState(h, u));
        } else if (m_l.cell == PassCell::Gru) {
            for (std::int64_t u = 0; u < units; ++u) {
                update[at(u)] = activated(0, fromInput(x, u) + fromState(h, u));
                reset[at(u)] = activated(0, fromInput(x, units + u) + fromState(h, units + u));
            }
            Values gated(at(units));
            for (std::int64_t u = 0; u < units; ++u) gated[at(u)] = reset[at(u)] * h[at(u)];
            for (std::int64_t u = 0; u < units; ++u) {
                const auto row = 2 * units + u;
                const double state = m_l.linearBeforeReset ? reset[at(u)] * fromState(h, row) : fromState(gated, row);
                const double candidate = activated(1, fromInput(x, row) + state);
                next[at(u)] = (1 - update[at(u)]) * candidate + update[at(u)] * h[at(u)];
            }
        } else {
            for (std::int64_t u = 0; u < units; ++u) {
                const double i = activated(0, fromInput(x, u) + fromState(h, u) + peephole(0, u, c[at(u)]));
                const auto fRow = 2 * units + u, cRow = 3 * units + u, oRow = units + u;
                const double f = m_l.inputForget
                                     ? 1 - i
                                     : activated(0, fromInput(x, fRow) + fromState(h, fRow) + peephole(2, u, c[at(u)]));
                const double g = activated(1, fromInput(x, cRow) + fromState(h, cRow));
                c[at(u)] = f * c[at(u)] + i * g;
                const double o = activated(0, fromInput(x, oRow) + fromState(h, oRow) + peephole(1, u, c[at(u)]));
                next[at(u)] = o * activated(2, c[at(u)]);
            }
        }
        h = std::move(next);
    }

    const RecurrentPass& m_l;
    std::int64_t m_direction, m_gates = 1, m_steps = 0, m_batch = 0, m_features = 0;
    const double *m_x = nullptr, *m_w = nullptr, *m_r = nullptr, *m_bias = nullptr, *m_lengths = nullptr;
    const double *m_hidden = nullptr, *m_cell = nullptr, *m_peepholes = nullptr;
};

bool run(const RecurrentPass& l, const Views& in, const Shape& /*shape*/, Values& y) {
    const std::int64_t directions = l.direction == PassDirection::Bidirectional ? 2 : 1;
    std::fill(y.begin(), y.end(), 0.0);
    for (std::int64_t d = 0; d < directions; ++d) {
        const Pass pass(l, in, d);
        for (std::int64_t b = 0; b < in[0].shape[1]; ++b) pass.run(b, directions, y);
    }
    return true;
}

bool run(const CumulativeSum& l, const Views& in, const Shape& shape, Values& y) {
    const Along along(shape, l.axis);
    for (std::int64_t o = 0; o < along.outer; ++o)
        for (std::int64_t j = 0; j < along.inner; ++j) {
            double sum = 0;
            for (std::int64_t s = 0; s < along.extent; ++s) {
                const auto i = l.reverse ? along.extent - 1 - s : s;
                const auto at = (o * along.extent + i) * along.inner + j;
                if (!l.exclusive) sum += in[0].values[at];
                y[static_cast<std::size_t>(at)] = sum;
                if (l.exclusive) sum += in[0].values[at];
            }
        }
    return true;
}

bool run(const Triangle& l, const Views& in, const Shape& shape, Values& y) {
    const auto rows = shape[shape.size() - 2], columns = shape.back();
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(y.size()); ++i) {
        const auto above = i % columns - i / columns % rows - l.diagonal;
        y[static_cast<std::size_t>(i)] = (l.upper ? above >= 0 : above <= 0) ? in[0].values[i] : 0;
    }
    return true;
}

}  // namespace

ResizeTaps resizeTaps(const ResizeArray& l, std::int64_t out, double scale, std::int64_t from, std::int64_t to) {
    const auto clamped = [&](std::int64_t place) { return std::clamp<std::int64_t>(place, 0, from - 1); };
    const double x = sourceOf(l, out, scale, from, to);
    if (l.mode == ResizeMode::Nearest) {
        double place = x;
        switch (l.nearest) {
            case Nearest::RoundPreferFloor:
                place = std::ceil(x - 0.5);
                break;
            case Nearest::RoundPreferCeil:
                place = std::floor(x + 0.5);
                break;
            case Nearest::Floor:
                place = std::floor(x);
                break;
            case Nearest::Ceil:
                place = std::ceil(x);
                break;
        }
        return {{clamped(static_cast<std::int64_t>(place))}, {1}};
    }
    if (l.mode == ResizeMode::Linear) {
        const double bounded = std::clamp(x, 0.0, static_cast<double>(from - 1));
        const auto low = static_cast<std::int64_t>(std::floor(bounded));
        const double part = bounded - static_cast<double>(low);
        return {{low, clamped(low + 1)}, {1 - part, part}};
    }
    // Keys, Cubic convolution interpolation for digital image processing, 1981.
    const auto base = static_cast<std::int64_t>(std::floor(x));
    const double part = x - std::floor(x), a = l.cubicCoefficient;
    const auto near = [&](double t) { return ((a + 2) * t - (a + 3)) * t * t + 1; };
    const auto far = [&](double t) { return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a; };
    ResizeTaps taps{{base - 1, base, base + 1, base + 2}, {far(1 + part), near(part), near(1 - part), far(2 - part)}};
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        if (l.excludeOutside && (taps.places[i] < 0 || taps.places[i] >= from)) taps.weights[i] = 0;
        sum += taps.weights[i];
        taps.places[i] = clamped(taps.places[i]);
    }
    if (l.excludeOutside)
        for (auto& weight : taps.weights) weight /= sum;
    return taps;
}

bool evaluateArray(const ArrayOperation& operation, const std::vector<ArrayView>& inputs, const Shape& output,
                   std::vector<double>& result) {
    result.resize(static_cast<std::size_t>(countOf(output)));
    return std::visit([&](const auto& l) { return run(l, inputs, output, result); }, operation);
}

}  // namespace steelyard::model
