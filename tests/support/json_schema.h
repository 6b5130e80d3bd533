// SPDX-License-Identifier: Apache-2.0
// Checks JSON documents against the schemas of resources/schemas, for tests. Knows the part of JSON Schema 2020-12 that
// they use, and reports a keyword it does not know instead of passing over it. References stay within the schemas'
// folder. Pure apart from reading the schema files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::test {

enum class Undeclared { Allowed, Reported };  // members that the schema does not list

// Empty when the document is valid; otherwise one line for each problem, "records[0].case.batch: ...".
// `schema` is a file name in the folder, with an optional "#/$defs/name".
[[nodiscard]] std::vector<std::string> schemaProblems(const std::filesystem::path& folder, const std::string& schema,
                                                      std::string_view document,
                                                      Undeclared undeclared = Undeclared::Allowed);

}  // namespace steelyard::test
