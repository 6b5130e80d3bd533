// SPDX-License-Identifier: Apache-2.0
// A plugin with one defect, selected by a macro.
#include "engine/compute/backend.h"

extern "C" {
#ifndef STEELYARD_FAKE_EMPTY
int steelyardBackendInterfaceVersion() {
#ifdef STEELYARD_FAKE_VERSION
    return 1000000;
#else
    return steelyard::compute::kBackendInterfaceVersion;
#endif
}

#ifdef STEELYARD_FAKE_INCOMPLETE
int steelyardSymbolThatNobodyHas();
#endif

steelyard::compute::Backend* steelyardMakeBackend(steelyard::Message* reason) {
#ifdef STEELYARD_FAKE_INCOMPLETE
    static_cast<void>(steelyardSymbolThatNobodyHas());
#endif
    *reason = steelyard::Message("there is no NVIDIA driver");
    return nullptr;
}
#endif
}
