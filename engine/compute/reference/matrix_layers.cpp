// SPDX-License-Identifier: Apache-2.0
// Dense and convolutional layers, forward and both gradients. All are matrix products; a convolution uses the unfolded
// image (im2col), whose column p holds all input values of output pixel p (K. Chellapilla, S. Puri, P. Simard, High
// Performance Convolutional Neural Networks for Document Processing, 2006).
#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {
namespace {

// Sum over the rows of [rows, features], added to `result`.
void addRowSums(std::span<const float> values, std::span<float> result) {
    const auto features = result.size();
    for (std::size_t f = 0; f < features; ++f) {
        double sum = 0;
        for (std::size_t i = f; i < values.size(); i += features) sum += static_cast<double>(values[i]);
        result[f] = static_cast<float>(static_cast<double>(result[f]) + sum);
    }
}

void matMulForward(StepRun& run, const Operation& op) {
    const auto& weight = run.dims(op.parameters[0]);  // [units, F]
    const auto x = run.input(op);
    const auto y = run.output(op);
    const auto bias = run.parameter(op, 1);
    const Index units = weight[0], features = weight[1], rows = static_cast<Index>(y.size()) / units;
    for (Index i = 0; i < rows; ++i) {
        const auto row = y.subspan(static_cast<std::size_t>(i * units), static_cast<std::size_t>(units));
        if (bias.empty())
            std::fill(row.begin(), row.end(), 0.0F);
        else
            std::copy(bias.begin(), bias.end(), row.begin());
    }
    run.addProduct({.rows = rows,
                    .columns = units,
                    .depth = features,
                    .a = x.data(),
                    .aRow = features,
                    .aColumn = 1,
                    .b = run.parameter(op, 0).data(),
                    .bRow = 1,
                    .bColumn = features,
                    .c = y.data(),
                    .cRow = units});
}

void matMulBackwardData(StepRun& run, const Operation& op) {
    const auto& weight = run.dims(op.parameters[0]);
    const auto dy = run.outputGradient(op);
    const Index units = weight[0], features = weight[1], rows = static_cast<Index>(dy.size()) / units;
    run.addProduct({.rows = rows,
                    .columns = features,
                    .depth = units,
                    .a = dy.data(),
                    .aRow = units,
                    .aColumn = 1,
                    .b = run.parameter(op, 0).data(),
                    .bRow = features,
                    .bColumn = 1,
                    .c = run.inputGradient(op).data(),
                    .cRow = features});
}

void matMulBackwardWeights(StepRun& run, const Operation& op) {
    const auto& weight = run.dims(op.parameterGradients[0]);
    const auto x = run.input(op);
    const auto dy = run.outputGradient(op);
    const Index units = weight[0], features = weight[1], rows = static_cast<Index>(dy.size()) / units;
    run.addProduct({.rows = units,
                    .columns = features,
                    .depth = rows,
                    .a = dy.data(),
                    .aRow = 1,
                    .aColumn = units,
                    .b = x.data(),
                    .bRow = features,
                    .bColumn = 1,
                    .c = run.parameterGradient(op, 0).data(),
                    .cRow = features});
    if (op.parameterGradients.size() > 1) addRowSums(dy, run.parameterGradient(op, 1));
}

// Shapes of a convolution and its current part: one sample, one group, some rows of the output.
struct Window {
    model::Conv2d layer;
    Index batch = 0, channels = 0, height = 0, width = 0;  // of the input
    Index filters = 0, outHeight = 0, outWidth = 0;
    Index groupChannels = 0, groupFilters = 0;
    Index taps = 0;        // rows of the unfolded image: C / groups * kernel height * kernel width
    Index rowsAtOnce = 0;  // output rows unfolded together

    Index sample = 0, group = 0, firstRow = 0, rows = 0;

