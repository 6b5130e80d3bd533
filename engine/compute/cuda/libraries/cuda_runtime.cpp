// SPDX-License-Identifier: Apache-2.0
// A device through the CUDA runtime, which is linked statically and locates the driver.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "engine/compute/cuda/libraries/libraries.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

Result<void> checked(cudaError_t status, const char* call) {
    if (status == cudaSuccess) return {};
    static_cast<void>(cudaGetLastError());  // so that the next call does not report it
    return fail(ErrorKind::Internal, "cuda", messages::callFailed(call, cudaGetErrorString(status)));
}

cudaStream_t streamOf(Stream stream) {
    return static_cast<cudaStream_t>(stream);
}

class CapturedGraph final : public DeviceGraph {
public:
    explicit CapturedGraph(cudaGraphExec_t graph) : m_graph(graph) {}
    ~CapturedGraph() override { cudaGraphExecDestroy(m_graph); }
    Result<void> launch(Stream stream) override {
        return checked(cudaGraphLaunch(m_graph, streamOf(stream)), "cudaGraphLaunch");
    }

private:
    cudaGraphExec_t m_graph;
};

class CudaRuntime final : public DeviceRuntime {
public:
    CudaRuntime(int ordinal, DeviceFacts facts, cudaStream_t stream)
        : m_ordinal(ordinal), m_facts(std::move(facts)), m_stream(stream) {}
    ~CudaRuntime() override {
        static_cast<void>(cudaSetDevice(m_ordinal));
        static_cast<void>(cudaStreamDestroy(m_stream));
    }

