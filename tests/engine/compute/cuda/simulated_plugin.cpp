// SPDX-License-Identifier: Apache-2.0
// A backend plugin with simulated devices, for whole runs of the program without a GPU: the lowering, the processes and
// their communication are real. STEELYARD_SIMULATED_GPUS: number of devices (4). STEELYARD_SIMULATED_TROUBLE: what rank
// 1 does instead of connecting: "fails", "dies" or "hangs".
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "tests/engine/compute/cuda/shared_memory_nccl.h"
#include "tests/engine/compute/cuda/simulated_ranks.h"

namespace {

using namespace steelyard;
using namespace steelyard::compute;

Result<std::shared_ptr<Communicator>> connect(const RankGroup& group) {
    const char* wanted = std::getenv("STEELYARD_SIMULATED_TROUBLE");
    const std::string_view issue = group.rank == 1 && wanted != nullptr ? wanted : "";
    if (issue == "fails") return fail(ErrorKind::Internal, "NCCL", Message("made to fail"));
    if (issue == "dies") std::abort();
    if (issue == "hangs")
        while (true) ::pause();
    return cuda::test::meetBy(cuda::test::sharedMemoryNccl())(group);
}

}  // namespace

extern "C" {

int steelyardBackendInterfaceVersion() {
    return kBackendInterfaceVersion;
}

Backend* steelyardMakeBackend(steelyard::Message*) {
    const char* wanted = std::getenv("STEELYARD_SIMULATED_GPUS");
    cuda::test::Script script;
    script.devices.assign(wanted != nullptr ? static_cast<std::size_t>(std::atoi(wanted)) : 4, script.devices.front());
    script.connect = connect;
    script.mostProducts = std::int64_t{1} << 26;  // limits the size of peak probes, which would take too long
    return cuda::makeCudaBackend(std::make_shared<cuda::test::SimulatedProvider>(script)).release();
}
}
