// SPDX-License-Identifier: Apache-2.0
// Convolutions with cuDNN: its graph interface (cudnn_graph.h), and the legacy API if that has no engine, with the
// algorithms that it lists for the shape as candidates, in order. Recurrent layers: cudnn_recurrence.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "engine/compute/cuda/libraries/cudnn_graph.h"
#include "engine/compute/cuda/libraries/cudnn_recurrence.h"
#include "engine/compute/cuda/libraries/libraries.h"
#include "engine/compute/cuda/libraries/loaded_library.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

struct Api {
    LoadedLibrary library{kCudnnName};
    decltype(&::cudnnCreate) create = nullptr;
    decltype(&::cudnnDestroy) destroy = nullptr;
    decltype(&::cudnnSetStream) setStream = nullptr;
    decltype(&::cudnnGetVersion) version = nullptr;
    decltype(&::cudnnGetErrorString) errorString = nullptr;
    decltype(&::cudnnCreateTensorDescriptor) tensorCreate = nullptr;
    decltype(&::cudnnDestroyTensorDescriptor) tensorDestroy = nullptr;
    decltype(&::cudnnSetTensor4dDescriptor) tensorSet = nullptr;
    decltype(&::cudnnCreateFilterDescriptor) filterCreate = nullptr;
    decltype(&::cudnnDestroyFilterDescriptor) filterDestroy = nullptr;
    decltype(&::cudnnSetFilter4dDescriptor) filterSet = nullptr;
    decltype(&::cudnnCreateConvolutionDescriptor) convolutionCreate = nullptr;
    decltype(&::cudnnDestroyConvolutionDescriptor) convolutionDestroy = nullptr;
    decltype(&::cudnnSetConvolution2dDescriptor) convolutionSet = nullptr;
    decltype(&::cudnnSetConvolutionGroupCount) groupCount = nullptr;
    decltype(&::cudnnSetConvolutionMathType) mathType = nullptr;
    decltype(&::cudnnGetConvolutionForwardAlgorithm_v7) forwardAlgorithms = nullptr;
    decltype(&::cudnnGetConvolutionBackwardDataAlgorithm_v7) dataAlgorithms = nullptr;
    decltype(&::cudnnGetConvolutionBackwardFilterAlgorithm_v7) filterAlgorithms = nullptr;
    decltype(&::cudnnGetConvolutionForwardWorkspaceSize) forwardWorkspace = nullptr;
    decltype(&::cudnnGetConvolutionBackwardDataWorkspaceSize) dataWorkspace = nullptr;
    decltype(&::cudnnGetConvolutionBackwardFilterWorkspaceSize) filterWorkspace = nullptr;
    decltype(&::cudnnConvolutionForward) forward = nullptr;
    decltype(&::cudnnConvolutionBackwardData) backwardData = nullptr;
    decltype(&::cudnnConvolutionBackwardFilter) backwardFilter = nullptr;

    Api() {
        library.find("cudnnCreate", create);
        library.find("cudnnDestroy", destroy);
        library.find("cudnnSetStream", setStream);
        library.find("cudnnGetVersion", version);
        library.find("cudnnGetErrorString", errorString);
        library.find("cudnnCreateTensorDescriptor", tensorCreate);
        library.find("cudnnDestroyTensorDescriptor", tensorDestroy);
        library.find("cudnnSetTensor4dDescriptor", tensorSet);
        library.find("cudnnCreateFilterDescriptor", filterCreate);
        library.find("cudnnDestroyFilterDescriptor", filterDestroy);
        library.find("cudnnSetFilter4dDescriptor", filterSet);
        library.find("cudnnCreateConvolutionDescriptor", convolutionCreate);
        library.find("cudnnDestroyConvolutionDescriptor", convolutionDestroy);
        library.find("cudnnSetConvolution2dDescriptor", convolutionSet);
        library.find("cudnnSetConvolutionGroupCount", groupCount);
        library.find("cudnnSetConvolutionMathType", mathType);
        library.find("cudnnGetConvolutionForwardAlgorithm_v7", forwardAlgorithms);
        library.find("cudnnGetConvolutionBackwardDataAlgorithm_v7", dataAlgorithms);
        library.find("cudnnGetConvolutionBackwardFilterAlgorithm_v7", filterAlgorithms);
        library.find("cudnnGetConvolutionForwardWorkspaceSize", forwardWorkspace);
        library.find("cudnnGetConvolutionBackwardDataWorkspaceSize", dataWorkspace);
        library.find("cudnnGetConvolutionBackwardFilterWorkspaceSize", filterWorkspace);
        library.find("cudnnConvolutionForward", forward);
        library.find("cudnnConvolutionBackwardData", backwardData);
        library.find("cudnnConvolutionBackwardFilter", backwardFilter);
    }
};