    const DeviceFacts& facts() const override { return m_facts; }
    Result<void> makeCurrent() override { return checked(cudaSetDevice(m_ordinal), "cudaSetDevice"); }
    Result<DeviceMemoryState> memory() override {
        std::size_t free = 0, total = 0;
        TRY(checked(cudaMemGetInfo(&free, &total), "cudaMemGetInfo"));
        return DeviceMemoryState{static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
    }

    Result<void*> allocate(std::int64_t bytes) override {
        void* data = nullptr;
        const auto status = cudaMalloc(&data, static_cast<std::size_t>(bytes));
        if (status == cudaErrorMemoryAllocation) {
            static_cast<void>(cudaGetLastError());
            Error error{ErrorKind::OutOfMemory, "cuda", Message("cudaMalloc"), {}, bytes, {}};
            if (const auto state = memory()) error.availableBytes = state->freeBytes;
            return Failure(std::move(error));
        }
        TRY(checked(status, "cudaMalloc"));
        return data;
    }
    void release(void* device) override { static_cast<void>(cudaFree(device)); }
    Result<void*> allocatePinned(std::int64_t bytes) override {
        void* data = nullptr;
        TRY(checked(cudaMallocHost(&data, static_cast<std::size_t>(bytes)), "cudaMallocHost"));
        return data;
    }
    void releasePinned(void* host) override { static_cast<void>(cudaFreeHost(host)); }

    Stream stream() override { return m_stream; }
    Result<Stream> createStream() override {
        cudaStream_t stream = nullptr;
        const auto made = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        TRY(checked(made, "cudaStreamCreateWithFlags"));
        return static_cast<Stream>(stream);
    }
    void destroyStream(Stream stream) override { static_cast<void>(cudaStreamDestroy(streamOf(stream))); }
    Result<void> copyToDevice(void* to, const void* from, std::int64_t bytes, Stream stream) override {
        return copy(to, from, bytes, cudaMemcpyHostToDevice, stream);
    }
    Result<void> copyToHost(void* to, const void* from, std::int64_t bytes, Stream stream) override {
        return copy(to, from, bytes, cudaMemcpyDeviceToHost, stream);
    }
    Result<void> copyOnDevice(void* to, const void* from, std::int64_t bytes, Stream stream) override {
        return copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
    }
    Result<void> fill(void* device, int byte, std::int64_t bytes, Stream stream) override {
        return checked(cudaMemsetAsync(device, byte, static_cast<std::size_t>(bytes), streamOf(stream)),
                       "cudaMemsetAsync");
    }
    Result<void> synchronize(Stream stream) override {
        return checked(cudaStreamSynchronize(streamOf(stream)), "cudaStreamSynchronize");
    }
    Result<void> launch(Stream, const std::function<kernels::Status()>& launcher) override {
        return checked(static_cast<cudaError_t>(launcher()), "kernel launch");
    }

    Result<Event> createEvent() override {
        cudaEvent_t event = nullptr;
        TRY(checked(cudaEventCreate(&event), "cudaEventCreate"));
        return static_cast<Event>(event);
    }
    Result<Event> createOrderEvent() override {
        cudaEvent_t event = nullptr;
        const auto made = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        TRY(checked(made, "cudaEventCreateWithFlags"));
        return static_cast<Event>(event);
    }
    Result<void> wait(Event event, Stream stream) override {
        return checked(cudaStreamWaitEvent(streamOf(stream), static_cast<cudaEvent_t>(event), 0),
                       "cudaStreamWaitEvent");
    }
    void destroyEvent(Event event) override { static_cast<void>(cudaEventDestroy(static_cast<cudaEvent_t>(event))); }
    Result<void> record(Event event, Stream stream) override {
        return checked(cudaEventRecord(static_cast<cudaEvent_t>(event), streamOf(stream)), "cudaEventRecord");
    }
    Result<double> secondsBetween(Event first, Event second) override {
        float milliseconds = 0;
        const auto status =
            cudaEventElapsedTime(&milliseconds, static_cast<cudaEvent_t>(first), static_cast<cudaEvent_t>(second));
        TRY(checked(status, "cudaEventElapsedTime"));
        return static_cast<double>(milliseconds) * 1e-3;
    }

    Result<void> beginCapture(Stream stream) override {
        return checked(cudaStreamBeginCapture(streamOf(stream), cudaStreamCaptureModeThreadLocal),
                       "cudaStreamBeginCapture");
    }
    Result<std::unique_ptr<DeviceGraph>> endCapture(Stream stream) override {
        cudaGraph_t graph = nullptr;
        TRY(checked(cudaStreamEndCapture(streamOf(stream), &graph), "cudaStreamEndCapture"));
        cudaGraphExec_t executable = nullptr;
        const auto made = checked(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
        static_cast<void>(cudaGraphDestroy(graph));
        if (!made) return Failure(made.error());
        return std::make_unique<CapturedGraph>(executable);
    }

private:
    static Result<void> copy(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind, Stream stream) {
        return checked(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, streamOf(stream)),
                       "cudaMemcpyAsync");
    }

    int m_ordinal;
    DeviceFacts m_facts;
    cudaStream_t m_stream;
};

Result<DeviceFacts> factsOf(int ordinal) {
    cudaDeviceProp properties{};
    TRY(checked(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties"));
    return DeviceFacts{properties.name, static_cast<std::int64_t>(properties.totalGlobalMem), properties.major,
                       properties.minor, properties.multiProcessorCount};
}

}  // namespace

Result<std::vector<DeviceFacts>> listDevices() {
    int count = 0;
    TRY(checked(cudaGetDeviceCount(&count), "cudaGetDeviceCount"));
    std::vector<DeviceFacts> devices;
    for (int i = 0; i < count; ++i) {
        ASSIGN(auto facts, factsOf(i));
        devices.push_back(std::move(facts));
    }
    return devices;
}

Result<std::unique_ptr<DeviceRuntime>> openRuntime(int ordinal) {
    TRY(checked(cudaSetDevice(ordinal), "cudaSetDevice"));
    ASSIGN(auto facts, factsOf(ordinal));
    cudaStream_t stream = nullptr;
    TRY(checked(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"));
    return std::make_unique<CudaRuntime>(ordinal, std::move(facts), stream);
}

}  // namespace steelyard::compute::cuda
