// SPDX-License-Identifier: Apache-2.0
// The module libsteelyard_mpi.so (engine/compute/parallel/host_group.h): HostGroup on the machine's MPI. One thread
// makes all calls (MPI_THREAD_FUNNELED). Errors are returned instead of being fatal, so that the program can report
// them; the launcher ends the remaining processes. Sums run beside the computation of other threads, so their waiting
// leaves the CPU to those; MPI's own blocking calls poll.
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/compute/parallel/host_group.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

constexpr int kTag = 1;
constexpr std::int64_t kMostAtOnce = std::int64_t{1} << 28;  // MPI 3 counts are int
// Sums of fewer values per process depend on latency, not on bandwidth.
constexpr std::int64_t kFewestPerProcess = 8192;
// Values of a message, and how many of them are on their way in each direction. These are shorter than the eager limit
// of Open MPI's TCP (64 KiB): longer messages wait for an acknowledgement, which waits behind the data that its sender
// has queued, so that the two directions of a link take turns.
constexpr std::int64_t kMessage = 15360;
constexpr std::size_t kMessagesAhead = 32;

Result<void> checked(const char* call, int status) {
    if (status == MPI_SUCCESS) return {};
    char words[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    if (MPI_Error_string(status, words, &length) != MPI_SUCCESS) length = 0;
    return fail(ErrorKind::Internal, "MPI",
                messages::callFailedWithCode(call, std::to_string(status),
                                             length > 0 ? Message(words) : messages::noErrorText()));
}

// In pieces within MPI's count limit.
template <typename Function>
Result<void> inPieces(std::int64_t count, Function function) {
    for (std::int64_t begin = 0; begin < count; begin += kMostAtOnce) {
        const auto piece = static_cast<int>(std::min(kMostAtOnce, count - begin));
        if (auto ok = function(begin, piece); !ok) return ok;
    }
    return {};
}

// Waits in polls: at first as often as possible, later after sleeping for a fraction of the time waited so far.
class PatientWait {
public:
    Result<void> operator()(const char* call, MPI_Request& request) {
        for (;;) {
            int done = 0;
            const int status = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            if (status != MPI_SUCCESS || done != 0) return checked(call, status);
            const auto sleep = std::min<Clock::duration>((Clock::now() - m_start) / 16, kLongestSleep);
            if (sleep < kShortestSleep)
                ::sched_yield();
            else
                std::this_thread::sleep_for(sleep);
        }
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::microseconds kShortestSleep{20}, kLongestSleep{200};
    Clock::time_point m_start = Clock::now();
};

class MpiGroup final : public HostGroup {
public:
    MpiGroup(MPI_Comm communicator, bool isWhole) : m_communicator(communicator), m_isWhole(isWhole) {
        MPI_Comm_set_errhandler(m_communicator, MPI_ERRORS_RETURN);
        MPI_Comm_rank(m_communicator, &m_rank);
        MPI_Comm_size(m_communicator, &m_size);
        MPI_Comm here = MPI_COMM_NULL;
        MPI_Comm_split_type(m_communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
        if (here == MPI_COMM_NULL) return;
        MPI_Comm_size(here, &m_here);
        MPI_Comm_free(&here);
    }
    ~MpiGroup() override {
        if (m_isWhole)
            MPI_Finalize();
        else
            MPI_Comm_free(&m_communicator);
    }

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return m_size; }
    [[nodiscard]] int processesHere() const override { return m_here; }
    [[nodiscard]] std::string library() const override {
        char words[MPI_MAX_LIBRARY_VERSION_STRING] = {};
        int length = 0;
        MPI_Get_library_version(words, &length);
        const std::string all(words);
        return all.substr(0, all.find_first_of(",\n"));
    }

    // A ring: each process ends up with the sum of one chunk, then passes it on. The sum of a chunk is computed once,
    // so all processes get the same bits.
    [[nodiscard]] Result<void> sum(float* values, std::int64_t count) override {
        if (m_size == 1) return {};
        PatientWait wait;
        if (count < kFewestPerProcess * m_size) {
            MPI_Request request = MPI_REQUEST_NULL;
            TRY(checked("MPI_Iallreduce", MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_FLOAT,
                                                         MPI_SUM, m_communicator, &request)));
            return wait("MPI_Iallreduce", request);
        }
        const auto chunk = [&](int index) {
            const std::int64_t i = (index + 2 * m_size) % m_size;
            const auto begin = count * i / m_size;
            return Values{values + begin, count * (i + 1) / m_size - begin};
        };
        m_received.resize(static_cast<std::size_t>(count / m_size + 1));
        for (int step = 0; step + 1 < m_size; ++step) {
            const auto target = chunk(m_rank - step - 1);
            TRY(shift(chunk(m_rank - step), {m_received.data(), target.count}, wait, [&](std::int64_t at, int n) {
                std::transform(target.data + at, target.data + at + n, m_received.data() + at, target.data + at,
                               std::plus<>());
            }));
        }
        for (int step = 0; step + 1 < m_size; ++step)
            TRY(shift(chunk(m_rank + 1 - step), chunk(m_rank - step), wait, [](std::int64_t, int) {}));
        return {};
    }
    [[nodiscard]] Result<void> broadcast(void* bytes, std::int64_t count, int root) override {
        return inPieces(count, [&](std::int64_t begin, int piece) {
            return checked("MPI_Bcast",
                           MPI_Bcast(static_cast<char*>(bytes) + begin, piece, MPI_BYTE, root, m_communicator));
        });
    }
    [[nodiscard]] Result<void> gather(const void* mine, std::int64_t count, void* all) override {
        const auto bytes = static_cast<int>(count);
        return checked("MPI_Allgather", MPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, m_communicator));
    }
    [[nodiscard]] Result<void> barrier() override { return checked("MPI_Barrier", MPI_Barrier(m_communicator)); }
    [[nodiscard]] Result<void> send(const void* bytes, std::int64_t count, int to) override {
        return inPieces(count, [&](std::int64_t begin, int piece) {
            return checked("MPI_Send", MPI_Send(static_cast<const char*>(bytes) + begin, piece, MPI_BYTE, to, kTag,
                                                m_communicator));
        });
    }
    [[nodiscard]] Result<void> receive(void* bytes, std::int64_t count, int from) override {
        return inPieces(count, [&](std::int64_t begin, int piece) {
            return checked("MPI_Recv", MPI_Recv(static_cast<char*>(bytes) + begin, piece, MPI_BYTE, from, kTag,
                                                m_communicator, MPI_STATUS_IGNORE));
        });
    }
    [[nodiscard]] Result<std::unique_ptr<HostGroup>> first(int count) override {
        if (count < 1 || count > m_size)
            return fail(ErrorKind::InvalidArgument, {}, messages::badNodeCount(count, m_size));
        MPI_Comm part = MPI_COMM_NULL;
        const int status = MPI_Comm_split(m_communicator, m_rank < count ? 0 : MPI_UNDEFINED, m_rank, &part);
        if (auto ok = checked("MPI_Comm_split", status); !ok) return Failure(ok.error());
        std::unique_ptr<HostGroup> group;
        if (part != MPI_COMM_NULL) group = std::make_unique<MpiGroup>(part, false);
        return group;
    }

private:
    struct Values {
        float* data;
        std::int64_t count;
    };
    // Sends to the next process of the ring and receives from the previous one; calls arrived(offset, count) for each
    // message.
    template <typename Arrived>
    Result<void> shift(Values sent, Values received, PatientWait& wait, Arrived arrived) {
        const int next = (m_rank + 1) % m_size;
        const int previous = (m_rank + m_size - 1) % m_size;
        std::array<MPI_Request, kMessagesAhead> receives, sends;
        const auto slot = [](std::int64_t at) { return static_cast<std::size_t>(at / kMessage) % kMessagesAhead; };
        const auto receive = [&](std::int64_t at) {
            return checked("MPI_Irecv", MPI_Irecv(received.data + at, message(received, at), MPI_FLOAT, previous, kTag,
                                                  m_communicator, &receives[slot(at)]));
        };
        const auto send = [&](std::int64_t at) {
            return checked("MPI_Isend", MPI_Isend(sent.data + at, message(sent, at), MPI_FLOAT, next, kTag,
                                                  m_communicator, &sends[slot(at)]));
        };
        constexpr auto kAhead = static_cast<std::int64_t>(kMessagesAhead) * kMessage;
        for (std::int64_t at = 0; at < std::min(kAhead, received.count); at += kMessage) TRY(receive(at));
        for (std::int64_t at = 0; at < std::min(kAhead, sent.count); at += kMessage) TRY(send(at));
        for (std::int64_t at = 0; at < std::max(received.count, sent.count); at += kMessage) {
            if (at < received.count) {
                TRY(wait("MPI_Irecv", receives[slot(at)]));
                arrived(at, message(received, at));
                if (at + kAhead < received.count) TRY(receive(at + kAhead));
            }
            if (at < sent.count) {
                TRY(wait("MPI_Isend", sends[slot(at)]));
                if (at + kAhead < sent.count) TRY(send(at + kAhead));
            }
        }
        return {};
    }
    static int message(Values values, std::int64_t at) {
        return static_cast<int>(std::min(kMessage, values.count - at));
    }

    std::vector<float> m_received;
    MPI_Comm m_communicator;
    bool m_isWhole;
    int m_rank = 0, m_size = 1, m_here = 1;
};

}  // namespace
}  // namespace steelyard::compute

extern "C" {

__attribute__((visibility("default"))) int steelyardMpiInterfaceVersion() {
    return steelyard::compute::kMpiInterfaceVersion;
}

__attribute__((visibility("default"))) steelyard::compute::HostGroup* steelyardJoinMpi(steelyard::Message* reason) {
    using namespace steelyard::compute;
    // Components of Open MPI look up its symbols globally, but this module was opened with local ones.
    Dl_info library{};
    if (::dladdr(reinterpret_cast<void*>(&MPI_Init_thread), &library) != 0 && library.dli_fname != nullptr)
        (void)::dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    int provided = 0;
    const int status = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (auto ok = checked("MPI_Init_thread", status); !ok) {
        *reason = ok.error().detail;
        return nullptr;
    }
    return new MpiGroup(MPI_COMM_WORLD, true);
}
}
