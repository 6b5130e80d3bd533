// SPDX-License-Identifier: Apache-2.0
// Describes a convolution and its epilogue as a graph and queries the heuristic for engines; each engine with a plan is
// a candidate.
#include "engine/compute/cuda/libraries/cudnn_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "engine/compute/cuda/compile/tuning.h"
#include "engine/compute/cuda/libraries/cudnn_recurrence.h"
#include "engine/compute/cuda/libraries/loaded_library.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

// A fused graph is compiled at run time (about a tenth of a second each), a plain convolution is precompiled.
constexpr std::size_t kMostPlans = 10, kMostChainPlans = 4;
constexpr std::int64_t kAlignment = 16;      // of operands, in bytes
constexpr std::int64_t kFirstVirtual = 100;  // ids of virtual tensors

struct Api {
    LoadedLibrary library{kCudnnName};
    decltype(&::cudnnBackendCreateDescriptor) create = nullptr;
    decltype(&::cudnnBackendDestroyDescriptor) destroy = nullptr;
    decltype(&::cudnnBackendSetAttribute) set = nullptr;
    decltype(&::cudnnBackendGetAttribute) get = nullptr;
    decltype(&::cudnnBackendFinalize) finalize = nullptr;
    decltype(&::cudnnBackendExecute) execute = nullptr;

    Api() {
        library.find("cudnnBackendCreateDescriptor", create);
        library.find("cudnnBackendDestroyDescriptor", destroy);
        library.find("cudnnBackendSetAttribute", set);
        library.find("cudnnBackendGetAttribute", get);
        library.find("cudnnBackendFinalize", finalize);
        library.find("cudnnBackendExecute", execute);
    }
};

const Api& api() {
    static const Api instance;
    return instance;
}

// Owns a cuDNN backend descriptor. The first error is kept, and later calls are no-ops.
class Descriptor {
public:
    explicit Descriptor(cudnnBackendDescriptorType_t type) { m_status = api().create(type, &m_descriptor); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, nullptr)), m_status(other.m_status) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (m_descriptor != nullptr) api().destroy(m_descriptor);
    }

    template <class T>
    Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::span<const T> values) {
        if (isGood())
            m_status = api().set(m_descriptor, name, type, static_cast<std::int64_t>(values.size()), values.data());
        return *this;
    }
    template <class T>
    Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T& value) {
        return set(name, type, std::span<const T>(&value, 1));
    }
    Descriptor& set(cudnnBackendAttributeName_t name, const Descriptor& other) {
        if (isGood() && !other.isGood()) m_status = other.m_status;
        return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, other.m_descriptor);
    }
    Descriptor& finalize() {
        if (isGood()) m_status = api().finalize(m_descriptor);
        return *this;
    }

    // Up to `most` values; empty on error.
    template <class T>
    [[nodiscard]] std::vector<T> get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                                     std::int64_t most) const {
        std::vector<T> values(static_cast<std::size_t>(most));
        std::int64_t count = 0;
        if (!isGood() || api().get(m_descriptor, name, type, most, &count, values.data()) != CUDNN_STATUS_SUCCESS)
            count = 0;
        values.resize(static_cast<std::size_t>(std::min(count, most)));
        return values;
    }
    [[nodiscard]] bool isGood() const { return m_status == CUDNN_STATUS_SUCCESS; }
    [[nodiscard]] cudnnStatus_t status() const { return m_status; }
    [[nodiscard]] cudnnBackendDescriptor_t raw() const { return m_descriptor; }

private:
    cudnnBackendDescriptor_t m_descriptor = nullptr;
    cudnnStatus_t m_status = CUDNN_STATUS_SUCCESS;
};

using Dims = std::array<std::int64_t, 4>;

// Virtual: intermediate, in Float32.
Descriptor tensorOf(const Convolution& c, std::int64_t id, const Dims& d) {
    const bool isVirtual = id >= kFirstVirtual;
    const auto strides = c.channelsLast ? Dims{d[1] * d[2] * d[3], 1, d[3] * d[1], d[1]}
                                        : Dims{d[1] * d[2] * d[3], d[2] * d[3], d[3], 1};
    Descriptor tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, isVirtual ? CUDNN_DATA_FLOAT : cudnnTypeOf(c.type))
        .set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(d))
        .set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::span<const std::int64_t>(strides))
        .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id)
        .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, kAlignment)
        .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, isVirtual)
        .finalize();
    return tensor;
}

Descriptor slidingOf(const Convolution& c) {
    using Pair = std::array<std::int64_t, 2>;
    const Pair paddings{c.paddingHeight, c.paddingWidth}, strides{c.strideHeight, c.strideWidth}, dilations{1, 1};
    const auto pair = [](const Pair& values) { return std::span<const std::int64_t>(values); };
    Descriptor sliding(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    sliding.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION)
        .set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t{2})
        .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, pair(dilations))
        .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, pair(strides))
        .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, pair(paddings))
        .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, pair(paddings))
        .finalize();
    return sliding;
}

