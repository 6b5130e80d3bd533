// SPDX-License-Identifier: Apache-2.0
// The module libsteelyard_mpi.so (engine/compute/parallel/host_group.h): HostGroup on the machine's MPI. One thread
// makes all calls (MPI_THREAD_FUNNELED). Errors are returned instead of being fatal, so that the program can report
// them; the launcher ends the remaining processes.
#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <string>

#include "engine/compute/parallel/host_group.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

constexpr int kTag = 1;
constexpr std::int64_t kMostAtOnce = std::int64_t{1} << 28;  // MPI 3 counts are int

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

    [[nodiscard]] Result<void> sum(float* values, std::int64_t count) override {
        return inPieces(count, [&](std::int64_t begin, int piece) {
            return checked("MPI_Allreduce",
                           MPI_Allreduce(MPI_IN_PLACE, values + begin, piece, MPI_FLOAT, MPI_SUM, m_communicator));
        });
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
