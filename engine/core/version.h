// SPDX-License-Identifier: Apache-2.0
// What this build is, for records and --version.
#pragma once

#include <string_view>

namespace steelyard {

[[nodiscard]] std::string_view programVersion();  // "0.1.0"
[[nodiscard]] std::string_view
gitRevision();  // twelve digits, "+" behind when files were changed; "unknown" without git
[[nodiscard]] std::string_view compilerVersion();

}  // namespace steelyard
