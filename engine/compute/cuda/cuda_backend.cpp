// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <mutex>

#include "engine/compute/cuda/execute/executable.h"
#include "engine/compute/cuda/execute/host_copy.h"
#include "engine/compute/cuda/execute/raw_memory.h"
#include "engine/compute/cuda/language/cuda_decoder.h"
#include "engine/compute/parallel/bucket_plan.h"
#include "engine/core/messages/compute.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute::cuda {
namespace {

constexpr std::string_view kPrefix = "cuda:";
constexpr int kFirstByteProducts = 75;        // compute capability x 10: int8 on tensor cores
constexpr int kFirstTensorFloat = 80;         // bf16 and tf32
constexpr std::int64_t kLargestWindow = 256;  // positions that a saved index can represent

int capability(const DeviceFacts& facts) {
    return facts.major * 10 + facts.minor;
}

// The compute capability that a precision needs, times 10.
int neededCapability(plan::Precision precision) {
    using P = plan::Precision;
    if (precision == P::Bf16 || precision == P::Tf32) return kFirstTensorFloat;
    return precision == P::Int8 ? kFirstByteProducts : 0;
}
std::string versionOf(int capability) {
    return fmt::format("{}.{}", capability / 10, capability % 10);
}

bool usesMatrices(plan::OperationKind kind) {
    using K = plan::OperationKind;
    return kind == K::MatMul || kind == K::Product || kind == K::Attention || kind == K::GroupedAttention ||
           kind == K::Recurrent;
}

bool convolves(plan::OperationKind kind) {
    return kind == plan::OperationKind::Convolution || kind == plan::OperationKind::DepthwiseConvolution;
}

bool hasImages(const plan::Plan& plan) {
    return std::any_of(plan.tensors.begin(), plan.tensors.end(), [](const plan::Tensor& tensor) {
        return tensor.role != plan::TensorRole::Weight && tensor.dims.size() == 4;
    });
}

// Tensors of rank four that are no images: layers process them row by row in row-major layout.
bool hasOtherArrays(const plan::Plan& plan) {
    const auto isWide = [&](TensorId id) { return id != plan::kNoTensor && plan.tensor(id).dims.size() == 4; };
    return std::any_of(plan.operations.begin(), plan.operations.end(), [&](const plan::Operation& op) {
        using K = plan::OperationKind;
        const bool anyInput = std::any_of(op.inputs.begin(), op.inputs.end(), isWide);
        if (op.kind == K::Flatten) return op.output != plan::kNoTensor && isWide(op.output);
        if (op.kind == K::MatMul || op.kind == K::LayerNorm || op.kind == K::RmsNorm || op.kind == K::Embedding)
            return anyInput || isWide(op.output);
        const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
        return array != nullptr && anyInput &&
               (std::holds_alternative<model::MatrixProduct>(array->operation) ||
                std::holds_alternative<model::AttendArrays>(array->operation));
    });
}

bool hasConvolutions(const plan::Plan& plan) {
    return std::any_of(plan.operations.begin(), plan.operations.end(),
                       [](const plan::Operation& op) { return convolves(op.kind); });
}

class CudaBackend final : public Backend, public HostCopies, public RawMemorySource, public LanguageBackend {
public:
    explicit CudaBackend(std::shared_ptr<DeviceProvider> provider)
        : m_provider(std::move(provider)), m_devices(m_provider->devices()) {}

    [[nodiscard]] std::string_view name() const override { return "cuda"; }

    [[nodiscard]] std::vector<Device> devices() const override {
        std::vector<Device> all;
        for (std::size_t i = 0; i < m_devices.size(); ++i)
            all.push_back({fmt::format("{}{}", kPrefix, i), m_devices[i].name, Bytes(m_devices[i].totalBytes)});
        return all;
    }

    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override {
        return m_provider->libraries();
    }

