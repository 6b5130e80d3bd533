// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda/simulated_device.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace steelyard::compute::cuda::test {
namespace {

[[noreturn]] void refuse(const std::string& why) {
    fmt::print(stderr, "simulated device: {}\n", why);
    std::abort();
}

// Ranges may overlap. An empty tensor has no address.
void copyBytes(void* to, const void* from, std::int64_t bytes) {
    if (bytes > 0) std::memmove(to, from, static_cast<std::size_t>(bytes));
}

constexpr double kSecondsOfLaunch = 1e-6;

class Graph final : public DeviceGraph {
public:
    using Items = std::vector<StreamItem>;
    Graph(Items items, std::function<Result<void>(const Items&)> run, std::shared_ptr<Record> record)
        : m_items(std::move(items)), m_run(std::move(run)), m_record(std::move(record)) {
        ++m_record->liveGraphs;
    }
    ~Graph() override { --m_record->liveGraphs; }
    Result<void> launch(Stream) override { return m_run(m_items); }

private:
    Items m_items;
    std::function<Result<void>(const Items&)> m_run;
    std::shared_ptr<Record> m_record;
};

// Streams of a device; the runtime's stream is one of them.
struct SimulatedStream {
    SimulatedRuntime* runtime = nullptr;
};

struct SimulatedEvent {
    bool timed = true;
    double seconds = -1;
    std::shared_ptr<Mark> mark;  // of its last recording
};

class Runtime final : public SimulatedRuntime {
public:
    Runtime(std::shared_ptr<Script> script, std::shared_ptr<Record> record, DeviceFacts facts)
        : m_script(std::move(script)), m_record(std::move(record)), m_facts(std::move(facts)) {
        m_own.runtime = this;
    }
    ~Runtime() override {
        for (const auto& [data, bytes] : m_regions) ::munmap(data, static_cast<std::size_t>(bytes));
        m_record->liveBytes -= m_kept;
    }
    void keep(std::int64_t bytes) { m_kept = bytes; }

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
            return Failure(Error{ErrorKind::OutOfMemory, "cuda", Message("out of memory"), {}, bytes, available});
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
        m_queues.drainAll();
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
        m_queues.drainAll();
        if (m_pinned.erase(static_cast<std::byte*>(host)) == 0) refuse("released host memory that was not pinned");
        --m_record->livePinned;
        std::free(host);
    }

    Stream stream() override { return &m_own; }
    Result<Stream> createStream() override {
        if (auto ok = count("createStream"); !ok) return Failure(ok.error());
        ++m_record->liveStreams;
        return new SimulatedStream{this};
    }
    void destroyStream(Stream stream) override {
        m_queues.drain(stream);
        --m_record->liveStreams;
        delete static_cast<SimulatedStream*>(stream);
    }
    Result<void> copyToDevice(void* to, const void* from, std::int64_t bytes, Stream stream) override {
        requireDevice(to, bytes, "the target of a copy");
        requireHost(from, bytes);
        return put("copyToDevice", stream, [=] { copyBytes(to, from, bytes); });
    }
    Result<void> copyToHost(void* to, const void* from, std::int64_t bytes, Stream stream) override {
        requireDevice(from, bytes, "the source of a copy");
        requireHost(to, bytes);
        return put("copyToHost", stream, [=] { copyBytes(to, from, bytes); });
    }
    Result<void> copyOnDevice(void* to, const void* from, std::int64_t bytes, Stream stream) override {
        requireDevice(to, bytes, "the target of a copy");
        requireDevice(from, bytes, "the source of a copy");
        return put("copyOnDevice", stream, [=] { copyBytes(to, from, bytes); });
    }
    Result<void> fill(void* device, int byte, std::int64_t bytes, Stream stream) override {
        requireDevice(device, bytes, "what is filled");
        return put("fill", stream, [=] { std::memset(device, byte, static_cast<std::size_t>(bytes)); });
    }
    Result<void> synchronize(Stream stream) override {
        if (m_capturing) refuse("synchronised during a capture");
        m_queues.drain(stream);
        if (m_failure) return Failure(*std::exchange(m_failure, std::nullopt));
        return count("synchronize");
    }
    Result<void> launch(Stream stream, const std::function<kernels::Status()>& launcher) override {
        ++m_record->launches;
        return put("launch", stream, [this, launcher] {
            const auto status = launcher();
            if (status != kernels::kOk)
                breakDown({ErrorKind::Internal, "kernel", Message(fmt::format("status {}", status)), {}, {}, {}});
        });
    }
    Result<void> enqueue(const std::string& candidate, double seconds, Stream stream,
                         std::function<void()> work) override {
        ++m_record->candidates[candidate];
        return put("library call", stream, [this, seconds, work = std::move(work)] {
            m_now += seconds;
            work();
        });
    }

