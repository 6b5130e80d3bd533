// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/nccl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <utility>

#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

Failure refused(const NcclTable& table, const char* call, int status) {
    const char* words = table.errorString != nullptr ? table.errorString(status) : nullptr;
    return fail(ErrorKind::Internal, "NCCL",
                messages::callFailedWithCode(call, std::to_string(status),
                                             words != nullptr ? Message(words) : messages::noErrorText()));
}

class NcclCommunicator final : public Communicator {
public:
    NcclCommunicator(const NcclTable& table, NcclHandle handle, int rank, int size)
        : m_table(table), m_handle(handle), m_rank(rank), m_size(size) {}
    ~NcclCommunicator() override {
        // Destroying waits for the other ranks, which may be gone after an error.
        if (m_failed) abort();
        if (m_handle != nullptr) (void)m_table.commDestroy(m_handle);
    }
    void abort() override {
        if (const auto handle = std::exchange(m_handle, nullptr); handle != nullptr) (void)m_table.commAbort(handle);
    }

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return m_size; }

    [[nodiscard]] Result<void> average(float* values, std::int64_t count, void* stream) override {
        if (count == 0) return {};
        if (m_handle == nullptr) return gaveUp();
        return checked("ncclAllReduce", m_table.allReduce(values, values, static_cast<std::size_t>(count), kNcclFloat32,
                                                          kNcclAverage, m_handle, stream));
    }
    [[nodiscard]] Result<void> broadcast(void* bytes, std::int64_t count, int root, void* stream) override {
        if (count == 0) return {};
        if (m_handle == nullptr) return gaveUp();
        return checked("ncclBroadcast", m_table.broadcast(bytes, bytes, static_cast<std::size_t>(count), kNcclInt8,
                                                          root, m_handle, stream));
    }

private:
    static Failure gaveUp() { return fail(ErrorKind::Internal, "NCCL", messages::rankAborted()); }
    Result<void> checked(const char* call, int status) {
        if (status == 0) return {};
        m_failed = true;
        return refused(m_table, call, status);
    }

    NcclTable m_table;
    NcclHandle m_handle;
    int m_rank, m_size;
    bool m_failed = false;
};

}  // namespace

Result<NcclTable> openNccl(const char* name) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return fail(ErrorKind::BackendUnavailable, name, Message(::dlerror()));
    NcclTable table;
    std::string missing;
    const auto find = [&](const char* symbol, auto& function) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, symbol));
        if (function == nullptr && missing.empty()) missing = symbol;
    };
    find("ncclGetVersion", table.getVersion);
    find("ncclGetUniqueId", table.getUniqueId);
    find("ncclCommInitRank", table.commInitRank);
    find("ncclCommDestroy", table.commDestroy);
    find("ncclCommAbort", table.commAbort);
    find("ncclAllReduce", table.allReduce);
    find("ncclBroadcast", table.broadcast);
    find("ncclGetErrorString", table.errorString);
    if (!missing.empty()) return fail(ErrorKind::BackendUnavailable, name, messages::missingEntryPoint(missing));
    return table;
}

Result<std::string> ncclVersion(const NcclTable& table) {
    int version = 0;
    if (const int status = table.getVersion(&version); status != 0) return refused(table, "ncclGetVersion", status);
    // 10000 major + 100 minor + patch; before 2.9: 1000 major, which is not supported.
    return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

Result<NcclId> makeNcclId(const NcclTable& table) {
    NcclId id;
    if (const int status = table.getUniqueId(&id); status != 0) return refused(table, "ncclGetUniqueId", status);
    return id;
}

Result<std::unique_ptr<Communicator>> joinNccl(const NcclTable& table, const NcclId& id, int rank, int size) {
    if (size < 1 || rank < 0 || rank >= size)
        return fail(ErrorKind::InvalidArgument, {}, messages::badRank(rank, size));
    NcclHandle handle = nullptr;
    if (const int status = table.commInitRank(&handle, size, id, rank); status != 0)
        return refused(table, "ncclCommInitRank", status);
    return std::make_unique<NcclCommunicator>(table, handle, rank, size);
}

}  // namespace steelyard::compute
