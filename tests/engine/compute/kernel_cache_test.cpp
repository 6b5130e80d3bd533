// SPDX-License-Identifier: Apache-2.0
// The cache of the fastest kernels, and that damage to its file is never a failure.
#include "engine/compute/cpu/tuning/kernel_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/cpu/tuning/tuning.h"
#include "engine/compute/kernel_memory.h"
#include "engine/compute/step_values.h"
#include "engine/model/graph.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::compute {
namespace {

namespace fs = std::filesystem;
using cpu::Choice;
using cpu::KernelCache;
using cpu::KernelChoices;
using cpu::Tuner;

class KernelCacheTest : public ::testing::Test {
protected:
    [[nodiscard]] fs::path folder() const { return m_folder / "cache" / "steelyard"; }
    [[nodiscard]] KernelCache cache(const std::string& machine = "processor; library 1") const {
        return {folder(), machine};
    }
    const KernelChoices m_two{{"dense forward 4x5x6", {2, 0.25, true}}, {"product with  spaces", {0, 1e-6, true}}};

private:
    test::TemporaryFolder m_folder;
};

TEST_F(KernelCacheTest, RemembersWhatItWasGiven) {
    EXPECT_TRUE(cache().load().empty());
    EXPECT_FALSE(fs::exists(folder()));
    ASSERT_TRUE(cache().add(m_two));
    const auto loaded = cache().load();
    ASSERT_EQ(loaded.size(), 2U);
    EXPECT_EQ(loaded.at("dense forward 4x5x6").index, 2);
    EXPECT_EQ(loaded.at("dense forward 4x5x6").seconds, 0.25);
    EXPECT_EQ(loaded.at("product with  spaces").index, 0);
    EXPECT_TRUE(loaded.at("product with  spaces").certain);
    // Another process adds entries, and measures one of these again.
    ASSERT_TRUE(cache().add({{"conv", {1, 2, true}}, {"dense forward 4x5x6", {1, 3, true}}}));
    EXPECT_EQ(cache().load().size(), 3U);
    EXPECT_EQ(cache().load().at("dense forward 4x5x6").index, 1);
}

TEST_F(KernelCacheTest, LeavesOutWhatIsNotCertain) {
    ASSERT_TRUE(cache().add({{"disturbed", {1, 2, false}}}));
    EXPECT_FALSE(fs::exists(cache().file()));
    ASSERT_TRUE(cache().add({{"disturbed", {1, 2, false}}, {"quiet", {1, 2, true}}}));
    EXPECT_THAT(cache().load(), ::testing::ElementsAre(::testing::Key("quiet")));
}

TEST_F(KernelCacheTest, KeepsMachinesAndVersionsApart) {
    ASSERT_TRUE(cache().add(m_two));
    EXPECT_TRUE(cache("processor; library 2").load().empty());
    ASSERT_TRUE(cache("processor; library 2").add({{"conv", {1, 2, true}}}));
    EXPECT_EQ(cache().load().size(), 2U);
    // Even if the file names are the same.
    fs::copy_file(cache().file(), cache("other").file());
    EXPECT_TRUE(cache("other").load().empty());
}

TEST_F(KernelCacheTest, TakesADamagedFileForNone) {
    ASSERT_TRUE(cache().add(m_two));
    const auto whole = test::TemporaryFolder::slurp(cache().file());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        auto changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        test::TemporaryFolder::spill(cache().file(), changed);
        EXPECT_TRUE(cache().load().empty()) << i;
        test::TemporaryFolder::spill(cache().file(), whole.substr(0, i));
        EXPECT_TRUE(cache().load().empty()) << i;
    }
    test::TemporaryFolder::spill(cache().file(),
                                 std::string("steelyard kernels 0\n") + whole.substr(whole.find('\n') + 1));
    EXPECT_TRUE(cache().load().empty());
    ASSERT_TRUE(cache().add(m_two));  // rewritten
    EXPECT_EQ(test::TemporaryFolder::slurp(cache().file()), whole);
}

TEST_F(KernelCacheTest, DoesWithoutAPlaceToWrite) {
    EXPECT_TRUE(KernelCache().add(m_two));
    EXPECT_TRUE(KernelCache().load().empty());
    fs::create_directories(folder().parent_path());
    test::TemporaryFolder::spill(folder(), "a file where the folder should be");
    EXPECT_FALSE(cache().add(m_two));
    EXPECT_TRUE(cache().load().empty());
    EXPECT_NE(makeCpuBackend({.kernelCacheFolder = folder()}), nullptr);
}

TEST(Tuner, TriesOnceAndTellsWhatItTried) {
    int made = 0, runs = 0;
    const cpu::TrialMaker candidate = [&]() -> cpu::Trial {
        ++made;
        return [&] { ++runs; };
    };
    Tuner tuner;
    const auto choice = tuner.fastest("work", {candidate, candidate});
    const int madeAtFirst = made;
    EXPECT_GE(made, 2 * 2);     // at least two rounds each
    EXPECT_GE(runs, 2 * made);  // for lazy initialisation, and for the timing
    EXPECT_EQ(tuner.fastest("work", {candidate, candidate}).index, choice.index);
    EXPECT_EQ(made, madeAtFirst);
    EXPECT_THAT(tuner.takeNews(), ::testing::ElementsAre(::testing::Key("work")));
    EXPECT_TRUE(tuner.takeNews().empty());
}

