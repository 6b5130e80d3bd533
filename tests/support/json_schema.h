// SPDX-License-Identifier: Apache-2.0
// Validates JSON documents against the schemas in resources/schemas, for tests. Supports the subset of JSON Schema
// 2020-12 that they use, and reports unknown keywords instead of ignoring them. References are confined to the schemas'
// folder. Pure apart from reading the schema files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::test {

enum class Undeclared { Allowed, Reported };  // members that the schema does not list

// Empty if the document is valid; otherwise one line per problem, "records[0].case.batch: ...". `schema` is a file name
// in the folder, with an optional "#/$defs/name".
[[nodiscard]] std::vector<std::string> schemaProblems(const std::filesystem::path& folder, const std::string& schema,
                                                      std::string_view document,
                                                      Undeclared undeclared = Undeclared::Allowed);

}  // namespace steelyard::test