// y = mode(x, b); b null for unary modes.
Descriptor pointwiseOf(cudnnPointwiseMode_t mode, const Descriptor& x, const Descriptor* b, const Descriptor& y) {
    Descriptor pointwise(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    pointwise.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode)
        .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
        .finalize();
    Descriptor operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, pointwise)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
    if (b != nullptr) operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *b);
    operation.finalize();
    return operation;
}

// Differences between the passes: names, and which of image, filter and output is which operand.
struct PassNames {
    const char* name;
    cudnnBackendDescriptorType_t operation;
    cudnnBackendAttributeName_t alpha, beta, sliding, image, filter, output;
    std::int64_t imageOperand, filterOperand, outputOperand;
};

PassNames namesOf(ConvolutionPass pass) {
    switch (pass) {
        case ConvolutionPass::Forward:
            return {"forward",
                    CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                    0,
                    1,
                    2};
        case ConvolutionPass::BackwardData:
            return {"data",
                    CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                    2,
                    1,
                    0};
        case ConvolutionPass::BackwardWeights:
            break;
    }
    return {"weights",
            CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
            0,
            2,
            1};
}

template <class Note>
bool has(const std::vector<Note>& notes, Note note) {
    return std::find(notes.begin(), notes.end(), note) != notes.end();
}

class Plans {
public:
    Plans(cudnnHandle_t handle, const Convolution& convolution)
        : m_handle(handle), m_c(convolution), m_names(namesOf(convolution.pass)) {}

    Result<void> prepare() {
        if (!api().library.isOpen()) return fail(ErrorKind::Unsupported, "cudnn", api().library.why());
        describe();
        for (const auto& part : m_parts)
            if (auto ok = checkedCudnn(part.status(), "describing a convolution"); !ok) return ok;
        take(CUDNN_HEUR_MODE_A);
        if (m_candidates.empty()) take(CUDNN_HEUR_MODE_FALLBACK);
        if (m_candidates.empty()) return fail(ErrorKind::Unsupported, "cudnn", messages::noAlgorithm());
        return {};
    }

    [[nodiscard]] std::span<const Candidate> candidates() const { return m_candidates; }

    [[nodiscard]] Result<void> run(std::size_t candidate, std::span<void* const> operands, void* workspace) const {
        constexpr std::array<std::int64_t, 5> kIds{0, 1, 2, 3, 4};
        const std::span<const std::int64_t> ids(kIds.data(), operands.size());
        Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
        pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids)
            .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, operands)
            .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace)
            .finalize();
        if (auto ok = checkedCudnn(pack.status(), "naming a convolution's operands"); !ok) return ok;
        return checkedCudnn(api().execute(m_handle, m_plans[candidate].raw(), pack.raw()), "cudnnBackendExecute");
    }

