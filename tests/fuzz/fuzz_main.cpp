// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry point for the target named by STEELYARD_FUZZ_TARGET at build time.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
    static const auto* const target = steelyard::test::findFuzzTarget(STEELYARD_FUZZ_TARGET);
    target->run({bytes, count});
    return 0;
}
