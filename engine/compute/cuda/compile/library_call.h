// SPDX-License-Identifier: Apache-2.0
// What the lowering asks of the matrix and of the neural-network library, in our terms: a call is described once by
// shapes, strides and types, prepared once, and then run on device pointers with one of its candidates (algorithms).
// Implemented on cuBLASLt and cuDNN (libraries/) and, in tests, by naive loops that round as the types do.
//
// Matrices are row-major; strides are in elements. Sums are in float32 whatever the operands' type.
// Errors: Unsupported when the library has no way to do it; Internal with the library's words.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/compute/cuda/execute/device_runtime.h"
#include "engine/compute/cuda/kernels/kernels.h"
#include "engine/core/error.h"

namespace steelyard::compute::cuda {

using kernels::bytesOf;
using kernels::ElementType;

// One way to do a call, the library's favourite first.
struct Candidate {
    std::string name;  // "cublaslt:23"
    std::int64_t workspaceBytes = 0;
};

class LibraryCall {
public:
    LibraryCall() = default;
    LibraryCall(const LibraryCall&) = delete;
    LibraryCall& operator=(const LibraryCall&) = delete;
    virtual ~LibraryCall() = default;
    [[nodiscard]] virtual std::span<const Candidate> candidates() const = 0;
    // Operands in the order that the description of the call gives. Asynchronous.
    [[nodiscard]] virtual Result<void> run(std::size_t candidate, std::span<void* const> operands, void* workspace,
                                           Stream stream) = 0;
};

// C = op(A) op(B), plus C where it accumulates, plus what the epilogue does. Operands: A, B, C, and the bias where the
// epilogue has one (one value a column of C, in C's type).
struct MatrixProduct {
    enum class Epilogue { None, Bias, BiasRelu, BiasGeluTanh };
    std::int64_t rows = 0, columns = 0, depth = 0;
    bool transposeA = false, transposeB = false;         // A is [rows, depth], transposed [depth, rows]; B likewise
    std::int64_t aStride = 0, bStride = 0, cStride = 0;  // between rows as stored
    std::int64_t batch = 1;
    std::int64_t aBatchStride = 0, bBatchStride = 0, cBatchStride = 0;
    std::int64_t aAlignment = 256, bAlignment = 256, cAlignment = 256;  // of the pointers, in bytes
    ElementType operandType = ElementType::F32, resultType = ElementType::F32;
    bool tf32 = false;  // float32 operands may be read with ten bits of fraction
    bool accumulate = false;
    Epilogue epilogue = Epilogue::None;

    friend bool operator==(const MatrixProduct&, const MatrixProduct&) = default;
};

class MatrixLibrary {
public:
    virtual ~MatrixLibrary() = default;
    [[nodiscard]] virtual std::string version() const = 0;  // "13.0.2"
    [[nodiscard]] virtual Result<std::unique_ptr<LibraryCall>> prepare(const MatrixProduct& product,
                                                                       std::int64_t workspaceLimit) = 0;
};

enum class ConvolutionPass { Forward, BackwardData, BackwardWeights };

// Cross-correlation with equal padding on opposite sides. Images are [B, C, H, W], weights [K, C / groups, R, S]; with
// channelsLast they lie as [B, H, W, C] and [K, R, S, C / groups]. All of one type; operands are
//   Forward {x, w, y, bias, shortcut}, BackwardData {dy, w, dx}, BackwardWeights {x, dy, dw};
// bias (one value a filter) and shortcut (as y) only where they are asked for.
struct Convolution {
    ConvolutionPass pass = ConvolutionPass::Forward;
    std::int64_t batch = 0, channels = 0, height = 0, width = 0;
    std::int64_t filters = 0, kernelHeight = 1, kernelWidth = 1;
    std::int64_t strideHeight = 1, strideWidth = 1;
    std::int64_t paddingHeight = 0, paddingWidth = 0;
    std::int64_t outputHeight = 0, outputWidth = 0;
    std::int64_t groups = 1;
    bool channelsLast = false;
    ElementType type = ElementType::F32;
    bool tf32 = false;
    bool accumulate = false;                            // adds to what the result holds
    bool bias = false, shortcut = false, relu = false;  // forward: y = relu(conv + shortcut + bias)

    [[nodiscard]] bool hasEpilogue() const { return bias || shortcut || relu; }
    friend bool operator==(const Convolution&, const Convolution&) = default;
};

enum class RecurrencePass { Forward, BackwardData, BackwardWeights };

// One recurrent layer over whole sequences of equal length; cells as in kernels/recurrent.h, with one bias a gate
// beside the input's part. x is [B, T, F], y and dy [B, T, D U], states h and c [D, B, U], all of one type; `weights`
// holds the parameters as RecurrenceSpaces says, and `dWeights` their gradients, which are added to what it holds;
// `lengths` is T in Int32, B times. A state that is null is zero, one that is to be written and null is not. Operands
// are
//   Forward         {x, weights, lengths, h, c, y, h after, c after, reserve}; reserve null when inferring
//   BackwardData    {y, dy, dh after, h, c, weights, lengths, reserve, dx}; changes the reserve
//   BackwardWeights {x, h, y, lengths, reserve, dWeights}; after BackwardData
struct Recurrence {
    RecurrencePass pass = RecurrencePass::Forward;
    kernels::Cell cell = kernels::Cell::Lstm;
    std::int64_t batch = 0, steps = 0, features = 0, units = 0, directions = 1;
    bool training = false;
    bool persistent = false;  // the recurrent weights stay on the chip over all steps; the same in all passes
    ElementType type = ElementType::F32;
    bool tf32 = false;

    friend bool operator==(const Recurrence&, const Recurrence&) = default;
};

// What all passes of a Recurrence share, in bytes.
struct RecurrenceSpaces {
    // Of the parameters, in the Recurrence's type, each gate of each a dense block (weight [U, F], recurrent [U, U],
    // bias [U]): where it begins, at blockOf().
    std::vector<std::int64_t> offsets;
    std::int64_t weights = 0, reserve = 0, workspace = 0;
    bool restIsZero = false;  // of the parameters, what is in no block must be 0: biases that the cells here lack

    // part: 0 weight, 1 recurrent, 2 bias; gate: in the order of kernels/recurrent.h.
    [[nodiscard]] static std::size_t blockOf(kernels::Cell cell, std::int64_t direction, std::int64_t part,
                                             std::int64_t gate) {
        return static_cast<std::size_t>((direction * 3 + part) * kernels::gatesOf(cell) + gate);
    }
};

inline constexpr std::size_t kMostOperands = 9;  // of any library call

class NetworkLibrary {
public:
    virtual ~NetworkLibrary() = default;
    [[nodiscard]] virtual std::string version() const = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<LibraryCall>> prepare(const Convolution& convolution,
                                                                       std::int64_t workspaceLimit) = 0;
    // Whatever its pass. Unsupported, with the reason, when the library cannot do it.
    [[nodiscard]] virtual Result<RecurrenceSpaces> spacesOf(const Recurrence& recurrence) = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<LibraryCall>> prepare(const Recurrence& recurrence) = 0;
};

// A device with the libraries that were found for it. A missing one is null and `why` says what the loader said.
struct DeviceSet {
    std::unique_ptr<DeviceRuntime> runtime;
    std::unique_ptr<MatrixLibrary> matrices;
    Message whyNoMatrices;
    std::unique_ptr<NetworkLibrary> networks;
    Message whyNoNetworks;
    std::int64_t freeBytes = 0;  // of the device before the libraries were opened
};

}  // namespace steelyard::compute::cuda
