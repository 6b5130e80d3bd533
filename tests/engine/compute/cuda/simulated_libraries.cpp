// SPDX-License-Identifier: Apache-2.0
// The matrix and the network library of the simulated device: naive, except for the product, which is the reference
// backend's.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/compute/reference/product.h"
#include "tests/engine/compute/cuda/simulated_call.h"
#include "tests/engine/compute/cuda/simulated_recurrence.h"

namespace steelyard::compute::cuda::test {
namespace {

class ProductCall final : public Call {
public:
    ProductCall(SimulatedRuntime& runtime, const MatrixProduct& product, std::shared_ptr<const Script> script)
        : Call(runtime, "matrices", product.rows * 4), m_p(product), m_script(std::move(script)) {}

private:
    void check(const SimulatedRuntime& runtime, std::span<void* const> operands) const override {
        const auto extent = [&](std::int64_t rows, std::int64_t columns, std::int64_t stride, std::int64_t batchStride,
                                ElementType type) {
            return ((m_p.batch - 1) * batchStride + (rows - 1) * stride + columns) * bytesOf(type);
        };
        const auto& p = m_p;
        runtime.requireDevice(operands[0],
                              extent(p.transposeA ? p.depth : p.rows, p.transposeA ? p.rows : p.depth, p.aStride,
                                     p.aBatchStride, p.operandType),
                              "A");
        runtime.requireDevice(operands[1],
                              extent(p.transposeB ? p.columns : p.depth, p.transposeB ? p.depth : p.columns, p.bStride,
                                     p.bBatchStride, p.operandType),
                              "B");
        runtime.requireDevice(operands[2], extent(p.rows, p.columns, p.cStride, p.cBatchStride, p.resultType), "C");
        if (p.epilogue != MatrixProduct::Epilogue::None)
            runtime.requireDevice(operands[3], p.columns * bytesOf(p.resultType), "the bias");
    }

    [[nodiscard]] Values loaded(const void* data, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                                std::int64_t first) const {
        Values values(static_cast<std::size_t>(rows * columns));
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                const float value = loadOne(m_p.operandType, data, first + i * stride + j);
                values[static_cast<std::size_t>(i * columns + j)] = m_p.tf32 ? tensorFloat(value) : value;
            }
        return values;
    }

    void work(const std::vector<void*>& operands) const override {
        if (m_p.rows * m_p.columns * m_p.depth > m_script->mostProducts) return;
        for (std::int64_t b = 0; b < m_p.batch; ++b) one(operands, b);
    }

    void one(const std::vector<void*>& operands, std::int64_t b) const {
        const auto& p = m_p;
        const auto aColumns = p.transposeA ? p.rows : p.depth, bColumns = p.transposeB ? p.depth : p.columns;
        const auto a = loaded(operands[0], p.transposeA ? p.depth : p.rows, aColumns, p.aStride, b * p.aBatchStride);
        const auto bValues =
            loaded(operands[1], p.transposeB ? p.columns : p.depth, bColumns, p.bStride, b * p.bBatchStride);
        Values c(static_cast<std::size_t>(p.rows * p.columns));
        reference::addProduct({.rows = p.rows,
                               .columns = p.columns,
                               .depth = p.depth,
                               .a = a.data(),
                               .aRow = p.transposeA ? 1 : aColumns,
                               .aColumn = p.transposeA ? aColumns : 1,
                               .b = bValues.data(),
                               .bRow = p.transposeB ? 1 : bColumns,
                               .bColumn = p.transposeB ? bColumns : 1,
                               .c = c.data(),
                               .cRow = p.columns},
                              1);
        for (std::int64_t i = 0; i < p.rows; ++i)
            for (std::int64_t j = 0; j < p.columns; ++j) {
                const auto at = b * p.cBatchStride + i * p.cStride + j;
                float value = c[static_cast<std::size_t>(i * p.columns + j)];
                if (p.accumulate) value += loadOne(p.resultType, operands[2], at);
                storeOne(p.resultType, operands[2], at, finished(value, operands, j));
            }
    }

    [[nodiscard]] float finished(float value, const std::vector<void*>& operands, std::int64_t column) const {
        using E = MatrixProduct::Epilogue;
        if (m_p.epilogue == E::None) return value;
        value += loadOne(m_p.resultType, operands[3], column);
        if (m_p.epilogue == E::BiasRelu) return std::max(value, 0.0F);
        if (m_p.epilogue == E::BiasGeluTanh)
            return 0.5F * value * (1 + std::tanh(0.7978845608F * (value + 0.044715F * value * value * value)));
        return value;
    }

