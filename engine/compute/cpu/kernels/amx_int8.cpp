// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit rows with a panel of 8-bit weights, with AMX.
#include "engine/compute/cpu/kernels/amx_windows.h"
#include "engine/compute/cpu/kernels/int8_results.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

void multiply(const Int8Product& p) {
    const auto finishRows = finishOf(p);
    const auto finish = [&](const RowSums* sums, std::int64_t row, std::int64_t rows) {
        finishRows(p, sums, row, rows);
    };
    if (p.isSigned)
        multiplyPanel<RowType::Signed>(p, bytesOf(p.type), finish);
    else
        multiplyPanel<RowType::Unsigned>(p, bytesOf(p.type), finish);
}

}  // namespace

void fillAmxInt8(Kernels& table) {
    if (!permitsTiles()) return;
    table.eightBit.multiply = multiply;
    table.eightBit.needsStart = false;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
