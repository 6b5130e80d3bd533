// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for the target that the build names in STEELYARD_FUZZ_TARGET.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
    static const auto* const target = steelyard::test::findFuzzTarget(STEELYARD_FUZZ_TARGET);
    target->run({bytes, count});
    return 0;
}