    Result<Event> createEvent() override {
        if (auto ok = count("createEvent"); !ok) return Failure(ok.error());
        ++m_record->liveEvents;
        return new SimulatedEvent;
    }
    Result<Event> createOrderEvent() override {
        auto event = createEvent();
        if (event) static_cast<SimulatedEvent*>(*event)->timed = false;
        return event;
    }
    void destroyEvent(Event event) override {
        m_queues.drainAll();
        --m_record->liveEvents;
        delete static_cast<SimulatedEvent*>(event);
    }
    Result<void> record(Event event, Stream stream) override {
        auto* recorded = static_cast<SimulatedEvent*>(event);
        if (m_capturing && recorded->timed) refuse("an event inside a graph cannot be read");
        if (auto ok = count("record"); !ok) return ok;
        recorded->mark = std::make_shared<Mark>();
        StreamItem item{.work = {}, .reaches = recorded->mark, .waitsFor = {}, .stream = stream};
        if (recorded->timed) item.work = [this, recorded] { recorded->seconds = m_now; };
        take(std::move(item));
        return {};
    }
    Result<void> wait(Event event, Stream stream) override {
        if (auto ok = count("wait"); !ok) return ok;
        const auto& mark = static_cast<SimulatedEvent*>(event)->mark;
        if (!mark) refuse("waited for an event that was never recorded");
        if (m_capturing) m_forked[stream] = true;
        take({.work = {}, .reaches = {}, .waitsFor = mark, .stream = stream});
        return {};
    }
    Result<double> secondsBetween(Event first, Event second) override {
        if (auto ok = count("secondsBetween"); !ok) return Failure(ok.error());
        const double from = static_cast<SimulatedEvent*>(first)->seconds;
        const double to = static_cast<SimulatedEvent*>(second)->seconds;
        if (from < 0 || to < 0) refuse("an event was not recorded");
        return to - from;
    }

    Result<void> beginCapture(Stream) override {
        if (auto ok = count("beginCapture"); !ok) return ok;
        m_capturing = true;
        m_captured.clear();
        m_forked.clear();
        return {};
    }
    Result<std::unique_ptr<DeviceGraph>> endCapture(Stream) override {
        m_capturing = false;
        if (auto ok = count("endCapture"); !ok) return Failure(ok.error());
        if (m_script->graphsFail) return fail(ErrorKind::Internal, "cuda", Message("the capture was invalidated"));
        if (!isJoined())
            return fail(ErrorKind::Internal, "cuda", Message("the capture has streams that were not joined"));
        ++m_record->captures;
        return std::make_unique<Graph>(
            std::move(m_captured), [this](const Graph::Items& items) { return runGraph(items); }, m_record);
    }

