// SPDX-License-Identifier: Apache-2.0
// CliTest with files in the user's home and schemas for what is printed.
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
    // A file in the temporary folder, which is the user's home, too.
    void write(const std::string& name, const std::string& content) const {
        std::filesystem::create_directories((m_folder / name).parent_path());
        test::TemporaryFolder::spill(m_folder / name, content);
    }
    // What a document and a schema of resources/schemas disagree on.
    static std::vector<std::string> schemaProblems(const std::string& schema, const std::string& document) {
        return test::schemaProblems(std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources" / "schemas", schema,
                                    document, test::Undeclared::Reported);
    }
    // What a command prints with --json, which is to agree with its schema.
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
