// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with cudnnRNNForward and its two backward passes (cuDNN 9, v8 API). One layer per call, batch-major
// sequences of full length, one bias per gate on the input part, no projection, no dropout: cuDNN's equations then
// equal those of engine/compute/reference/recurrent_cells.h.
#include "engine/compute/cuda/libraries/cudnn_recurrence.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "engine/compute/cuda/libraries/loaded_library.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

using kernels::Cell;

// Separate from the convolutions' table: a cuDNN without these only lacks recurrent layers.
struct Api {
    LoadedLibrary library{kCudnnName};
    decltype(&::cudnnCreateDropoutDescriptor) dropoutCreate = nullptr;
    decltype(&::cudnnDestroyDropoutDescriptor) dropoutDestroy = nullptr;
    decltype(&::cudnnSetDropoutDescriptor) dropoutSet = nullptr;
    decltype(&::cudnnCreateTensorDescriptor) tensorCreate = nullptr;
    decltype(&::cudnnDestroyTensorDescriptor) tensorDestroy = nullptr;
    decltype(&::cudnnSetTensorNdDescriptor) tensorSet = nullptr;
    decltype(&::cudnnGetTensorNdDescriptor) tensorGet = nullptr;
    decltype(&::cudnnCreateRNNDescriptor) rnnCreate = nullptr;
    decltype(&::cudnnDestroyRNNDescriptor) rnnDestroy = nullptr;
    decltype(&::cudnnSetRNNDescriptor_v8) rnnSet = nullptr;
    decltype(&::cudnnCreateRNNDataDescriptor) dataCreate = nullptr;
    decltype(&::cudnnDestroyRNNDataDescriptor) dataDestroy = nullptr;
    decltype(&::cudnnSetRNNDataDescriptor) dataSet = nullptr;
    decltype(&::cudnnGetRNNTempSpaceSizes) tempSizes = nullptr;
    decltype(&::cudnnGetRNNWeightSpaceSize) weightSize = nullptr;
    decltype(&::cudnnGetRNNWeightParams) weightParams = nullptr;
    decltype(&::cudnnRNNForward) forward = nullptr;
    decltype(&::cudnnRNNBackwardData_v8) backwardData = nullptr;
    decltype(&::cudnnRNNBackwardWeights_v8) backwardWeights = nullptr;

    Api() {
        library.find("cudnnCreateDropoutDescriptor", dropoutCreate);
        library.find("cudnnDestroyDropoutDescriptor", dropoutDestroy);
        library.find("cudnnSetDropoutDescriptor", dropoutSet);
        library.find("cudnnCreateTensorDescriptor", tensorCreate);
        library.find("cudnnDestroyTensorDescriptor", tensorDestroy);
        library.find("cudnnSetTensorNdDescriptor", tensorSet);
        library.find("cudnnGetTensorNdDescriptor", tensorGet);
        library.find("cudnnCreateRNNDescriptor", rnnCreate);
        library.find("cudnnDestroyRNNDescriptor", rnnDestroy);
        library.find("cudnnSetRNNDescriptor_v8", rnnSet);
        library.find("cudnnCreateRNNDataDescriptor", dataCreate);
        library.find("cudnnDestroyRNNDataDescriptor", dataDestroy);
        library.find("cudnnSetRNNDataDescriptor", dataSet);
        library.find("cudnnGetRNNTempSpaceSizes", tempSizes);
        library.find("cudnnGetRNNWeightSpaceSize", weightSize);
        library.find("cudnnGetRNNWeightParams", weightParams);
        library.find("cudnnRNNForward", forward);
        library.find("cudnnRNNBackwardData_v8", backwardData);
        library.find("cudnnRNNBackwardWeights_v8", backwardWeights);
    }
};

const Api& api() {
    static const Api instance;
    return instance;
}

