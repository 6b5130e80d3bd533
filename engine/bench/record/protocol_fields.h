// SPDX-License-Identifier: Apache-2.0
// The fields of a protocol, listed once (core/fields.h). Include from .cpp files only.
#pragma once

#include "engine/bench/measure/case_runner.h"
#include "engine/core/fields.h"

namespace steelyard::bench {

template <SameAs<Protocol> T, typename Visitor>
void visitFields(T& protocol, Visitor&& visit) {
    visit(required("time_cap_seconds"), protocol.timeCap);
    visit(field("visits").atLeast(1), protocol.visits);  // missing in files of earlier versions
    visit(required("precise"), protocol.precise);
    visit(required("verify"), protocol.verify);
    visit(field("sustained"), protocol.sustained);  // missing in files of earlier versions
    visit(required("profile"), protocol.profile);
    visit(required("sensors_per_second"), protocol.sensorsPerSecond);
}

}  // namespace steelyard::bench