TEST(Tuner, BelievesWhatIsRemembered) {
    int made = 0;
    const cpu::TrialMaker candidate = [&]() -> cpu::Trial {
        ++made;
        return [] {};
    };
    Tuner tuner({{"work", {1, 5, true}}, {"shorter list", {2, 5, true}}});
    EXPECT_EQ(tuner.fastest("work", {candidate, candidate}).index, 1);
    EXPECT_EQ(made, 0);
    EXPECT_TRUE(tuner.takeNews().empty());
    EXPECT_LT(tuner.fastest("shorter list", {candidate, candidate}).index, 2);
    EXPECT_GT(made, 0);
}

using std::chrono::milliseconds;

cpu::Trial lasting(milliseconds time) {
    return [time] { std::this_thread::sleep_for(time); };
}

// Simulates temporary load by another guest on the same core.
TEST(Tuner, TriesAgainWhatWasSlowAtFirst) {
    int made = 0;
    const auto choice = Tuner().fastest("work", {[&] { return lasting(milliseconds(made++ == 0 ? 20 : 2)); },
                                                 [&] { return lasting(milliseconds(10)); }});
    EXPECT_EQ(choice.index, 0);
    EXPECT_GE(choice.seconds, 2e-3);
}

TEST(Tuner, TakesTheFavouriteUnlessAnotherIsClearlyFaster) {
    const std::vector<cpu::TrialMaker> candidates{[] { return lasting(milliseconds(12)); },
                                                  [] { return lasting(milliseconds(6)); }};
    EXPECT_EQ(Tuner().fastest("work", candidates).index, 1);
    EXPECT_EQ(Tuner().fastest("work", candidates, 1.2).index, 1);
    const auto favourite = Tuner().fastest("work", candidates, 4);
    EXPECT_EQ(favourite.index, 0);
    EXPECT_GE(favourite.seconds, 12e-3);
}

TEST(Tuner, CountsTheFirstRunOfWhatTakesVeryLong) {
    int made = 0, runs = 0;
    const auto slow = [&]() -> cpu::Trial {
        ++made;
        return [&runs] {
            ++runs;
            std::this_thread::sleep_for(milliseconds(110));
        };
    };
    EXPECT_GE(Tuner().fastest("work", {slow}).seconds, 0.11);
    EXPECT_EQ(runs, made);
}

TEST(Tuner, LeavesWhatIsFarTooSlowAfterOneRound) {
    int made = 0;
    const auto slow = [&]() -> cpu::Trial {
        ++made;
        return lasting(milliseconds(20));
    };
    EXPECT_EQ(Tuner().fastest("work", {[] { return [] {}; }, slow}).index, 0);
    EXPECT_EQ(made, 1);
}

// One product, for which several libraries are tried in float32.
std::string kernelOfProduct(const fs::path& cacheFolder) {
    const auto backend = makeCpuBackend({.kernelCacheFolder = cacheFolder});
    model::GraphBuilder g("product");
    const auto a = g.input({24, 40}), b = g.input({40, 32});
    g.head(g.add(model::Product{}, {a, b}), model::LossKind::None);
    const auto plan = std::make_shared<const plan::Plan>(
        plan::lower(std::move(g).build().value(), {plan::Mode::Infer, 1, plan::Precision::Fp32, {}}).value());
    auto executable = backend->compile(plan, {.threads = 1, .profile = true}).value();
    EXPECT_TRUE(writeSyntheticState(*executable, 1));
    EXPECT_TRUE(executable->step({}));
    return executable->profile().front().kernel;
}

TEST_F(KernelCacheTest, IsWhatTheBackendComputesWith) {
    (void)kernelOfProduct(folder());
    // On a busy machine the trials may be inconclusive; then nothing is stored yet.
    if (!fs::exists(folder())) GTEST_SKIP() << "every trial was disturbed";
    const auto file = fs::directory_iterator(folder())->path();
    const auto text = test::TemporaryFolder::slurp(file);
    const auto first = text.find('\n') + 1;
    const auto machine = text.substr(first, text.find('\n', first) - first);
    EXPECT_THAT(machine, ::testing::AllOf(::testing::HasSubstr("oneDNN"), ::testing::HasSubstr("OpenBLAS")));
    const KernelCache remembered(folder(), machine);
    ASSERT_EQ(remembered.file(), file);
    std::set<std::string> kernels;
    const auto [product, made] = *remembered.load().begin();
    EXPECT_THAT(product, ::testing::StartsWith("product "));
    for (const int index : {0, 1, 2}) {
        ASSERT_TRUE(remembered.add({{product, {index, made.seconds, true}}}));
        kernels.insert(kernelOfProduct(folder()));
        EXPECT_EQ(remembered.load().at(product).index, index) << "was tried again";
    }
    EXPECT_EQ(kernels.size(), 3U);
    EXPECT_THAT(kernels, ::testing::Contains("openblas:sgemm"));
    // Estimates query whether any trials remain.
    EXPECT_THAT(kernelMemoryOf(*makeCpuBackend({.kernelCacheFolder = folder()}))->knownSteps(),
                ::testing::ElementsAre("product infer 1 fp32 1 auto"));
    EXPECT_THAT(kernelMemoryOf(*makeCpuBackend())->knownSteps(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace steelyard::compute