const Api& api() {
    static const Api instance;
    return instance;
}

}  // namespace

Result<void> checkedCudnn(cudnnStatus_t status, const char* call) {
    if (status == CUDNN_STATUS_SUCCESS) return {};
    // 3000 to 3999: CUDNN_STATUS_NOT_SUPPORTED and related.
    const auto kind = status / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000 ? ErrorKind::Unsupported : ErrorKind::Internal;
    return fail(kind, "cudnn", Message(fmt::format("{}: {}", call, api().errorString(status))));
}

cudnnDataType_t cudnnTypeOf(ElementType type) {
    if (type == ElementType::Bf16) return CUDNN_DATA_BFLOAT16;
    return type == ElementType::F16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
}

namespace {

// Float32 may use tensor cores only if tf32 was requested.
cudnnMathType_t mathOf(const Convolution& c) {
    if (c.type != ElementType::F32) return CUDNN_TENSOR_OP_MATH;
    return c.tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
}

// Its number, and the math type it was listed with.
struct Algorithm {
    int number = 0;
    cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

class ConvolutionCall final : public LibraryCall {
public:
    ConvolutionCall(cudnnHandle_t handle, const Convolution& convolution) : m_handle(handle), m_c(convolution) {}
    ~ConvolutionCall() override {
        for (auto* tensor : {m_image, m_output})
            if (tensor != nullptr) api().tensorDestroy(tensor);
        if (m_filter != nullptr) api().filterDestroy(m_filter);
        if (m_convolution != nullptr) api().convolutionDestroy(m_convolution);
    }

    Result<void> prepare() {
        if (auto ok = describe(); !ok) return ok;
        const auto listed = m_c.pass == ConvolutionPass::Forward        ? listForward()
                            : m_c.pass == ConvolutionPass::BackwardData ? listData()
                                                                        : listWeights();
        if (!listed) return listed;
        if (m_candidates.empty()) return fail(ErrorKind::Unsupported, "cudnn", messages::noAlgorithm());
        return {};
    }

    std::span<const Candidate> candidates() const override { return m_candidates; }

    Result<void> run(std::size_t candidate, std::span<void* const> operands, void* workspace, Stream) override {
        const auto& algorithm = m_algorithms[candidate];
        const auto bytes = static_cast<std::size_t>(m_candidates[candidate].workspaceBytes);
        if (auto ok = checkedCudnn(api().mathType(m_convolution, algorithm.math), "cudnnSetConvolutionMathType"); !ok)
            return ok;
        const float one = 1, before = m_c.accumulate ? 1.0F : 0.0F;
        switch (m_c.pass) {
            case ConvolutionPass::Forward:
                return checkedCudnn(
                    api().forward(m_handle, &one, m_image, operands[0], m_filter, operands[1], m_convolution,
                                  static_cast<cudnnConvolutionFwdAlgo_t>(algorithm.number), workspace, bytes, &before,
                                  m_output, operands[2]),
                    "cudnnConvolutionForward");
            case ConvolutionPass::BackwardData:
                return checkedCudnn(
                    api().backwardData(m_handle, &one, m_filter, operands[1], m_output, operands[0], m_convolution,
                                       static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm.number), workspace, bytes,
                                       &before, m_image, operands[2]),
                    "cudnnConvolutionBackwardData");
            case ConvolutionPass::BackwardWeights:
                return checkedCudnn(
                    api().backwardFilter(m_handle, &one, m_image, operands[0], m_output, operands[1], m_convolution,
                                         static_cast<cudnnConvolutionBwdFilterAlgo_t>(algorithm.number), workspace,
                                         bytes, &before, m_filter, operands[2]),
                    "cudnnConvolutionBackwardFilter");
        }
        return {};
    }

private:
    static int toInt(std::int64_t value) { return static_cast<int>(value); }