cudnnRNNMode_t modeOf(Cell cell) {
    if (cell == Cell::Lstm) return CUDNN_LSTM;
    return cell == Cell::Gru ? CUDNN_GRU : CUDNN_RNN_TANH;
}

// Float32 may use tensor cores only if tf32 was requested.
cudnnMathType_t mathOf(const Recurrence& r) {
    if (r.type != ElementType::F32) return CUDNN_TENSOR_OP_MATH;
    return r.tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
}

// cuDNN's number of a gate: its order is i f c o, and for the GRU r u o where ours is u r o.
std::int64_t numberOf(Cell cell, std::int64_t gate) {
    return cell == Cell::Gru && gate < 2 ? 1 - gate : gate;
}

int toInt(std::int64_t value) {
    return static_cast<int>(value);
}

// The descriptors of one layer, common to all passes.
class Layer {
public:
    Layer(cudnnHandle_t handle, const Recurrence& recurrence) : m_handle(handle), m_r(recurrence) {}
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;
    ~Layer() {
        for (auto* tensor : {m_states, m_matrix, m_bias})
            if (tensor != nullptr) api().tensorDestroy(tensor);
        for (auto* data : {m_x, m_y})
            if (data != nullptr) api().dataDestroy(data);
        if (m_rnn != nullptr) api().rnnDestroy(m_rnn);
        if (m_dropout != nullptr) api().dropoutDestroy(m_dropout);
    }

    Result<void> describe() {
        if (!api().library.isOpen()) return fail(ErrorKind::Unsupported, "cudnn", api().library.why());
        if (auto ok = create(); !ok) return ok;
        const auto& r = m_r;
        const auto type = cudnnTypeOf(r.type);
        if (auto ok =
                checkedCudnn(api().dropoutSet(m_dropout, m_handle, 0, nullptr, 0, 0), "cudnnSetDropoutDescriptor");
            !ok)
            return ok;
        if (auto ok = checkedCudnn(
                api().rnnSet(m_rnn, r.persistent ? CUDNN_RNN_ALGO_PERSIST_STATIC : CUDNN_RNN_ALGO_STANDARD,
                             modeOf(r.cell), r.persistent ? CUDNN_RNN_DOUBLE_BIAS : CUDNN_RNN_SINGLE_INP_BIAS,
                             r.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT, type,
                             CUDNN_DATA_FLOAT, mathOf(r), toInt(r.features), toInt(r.units), toInt(r.units), 1,
                             m_dropout, CUDNN_RNN_PADDED_IO_ENABLED),
                "cudnnSetRNNDescriptor_v8");
            !ok)
            return ok;
        const std::vector<int> lengths(static_cast<std::size_t>(r.batch), toInt(r.steps));
        const auto sequences = [&](cudnnRNNDataDescriptor_t data, std::int64_t width) {
            return checkedCudnn(api().dataSet(data, type, CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED, toInt(r.steps),
                                              toInt(r.batch), toInt(width), lengths.data(), nullptr),
                                "cudnnSetRNNDataDescriptor");
        };
        if (auto ok = sequences(m_x, r.features); !ok) return ok;
        if (auto ok = sequences(m_y, r.directions * r.units); !ok) return ok;
        const std::array<int, 3> dims{toInt(r.directions), toInt(r.batch), toInt(r.units)};
        const std::array<int, 3> strides{toInt(r.batch * r.units), toInt(r.units), 1};
        if (auto ok = checkedCudnn(api().tensorSet(m_states, type, 3, dims.data(), strides.data()),
                                   "cudnnSetTensorNdDescriptor");
            !ok)
            return ok;
        return measure();
    }

    [[nodiscard]] std::size_t weightBytes() const { return m_weightBytes; }
    [[nodiscard]] std::size_t workBytes() const { return m_workBytes; }
    [[nodiscard]] std::size_t reserveBytes() const { return m_reserveBytes; }

