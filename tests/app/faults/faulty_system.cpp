// SPDX-License-Identifier: Apache-2.0
// Preloaded before the C library (LD_PRELOAD), it injects a system fault into a program:
//   STEELYARD_FAULT=KIND:N[:WORD]
// The fault occurs at the N-th call of its kind, counted from 1 in each process whose command line contains WORD
// (default: all).
//   full    from the N-th write to a regular file on, no space is left
//   broken  the N-th write to a regular file fails with an I/O error
//   unsynced the N-th fsync or fdatasync fails
//   unread  the N-th read of a regular file fails
//   short   every read of a regular file returns at most N bytes
//   memory  the N-th operator new throws std::bad_alloc
//   kill, term  the process receives SIGKILL or SIGTERM at its N-th write to a regular file
//   die     the process receives SIGKILL at its N-th operator new
//   clock   from the N-th call on, the wall clock is three days behind
// On exit each affected process appends a line to the file named by STEELYARD_FAULT_LOG.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

enum class Kind { None, Full, Broken, Unsynced, Unread, Short, Memory, Kill, Term, Die, Clock };

Kind kind = Kind::None;
long moment = 0;
std::atomic<long> calls{0};

bool commandLineContains(const char* word) {
    char text[4096];
    const int file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0));
    if (file < 0) return false;
    const long count = ::syscall(SYS_read, file, text, sizeof text - 1);
    ::close(file);
    if (count <= 0) return false;
    for (long i = 0; i < count; ++i) {
        if (text[i] == '\0') text[i] = ' ';
    }
    text[count] = '\0';
    return std::strstr(text, word) != nullptr;
}

void note() {
    const char* log = std::getenv("STEELYARD_FAULT_LOG");
    if (log == nullptr) return;
    const int file =
        static_cast<int>(::syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (file < 0) return;
    ::syscall(SYS_write, file, "met\n", 4);
    ::close(file);
}

__attribute__((constructor)) void choose() {
    const char* text = std::getenv("STEELYARD_FAULT");
    if (text == nullptr) return;
    constexpr struct {
        const char* name;
        Kind kind;
    } kNames[] = {{"full:", Kind::Full},     {"broken:", Kind::Broken}, {"unsynced:", Kind::Unsynced},
                  {"unread:", Kind::Unread}, {"short:", Kind::Short},   {"memory:", Kind::Memory},
                  {"kill:", Kind::Kill},     {"term:", Kind::Term},     {"die:", Kind::Die},
                  {"clock:", Kind::Clock}};
    for (const auto& name : kNames) {
        const std::size_t length = std::strlen(name.name);
        if (std::strncmp(text, name.name, length) != 0) continue;
        char* end = nullptr;
        moment = std::strtol(text + length, &end, 10);
        if (*end != ':' || commandLineContains(end + 1)) kind = name.kind;
    }
}

// Whether this call of `wanted` is the selected one; `onwards`: or a later one.
bool met(Kind wanted, bool onwards = false) {
    if (kind != wanted) return false;
    const long call = ++calls;
    if (call == moment) note();
    return call == moment || (onwards && call > moment);
}

template <typename F>
F next(const char* name) {
    return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

bool isA(int file, mode_t type) {
    struct stat status {};
    return ::fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == type;
}

// 0, or the error for a write to this file.
int writingFails(int file) {
    if (kind == Kind::Kill || kind == Kind::Term) {
        if (isA(file, S_IFREG) && (met(Kind::Kill) || met(Kind::Term)))
            ::kill(::getpid(), kind == Kind::Kill ? SIGKILL : SIGTERM);
        return 0;
    }
    if (kind != Kind::Full && kind != Kind::Broken) return 0;
    if (!isA(file, S_IFREG)) return 0;
    if (met(Kind::Full, true)) return ENOSPC;
    return met(Kind::Broken) ? EIO : 0;
}

// False: the read fails; otherwise `count` may be reduced.
bool readingGoes(int file, std::size_t& count) {
    if (kind == Kind::Unread && isA(file, S_IFREG) && met(Kind::Unread)) {
        errno = EIO;
        return false;
    }
    if (kind == Kind::Short && isA(file, S_IFREG) && count > static_cast<std::size_t>(moment)) {
        if (calls++ == 0) note();
        count = static_cast<std::size_t>(moment);
    }
    return true;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* data, std::size_t count) {
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
    if (const int error = writingFails(file)) return errno = error, -1;
    return real(file, data, count);
}

ssize_t writev(int file, const iovec* parts, int count) {
    static const auto real = next<ssize_t (*)(int, const iovec*, int)>("writev");
    if (const int error = writingFails(file)) return errno = error, -1;
    return real(file, parts, count);
}

ssize_t pwrite(int file, const void* data, std::size_t count, off_t where) {
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
    if (const int error = writingFails(file)) return errno = error, -1;
    return real(file, data, count, where);
}

ssize_t pwrite64(int file, const void* data, std::size_t count, off64_t where) {
    return pwrite(file, data, count, where);
}

ssize_t read(int file, void* data, std::size_t count) {
    static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
    return readingGoes(file, count) ? real(file, data, count) : -1;
}

ssize_t pread(int file, void* data, std::size_t count, off_t where) {
    static const auto real = next<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
    return readingGoes(file, count) ? real(file, data, count, where) : -1;
}

ssize_t pread64(int file, void* data, std::size_t count, off64_t where) {
    return pread(file, data, count, where);
}

int fsync(int file) {
    static const auto real = next<int (*)(int)>("fsync");
    return met(Kind::Unsynced) ? (errno = EIO, -1) : real(file);
}

int fdatasync(int file) {
    static const auto real = next<int (*)(int)>("fdatasync");
    return met(Kind::Unsynced) ? (errno = EIO, -1) : real(file);
}

int clock_gettime(clockid_t clock, timespec* time) {
    const int code = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
    if (code == 0 && clock == CLOCK_REALTIME && met(Kind::Clock, true)) time->tv_sec -= 3L * 24 * 3600;
    return code;
}

}  // extern "C"

// C++ allocations only; C libraries cannot be expected to handle failures.
void* operator new(std::size_t bytes) {
    if (met(Kind::Die)) ::kill(::getpid(), SIGKILL);
    void* memory = met(Kind::Memory) ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void* operator new[](std::size_t bytes) {
    return ::operator new(bytes);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
