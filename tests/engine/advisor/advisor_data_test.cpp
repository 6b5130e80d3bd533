// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/advisor_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/advisor/predict/local_hardware.h"
#include "engine/hardware/profile/profile_json.h"
#include "tests/engine/advisor/advisor_fixture.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::advisor {
namespace {

using plan::Mode;
using plan::Precision;
using steelyard::test::TemporaryFolder;
using testing::HasSubstr;

class AdvisorDataTest : public testing::Test {
protected:
    [[nodiscard]] AdvisorFiles files() const { return {test::resources(), m_folder / "user.json"}; }
    TemporaryFolder m_folder;
};

TEST_F(AdvisorDataTest, LaysTheUsersEntriesOverTheShippedOnes) {
    const auto plain = loadAdvisorData(files());
    ASSERT_TRUE(plain) << describe(plain.error());
    EXPECT_EQ(plain->catalog.offers, plain->shipped.offers);
    const auto& offer = plain->shipped.offers.front();
    auto user = plain->user;
    ASSERT_TRUE(catalog::setPrice(user, plain->catalog, {offer.id, false, {12.5, "2026-11-20", "my invoice"}}));
    ASSERT_TRUE(catalog::saveUserCatalog(user, m_folder / "user.json"));
    const auto priced = loadAdvisorData(files());
    ASSERT_TRUE(priced) << describe(priced.error());
    EXPECT_DOUBLE_EQ(priced->catalog.findOffer(offer.id)->onDemand->usdPerHour, 12.5);
    EXPECT_EQ(priced->shipped.offers, plain->shipped.offers);
}

TEST_F(AdvisorDataTest, NamesTheDamagedFile) {
    TemporaryFolder::spill(m_folder / "user.json", "{\"format\": \"steelyard-user-catalog\", ");
    const auto data = loadAdvisorData(files());
    ASSERT_FALSE(data);
    EXPECT_THAT(describe(data.error()), HasSubstr("user.json"));
    EXPECT_FALSE(loadAdvisorData({m_folder.path(), {}}));
}

TEST_F(AdvisorDataTest, PredictsOnTheWholeCatalogue) {
    const auto data = loadAdvisorData(files()).value();
    const auto predictor = makePredictor(data);
    const auto job = makeJob({.workload = "resnet50", .mode = Mode::Train, .batch = 64, .precision = Precision::Fp16});
    ASSERT_TRUE(job) << describe(job.error());
    const std::vector<OwnCandidate> own{{.id = "own/cuda:0", .title = "mine", .device = test::device("rtx3090")}};
    const auto all = predictTargets(job->model, data, predictor, own);
    ASSERT_TRUE(all) << describe(all.error());
    EXPECT_EQ(all->size(), data.catalog.hardware.size() + 1);
    EXPECT_TRUE(all->front().own);
    for (const auto& target : *all)
        EXPECT_EQ(target.prediction.hasTime(), target.prediction.seconds.median > 0) << target.id;
    const auto few = predictTargets(job->model, data, predictor, own, {.only = {"own/cuda:0", "t4"}});
    ASSERT_EQ(few->size(), 2U);
    EXPECT_EQ((*few)[1].id, "t4");
    const auto unknown = predictTargets(job->model, data, predictor, own, {.only = {"rtx3091"}});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().kind, ErrorKind::NotFound);
    EXPECT_THAT(unknown.error().detail.text, HasSubstr("rtx3090"));
    const auto software = predictTargets(job->model, data, predictor, own, {.software = "ngc21"});
    ASSERT_FALSE(software);
    EXPECT_THAT(software.error().detail.text, HasSubstr("ngc2"));
}

TEST_F(AdvisorDataTest, TheUsersMeasurementsAreReferences) {
    const auto data = loadAdvisorData(files()).value();
    hardware::HardwareProfile profile;
    profile.cpu.name = hardware::known<std::string>("AMD EPYC 9654 96-Core Processor", "test");
    profile.cpu.usableThreads = hardware::known(2, "test");
    bench::CaseRecord record;
    record.spec = {.workload = "fcn_s(hidden_layers=4)", .mode = plan::Mode::Infer, .batch = 64};
    record.status = bench::Status::Ok;
    record.stepSeconds = bench::Summary{.median = 0.5, .mean = 0.5, .min = 0.5, .n = 20};
    bench::RunRecord run;
    run.profileJson = hardware::toJson(profile);
    run.records = {record};
    const std::vector<bench::RunRecord> runs{run};
    const auto own = ownDevices(profile, data.catalog, data.parameters);
    ASSERT_EQ(own.size(), 1U);
    const auto job = makeJob({.workload = "fcn_s( hidden_layers = 4 )", .mode = Mode::Infer, .batch = 64}).value();
    const auto targets =
        predictTargets(job.model, data, makePredictor(data, referencesFrom(runs, data.catalog, data.parameters)), own,
                       {.only = {"own/cpu", "epyc_7763"}})
            .value();
    EXPECT_EQ(targets[0].prediction.basis, Basis::Measured);
    EXPECT_DOUBLE_EQ(targets[0].prediction.seconds.median, 0.5);
    EXPECT_EQ(targets[1].prediction.basis, Basis::Anchored);
    const auto naive = predictTargets(job.model, data, makePredictor(data), own, {.only = {"own/cpu"}}).value();
    EXPECT_EQ(naive[0].prediction.basis, Basis::Extrapolated);
}

TEST_F(AdvisorDataTest, MakesJobsOfNetworksFamiliesAndFiles) {
    const auto plain = makeJob({.workload = "resnet50"}).value();
    EXPECT_EQ(plain.model.mode, Mode::Train);
    EXPECT_EQ(plain.model.batch, plain.workload.batch);
    EXPECT_EQ(plain.model.parameters, 25'557'032);
    const auto family = makeJob({.workload = "paradnn_fc(layers=8,nodes=512)", .batch = 7});
    ASSERT_TRUE(family) << describe(family.error());
    EXPECT_EQ(family->model.workload, family->workload.id);
    EXPECT_EQ(family->model.batch, 7);
    EXPECT_EQ(makeJob({.workload = "gpt2_small_decode"})->model.mode, Mode::Infer);
    EXPECT_THAT(describe(makeJob({.workload = "gpt2_small_decode", .mode = Mode::Train}).error()), HasSubstr("infer"));
    EXPECT_EQ(makeJob({.workload = "resnet5O"}).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(makeJob({.workload = "resnet50", .batch = -1}).error().kind, ErrorKind::InvalidArgument);

    const auto file = (m_folder / "net.json").string();
    TemporaryFolder::spill(file, R"({"name": "tiny", "layers": [{"kind": "input", "shape": [4]},
        {"kind": "dense", "name": "out", "units": 3}], "outputs": [{"layer": "out"}]})");
    const auto own = makeJob({.workload = file});
    ASSERT_TRUE(own) << describe(own.error());
    EXPECT_EQ(own->model.parameters, 15);
    TemporaryFolder::spill(file, "{\"name\": \"tiny\",\n \"layers\": [}");
    EXPECT_THAT(describe(makeJob({.workload = file}).error()), HasSubstr("line 2, column 13"));
}

TEST_F(AdvisorDataTest, BackTestsTheShippedParameters) {
    const auto data = loadAdvisorData(files()).value();
    const auto report = shippedBacktest(test::resources(), data.parameters);
    ASSERT_TRUE(report) << describe(report.error());
    EXPECT_NE(report->find("leave_one_chip_out"), nullptr);
    EXPECT_FALSE(shippedBacktest(m_folder.path(), data.parameters));
}

}  // namespace
}  // namespace steelyard::advisor
