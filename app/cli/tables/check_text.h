// SPDX-License-Identifier: Apache-2.0
// A machine check as text: a sentence per part, and the verdict.
#pragma once

#include <iosfwd>
#include <string>

#include "engine/bench/check/check_report.h"

namespace steelyard::cli {

// "main memory", "operations of cuda:0 (NVIDIA L4)"
[[nodiscard]] std::string checkSubject(bench::CheckKind kind, const std::string& device, const std::string& name);
void printCheckPart(std::ostream& out, const bench::CheckPart& part);
void printCheckVerdict(std::ostream& out, const bench::CheckReport& report);

}  // namespace steelyard::cli
