// SPDX-License-Identifier: Apache-2.0
// Records as a table for the terminal.
#pragma once

#include <iosfwd>
#include <vector>

#include "engine/bench/record/record.h"

namespace steelyard::cli {

void printRecords(std::ostream& out, const std::vector<bench::CaseRecord>& records);

}  // namespace steelyard::cli