    [[nodiscard]] Index pixels() const { return rows * outWidth; }
    [[nodiscard]] Index inputAt() const { return (sample * channels + group * groupChannels) * height * width; }
    [[nodiscard]] Index outputAt() const {
        return ((sample * filters + group * groupFilters) * outHeight + firstRow) * outWidth;
    }
    [[nodiscard]] Index weightAt() const { return group * groupFilters * taps; }
};

Window windowOf(const Operation& op, const model::Shape& in, const model::Shape& out) {
    Window w;
    w.layer = std::get<model::Conv2d>(op.layer);
    w.batch = in[0], w.channels = in[1], w.height = in[2], w.width = in[3];
    w.filters = out[1], w.outHeight = out[2], w.outWidth = out[3];
    w.groupChannels = w.channels / w.layer.groups;
    w.groupFilters = w.filters / w.layer.groups;
    w.taps = w.groupChannels * w.layer.kernel.height * w.layer.kernel.width;
    constexpr Index kUnfoldedElements = Index{1} << 20;  // 4 MiB: fits in the cache
    w.rowsAtOnce = std::clamp(kUnfoldedElements / (w.taps * w.outWidth), Index{1}, w.outHeight);
    return w;
}

template <typename Work>
void forEachPart(Window w, const Work& work) {
    for (w.sample = 0; w.sample < w.batch; ++w.sample)
        for (w.group = 0; w.group < w.layer.groups; ++w.group)
            for (w.firstRow = 0; w.firstRow < w.outHeight; w.firstRow += w.rowsAtOnce) {
                w.rows = std::min(w.rowsAtOnce, w.outHeight - w.firstRow);
                work(w);
            }
}

// Calls visit(position in the unfolded image, position in the image or -1 for padding) for every element.
template <typename Visit>
void forEachTap(const Window& w, const Visit& visit) {
    const auto& [kernel, stride, padding] = std::tie(w.layer.kernel, w.layer.stride, w.layer.padding);
    Index unfolded = 0;
    for (Index c = 0; c < w.groupChannels; ++c)
        for (Index kh = 0; kh < kernel.height; ++kh)
            for (Index kw = 0; kw < kernel.width; ++kw)
                for (Index oh = w.firstRow; oh < w.firstRow + w.rows; ++oh) {
                    const Index ih = oh * stride.height - padding.top + kh;
                    const Index row = w.inputAt() + (c * w.height + ih) * w.width;
                    const bool inside = ih >= 0 && ih < w.height;
                    for (Index ow = 0; ow < w.outWidth; ++ow) {
                        const Index iw = ow * stride.width - padding.left + kw;
                        visit(unfolded++, inside && iw >= 0 && iw < w.width ? row + iw : Index{-1});
                    }
                }
}

std::span<float> unfoldedRoom(StepRun& run, const Window& w) {
    const auto count = static_cast<std::size_t>(w.taps * w.pixels());
    if (run.scratch.unfolded.size() < count) run.scratch.unfolded.resize(count);
    return std::span(run.scratch.unfolded).first(count);
}

std::span<const float> unfold(StepRun& run, const Window& w, std::span<const float> image) {
    const auto columns = unfoldedRoom(run, w);
    forEachTap(w, [&](Index to, Index from) {
        columns[static_cast<std::size_t>(to)] = from < 0 ? 0.0F : image[static_cast<std::size_t>(from)];
    });
    return columns;
}

void convolutionForward(StepRun& run, const Operation& op) {
    const auto x = run.input(op);
    const auto y = run.output(op);
    const auto weight = run.parameter(op, 0);
    const auto bias = run.parameter(op, 1);
    const auto window = windowOf(op, run.dims(op.inputs[0]), run.dims(op.output));
    const auto image = static_cast<std::size_t>(window.outHeight * window.outWidth);
    for (std::size_t k = 0; k < y.size() / image; ++k) {
        const auto plane = y.subspan(k * image, image);
        std::fill(plane.begin(), plane.end(), bias.empty() ? 0.0F : bias[k % bias.size()]);
    }
    forEachPart(window, [&](const Window& w) {
        const auto columns = unfold(run, w, x);
        run.addProduct({.rows = w.groupFilters,
                        .columns = w.pixels(),
                        .depth = w.taps,
                        .a = weight.data() + w.weightAt(),
                        .aRow = w.taps,
                        .aColumn = 1,
                        .b = columns.data(),
                        .bRow = w.pixels(),
                        .bColumn = 1,
                        .c = y.data() + w.outputAt(),
                        .cRow = w.outHeight * w.outWidth});
    });
}

void convolutionBackwardData(StepRun& run, const Operation& op) {
    const auto dx = run.inputGradient(op);
    const auto dy = run.outputGradient(op);
    const auto weight = run.parameter(op, 0);
    forEachPart(windowOf(op, run.dims(op.inputGradients[0]), run.dims(op.outputGradient)), [&](const Window& w) {
        const auto columns = unfoldedRoom(run, w);
        std::fill(columns.begin(), columns.end(), 0.0F);
        run.addProduct({.rows = w.taps,
                        .columns = w.pixels(),
                        .depth = w.groupFilters,
                        .a = weight.data() + w.weightAt(),
                        .aRow = 1,
                        .aColumn = w.taps,
                        .b = dy.data() + w.outputAt(),
                        .bRow = w.outHeight * w.outWidth,
                        .bColumn = 1,
                        .c = columns.data(),
                        .cRow = w.pixels()});
        forEachTap(w, [&](Index from, Index to) {
            if (to >= 0) dx[static_cast<std::size_t>(to)] += columns[static_cast<std::size_t>(from)];
        });
    });
}

void convolutionBackwardWeights(StepRun& run, const Operation& op) {
    const auto x = run.input(op);
    const auto dy = run.outputGradient(op);
    const auto dw = run.parameterGradient(op, 0);
    const auto window = windowOf(op, run.dims(op.inputs[0]), run.dims(op.outputGradient));
    forEachPart(window, [&](const Window& w) {
        const auto columns = unfold(run, w, x);
        run.addProduct({.rows = w.groupFilters,
                        .columns = w.taps,
                        .depth = w.pixels(),
                        .a = dy.data() + w.outputAt(),
                        .aRow = w.outHeight * w.outWidth,
                        .aColumn = 1,
                        .b = columns.data(),
                        .bRow = 1,
                        .bColumn = w.pixels(),
                        .c = dw.data() + w.weightAt(),
                        .cRow = w.taps});
    });
    const auto db = run.parameterGradient(op, 1);
    const auto image = static_cast<std::size_t>(window.outHeight * window.outWidth);
    for (std::size_t k = 0; k < db.size(); ++k) {
        double sum = 0;
        for (std::size_t plane = k; plane < dy.size() / image; plane += db.size())
            for (auto value : dy.subspan(plane * image, image)) sum += static_cast<double>(value);
        db[k] = static_cast<float>(static_cast<double>(db[k]) + sum);
    }
}

}  // namespace

