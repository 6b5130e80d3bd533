// SPDX-License-Identifier: Apache-2.0
// A recurrent layer as one call of the network library per pass, a candidate for recurrent.cpp. Internal to
// engine/compute/cuda.
#pragma once

#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {

struct LibraryRecurrence {
    Recurrence call;  // forward pass
    RecurrenceSpaces spaces;
};

[[nodiscard]] kernels::Cell cellOf(model::RecurrentCell cell);
// For a forward operation. Unsupported, with the reason, if the library does not support the layer.
[[nodiscard]] Result<LibraryRecurrence> askLibrary(Compiler& compiler, const plan::Operation& forward, bool persistent);
[[nodiscard]] Result<void> emitLibraryForward(Compiler& compiler, const plan::Operation& forward,
                                              const LibraryRecurrence& recurrence);
// False, without emitting anything, if the forward pass did not use the library.
[[nodiscard]] bool tryLibraryBackward(Compiler& compiler, const plan::Operation& backward, Result<void>& result);

}  // namespace steelyard::compute::cuda
