// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/app/cli/cli_fixture.h"
#include "tests/support/shell.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::cli {
namespace {

using test::shell;
using testing::HasSubstr;
using testing::StartsWith;

class BundleTest : public CliTest {
protected:
    // Shared by all tests: it takes several seconds.
    static void SetUpTestSuite() {
        made = new test::TemporaryFolder;
        archive = *made / "steelyard-cli-test.tar.gz";
        const auto said =
            shell("BUNDLE_LEVEL=1 '" STEELYARD_SOURCE_DIR "/packaging/bundle.sh' '" STEELYARD_BUILD "' '" +
                  archive.string() + "'");
        ASSERT_EQ(said.code, 0) << said.text;
        // A path with a space, unknown at build time.
        const auto place = *made / "another place";
        std::filesystem::create_directories(place);
        ASSERT_EQ(shell("tar -xzf '" + archive.string() + "' -C '" + place.string() + "'").code, 0);
        top = place / "steelyard-cli-test";
    }
    static void TearDownTestSuite() { delete made; }
    void SetUp() override { ASSERT_TRUE(std::filesystem::exists(top / "bin" / "steelyard-cli")); }

    // With an empty environment.
    [[nodiscard]] test::Said bundled(const std::string& arguments) const {
        return shell("cd / && env -i PATH=/usr/bin:/bin HOME='" + m_folder.path().string() + "' '" +
                     (top / "bin" / "steelyard-cli").string() + "' " + arguments);
    }

    static inline test::TemporaryFolder* made = nullptr;
    static inline std::filesystem::path archive, top;
};

// Every library that `binary` loads is inside the unpacked archive `top`.
void expectOwnLibraries(const std::filesystem::path& top, const std::string& binary) {
    const auto lib = (top / "lib").string();
    const auto said = shell("'" + lib + "'/ld-linux-x86-64.so.2 --library-path '" + lib + "' --list '" +
                            (top / binary).string() + "'");
    ASSERT_EQ(said.code, 0) << said.text;
    std::istringstream lines(said.text);
    for (std::string line; std::getline(lines, line);) {
        const auto arrow = line.find("=> ");
        if (arrow != std::string::npos) {
            EXPECT_THAT(line.substr(arrow + 3), StartsWith(lib)) << binary;
        }
    }
}

TEST_F(BundleTest, EveryLibraryIsItsOwn) {
    for (const auto* binary : {"libexec/steelyard-cli.bin", "lib/libopenblas-steelyard.so.0"})
        expectOwnLibraries(top, binary);
}

TEST_F(BundleTest, MeasuresFromAnotherPlace) {
    EXPECT_THAT(bundled("--version").text, HasSubstr("steelyard-cli "));
    EXPECT_THAT(bundled("list hardware").text, HasSubstr("H100")) << "it has its resources";
    const auto run = bundled("run --workload mnist_mlp --mode infer --batch 2 --time-cap 0.1 --visits 1 --device cpu");
    EXPECT_EQ(run.code, 0) << run.text;
    EXPECT_THAT(run.text, HasSubstr("stored as"));
    const auto blas = bundled(
        "run --workload mnist_mlp --mode infer --batch 2 --time-cap 0.1 --visits 1 --device cpu "
        "--kernels openblas --no-save");
    EXPECT_EQ(blas.code, 0) << blas.text;
    // From a link, as in a folder of PATH.
    std::filesystem::create_symlink(top / "bin" / "steelyard-cli", m_folder / "linked");
    EXPECT_EQ(shell((m_folder / "linked").string() + " show mnist_mlp").code, 0);
}

TEST_F(BundleTest, ACampaignBringsItAndComparesItsChecksum) {
    m_path = "/usr/bin:/bin";
    const auto database = (m_folder / "history.sqlite").string();
    const auto campaign = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "campaign");
        arguments.insert(arguments.end(), {"--db", database, "--json"});
        const auto said = call(arguments);
        EXPECT_EQ(said.code, 0) << said.err;
        return said.json();
    };
    const auto measured = [&](const std::string& file) {
        campaign({"plan", "--workload", "mnist_mlp", "--mode", "infer", "--batch", "8", "--steps", "1e9", "--candidate",
                  "own/cpu", "--suite", "none", "--folder", file + ".files", "--bundle", file});
        if (file != archive) test::TemporaryFolder::spill(file, "something else");
        campaign({"launch"});
        campaign({"status", "--wait", "--every", "0.2"});
        return campaign({"collect"})["candidates"][0];
    };
    EXPECT_EQ(measured(archive.string())["state"], "collected");
    const auto other = (m_folder / "other.tar.gz").string();
    std::filesystem::copy_file(archive, other);
    const auto refused = measured(other);
    EXPECT_EQ(refused["state"], "failed");
    EXPECT_THAT(refused["reason"].get<std::string>(), HasSubstr("checksum"));
}

#ifdef STEELYARD_WINDOW
// With Qt and its plugins: the window exports a report, with charts, from a place unknown at build time.
TEST_F(BundleTest, OfTheWindowHasQt) {
    const auto file = (m_folder / "steelyard-test.tar.gz").string();
    const auto packed = shell("BUNDLE_LEVEL=1 '" STEELYARD_SOURCE_DIR "/packaging/bundle.sh' '" STEELYARD_BUILD "' '" +
                              file + "' window");
    ASSERT_EQ(packed.code, 0) << packed.text;
    const auto place = m_folder / "the window";
    std::filesystem::create_directories(place);
    ASSERT_EQ(shell("tar -xzf '" + file + "' -C '" + place.string() + "'").code, 0);
    const auto unpacked = place / "steelyard-test";
    for (const auto* binary :
         {"libexec/steelyard.bin", "lib/qt/platforms/libqxcb.so", "lib/qt/iconengines/libqsvgicon.so"})
        expectOwnLibraries(unpacked, binary);
    const auto from = "cd / && env -i PATH=/usr/bin:/bin QT_QPA_PLATFORM=offscreen HOME='" + m_folder.path().string() +
                      "' '" + (unpacked / "bin").string() + "/";
    const auto run =
        shell(from + "steelyard-cli' run --workload mnist_mlp --mode infer --batch 2 --time-cap 0.1 --visits 1");
    ASSERT_EQ(run.code, 0) << run.text;
    const auto report = (m_folder / "report.pdf").string();
    const auto exported = shell(from + "steelyard' --export-report '" + report + "'");
    EXPECT_EQ(exported.code, 0) << exported.text;
    EXPECT_TRUE(std::filesystem::exists(report)) << exported.text;
}
#endif

}  // namespace
}  // namespace steelyard::cli
