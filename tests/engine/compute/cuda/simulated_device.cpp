// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda/simulated_device.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace steelyard::compute::cuda::test {
namespace {

[[noreturn]] void refuse(const std::string& why) {
    fmt::print(stderr, "simulated device: {}\n", why);
    std::abort();
}

constexpr double kSecondsOfLaunch = 1e-6;

class Graph final : public DeviceGraph {
public:
    using Work = std::function<void()>;
    Graph(std::vector<Work> work, std::function<Result<void>(const std::vector<Work>&)> run,
          std::shared_ptr<Record> record)
        : m_work(std::move(work)), m_run(std::move(run)), m_record(std::move(record)) {
        ++m_record->liveGraphs;
    }
    ~Graph() override { --m_record->liveGraphs; }
    Result<void> launch(Stream) override { return m_run(m_work); }

private:
    std::vector<Work> m_work;
    std::function<Result<void>(const std::vector<Work>&)> m_run;
    std::shared_ptr<Record> m_record;
};

class Runtime final : public SimulatedRuntime {
public:
    Runtime(std::shared_ptr<Script> script, std::shared_ptr<Record> record, DeviceFacts facts)
        : m_script(std::move(script)), m_record(std::move(record)), m_facts(std::move(facts)) {}
    ~Runtime() override {
        for (const auto& [data, bytes] : m_regions) ::munmap(data, static_cast<std::size_t>(bytes));
    }

    const DeviceFacts& facts() const override { return m_facts; }
    Result<void> makeCurrent() override { return count("makeCurrent"); }
    Result<DeviceMemoryState> memory() override {
        if (auto ok = count("memory"); !ok) return Failure(ok.error());
        return DeviceMemoryState{m_script->freeBytes - m_record->liveBytes, m_facts.totalBytes};
    }

    Result<void*> allocate(std::int64_t bytes) override {
        if (auto ok = count("allocate"); !ok) return Failure(ok.error());
        const auto available = m_script->freeBytes - m_record->liveBytes;
        if (bytes > available)
            return Failure(Error{ErrorKind::OutOfMemory, "cuda", "out of memory", {}, bytes, available});
        void* data = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (data == MAP_FAILED) refuse("the host has no memory");
        std::memset(data, 0xff, static_cast<std::size_t>(bytes));  // NaN in every type
        ::mprotect(data, static_cast<std::size_t>(bytes), PROT_NONE);
        m_regions[static_cast<std::byte*>(data)] = bytes;
        ++m_record->liveAllocations;
        m_record->liveBytes += bytes;
        m_record->peakBytes = std::max(m_record->peakBytes, m_record->liveBytes);
        return data;
    }
    void release(void* device) override {
        const auto region = m_regions.find(static_cast<std::byte*>(device));
        if (region == m_regions.end()) refuse("released what was not allocated");
        ::munmap(region->first, static_cast<std::size_t>(region->second));
        m_record->liveBytes -= region->second;
        --m_record->liveAllocations;
        m_regions.erase(region);
    }
    Result<void*> allocatePinned(std::int64_t bytes) override {
        if (auto ok = count("allocatePinned"); !ok) return Failure(ok.error());
        auto* data = static_cast<std::byte*>(std::malloc(static_cast<std::size_t>(bytes)));
        m_pinned[data] = bytes;
        ++m_record->livePinned;
        return data;
    }
    void releasePinned(void* host) override {
        if (m_pinned.erase(static_cast<std::byte*>(host)) == 0) refuse("released host memory that was not pinned");
        --m_record->livePinned;
        std::free(host);
    }

    Stream stream() override { return this; }
    Result<void> copyToDevice(void* to, const void* from, std::int64_t bytes, Stream) override {
        requireDevice(to, bytes, "the target of a copy");
        requireHost(from, bytes);
        return put("copyToDevice", [=] { std::memcpy(to, from, static_cast<std::size_t>(bytes)); });
    }
    Result<void> copyToHost(void* to, const void* from, std::int64_t bytes, Stream) override {
        requireDevice(from, bytes, "the source of a copy");
        requireHost(to, bytes);
        return put("copyToHost", [=] { std::memcpy(to, from, static_cast<std::size_t>(bytes)); });
    }
    Result<void> copyOnDevice(void* to, const void* from, std::int64_t bytes, Stream) override {
        requireDevice(to, bytes, "the target of a copy");
        requireDevice(from, bytes, "the source of a copy");
        return put("copyOnDevice", [=] { std::memmove(to, from, static_cast<std::size_t>(bytes)); });
    }
    Result<void> fill(void* device, int byte, std::int64_t bytes, Stream) override {
        requireDevice(device, bytes, "what is filled");
        return put("fill", [=] { std::memset(device, byte, static_cast<std::size_t>(bytes)); });
    }
    Result<void> synchronize(Stream) override {
        if (m_capturing) refuse("synchronised during a capture");
        return count("synchronize");
    }
    Result<void> launch(Stream, const std::function<kernels::Status()>& launcher) override {
        ++m_record->launches;
        if (auto ok = count("launch"); !ok) return ok;
        if (m_capturing) {
            m_captured.push_back([launcher] { static_cast<void>(launcher()); });
            return {};
        }
        m_now += kSecondsOfLaunch;
        const Opened opened(*this);
        const auto status = launcher();
        return status == kernels::kOk ? Result<void>{}
                                      : fail(ErrorKind::Internal, "kernel", fmt::format("status {}", status));
    }
    Result<void> enqueue(const std::string& candidate, double seconds, std::function<void()> work) override {
        ++m_record->candidates[candidate];
        return put("library call", [this, seconds, work = std::move(work)] {
            m_now += seconds;
            work();
        });
    }

