// SPDX-License-Identifier: Apache-2.0
// A plugin with one thing wrong, chosen by a macro.
#include <cstdio>

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

steelyard::compute::Backend* steelyardMakeBackend(char* reason, unsigned long reasonSize) {
#ifdef STEELYARD_FAKE_INCOMPLETE
    static_cast<void>(steelyardSymbolThatNobodyHas());
#endif
    std::snprintf(reason, reasonSize, "there is no NVIDIA driver");
    return nullptr;
}
#endif
}