    MatrixProduct m_p;
    std::shared_ptr<const Script> m_script;
};

class ConvolutionCall final : public Call {
public:
    ConvolutionCall(SimulatedRuntime& runtime, const Convolution& convolution, std::shared_ptr<const Script> script)
        : Call(runtime, "convolution", convolution.height * convolution.width * 4),
          m_c(convolution),
          m_script(std::move(script)) {}

private:
    [[nodiscard]] std::int64_t imageCount() const { return m_c.batch * m_c.channels * m_c.height * m_c.width; }
    [[nodiscard]] std::int64_t depth() const { return m_c.channels / m_c.groups; }
    [[nodiscard]] std::int64_t weightCount() const {
        return m_c.filters * depth() * m_c.kernelHeight * m_c.kernelWidth;
    }
    [[nodiscard]] std::int64_t outputCount() const {
        return m_c.batch * m_c.filters * m_c.outputHeight * m_c.outputWidth;
    }

    double secondsOf(std::size_t candidate) const override {
        return (candidate == 0 ? 2e-6 : 1e-6) * (m_c.channelsLast ? m_script->channelsLastFactor : 1);
    }

    void check(const SimulatedRuntime& runtime, std::span<void* const> operands) const override {
        std::array<std::int64_t, 3> counts{imageCount(), weightCount(), outputCount()};
        if (m_c.pass == ConvolutionPass::BackwardData) counts = {outputCount(), weightCount(), imageCount()};
        if (m_c.pass == ConvolutionPass::BackwardWeights) counts = {imageCount(), outputCount(), weightCount()};
        for (std::size_t i = 0; i < counts.size(); ++i)
            runtime.requireDevice(operands[i], counts[i] * bytesOf(m_c.type), "an operand of a convolution");
        if (m_c.bias) runtime.requireDevice(operands[3], m_c.filters * bytesOf(m_c.type), "a convolution's bias");
        if (m_c.shortcut)
            runtime.requireDevice(operands[m_c.bias ? 4 : 3], outputCount() * bytesOf(m_c.type), "a shortcut");
        // The library reads its operands while it writes.
        if (operands[0] == operands[2] || operands[1] == operands[2]) {
            std::fputs("a convolution overwrites its operand\n", stderr);
            std::abort();
        }
    }

    // Past bias, shortcut and ReLU.
    [[nodiscard]] double finished(double sum, std::int64_t i, const std::vector<void*>& operands) const {
        const auto pixels = m_c.outputHeight * m_c.outputWidth;
        const auto filter = m_c.channelsLast ? i % m_c.filters : i / pixels % m_c.filters;
        if (m_c.bias) sum += static_cast<double>(loadOne(m_c.type, operands[3], filter));
        if (m_c.shortcut) sum += static_cast<double>(loadOne(m_c.type, operands[m_c.bias ? 4 : 3], i));
        return m_c.relu ? std::max(sum, 0.0) : sum;
    }

    [[nodiscard]] Values loaded(const void* data, std::int64_t count) const {
        Values values(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            const float value = loadOne(m_c.type, data, i);
            values[static_cast<std::size_t>(i)] = m_c.tf32 ? tensorFloat(value) : value;
        }
        return values;
    }

    // Position in [outer, channels, pixels] in memory order.
    [[nodiscard]] std::size_t at(std::int64_t outer, std::int64_t channels, std::int64_t channel, std::int64_t pixels,
                                 std::int64_t pixel) const {
        return static_cast<std::size_t>(m_c.channelsLast ? (outer * pixels + pixel) * channels + channel
                                                         : (outer * channels + channel) * pixels + pixel);
    }

