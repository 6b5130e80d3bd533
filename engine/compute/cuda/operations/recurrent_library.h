// SPDX-License-Identifier: Apache-2.0
// A recurrent layer as one call of the network library for each pass, for recurrent.cpp to choose. Internal to
// engine/compute/cuda.
#pragma once

#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {

struct LibraryRecurrence {
    Recurrence call;  // the forward pass
    RecurrenceSpaces spaces;
};

[[nodiscard]] kernels::Cell cellOf(model::RecurrentCell cell);
// Of a forward operation. Unsupported, with the reason, where the library cannot do the layer.
[[nodiscard]] Result<LibraryRecurrence> askLibrary(Compiler& compiler, const plan::Operation& forward, bool persistent);
[[nodiscard]] Result<void> emitLibraryForward(Compiler& compiler, const plan::Operation& forward,
                                              const LibraryRecurrence& recurrence);
// False, and nothing emitted, where the forward pass was not the library's.
[[nodiscard]] bool tryLibraryBackward(Compiler& compiler, const plan::Operation& backward, Result<void>& result);

}  // namespace steelyard::compute::cuda
