// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/rendezvous.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>

#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

constexpr const char* kFile = "nccl-id";
constexpr Seconds kMeetingTime{120};
constexpr std::array<char, 8> kMagic{'s', 't', 'l', 'y', 'n', 'c', 'c', '1'};

struct Content {
    std::array<char, 8> magic = kMagic;
    std::int32_t size = 0;
    std::int32_t unused = 0;
    NcclId id;
};
static_assert(sizeof(Content) == 144);

Failure ioFailed(const std::filesystem::path& file, int error) {
    return fail(ErrorKind::IoFailed, file.string(), Message(std::generic_category().message(error)));
}

// Returns 0 or errno.
int writeWhole(const std::filesystem::path& file, const Content& content) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0) return errno;
    const auto written = ::write(descriptor, &content, sizeof content);
    int error = written == static_cast<ssize_t>(sizeof content) ? 0 : written < 0 ? errno : EIO;
    if (::close(descriptor) != 0 && error == 0) error = errno;
    return error;
}

}  // namespace

Result<void> publishId(const std::filesystem::path& folder, const NcclId& id, int size) {
    const auto file = folder / kFile;
    auto beside = file;
    beside += fmt::format(".{}", ::getpid());
    Content content;
    content.size = size;
    content.id = id;
    if (const int error = writeWhole(beside, content); error != 0) return ioFailed(beside, error);
    // link(), unlike rename(), fails if an id exists.
    const int linked = ::link(beside.c_str(), file.c_str()) == 0 ? 0 : errno;
    ::unlink(beside.c_str());
    if (linked == EEXIST) return fail(ErrorKind::InvalidArgument, file.string(), messages::otherRunsId());
    return linked == 0 ? Result<void>() : ioFailed(file, linked);
}

Result<NcclId> awaitId(const std::filesystem::path& folder, int size, Seconds timeout,
                       const std::function<bool()>& cancelled) {
    using Clock = std::chrono::steady_clock;
    const auto file = folder / kFile;
    const auto deadline = Clock::now() + std::chrono::duration<double>(timeout.value());
    while (true) {
        const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0) {
            Content content;
            const auto count = ::read(descriptor, &content, sizeof content);
            ::close(descriptor);
            if (count != static_cast<ssize_t>(sizeof content) || content.magic != kMagic)
                return fail(ErrorKind::CorruptData, file.string(), messages::notARunId());
            if (content.size != size)
                return fail(ErrorKind::CorruptData, file.string(), messages::otherRankCount(content.size, size));
            return content.id;
        }
        if (errno != ENOENT) return ioFailed(file, errno);
        if (cancelled && cancelled()) return fail(ErrorKind::Cancelled, {}, messages::rendezvousCancelled());
        if (Clock::now() >= deadline) return fail(ErrorKind::TimedOut, {}, messages::rankMissing(timeout));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

Result<std::unique_ptr<Communicator>> initCommunicator(const NcclTable& table, const RankGroup& group) {
    const std::filesystem::path folder(group.rendezvousFolder);
    if (group.rank == 0) {
        ASSIGN(const auto made, makeNcclId(table));
        TRY(publishId(folder, made, group.size));
        return joinNccl(table, made, 0, group.size);
    }
    ASSIGN(const auto id, awaitId(folder, group.size, kMeetingTime, {}));
    return joinNccl(table, id, group.rank, group.size);
}

}  // namespace steelyard::compute