    // visit(image, weight, output) for every multiplication.
    template <class Visit>
    void forEachTap(const Visit& visit) const {
        const auto& c = m_c;
        const auto inPixels = c.height * c.width, outPixels = c.outputHeight * c.outputWidth;
        const auto window = c.kernelHeight * c.kernelWidth, perGroup = c.filters / c.groups;
        for (std::int64_t b = 0; b < c.batch; ++b)
            for (std::int64_t k = 0; k < c.filters; ++k)
                for (std::int64_t out = 0; out < outPixels; ++out) {
                    const auto to = at(b, c.filters, k, outPixels, out);
                    const auto top = out / c.outputWidth * c.strideHeight - c.paddingHeight;
                    const auto left = out % c.outputWidth * c.strideWidth - c.paddingWidth;
                    for (std::int64_t tap = 0; tap < window; ++tap) {
                        const auto h = top + tap / c.kernelWidth, w = left + tap % c.kernelWidth;
                        if (h < 0 || w < 0 || h >= c.height || w >= c.width) continue;
                        for (std::int64_t d = 0; d < depth(); ++d)
                            visit(at(b, c.channels, k / perGroup * depth() + d, inPixels, h * c.width + w),
                                  at(k, depth(), d, window, tap), to);
                    }
                }
    }

    void work(const std::vector<void*>& operands) const override {
        const auto pass = m_c.pass;
        const auto first = loaded(operands[0], pass == ConvolutionPass::BackwardData ? outputCount() : imageCount());
        const auto second =
            loaded(operands[1], pass == ConvolutionPass::BackwardWeights ? outputCount() : weightCount());
        const auto count = pass == ConvolutionPass::Forward        ? outputCount()
                           : pass == ConvolutionPass::BackwardData ? imageCount()
                                                                   : weightCount();
        std::vector<double> sums(static_cast<std::size_t>(count));
        const auto product = [&](std::size_t a, std::size_t b) {
            return static_cast<double>(first[a]) * static_cast<double>(second[b]);
        };
        forEachTap([&](std::size_t image, std::size_t weight, std::size_t output) {
            if (pass == ConvolutionPass::Forward)
                sums[output] += product(image, weight);
            else if (pass == ConvolutionPass::BackwardData)
                sums[image] += product(output, weight);
            else
                sums[weight] += product(image, output);
        });
        for (std::int64_t i = 0; i < count; ++i) {
            const double before = m_c.accumulate ? static_cast<double>(loadOne(m_c.type, operands[2], i)) : 0;
            const auto sum = finished(sums[static_cast<std::size_t>(i)] + before, i, operands);
            storeOne(m_c.type, operands[2], i, static_cast<float>(sum));
        }
    }

    Convolution m_c;
    std::shared_ptr<const Script> m_script;
};

class Matrices final : public MatrixLibrary {
public:
    Matrices(SimulatedRuntime& runtime, std::shared_ptr<const Script> script)
        : m_runtime(runtime), m_script(std::move(script)) {}
    std::string version() const override { return "simulated"; }
    Result<std::unique_ptr<LibraryCall>> prepare(const MatrixProduct& product, std::int64_t) override {
        return std::make_unique<ProductCall>(m_runtime, product, m_script);
    }

private:
    SimulatedRuntime& m_runtime;
    std::shared_ptr<const Script> m_script;
};

class Networks final : public NetworkLibrary {
public:
    Networks(SimulatedRuntime& runtime, std::shared_ptr<const Script> script)
        : m_runtime(runtime), m_script(std::move(script)) {}
    std::string version() const override { return "simulated"; }
    Result<std::unique_ptr<LibraryCall>> prepare(const Convolution& convolution, std::int64_t) override {
        if (m_script->plainConvolutions && convolution.hasEpilogue())
            return fail(ErrorKind::Unsupported, "simulated library", Message("no engine for this chain"));
        return std::make_unique<ConvolutionCall>(m_runtime, convolution, m_script);
    }
    Result<RecurrenceSpaces> spacesOf(const Recurrence& recurrence) override {
        return simulatedSpacesOf(recurrence, *m_script);
    }
    Result<std::unique_ptr<LibraryCall>> prepare(const Recurrence& recurrence) override {
        return makeSimulatedRecurrence(m_runtime, recurrence, m_script);
    }

private:
    SimulatedRuntime& m_runtime;
    std::shared_ptr<const Script> m_script;
};

}  // namespace

std::unique_ptr<MatrixLibrary> makeSimulatedMatrices(SimulatedRuntime& runtime, std::shared_ptr<const Script> script) {
    return std::make_unique<Matrices>(runtime, std::move(script));
}

std::unique_ptr<NetworkLibrary> makeSimulatedNetworks(SimulatedRuntime& runtime, std::shared_ptr<const Script> script) {
    return std::make_unique<Networks>(runtime, std::move(script));
}

}  // namespace steelyard::compute::cuda::test