    Result<void> describe() {
        const auto& c = m_c;
        const auto format = c.channelsLast ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
        const auto type = cudnnTypeOf(c.type);
        for (auto* tensor : {&m_image, &m_output})
            if (auto ok = checkedCudnn(api().tensorCreate(tensor), "cudnnCreateTensorDescriptor"); !ok) return ok;
        if (auto ok = checkedCudnn(api().filterCreate(&m_filter), "cudnnCreateFilterDescriptor"); !ok) return ok;
        if (auto ok = checkedCudnn(api().convolutionCreate(&m_convolution), "cudnnCreateConvolutionDescriptor"); !ok)
            return ok;
        const std::array<cudnnStatus_t, 6> statuses{
            api().tensorSet(m_image, format, type, toInt(c.batch), toInt(c.channels), toInt(c.height), toInt(c.width)),
            api().tensorSet(m_output, format, type, toInt(c.batch), toInt(c.filters), toInt(c.outputHeight),
                            toInt(c.outputWidth)),
            api().filterSet(m_filter, type, format, toInt(c.filters), toInt(c.channels / c.groups),
                            toInt(c.kernelHeight), toInt(c.kernelWidth)),
            api().convolutionSet(m_convolution, toInt(c.paddingHeight), toInt(c.paddingWidth), toInt(c.strideHeight),
                                 toInt(c.strideWidth), 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
            api().groupCount(m_convolution, toInt(c.groups)),
            api().mathType(m_convolution, mathOf(c))};
        for (auto status : statuses)
            if (auto ok = checkedCudnn(status, "describing a convolution"); !ok) return ok;
        return {};
    }

    // Workspace of an algorithm with this math type; unset if not supported.
    std::optional<std::int64_t> workspaceOf(const Algorithm& algorithm) {
        if (api().mathType(m_convolution, algorithm.math) != CUDNN_STATUS_SUCCESS) return std::nullopt;
        std::size_t bytes = 0;
        auto status = CUDNN_STATUS_SUCCESS;
        if (m_c.pass == ConvolutionPass::Forward)
            status = api().forwardWorkspace(m_handle, m_image, m_filter, m_convolution, m_output,
                                            static_cast<cudnnConvolutionFwdAlgo_t>(algorithm.number), &bytes);
        else if (m_c.pass == ConvolutionPass::BackwardData)
            status = api().dataWorkspace(m_handle, m_filter, m_output, m_convolution, m_image,
                                         static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm.number), &bytes);
        else
            status = api().filterWorkspace(m_handle, m_image, m_output, m_convolution, m_filter,
                                           static_cast<cudnnConvolutionBwdFilterAlgo_t>(algorithm.number), &bytes);
        if (status != CUDNN_STATUS_SUCCESS) return std::nullopt;
        return static_cast<std::int64_t>(bytes);
    }

    // Plain float32 uses only algorithms listed without tensor cores: the list may name the default math type, which
    // would allow tf32.
    template <class Results>
    void take(const Results& results, int count, const char* pass) {
        const bool strict = m_c.type == ElementType::F32 && !m_c.tf32;
        for (int i = 0; i < count; ++i) {
            const auto& result = results[static_cast<std::size_t>(i)];
            if (result.status != CUDNN_STATUS_SUCCESS) continue;
            const Algorithm algorithm{static_cast<int>(result.algo), strict ? CUDNN_FMA_MATH : result.mathType};
            const auto name = fmt::format("cudnn:{}:{}.{}", pass, algorithm.number, static_cast<int>(algorithm.math));
            const bool known = std::any_of(m_candidates.begin(), m_candidates.end(),
                                           [&](const Candidate& candidate) { return candidate.name == name; });
            const auto workspace = known ? std::nullopt : workspaceOf(algorithm);
            if (!workspace) continue;
            m_algorithms.push_back(algorithm);
            m_candidates.push_back({name, *workspace});
        }
    }

