// SPDX-License-Identifier: Apache-2.0
// A CUDA device with its libraries, simulated on the host for tests of the lowering. It enforces the rules of a real
// one: its memory is not accessible to the host outside launches and copies (access crashes), copies and calls take
// device pointers within one allocation, captured copies come from pinned memory, nothing executes during a capture,
// and a graph repeats what was captured. New allocations contain NaN. It can run out of memory, fail its nth call, or
// lack a library, and it counts leaks.
//
// Arithmetic: operands are read in their type (tf32: with ten bits of fraction), sums are accumulated in double,
// results are rounded to their type. Streams run in the most adverse permitted order (simulated_streams.h). Time is
// simulated: each launch takes a microsecond, and each library call the time given by `Script`.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/compute/cuda/cuda_backend.h"
#include "tests/engine/compute/cuda/simulated_streams.h"

namespace steelyard::compute::cuda::test {

// Configuration of the device by the test.
struct Script {
    std::vector<DeviceFacts> devices{{"Simulated GPU", std::int64_t{1} << 30, 9, 0, 132}};
    std::int64_t freeBytes = std::int64_t{1} << 30;
    Message whyNoMatrices, whyNoNetworks;
    std::int64_t libraryBytes = 0;   // used internally by the libraries of an open device
    int failingCall = -1;            // counted from 0 over all fallible calls of all devices
    bool graphsFail = false;         // endCapture fails
    double channelsLastFactor = 1;   // factor on the time of a convolution
    bool plainConvolutions = false;  // the network library has none with a bias or a ReLU
    std::string whyNoRecurrence;     // of the network library; empty: it has recurrent layers
    double recurrenceSeconds = 1e-6;
    bool persistentRecurrence = false;  // it also has persistent kernels, in half the time
    std::int64_t mostProducts =
        std::numeric_limits<std::int64_t>::max();  // limit of a matrix product; larger ones are skipped
    Late late = Late::Nothing;                     // which stream lags, if their order is free
    // How this device's process connects to other ranks; empty: no NCCL.
    std::function<Result<std::shared_ptr<Communicator>>(const RankGroup&)> connect;
};

// Recorded events.
struct Record {
    int calls = 0;  // fallible ones
    int launches = 0, graphLaunches = 0, captures = 0;
    int liveAllocations = 0, livePinned = 0, liveEvents = 0, liveGraphs = 0, liveStreams = 0;
    std::int64_t liveBytes = 0, peakBytes = 0;
    std::map<std::string, int> candidates;  // number of executions of each
};

class SimulatedProvider final : public DeviceProvider {
public:
    explicit SimulatedProvider(Script script = {});
    ~SimulatedProvider() override;
    [[nodiscard]] std::vector<DeviceFacts> devices() const override { return m_script->devices; }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override;
    [[nodiscard]] Message whyNoMatrices() const override { return m_script->whyNoMatrices; }
    [[nodiscard]] Message whyNoNetworks() const override { return m_script->whyNoNetworks; }
    [[nodiscard]] Result<std::shared_ptr<DeviceSet>> open(int ordinal) override;
    [[nodiscard]] Result<std::shared_ptr<Communicator>> connect(const RankGroup& group) override;

    [[nodiscard]] Script& script() { return *m_script; }
    [[nodiscard]] Record& record() { return *m_record; }

private:
    std::shared_ptr<Script> m_script;
    std::shared_ptr<Record> m_record;
};

// The runtime as seen by the libraries.
class SimulatedRuntime : public DeviceRuntime {
public:
    // Aborts the test with a message if [pointer, pointer + bytes) is not within one device allocation.
    virtual void requireDevice(const void* pointer, std::int64_t bytes, const char* what) const = 0;
    // Enqueues work that takes `seconds` in a stream.
    [[nodiscard]] virtual Result<void> enqueue(const std::string& candidate, double seconds, Stream stream,
                                               std::function<void()> work) = 0;
    // Called by such work: the next synchronisation fails with it.
    virtual void breakDown(Error error) = 0;
};

// The runtime that the stream belongs to.
[[nodiscard]] SimulatedRuntime& runtimeOf(Stream stream);

[[nodiscard]] std::unique_ptr<MatrixLibrary> makeSimulatedMatrices(SimulatedRuntime& runtime,
                                                                   std::shared_ptr<const Script> script);
[[nodiscard]] std::unique_ptr<NetworkLibrary> makeSimulatedNetworks(SimulatedRuntime& runtime,
                                                                    std::shared_ptr<const Script> script);

}  // namespace steelyard::compute::cuda::test