    Result<RecurrenceSpaces> spaces() {
        RecurrenceSpaces spaces;
        spaces.weights = static_cast<std::int64_t>(m_weightBytes);
        spaces.workspace = static_cast<std::int64_t>(m_workBytes);
        spaces.reserve = static_cast<std::int64_t>(m_reserveBytes);
        spaces.restIsZero = m_r.persistent;
        for (std::int64_t direction = 0; direction < m_r.directions; ++direction)
            for (std::int64_t part = 0; part < 3; ++part)
                for (std::int64_t gate = 0; gate < kernels::gatesOf(m_r.cell); ++gate) {
                    ASSIGN(const auto offset, offsetOf(direction, part, gate));
                    spaces.offsets.push_back(offset);
                }
        return spaces;
    }

    Result<void> forward(std::span<void* const> o, void* workspace) {
        const auto mode = m_r.training ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE;
        return checkedCudnn(
            api().forward(m_handle, m_rnn, mode, lengthsOf(o[2]), m_x, o[0], m_y, o[5], m_states, o[3], o[6], m_states,
                          o[4], o[7], m_weightBytes, o[1], m_workBytes, workspace, m_reserveBytes, o[8]),
            "cudnnRNNForward");
    }
    Result<void> backwardData(std::span<void* const> o, void* workspace) {
        return checkedCudnn(api().backwardData(m_handle, m_rnn, lengthsOf(o[6]), m_y, o[0], o[1], m_x, o[8], m_states,
                                               o[3], o[2], nullptr, m_states, o[4], nullptr, nullptr, m_weightBytes,
                                               o[5], m_workBytes, workspace, m_reserveBytes, o[7]),
                            "cudnnRNNBackwardData_v8");
    }
    Result<void> backwardWeights(std::span<void* const> o, void* workspace) {
        return checkedCudnn(
            api().backwardWeights(m_handle, m_rnn, CUDNN_WGRAD_MODE_ADD, lengthsOf(o[3]), m_x, o[0], m_states, o[1],
                                  m_y, o[2], m_weightBytes, o[5], m_workBytes, workspace, m_reserveBytes, o[4]),
            "cudnnRNNBackwardWeights_v8");
    }

private:
    static const std::int32_t* lengthsOf(const void* operand) { return static_cast<const std::int32_t*>(operand); }

    Result<void> create() {
        if (auto ok = checkedCudnn(api().dropoutCreate(&m_dropout), "cudnnCreateDropoutDescriptor"); !ok) return ok;
        if (auto ok = checkedCudnn(api().rnnCreate(&m_rnn), "cudnnCreateRNNDescriptor"); !ok) return ok;
        for (auto* data : {&m_x, &m_y})
            if (auto ok = checkedCudnn(api().dataCreate(data), "cudnnCreateRNNDataDescriptor"); !ok) return ok;
        for (auto* tensor : {&m_states, &m_matrix, &m_bias})
            if (auto ok = checkedCudnn(api().tensorCreate(tensor), "cudnnCreateTensorDescriptor"); !ok) return ok;
        return {};
    }

    Result<void> measure() {
        if (auto ok = checkedCudnn(api().weightSize(m_handle, m_rnn, &m_weightBytes), "cudnnGetRNNWeightSpaceSize");
            !ok)
            return ok;
        const auto mode = m_r.training ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE;
        return checkedCudnn(api().tempSizes(m_handle, m_rnn, mode, m_x, &m_workBytes, &m_reserveBytes),
                            "cudnnGetRNNTempSpaceSizes");
    }