    [[nodiscard]] Result<void> supports(const plan::Operation& op, const plan::Plan& plan) const override {
        const auto precision = plan.options.precision;
        const auto needed = neededCapability(precision);
        const bool able = std::any_of(m_devices.begin(), m_devices.end(),
                                      [&](const DeviceFacts& facts) { return capability(facts) >= needed; });
        if (needed > 0 && !able)
            return fail(ErrorKind::Unsupported, op.name,
                        messages::capabilityNeeded(toString(precision), versionOf(needed)));
        if (precision == plan::Precision::Int8 &&
            std::none_of(plan.operations.begin(), plan.operations.end(),
                         [&](const auto& other) { return plan::isEightBitProduct(other, plan); }))
            return fail(ErrorKind::Unsupported, op.name, messages::nothingInBytes());
        if (plan::isEightBitProduct(op, plan)) return {};  // native kernels
        if (usesMatrices(op.kind) && !m_provider->whyNoMatrices().empty())
            return fail(ErrorKind::Unsupported, op.name,
                        messages::libraryMissing("cuBLAS", m_provider->whyNoMatrices()));
        if (convolves(op.kind) && !m_provider->whyNoNetworks().empty())
            return fail(ErrorKind::Unsupported, op.name,
                        messages::libraryMissing("cuDNN", m_provider->whyNoNetworks()));
        const auto* pool = std::get_if<model::Pool2d>(&op.layer);
        if (pool != nullptr && !op.saved.empty() && pool->kernel.height * pool->kernel.width > kLargestWindow)
            return fail(ErrorKind::Unsupported, op.name, messages::windowTooLarge(kLargestWindow));
        return {};
    }

    [[nodiscard]] Result<std::unique_ptr<Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                              const CompileOptions& options) override {
        ASSIGN(const auto ordinal, ordinalOf(options.device));
        const auto& facts = m_devices[ordinal];
        if (const auto needed = neededCapability(plan->options.precision); capability(facts) < needed)
            return fail(ErrorKind::Unsupported, options.device,
                        messages::capabilityTooOld(toString(plan->options.precision), versionOf(needed),
                                                   versionOf(capability(facts))));
        TRY(supportsPlan(*this, *plan));
        if (options.ranks && updatesSparsely(*plan))
            return fail(ErrorKind::Unsupported, options.device, messages::sparseUpdateShared());
        const std::scoped_lock lock(m_mutex);
        ASSIGN(const auto last, agreedLayout(plan, options, static_cast<int>(ordinal)));
        ASSIGN(auto executable, build(plan, options, static_cast<int>(ordinal), last));
        return std::unique_ptr<Executable>(std::move(executable));
    }

    [[nodiscard]] Result<std::unique_ptr<HostCopy>> prepareCopy(const CopyRequest& request) override {
        ASSIGN(const auto ordinal, ordinalOf(request.device));
        ASSIGN(auto device, m_provider->open(static_cast<int>(ordinal)));
        return makeHostCopy(std::move(device), request);
    }

    [[nodiscard]] Result<Bytes> freeMemory(const std::string& device) override {
        ASSIGN(const auto ordinal, ordinalOf(device));
        ASSIGN(auto opened, m_provider->open(static_cast<int>(ordinal)));
        TRY(opened->runtime->makeCurrent());
        ASSIGN(const auto state, opened->runtime->memory());
        return Bytes(state.freeBytes);
    }
    [[nodiscard]] Result<std::unique_ptr<RawMemory>> allocateRaw(const std::string& device, Bytes bytes) override {
        ASSIGN(const auto ordinal, ordinalOf(device));
        ASSIGN(auto opened, m_provider->open(static_cast<int>(ordinal)));
        return makeRawMemory(std::move(opened), bytes);
    }

    [[nodiscard]] Result<DecoderMemory> plannedDecoderMemory(const DecoderWeights& weights,
                                                             const DecoderOptions& options) const override {
        ASSIGN(const auto ordinal, ordinalOf(options.device));
        return cudaDecoderMemory(weights, options, m_devices[ordinal]);
    }
    [[nodiscard]] Result<std::unique_ptr<LanguageDecoder>> makeDecoder(DecoderWeights weights,
                                                                       const DecoderOptions& options) override {
        ASSIGN(const auto ordinal, ordinalOf(options.device));
        ASSIGN(auto device, m_provider->open(static_cast<int>(ordinal)));
        TRY(device->runtime->makeCurrent());
        return makeCudaDecoder(std::move(weights), options, std::move(device));
    }

private:
    [[nodiscard]] Result<std::size_t> ordinalOf(std::string_view device) const {
        std::size_t ordinal = 0;
        const auto* end = device.data() + device.size();
        const auto digits = device.starts_with(kPrefix) ? device.substr(kPrefix.size()) : std::string_view{};
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
        if (digits.empty() || parsed.ec != std::errc{} || parsed.ptr != end || ordinal >= m_devices.size())
            return fail(ErrorKind::NotFound, {}, messages::unknownCudaDevice(device, m_devices.size()));
        return ordinal;
    }

