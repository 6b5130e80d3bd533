// SPDX-License-Identifier: Apache-2.0
// Version and revision of this build, for records and --version.
#pragma once

#include <string_view>

namespace steelyard {

[[nodiscard]] std::string_view programVersion();  // "0.1.0"
[[nodiscard]] std::string_view
gitRevision();  // twelve digits, followed by "+" if files were changed; "unknown" without git
[[nodiscard]] std::string_view compilerVersion();

}  // namespace steelyard
