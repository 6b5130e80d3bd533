// SPDX-License-Identifier: Apache-2.0
// Operations of imported networks.
#include <fmt/format.h>

#include "engine/compute/cpu/compile/emitters.h"

#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {

Result<void> emitArray(Compiler& /*compiler*/, const plan::Operation& op) {
    return fail(ErrorKind::Unsupported, op.name,
                messages::importedNotOnCpu(model::arrayKindName(std::get<model::ArrayLayer>(op.layer).operation)));
}

}  // namespace steelyard::compute::cpu