    Result<std::unique_ptr<CudaExecutable>> build(const std::shared_ptr<const plan::Plan>& plan,
                                                  const CompileOptions& options, int ordinal, bool channelsLast) {
        ASSIGN(auto device, m_provider->open(ordinal));
        TRY(device->runtime->makeCurrent());
        std::shared_ptr<DataParallel> parallel;
        if (options.ranks) {
            ASSIGN(auto made, dataParallel(*device->runtime, *plan, *options.ranks));
            parallel = std::move(made);
        }
        Compiler compiler(*device, m_tuners[ordinal], plan, options, channelsLast, std::move(parallel));
        ASSIGN(auto step, compiler.run());
        return CudaExecutable::make(std::move(device), std::move(step), options);
    }

    // The ranks connect once; later compilations use the same communicator.
    Result<std::unique_ptr<DataParallel>> dataParallel(DeviceRuntime& runtime, const plan::Plan& plan,
                                                       const RankGroup& group) {
        auto& known = m_communicators[group.rendezvousFolder];
        if (!known) {
            ASSIGN(auto met, m_provider->connect(group));
            known = std::move(met);
        }
        if (known->rank() != group.rank || known->size() != group.size)
            return fail(ErrorKind::InvalidArgument, {}, messages::otherRankHere());
        BucketOptions buckets;
        if (group.bucketBytes) buckets.enough = buckets.first = *group.bucketBytes;
        return DataParallel::make(runtime, known, planBuckets(plan, buckets));
    }

    // Gradients must have the same layout on all ranks: rank 0 chooses.
    Result<bool> agreedLayout(const std::shared_ptr<const plan::Plan>& plan, const CompileOptions& options,
                              int ordinal) {
        auto alone = options;
        alone.ranks.reset();
        const auto own = chooseLayout(plan, alone, ordinal);
        if (!own || !options.ranks) return own;
        ASSIGN(auto device, m_provider->open(ordinal));
        TRY(device->runtime->makeCurrent());
        ASSIGN(const auto group, dataParallel(*device->runtime, *plan, *options.ranks));
        ASSIGN(const auto agreed, group->valueOfRankZero(*own ? 1 : 0));
        return agreed == 1;
    }

    // Whether images are channels-last.
    Result<bool> chooseLayout(const std::shared_ptr<const plan::Plan>& plan, const CompileOptions& options,
                              int ordinal) {
        if (hasOtherArrays(*plan)) return false;
        if (elementType(plan->options.precision) != ElementType::F32 ||
            plan->options.precision == plan::Precision::Int8)
            return hasImages(*plan);
        if (!hasConvolutions(*plan)) return false;
        auto trial = options;
        trial.profile = false;
        std::optional<Error> error;
        bool best = false;
        double bestSeconds = std::numeric_limits<double>::infinity();
        for (const bool last : {false, true}) {
            const auto seconds = secondsOf(plan, trial, ordinal, last);
            if (!seconds) error = seconds.error();
            if (!seconds || *seconds >= bestSeconds) continue;
            best = last;
            bestSeconds = *seconds;
        }
        if (bestSeconds == std::numeric_limits<double>::infinity()) return Failure(*error);
        return best;
    }

    // Time of one step on zeros, by device events: the first steps load libraries and capture.
    Result<double> secondsOf(const std::shared_ptr<const plan::Plan>& plan, const CompileOptions& options, int ordinal,
                             bool channelsLast) {
        constexpr int kSteps = 5, kWarmUp = 2;
        ASSIGN(auto executable, build(plan, options, ordinal, channelsLast));
        double best = std::numeric_limits<double>::max();
        for (int i = 0; i < kSteps; ++i) {
            ASSIGN(const auto outcome, executable->step({}));
            if (i >= kWarmUp) best = std::min(best, outcome.deviceSeconds.value_or(best));
        }
        return best;
    }

    std::shared_ptr<DeviceProvider> m_provider;
    std::vector<DeviceFacts> m_devices;
    std::mutex m_mutex;  // serializes compilations
    std::map<int, Tuner> m_tuners;
    std::map<std::string, std::shared_ptr<Communicator>> m_communicators;  // by rendezvous folder
};

}  // namespace

std::unique_ptr<Backend> makeCudaBackend(std::shared_ptr<DeviceProvider> provider) {
    return std::make_unique<CudaBackend>(std::move(provider));
}

}  // namespace steelyard::compute::cuda