    Result<Event> createEvent() override {
        if (auto ok = count("createEvent"); !ok) return Failure(ok.error());
        ++m_record->liveEvents;
        return new double(-1);
    }
    void destroyEvent(Event event) override {
        --m_record->liveEvents;
        delete static_cast<double*>(event);
    }
    Result<void> record(Event event, Stream) override {
        if (m_capturing) refuse("an event inside a graph cannot be read");
        if (auto ok = count("record"); !ok) return ok;
        *static_cast<double*>(event) = m_now;
        return {};
    }
    Result<double> secondsBetween(Event first, Event second) override {
        if (auto ok = count("secondsBetween"); !ok) return Failure(ok.error());
        const double from = *static_cast<double*>(first), to = *static_cast<double*>(second);
        if (from < 0 || to < 0) refuse("an event was not recorded");
        return to - from;
    }

    Result<void> beginCapture(Stream) override {
        if (auto ok = count("beginCapture"); !ok) return ok;
        m_capturing = true;
        m_captured.clear();
        return {};
    }
    Result<std::unique_ptr<DeviceGraph>> endCapture(Stream) override {
        m_capturing = false;
        if (auto ok = count("endCapture"); !ok) return Failure(ok.error());
        if (m_script->graphsFail) return fail(ErrorKind::Internal, "cuda", "the capture was invalidated");
        ++m_record->captures;
        return std::make_unique<Graph>(
            std::move(m_captured), [this](const std::vector<Graph::Work>& work) { return runGraph(work); }, m_record);
    }

    void requireDevice(const void* pointer, std::int64_t bytes, const char* what) const override {
        const auto* first = static_cast<const std::byte*>(pointer);
        for (const auto& [data, size] : m_regions)
            if (first >= data && first + bytes <= data + size) return;
        refuse(fmt::format("{} is not in device memory ({} bytes at {})", what, bytes, pointer));
    }

private:
    // Device memory is open to the host while one of these lives.
    struct Opened {
        explicit Opened(Runtime& r) : runtime(r) { protect(PROT_READ | PROT_WRITE); }
        ~Opened() { protect(PROT_NONE); }
        void protect(int mode) const {
            for (const auto& [data, bytes] : runtime.m_regions) ::mprotect(data, static_cast<std::size_t>(bytes), mode);
        }
        Runtime& runtime;
    };

    Result<void> count(const char* call) {
        if (m_record->calls++ == m_script->failingCall)
            return fail(ErrorKind::Internal, "cuda", fmt::format("{}: made to fail", call));
        return {};
    }
    Result<void> put(const char* call, std::function<void()> work) {
        if (auto ok = count(call); !ok) return ok;
        if (m_capturing) {
            m_captured.push_back(std::move(work));
            return {};
        }
        m_now += kSecondsOfLaunch;
        const Opened opened(*this);
        work();
        return {};
    }
    Result<void> runGraph(const std::vector<Graph::Work>& work) {
        if (auto ok = count("graph launch"); !ok) return ok;
        ++m_record->graphLaunches;
        m_now += kSecondsOfLaunch;
        const Opened opened(*this);
        for (const auto& one : work) one();
        return {};
    }
    void requireHost(const void* pointer, std::int64_t bytes) const {
        const auto* first = static_cast<const std::byte*>(pointer);
        for (const auto& [data, size] : m_regions)
            if (first < data + size && first + bytes > data) refuse("a device pointer where one of the host belongs");
        if (!m_capturing) return;
        for (const auto& [data, size] : m_pinned)
            if (first >= data && first + bytes <= data + size) return;
        refuse("a captured copy with host memory that is not pinned");
    }

    std::shared_ptr<Script> m_script;
    std::shared_ptr<Record> m_record;
    DeviceFacts m_facts;
    std::map<std::byte*, std::int64_t> m_regions, m_pinned;
    double m_now = 0;
    bool m_capturing = false;
    std::vector<Graph::Work> m_captured;
};

}  // namespace

SimulatedProvider::SimulatedProvider(Script script)
    : m_script(std::make_shared<Script>(std::move(script))), m_record(std::make_shared<Record>()) {}
SimulatedProvider::~SimulatedProvider() = default;

std::vector<std::pair<std::string, std::string>> SimulatedProvider::libraries() const {
    return {{"cuda", "simulated"}};
}

Result<std::shared_ptr<DeviceSet>> SimulatedProvider::open(int ordinal) {
    auto set = std::make_shared<DeviceSet>();
    auto runtime =
        std::make_unique<Runtime>(m_script, m_record, m_script->devices.at(static_cast<std::size_t>(ordinal)));
    if (m_script->whyNoMatrices.empty()) set->matrices = makeSimulatedMatrices(*runtime);
    if (m_script->whyNoNetworks.empty()) set->networks = makeSimulatedNetworks(*runtime, m_script);
    set->whyNoMatrices = m_script->whyNoMatrices;
    set->whyNoNetworks = m_script->whyNoNetworks;
    set->runtime = std::move(runtime);
    return set;
}

}  // namespace steelyard::compute::cuda::test