private:
    // All objects that the graph refers to precede it; the graph is the last.
    void describe() {
        const auto& c = m_c;
        const auto& n = m_names;
        const Dims result{c.batch, c.filters, c.outputHeight, c.outputWidth};
        const float one = 1, before = c.accumulate ? 1.0F : 0.0F;
        const auto& image = keep(tensorOf(c, n.imageOperand, {c.batch, c.channels, c.height, c.width}));
        const auto& filter =
            keep(tensorOf(c, n.filterOperand, {c.filters, c.channels / c.groups, c.kernelHeight, c.kernelWidth}));
        const auto& output = keep(tensorOf(c, c.hasEpilogue() ? kFirstVirtual : n.outputOperand, result));
        const auto& sliding = keep(slidingOf(c));
        Descriptor operation(n.operation);
        operation.set(n.alpha, CUDNN_TYPE_FLOAT, one)
            .set(n.beta, CUDNN_TYPE_FLOAT, before)
            .set(n.image, image)
            .set(n.filter, filter)
            .set(n.output, output)
            .set(n.sliding, sliding)
            .finalize();
        m_operations.push_back(keep(std::move(operation)).raw());
        describeEpilogue(output, result);
        Descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
        graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, m_handle)
            .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                 std::span<const cudnnBackendDescriptor_t>(m_operations))
            .finalize();
        keep(std::move(graph));
    }

    // The shortcut is added first, as in the precompiled engines for this graph.
    void describeEpilogue(const Descriptor& convolved, const Dims& result) {
        const auto& c = m_c;
        int left = (c.shortcut ? 1 : 0) + (c.bias ? 1 : 0) + (c.relu ? 1 : 0);
        std::int64_t nextVirtual = kFirstVirtual + 1;
        const auto* from = &convolved;
        const auto step = [&](cudnnPointwiseMode_t mode, const Descriptor* b) {
            const auto& to = keep(tensorOf(c, --left == 0 ? m_names.outputOperand : nextVirtual++, result));
            m_operations.push_back(keep(pointwiseOf(mode, *from, b, to)).raw());
            from = &to;
        };
        const std::int64_t biasOperand = 3, shortcutOperand = c.bias ? 4 : 3;
        if (c.shortcut) step(CUDNN_POINTWISE_ADD, &keep(tensorOf(c, shortcutOperand, result)));
        if (c.bias) step(CUDNN_POINTWISE_ADD, &keep(tensorOf(c, biasOperand, {1, c.filters, 1, 1})));
        if (c.relu) step(CUDNN_POINTWISE_RELU_FWD, nullptr);
    }

    const Descriptor& keep(Descriptor descriptor) { return m_parts.emplace_back(std::move(descriptor)); }

    // The heuristic's engines, best first.
    void take(cudnnBackendHeurMode_t mode) {
        Descriptor heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
        heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, m_parts.back())
            .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode)
            .finalize();
        std::int64_t count = 0;
        if (!heuristic.isGood() || api().get(heuristic.raw(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                             CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr) != CUDNN_STATUS_SUCCESS)
            return;
        std::vector<Descriptor> configurations;
        std::vector<cudnnBackendDescriptor_t> raw;
        for (std::int64_t i = 0; i < count; ++i)
            raw.push_back(configurations.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).raw());
        if (api().get(heuristic.raw(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, count, &count,
                      raw.data()) != CUDNN_STATUS_SUCCESS)
            return;
        const auto most = m_c.hasEpilogue() ? kMostChainPlans : kMostPlans;
        for (std::int64_t i = 0; i < count && m_plans.size() < most; ++i)
            plan(std::move(configurations[static_cast<std::size_t>(i)]), i);
    }

    // Float32 must not be rounded to fewer bits unless tf32 was requested; sums never. Runtime-compiled engines are
    // skipped if there are precompiled ones: on an H100 they made neither resnet50 nor vgg16 faster.
    [[nodiscard]] bool suits(const Descriptor& engine) const {
        const auto notes = engine.get<cudnnBackendNumericalNote_t>(
            CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
        const auto behaviour = engine.get<cudnnBackendBehaviorNote_t>(
            CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE, CUDNN_BEHAVIOR_NOTE_TYPE_COUNT);
        const bool strict = m_c.type == ElementType::F32 && !m_c.tf32;
        if (strict && has(notes, CUDNN_NUMERICAL_NOTE_TENSOR_CORE)) return false;
        if (strict && has(notes, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS)) return false;
        return !has(notes, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION) &&
               (m_c.hasEpilogue() || !has(behaviour, CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION));
    }

    // Adds a candidate if this engine configuration works.
    void plan(Descriptor configuration, std::int64_t order) {
        Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
        std::int64_t count = 0;
        auto* raw = engine.raw();
        if (api().get(configuration.raw(), CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count,
                      &raw) != CUDNN_STATUS_SUCCESS ||
            !suits(engine))
            return;
        Descriptor made(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
        made.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, m_handle)
            .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration)
            .finalize();
        const auto bytes = made.get<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1);
        const auto index = engine.get<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1);
        if (bytes.empty() || index.empty()) return;
        m_candidates.push_back({fmt::format("cudnn:{}:engine{}.{}", m_names.name, index[0], order), bytes[0]});
        m_plans.push_back(std::move(made));
        m_configurations.push_back(std::move(configuration));
    }

    cudnnHandle_t m_handle;
    Convolution m_c;
    PassNames m_names;
    std::deque<Descriptor> m_parts;  // addresses are stable
    std::vector<cudnnBackendDescriptor_t> m_operations;
    std::vector<Descriptor> m_configurations, m_plans;
    std::vector<Candidate> m_candidates;
};

class GraphCall final : public LibraryCall {
public:
    explicit GraphCall(std::shared_ptr<const Plans> plans) : m_plans(std::move(plans)) {}
    std::span<const Candidate> candidates() const override { return m_plans->candidates(); }
    Result<void> run(std::size_t candidate, std::span<void* const> operands, void* workspace, Stream) override {
        return m_plans->run(candidate, operands, workspace);
    }

private:
    std::shared_ptr<const Plans> m_plans;
};

}  // namespace

struct CudnnGraphs::Known {
    std::map<TuningKey, std::shared_ptr<const Plans>> plans;
    std::map<TuningKey, Error> failures;
};

CudnnGraphs::CudnnGraphs() : m_known(std::make_unique<Known>()) {}
CudnnGraphs::~CudnnGraphs() = default;

Result<std::unique_ptr<LibraryCall>> CudnnGraphs::prepare(cudnnHandle_t handle, const Convolution& convolution) {
    const auto key = keyOf(convolution);
    if (const auto failed = m_known->failures.find(key); failed != m_known->failures.end())
        return Failure(failed->second);
    auto& plans = m_known->plans[key];
    if (plans == nullptr) {
        auto made = std::make_shared<Plans>(handle, convolution);
        if (auto ok = made->prepare(); !ok) {
            m_known->failures.emplace(key, ok.error());
            return Failure(ok.error());
        }
        plans = std::move(made);
    }
    return std::make_unique<GraphCall>(plans);
}

}  // namespace steelyard::compute::cuda