    Result<void> listForward() {
        std::array<cudnnConvolutionFwdAlgoPerf_t, CUDNN_CONVOLUTION_FWD_ALGO_COUNT> results{};
        int count = 0;
        const auto asked = api().forwardAlgorithms(m_handle, m_image, m_filter, m_convolution, m_output,
                                                   toInt(results.size()), &count, results.data());
        take(results, asked == CUDNN_STATUS_SUCCESS ? count : 0, "forward");
        return checkedCudnn(asked, "cudnnGetConvolutionForwardAlgorithm_v7");
    }
    Result<void> listData() {
        std::array<cudnnConvolutionBwdDataAlgoPerf_t, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT> results{};
        int count = 0;
        const auto asked = api().dataAlgorithms(m_handle, m_filter, m_output, m_convolution, m_image,
                                                toInt(results.size()), &count, results.data());
        take(results, asked == CUDNN_STATUS_SUCCESS ? count : 0, "data");
        return checkedCudnn(asked, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
    }
    Result<void> listWeights() {
        std::array<cudnnConvolutionBwdFilterAlgoPerf_t, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT> results{};
        int count = 0;
        const auto asked = api().filterAlgorithms(m_handle, m_image, m_output, m_convolution, m_filter,
                                                  toInt(results.size()), &count, results.data());
        take(results, asked == CUDNN_STATUS_SUCCESS ? count : 0, "weights");
        return checkedCudnn(asked, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
    }

    cudnnHandle_t m_handle;
    Convolution m_c;
    cudnnTensorDescriptor_t m_image = nullptr, m_output = nullptr;
    cudnnFilterDescriptor_t m_filter = nullptr;
    cudnnConvolutionDescriptor_t m_convolution = nullptr;
    std::vector<Algorithm> m_algorithms;
    std::vector<Candidate> m_candidates;
};

struct DestroyHandle {
    void operator()(cudnnHandle_t handle) const { api().destroy(handle); }
};

class Cudnn final : public NetworkLibrary {
public:
    explicit Cudnn(cudnnHandle_t handle) : m_handle(handle) {}
    std::string version() const override { return cudnnVersion().value_or(std::string()); }
    Result<std::unique_ptr<LibraryCall>> prepare(const Convolution& convolution, std::int64_t) override {
        auto graph = m_graphs.prepare(m_handle.get(), convolution);
        if (graph || convolution.hasEpilogue()) return graph;
        auto call = std::make_unique<ConvolutionCall>(m_handle.get(), convolution);
        TRY(call->prepare());
        return call;
    }
    Result<RecurrenceSpaces> spacesOf(const Recurrence& recurrence) override {
        return cudnnSpacesOf(m_handle.get(), recurrence);
    }
    Result<std::unique_ptr<LibraryCall>> prepare(const Recurrence& recurrence) override {
        return prepareCudnn(m_handle.get(), recurrence);
    }

private:
    std::unique_ptr<cudnnContext, DestroyHandle> m_handle;
    CudnnGraphs m_graphs;  // destroyed before the handle
};

Result<void> opened() {
    if (api().library.isOpen()) return {};
    return fail(ErrorKind::BackendUnavailable, kCudnnName, api().library.why());
}

}  // namespace

Result<std::string> cudnnVersion() {
    TRY(opened());
    const auto version = api().version();  // 10000 x major + 100 x minor + patch
    return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

Result<std::unique_ptr<NetworkLibrary>> openCudnn(Stream stream) {
    TRY(opened());
    cudnnHandle_t handle = nullptr;
    TRY(checkedCudnn(api().create(&handle), "cudnnCreate"));
    auto library = std::make_unique<Cudnn>(handle);
    TRY(checkedCudnn(api().setStream(handle, static_cast<cudaStream_t>(stream)), "cudnnSetStream"));
    return library;
}

}  // namespace steelyard::compute::cuda
