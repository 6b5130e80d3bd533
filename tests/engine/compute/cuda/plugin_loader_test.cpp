// SPDX-License-Identifier: Apache-2.0
// Every reason for refusing a plugin, using stub plugins.
#include "engine/compute/plugin_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace steelyard::compute {
namespace {

using ::testing::HasSubstr;

std::string refusal(const char* name, const std::vector<std::filesystem::path>& folders = {STEELYARD_FAKE_PLUGINS}) {
    const auto backend = loadBackendPlugin(name, folders);
    EXPECT_FALSE(backend);
    if (backend) return {};
    EXPECT_EQ(backend.error().kind, ErrorKind::BackendUnavailable);
    return backend.error().detail.text;
}

TEST(PluginLoader, NoFileInAnyFolder) {
    EXPECT_EQ(refusal("fake_absent"), "the backend is not installed");
    EXPECT_EQ(refusal("fake_good", {}), "the backend is not installed");
}

TEST(PluginLoader, AnotherInterfaceVersionIsNotAskedForABackend) {
    EXPECT_THAT(refusal("fake_version"), HasSubstr("built for interface version 1000000; this program has "));
}

TEST(PluginLoader, TheBackendsOwnReasonIsPassedOn) {
    EXPECT_EQ(refusal("fake_reason"), "there is no NVIDIA driver");
}

TEST(PluginLoader, ALibraryThatIsNoBackend) {
    EXPECT_EQ(refusal("fake_empty"), "the file is not a backend of this program");
}

TEST(PluginLoader, AMissingLibraryIsNamedByTheLoader) {
    EXPECT_THAT(refusal("fake_incomplete"), HasSubstr("its libraries are missing: "));
    EXPECT_THAT(refusal("fake_incomplete"), HasSubstr("steelyardSymbolThatNobodyHas"));
}

TEST(PluginLoader, TheFirstFolderThatHasItCounts) {
    EXPECT_EQ(refusal("fake_reason", {"/nonexistent", STEELYARD_FAKE_PLUGINS}), "there is no NVIDIA driver");
}

// The real plugin, if built: without a driver it reports that, and loads without error.
TEST(PluginLoader, TheCudaPluginLoadsOrSaysWhyNot) {
    const auto backend = loadBackendPlugin("steelyard_cuda", {STEELYARD_PLUGIN_FOLDER});
    if (backend) {
        EXPECT_FALSE((*backend)->devices().empty());
        return;
    }
    EXPECT_EQ(backend.error().kind, ErrorKind::BackendUnavailable);
    EXPECT_THAT(backend.error().detail.text,
                ::testing::AnyOf(HasSubstr("NVIDIA driver"), HasSubstr("the backend is not installed")));
}

}  // namespace
}  // namespace steelyard::compute
