// SPDX-License-Identifier: Apache-2.0
// Interface to the matrix and neural-network libraries: a call is described by shapes, strides and types, prepared
// once, and then run on device pointers with one of its candidates (algorithms). Implemented with cuBLASLt and cuDNN
// (libraries/) and, in tests, by naive loops with the rounding of the types.
//
// Matrices are row-major; strides are in elements. Sums are in float32 for all operand types. Errors: Unsupported if
// the library has no implementation; Internal with the library's message.
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

// An algorithm for a call, in the library's order of preference.
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
    // Operands in the order of the call's description. Asynchronous.
    [[nodiscard]] virtual Result<void> run(std::size_t candidate, std::span<void* const> operands, void* workspace,
                                           Stream stream) = 0;
};

// C = op(A) op(B), plus C if it accumulates, then the epilogue. Operands: A, B, C, and the bias if the epilogue has one
// (one value per column of C, in C's type).
struct MatrixProduct {
    enum class Epilogue { None, Bias, BiasRelu, BiasGeluTanh };
    std::int64_t rows = 0, columns = 0, depth = 0;
    bool transposeA = false, transposeB = false;         // A is [rows, depth], transposed [depth, rows]; B likewise
    std::int64_t aStride = 0, bStride = 0, cStride = 0;  // leading dimensions as stored
    std::int64_t batch = 1;
    std::int64_t aBatchStride = 0, bBatchStride = 0, cBatchStride = 0;
    std::int64_t aAlignment = 256, bAlignment = 256, cAlignment = 256;  // of the pointers, in bytes
    ElementType operandType = ElementType::F32, resultType = ElementType::F32;
    bool tf32 = false;  // float32 operands may be rounded to ten bits of fraction
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

// Cross-correlation with symmetric padding. Images are [B, C, H, W], weights [K, C / groups, R, S]; with channelsLast
// [B, H, W, C] and [K, R, S, C / groups]. All of one type. Operands:
//   Forward {x, w, y, bias, shortcut}, BackwardData {dy, w, dx}, BackwardWeights {x, dy, dw};
// bias (one value per filter) and shortcut (like y) only if requested.
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

// A recurrent layer over whole sequences of equal length; cells as in kernels/recurrent.h, with one bias per gate on
// the input part. x is [B, T, F], y and dy [B, T, D U], states h and c [D, B, U], all of one type; `weights` contains
// the parameters as described by RecurrenceSpaces, and `dWeights` their gradients, which are accumulated; `lengths` is
// T in Int32, B times. Null input states are zero; null output states are not written. Operands:
//   Forward         {x, weights, lengths, h, c, y, h after, c after, reserve}; reserve null for inference
//   BackwardData    {y, dy, dh after, h, c, weights, lengths, reserve, dx}; modifies the reserve
//   BackwardWeights {x, h, y, lengths, reserve, dWeights}; after BackwardData
struct Recurrence {
    RecurrencePass pass = RecurrencePass::Forward;
    kernels::Cell cell = kernels::Cell::Lstm;
    std::int64_t batch = 0, steps = 0, features = 0, units = 0, directions = 1;
    bool training = false;
    bool persistent = false;  // keeps the recurrent weights on chip over all steps; the same in all passes
    ElementType type = ElementType::F32;
    bool tf32 = false;

    friend bool operator==(const Recurrence&, const Recurrence&) = default;
};

// Shared by all passes of a Recurrence, in bytes.
struct RecurrenceSpaces {
    // Offsets of the parameters in the weight space, in the Recurrence's type, one dense block per gate (weight [U, F],
    // recurrent [U, U], bias [U]), indexed by blockOf().
    std::vector<std::int64_t> offsets;
    std::int64_t weights = 0, reserve = 0, workspace = 0;
    bool restIsZero = false;  // the weight space outside the blocks must be 0: biases that the cells do not have

    // part: 0 weight, 1 recurrent, 2 bias; gate: in the order of kernels/recurrent.h.
    [[nodiscard]] static std::size_t blockOf(kernels::Cell cell, std::int64_t direction, std::int64_t part,
                                             std::int64_t gate) {
        return static_cast<std::size_t>((direction * 3 + part) * kernels::gatesOf(cell) + gate);
    }
};

inline constexpr std::size_t kMostOperands = 9;  // over all library calls

class NetworkLibrary {
public:
    virtual ~NetworkLibrary() = default;
    [[nodiscard]] virtual std::string version() const = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<LibraryCall>> prepare(const Convolution& convolution,
                                                                       std::int64_t workspaceLimit) = 0;
    // For all passes. Unsupported, with the reason, if the library cannot do it.
    [[nodiscard]] virtual Result<RecurrenceSpaces> spacesOf(const Recurrence& recurrence) = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<LibraryCall>> prepare(const Recurrence& recurrence) = 0;
};

// A device with its libraries. A missing one is null, and `why` contains the loader's message.
struct DeviceSet {
    std::unique_ptr<DeviceRuntime> runtime;
    std::unique_ptr<MatrixLibrary> matrices;
    Message whyNoMatrices;
    std::unique_ptr<NetworkLibrary> networks;
    Message whyNoNetworks;
    std::int64_t freeBytes = 0;  // of the device before the libraries were opened
};

}  // namespace steelyard::compute::cuda
