// SPDX-License-Identifier: Apache-2.0
// Entry points of libsteelyard_cuda.so (engine/compute/plugin_loader.h).
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/compute/cuda/availability.h"
#include "engine/compute/cuda/libraries/libraries.h"
#include "engine/compute/parallel/rendezvous.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

std::string versionText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

class CudaProvider final : public DeviceProvider {
public:
    explicit CudaProvider(std::vector<DeviceFacts> devices) : m_devices(std::move(devices)) {
        if (auto cublas = cublasVersion(); !cublas) m_whyNoMatrices = cublas.error().detail;
        if (auto cudnn = cudnnVersion(); !cudnn) m_whyNoNetworks = cudnn.error().detail;
    }

    std::vector<DeviceFacts> devices() const override { return m_devices; }
    Message whyNoMatrices() const override { return m_whyNoMatrices; }
    Message whyNoNetworks() const override { return m_whyNoNetworks; }

    std::vector<std::pair<std::string, std::string>> libraries() const override {
        int driver = 0, runtime = 0;
        static_cast<void>(cudaDriverGetVersion(&driver));
        static_cast<void>(cudaRuntimeGetVersion(&runtime));
        const auto orReason = [](const Result<std::string>& version) {
            return version ? *version : "missing: " + version.error().detail.text;
        };
        return {{"cuda", versionText(runtime)},
                {"cuda_driver", versionText(driver)},
                {"cublas", orReason(cublasVersion())},
                {"cudnn", orReason(cudnnVersion())}};
    }

    Result<std::shared_ptr<DeviceSet>> open(int ordinal) override {
        auto set = std::make_shared<DeviceSet>();
        auto runtime = openRuntime(ordinal);
        if (!runtime) return Failure(runtime.error());
        set->runtime = std::move(*runtime);
        ASSIGN(const auto memory, set->runtime->memory());
        set->freeBytes = memory.freeBytes;
        set->whyNoMatrices = m_whyNoMatrices;
        set->whyNoNetworks = m_whyNoNetworks;
        if (m_whyNoMatrices.empty()) {
            ASSIGN(auto cublas, openCublas(set->runtime->stream()));
            set->matrices = std::move(cublas);
        }
        if (m_whyNoNetworks.empty()) {
            ASSIGN(auto cudnn, openCudnn(set->runtime->stream()));
            set->networks = std::move(cudnn);
        }
        return set;
    }

    // NCCL is only loaded here: a single device needs none.
    Result<std::shared_ptr<Communicator>> connect(const RankGroup& group) override {
        const auto nccl = openNccl();
        if (!nccl) return fail(ErrorKind::Unsupported, {}, messages::libraryMissing("NCCL", nccl.error().detail));
        ASSIGN(auto met, initCommunicator(*nccl, group));
        return std::shared_ptr<Communicator>(std::move(met));
    }

private:
    std::vector<DeviceFacts> m_devices;
    Message m_whyNoMatrices, m_whyNoNetworks;
};

DriverAnswer askDriver() {
    DriverAnswer answer;
    static_cast<void>(cudaDriverGetVersion(&answer.driverVersion));
    const auto status = cudaGetDeviceCount(&answer.devices);
    if (status != cudaSuccess) answer.failure = cudaGetErrorString(status);
    return answer;
}

}  // namespace
}  // namespace steelyard::compute::cuda

extern "C" {

__attribute__((visibility("default"))) int steelyardBackendInterfaceVersion() {
    return steelyard::compute::kBackendInterfaceVersion;
}

__attribute__((visibility("default"))) steelyard::compute::Backend* steelyardMakeBackend(steelyard::Message* reason) {
    using namespace steelyard::compute::cuda;
    const auto refuse = [&](steelyard::Message why) {
        *reason = std::move(why);
        return nullptr;
    };
    if (auto why = whyNoDevice(askDriver()); !why.empty()) return refuse(std::move(why));
    auto devices = listDevices();
    if (!devices) return refuse(steelyard::messageOf(devices.error()));
    return makeCudaBackend(std::make_shared<CudaProvider>(std::move(*devices))).release();
}
}
