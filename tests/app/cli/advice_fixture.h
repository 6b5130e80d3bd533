// SPDX-License-Identifier: Apache-2.0
// CliTest with files in the user's home and schemas for the output.
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/app/cli/cli_fixture.h"
#include "tests/support/json_schema.h"

namespace steelyard::cli {

class AdviceCliTest : public CliTest {
protected:
    // A file in the temporary folder, which is also the user's home.
    void write(const std::string& name, const std::string& content) const {
        std::filesystem::create_directories((m_folder / name).parent_path());
        test::TemporaryFolder::spill(m_folder / name, content);
    }
    // Differences between a document and a schema in resources/schemas.
    static std::vector<std::string> schemaProblems(const std::string& schema, const std::string& document) {
        return test::schemaProblems(std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources" / "schemas", schema,
                                    document, test::Undeclared::Reported);
    }
    // Output of a command with --json, which must match its schema.
    nlohmann::json document(const std::string& command, const std::string& schema, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), command);
        arguments.emplace_back("--json");
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(schemaProblems(schema, outcome.out), testing::IsEmpty());
        return outcome.json();
    }
};

}  // namespace steelyard::cli