    void breakDown(Error error) override {
        if (!m_failure) m_failure = std::move(error);
    }
    void requireDevice(const void* pointer, std::int64_t bytes, const char* what) const override {
        const auto* first = static_cast<const std::byte*>(pointer);
        for (const auto& [data, size] : m_regions)
            if (first >= data && first + bytes <= data + size) return;
        refuse(fmt::format("{} is not in device memory ({} bytes at {})", what, bytes, pointer));
    }

private:
    // Device memory is accessible to the host while one of these exists.
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
            return fail(ErrorKind::Internal, "cuda", Message(fmt::format("{}: made to fail", call)));
        return {};
    }
    Result<void> put(const char* call, Stream stream, std::function<void()> work) {
        if (auto ok = count(call); !ok) return ok;
        if (!m_capturing)  // a graph is a single launch
            work = [this, work = std::move(work)] {
                m_now += kSecondsOfLaunch;
                work();
            };
        take({.work = std::move(work), .reaches = {}, .waitsFor = {}, .stream = stream});
        return {};
    }
    void take(StreamItem item) {
        if (!m_capturing) return m_queues.put(std::move(item), m_script->late);
        if (item.stream != stream() && !m_forked.contains(item.stream))
            refuse("a stream that does not belong to the capture");
        m_captured.push_back(std::move(item));
    }
    // Waits for the last work of every other stream of the capture.
    [[nodiscard]] bool isJoined() const {
        std::map<Stream, std::shared_ptr<Mark>> last;
        for (const auto& item : m_captured) {
            if (item.stream != &m_own) last[item.stream] = item.reaches;
            if (item.stream == &m_own && item.waitsFor)
                std::erase_if(last, [&](const auto& one) { return one.second == item.waitsFor; });
        }
        return last.empty();
    }
    // Every launch reaches the same marks.
    Result<void> runGraph(const Graph::Items& items) {
        if (auto ok = count("graph launch"); !ok) return ok;
        ++m_record->graphLaunches;
        m_queues.put({.work = [this] { m_now += kSecondsOfLaunch; }, .reaches = {}, .waitsFor = {}, .stream = &m_own},
                     m_script->late);
        std::map<Mark*, std::shared_ptr<Mark>> marks;
        const auto ofThisLaunch = [&](const std::shared_ptr<Mark>& mark) {
            auto& own = marks[mark.get()];
            if (mark && !own) own = std::make_shared<Mark>();
            return own;
        };
        for (auto item : items) {
            item.reaches = ofThisLaunch(item.reaches);
            item.waitsFor = ofThisLaunch(item.waitsFor);
            m_queues.put(std::move(item), m_script->late);
        }
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
    std::int64_t m_kept = 0;  // by libraries, until the device is closed
    std::map<std::byte*, std::int64_t> m_regions, m_pinned;
    double m_now = 0;
    bool m_capturing = false;
    Graph::Items m_captured;
    std::map<Stream, bool> m_forked;  // of the capture, besides the runtime's
    SimulatedStream m_own;
    std::optional<Error> m_failure;  // of executed work, returned by the next synchronisation
    StreamQueues m_queues{&m_own, [this](const std::function<void()>& work) {
                              const Opened opened(*this);
                              work();
                          }};
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
    set->freeBytes = m_script->freeBytes - m_record->liveBytes;
    m_record->liveBytes += m_script->libraryBytes;  // memory used internally by the libraries
    runtime->keep(m_script->libraryBytes);
    if (m_script->whyNoMatrices.empty()) set->matrices = makeSimulatedMatrices(*runtime, m_script);
    if (m_script->whyNoNetworks.empty()) set->networks = makeSimulatedNetworks(*runtime, m_script);
    set->whyNoMatrices = m_script->whyNoMatrices;
    set->whyNoNetworks = m_script->whyNoNetworks;
    set->runtime = std::move(runtime);
    return set;
}

Result<std::shared_ptr<Communicator>> SimulatedProvider::connect(const RankGroup& group) {
    if (!m_script->connect) return fail(ErrorKind::Unsupported, "several GPUs", Message("NCCL is missing: simulated"));
    return m_script->connect(group);
}

SimulatedRuntime& runtimeOf(Stream stream) {
    return *static_cast<SimulatedStream*>(stream)->runtime;
}

}  // namespace steelyard::compute::cuda::test