void runMatMul(StepRun& run, const Operation& op) {
    switch (op.pass) {
        case plan::Pass::BackwardData:
            return matMulBackwardData(run, op);
        case plan::Pass::BackwardWeights:
            return matMulBackwardWeights(run, op);
        default:
            return matMulForward(run, op);
    }
}

void runConvolution(StepRun& run, const Operation& op) {
    switch (op.pass) {
        case plan::Pass::BackwardData:
            return convolutionBackwardData(run, op);
        case plan::Pass::BackwardWeights:
            return convolutionBackwardWeights(run, op);
        default:
            return convolutionForward(run, op);
    }
}

void runProduct(StepRun& run, const Operation& op) {
    const auto& layer = std::get<model::Product>(op.layer);
    const auto& a = run.dims(op.inputs[0]);  // [B, M, K] or [B, K, M]
    const auto& c = run.dims(op.output);     // [B, M, N]
    const Index rows = c[1], columns = c[2], depth = layer.transposeA ? a[1] : a[2];
    const auto y = run.output(op);
    std::fill(y.begin(), y.end(), 0.0F);
    for (Index sample = 0; sample < c[0]; ++sample)
        run.addProduct({.rows = rows,
                        .columns = columns,
                        .depth = depth,
                        .a = run.input(op, 0).data() + sample * rows * depth,
                        .aRow = layer.transposeA ? 1 : depth,
                        .aColumn = layer.transposeA ? rows : 1,
                        .b = run.input(op, 1).data() + sample * depth * columns,
                        .bRow = layer.transposeB ? 1 : columns,
                        .bColumn = layer.transposeB ? depth : 1,
                        .c = y.data() + sample * rows * columns,
                        .cRow = columns});
}

}  // namespace steelyard::compute::reference
