// SPDX-License-Identifier: Apache-2.0
// The fields of a protocol, listed once (core/fields.h). For .cpp files.
#pragma once

#include "engine/bench/measure/case_runner.h"
#include "engine/core/fields.h"

namespace steelyard::bench {

template <SameAs<Protocol> T, typename Visitor>
void visitFields(T& protocol, Visitor&& visit) {
    visit(required("time_cap_seconds"), protocol.timeCap);
    visit(field("visits").atLeast(1), protocol.visits);  // absent in what earlier versions stored
    visit(required("precise"), protocol.precise);
    visit(required("verify"), protocol.verify);
    visit(field("sustained"), protocol.sustained);  // absent in what earlier versions stored
    visit(required("profile"), protocol.profile);
    visit(required("sensors_per_second"), protocol.sensorsPerSecond);
}

}  // namespace steelyard::bench
