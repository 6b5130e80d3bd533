// SPDX-License-Identifier: Apache-2.0
// Interface to a device: memory, copies, streams, events, captured graphs. One object is one device and is used by one
// thread at a time. Implemented with the CUDA runtime (libraries/cuda_runtime.cpp) and, in tests, by a simulated device
// in host memory.
//
// Sizes are in bytes. Device pointers are opaque to the host. Copies and launches are asynchronous and ordered within a
// stream; the host memory of a copy must not change until synchronize(), and must be pinned if the copy is captured.
// Errors: OutOfMemory with needed and available bytes; otherwise Internal with the library's message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/core/error.h"

namespace steelyard::compute::cuda {

using kernels::Stream;
using Event = void*;

struct DeviceFacts {
    std::string name;
    std::int64_t totalBytes = 0;
    int major = 0, minor = 0;  // compute capability
    int multiprocessors = 0;
};

struct DeviceMemoryState {
    std::int64_t freeBytes = 0, totalBytes = 0;
};

// A captured sequence of work, launched as a whole.
class DeviceGraph {
public:
    DeviceGraph() = default;
    DeviceGraph(const DeviceGraph&) = delete;
    DeviceGraph& operator=(const DeviceGraph&) = delete;
    virtual ~DeviceGraph() = default;
    [[nodiscard]] virtual Result<void> launch(Stream stream) = 0;
};

class DeviceRuntime {
public:
    DeviceRuntime() = default;
    DeviceRuntime(const DeviceRuntime&) = delete;
    DeviceRuntime& operator=(const DeviceRuntime&) = delete;
    virtual ~DeviceRuntime() = default;

    [[nodiscard]] virtual const DeviceFacts& facts() const = 0;
    // Makes this device current for the calling thread; must be called first in a thread.
    [[nodiscard]] virtual Result<void> makeCurrent() = 0;
    [[nodiscard]] virtual Result<DeviceMemoryState> memory() = 0;

    [[nodiscard]] virtual Result<void*> allocate(std::int64_t bytes) = 0;
    virtual void release(void* device) = 0;
    [[nodiscard]] virtual Result<void*> allocatePinned(std::int64_t bytes) = 0;
    virtual void releasePinned(void* host) = 0;

    [[nodiscard]] virtual Stream stream() = 0;
    // An additional stream; destroyed by its owner before the runtime.
    [[nodiscard]] virtual Result<Stream> createStream() = 0;
    virtual void destroyStream(Stream stream) = 0;
    [[nodiscard]] virtual Result<void> copyToDevice(void* to, const void* from, std::int64_t bytes, Stream stream) = 0;
    [[nodiscard]] virtual Result<void> copyToHost(void* to, const void* from, std::int64_t bytes, Stream stream) = 0;
    [[nodiscard]] virtual Result<void> copyOnDevice(void* to, const void* from, std::int64_t bytes, Stream stream) = 0;
    [[nodiscard]] virtual Result<void> fill(void* device, int byte, std::int64_t bytes, Stream stream) = 0;
    [[nodiscard]] virtual Result<void> synchronize(Stream stream) = 0;

    // Runs the launcher, which enqueues kernels of kernels/ on the stream, and reports its status.
    [[nodiscard]] virtual Result<void> launch(Stream stream, const std::function<kernels::Status()>& launcher) = 0;

    [[nodiscard]] virtual Result<Event> createEvent() = 0;
    virtual void destroyEvent(Event event) = 0;
    [[nodiscard]] virtual Result<void> record(Event event, Stream stream) = 0;
    // An event without timing, for ordering streams; unlike others it may be recorded during a capture.
    [[nodiscard]] virtual Result<Event> createOrderEvent() = 0;
    // Work enqueued from now on waits for the last record of the event. During a capture, a stream that waits for an
    // event of the capture joins it; the first stream must wait for it before the end.
    [[nodiscard]] virtual Result<void> wait(Event event, Stream stream) = 0;
    // Both must be recorded and completed.
    [[nodiscard]] virtual Result<double> secondsBetween(Event first, Event second) = 0;

    // Work enqueued in between is not run but becomes the graph. After a failure in between, endCapture must still be
    // called; it then fails, too, and leaves the stream usable.
    [[nodiscard]] virtual Result<void> beginCapture(Stream stream) = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<DeviceGraph>> endCapture(Stream stream) = 0;
};

// Owned device or pinned host memory. Movable; must not outlive the runtime.
class DeviceMemory {
public:
    DeviceMemory() = default;
    [[nodiscard]] static Result<DeviceMemory> allocate(DeviceRuntime& runtime, std::int64_t bytes);
    [[nodiscard]] static Result<DeviceMemory> allocatePinned(DeviceRuntime& runtime, std::int64_t bytes);
    DeviceMemory(DeviceMemory&& other) noexcept;
    DeviceMemory& operator=(DeviceMemory&& other) noexcept;
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() { reset(); }

    [[nodiscard]] std::byte* data() const { return m_data; }
    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }
    void reset();

private:
    DeviceRuntime* m_runtime = nullptr;
    std::byte* m_data = nullptr;
    std::int64_t m_bytes = 0;
    bool m_pinned = false;
};

}  // namespace steelyard::compute::cuda
