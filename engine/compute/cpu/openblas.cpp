// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/openblas.h"

#include <dlfcn.h>

#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/address_space.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

// OpenBLAS 0.3.21 for OpenMP: 295 MiB including the library, 136 MiB for each further thread.
constexpr std::int64_t kBytesOfStart = std::int64_t{320} << 20;
constexpr std::int64_t kBytesOfThread = std::int64_t{144} << 20;

struct Loaded {
    std::optional<OpenBlas> library;
    Error error;
};

std::optional<Error> missingSpace(std::int64_t needed) {
    const auto left = addressSpaceLeft();
    if (!left || *left >= needed) return std::nullopt;
    return Error{ErrorKind::OutOfMemory, "OpenBLAS", messages::addressSpace(), {}, needed, *left};
}

template <typename Function>
void find(void* handle, const char* name, Function& function, bool& complete) {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    complete = complete && function != nullptr;
}

Loaded load() {
    if (auto error = missingSpace(kBytesOfStart)) return {{}, std::move(*error)};
    void* handle = nullptr;
    std::string reason;
    // Absolute paths first: the system's default may be the build with its own threads. The first one is that of a
    // bundle (packaging/bundle.sh), which must not depend on the machine.
    for (const char* name :
         {"libopenblas-steelyard.so.0", STEELYARD_OPENBLAS_FOLDER "/libopenblas.so.0", "libopenblas.so.0"}) {
        handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (handle != nullptr) break;
        if (const char* text = ::dlerror()) reason = text;
    }
    if (handle == nullptr) return {{}, Error{ErrorKind::BackendUnavailable, "OpenBLAS", Message(reason), {}, {}, {}}};
    OpenBlas library;
    bool complete = true;
    find(handle, "cblas_sgemm", library.sgemm, complete);
    find(handle, "openblas_get_num_threads", library.threads, complete);
    find(handle, "openblas_set_num_threads", library.setThreads, complete);
    find(handle, "openblas_get_config", library.config, complete);
    find(handle, "openblas_get_parallel", library.parallel, complete);
    if (!complete)
        return {{}, Error{ErrorKind::BackendUnavailable, "OpenBLAS", messages::missingFunctions(), {}, {}, {}}};
    return {library, {}};
}

// Never unloaded: its threads and buffers live as long as the process.
const Loaded& loaded() {
    static const Loaded result = load();
    return result;
}

}  // namespace

const OpenBlas* openBlas() {
    return loaded().library ? &*loaded().library : nullptr;
}

Result<void> requireOpenBlas(int threads) {
    if (!loaded().library) return Failure(loaded().error);
    // The first thread's buffer is allocated at start; those of the others with their first product.
    if (auto error = missingSpace((threads - 1) * kBytesOfThread)) return Failure(std::move(*error));
    return {};
}

}  // namespace steelyard::compute::cpu
