// SPDX-License-Identifier: Apache-2.0
// Operations of imported networks.
#include <fmt/format.h>

#include "engine/compute/cpu/compile/emitters.h"

namespace steelyard::compute::cpu {

Result<void> emitArray(Compiler& /*compiler*/, const plan::Operation& op) {
    return fail(ErrorKind::Unsupported, op.name,
                fmt::format("{} of an imported network does not run on the CPU backend yet",
                            model::arrayKindName(std::get<model::ArrayLayer>(op.layer).operation)));
}

}  // namespace steelyard::compute::cpu