    // cuDNN returns addresses within a weight space; only offsets matter here.
    Result<std::int64_t> offsetOf(std::int64_t direction, std::int64_t part, std::int64_t gate) {
        alignas(256) static std::byte base{};
        const auto gates = kernels::gatesOf(m_r.cell);
        const auto number = numberOf(m_r.cell, gate) + (part == 1 ? gates : 0);
        void *matrix = nullptr, *bias = nullptr;
        TRY(checkedCudnn(api().weightParams(m_handle, m_rnn, toInt(direction), m_weightBytes, &base, toInt(number),
                                            m_matrix, &matrix, m_bias, &bias),
                         "cudnnGetRNNWeightParams"));
        const auto columns = part == 0 ? m_r.features : part == 1 ? m_r.units : 1;
        const auto* found = part == 2 ? bias : matrix;
        if (found == nullptr || !isDense(part == 2 ? m_bias : m_matrix, m_r.units * columns))
            return fail(ErrorKind::Unsupported, "cudnn", messages::noDenseBlock());
        return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(found) -
                                         reinterpret_cast<std::uintptr_t>(&base));
    }

    // Whether it has `count` elements in the Recurrence's type, row-major and contiguous.
    [[nodiscard]] bool isDense(cudnnTensorDescriptor_t tensor, std::int64_t count) const {
        std::array<int, 3> dims{}, strides{};
        cudnnDataType_t type{};
        int rank = 0;
        if (api().tensorGet(tensor, 3, &type, &rank, dims.data(), strides.data()) != CUDNN_STATUS_SUCCESS) return false;
        const auto elements = std::int64_t{dims[0]} * dims[1] * dims[2];
        const bool packed = dims[2] == 1 ? strides[1] == 1 : strides[2] == 1 && strides[1] == dims[2];
        return rank == 3 && type == cudnnTypeOf(m_r.type) && elements == count && (dims[1] == 1 || packed);
    }

    cudnnHandle_t m_handle;
    Recurrence m_r;
    cudnnDropoutDescriptor_t m_dropout = nullptr;
    cudnnRNNDescriptor_t m_rnn = nullptr;
    cudnnRNNDataDescriptor_t m_x = nullptr, m_y = nullptr;
    cudnnTensorDescriptor_t m_states = nullptr, m_matrix = nullptr, m_bias = nullptr;
    std::size_t m_weightBytes = 0, m_workBytes = 0, m_reserveBytes = 0;
};

class RecurrenceCall final : public LibraryCall {
public:
    RecurrenceCall(cudnnHandle_t handle, const Recurrence& recurrence)
        : m_pass(recurrence.pass), m_persistent(recurrence.persistent), m_layer(handle, recurrence) {}

    Result<void> prepare() {
        if (auto ok = m_layer.describe(); !ok) return ok;
        constexpr std::array<const char*, 3> passes{"forward", "data", "weights"};
        m_candidate.name = fmt::format("cudnn:recurrent_{}{}", passes[static_cast<std::size_t>(m_pass)],
                                       m_persistent ? "_persistent" : "");
        m_candidate.workspaceBytes = static_cast<std::int64_t>(m_layer.workBytes());
        return {};
    }
    std::span<const Candidate> candidates() const override { return {&m_candidate, 1}; }
    Result<void> run(std::size_t, std::span<void* const> operands, void* workspace, Stream) override {
        if (m_pass == RecurrencePass::Forward) return m_layer.forward(operands, workspace);
        return m_pass == RecurrencePass::BackwardData ? m_layer.backwardData(operands, workspace)
                                                      : m_layer.backwardWeights(operands, workspace);
    }

private:
    RecurrencePass m_pass;
    bool m_persistent;
    Layer m_layer;
    Candidate m_candidate;
};

}  // namespace

Result<RecurrenceSpaces> cudnnSpacesOf(cudnnHandle_t handle, const Recurrence& recurrence) {
    Layer layer(handle, recurrence);
    TRY(layer.describe());
    return layer.spaces();
}

Result<std::unique_ptr<LibraryCall>> prepareCudnn(cudnnHandle_t handle, const Recurrence& recurrence) {
    auto call = std::make_unique<RecurrenceCall>(handle, recurrence);
    TRY(call->prepare());
    return call;
}

}  // namespace steelyard::compute::cuda
