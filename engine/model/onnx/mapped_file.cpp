// SPDX-License-Identifier: Apache-2.0
#include "engine/model/onnx/mapped_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {

Result<std::shared_ptr<const MappedFile>> MappedFile::map(int descriptor, const std::string& subject) {
    struct stat status {};
    if (fstat(descriptor, &status) != 0) {
        const auto error = errorFromErrno(errno, subject);
        close(descriptor);
        return Failure(error);
    }
    if (!S_ISREG(status.st_mode)) {
        close(descriptor);
        return fail(ErrorKind::InvalidArgument, subject, messages::notAModel());
    }
    std::shared_ptr<MappedFile> file(new MappedFile);
    if (status.st_size > 0) {
        const auto size = static_cast<std::size_t>(status.st_size);
        void* bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (bytes == MAP_FAILED) {
            const auto error = errorFromErrno(errno, subject);
            close(descriptor);
            return Failure(error);
        }
        file->m_bytes = {static_cast<const char*>(bytes), size};
    }
    close(descriptor);
    return std::shared_ptr<const MappedFile>(std::move(file));
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
    // Non-blocking: opening a pipe would wait for its writer.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return Failure(errorFromErrno(errno, path));
    return map(descriptor, path);
}

Result<std::shared_ptr<const MappedFile>> MappedFile::openBeneath(const std::string& folder,
                                                                  const std::string& location) {
    const int directory = ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return Failure(errorFromErrno(errno, folder));
    open_how how{};
    how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    const auto opened = syscall(SYS_openat2, directory, location.c_str(), &how, sizeof how);
    const int error = errno;
    close(directory);
    if (opened < 0) {
        if (error == EXDEV || error == ELOOP)
            return fail(ErrorKind::InvalidArgument, location, messages::externalDataOutside());
        return Failure(errorFromErrno(error, location));
    }
    return map(static_cast<int>(opened), location);
}

MappedFile::~MappedFile() {
    if (!m_bytes.empty()) munmap(const_cast<char*>(m_bytes.data()), m_bytes.size());
}

}  // namespace steelyard::model::onnx
