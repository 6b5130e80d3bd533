// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 rows with a panel of bfloat16 weights, with AMX.
#include "engine/compute/cpu/kernels/amx_windows.h"
#include "engine/compute/cpu/kernels/bf16_results.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

void multiply(const FloatWindowProduct& p) {
    const auto finish = finishOf(p);
    multiplyPanel<RowType::Bfloat16>(
        p, kResultBytes, [&](Bf16RowSums* sums, std::int64_t row, std::int64_t rows) { finish(p, sums, row, rows); });
}

}  // namespace

void fillAmxBf16(Kernels& table) {
    if (permitsTiles()) table.bf16Gemm.windows = {multiply, kPanelColumns};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
