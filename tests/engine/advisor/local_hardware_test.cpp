// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/local_hardware.h"

#include <gtest/gtest.h>

#include "engine/hardware/profile/profile_json.h"
#include "engine/model/resolve.h"
#include "tests/engine/advisor/advisor_fixture.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::advisor {
namespace {

std::string matched(std::string_view name, std::optional<double> gib = {}) {
    const auto* spec = matchDevice(test::shippedCatalog(), name, gib ? std::optional(*gib * test::kGib) : std::nullopt);
    return spec == nullptr ? "" : spec->id;
}

TEST(MatchDevice, KnowsTheNamesOfDrivers) {
    EXPECT_EQ(matched("NVIDIA GeForce RTX 3090", 24), "rtx3090");
    EXPECT_EQ(matched("NVIDIA GeForce RTX 3080 Ti", 12), "rtx3080ti");
    EXPECT_EQ(matched("NVIDIA GeForce RTX 3080", 10), "rtx3080_10");
    EXPECT_EQ(matched("NVIDIA A100-SXM4-40GB", 40), "a100_sxm_40");
    EXPECT_EQ(matched("NVIDIA A100-SXM4-80GB", 80), "a100_sxm_80");
    EXPECT_EQ(matched("NVIDIA A100-PCIE-40GB", 40), "a100_pcie_40");
    EXPECT_EQ(matched("Tesla V100-SXM2-16GB", 16), "v100_sxm2_16");
    EXPECT_EQ(matched("Tesla T4", 15), "t4");
    EXPECT_EQ(matched("NVIDIA L4", 23), "l4");
    EXPECT_EQ(matched("NVIDIA GeForce GTX 1080 Ti", 11), "gtx1080ti");
    EXPECT_EQ(matched("NVIDIA GeForce RTX 5090", 32), "rtx5090");
    EXPECT_EQ(matched("AMD EPYC 9654 96-Core Processor"), "epyc_9654");
    EXPECT_EQ(matched("Intel(R) Xeon(R) Platinum 8480+"), "xeon_8480p");
    EXPECT_EQ(matched("AMD Ryzen 9 5950X 16-Core Processor"), "ryzen_5950x");
}

TEST(MatchDevice, TakesNoneRatherThanAnother) {
    EXPECT_EQ(matched("NVIDIA GeForce RTX 3060 Laptop GPU", 6), "");
    EXPECT_EQ(matched("NVIDIA GeForce RTX 3070 Ti", 8), "");
    EXPECT_EQ(matched("Some Card"), "");
    EXPECT_EQ(matched(""), "");
    EXPECT_EQ(matched("Intel(R) Xeon(R) Processor"), "");
}

hardware::HardwareProfile computer() {
    hardware::HardwareProfile profile;
    profile.cpu.name = hardware::known<std::string>("A Processor Nobody Listed", "test");
    profile.cpu.usableThreads = hardware::known(8, "test");
    profile.cpu.baseMhz = hardware::known(3000.0, "test");
    profile.cpu.isa = hardware::known(std::vector<std::string>{"sse4_2", "avx", "avx2", "fma"}, "test");
    profile.memory.totalBytes = hardware::known<std::int64_t>(32LL << 30, "test");
    hardware::GpuInfo card;
    card.id = "cuda:0";
    card.status = hardware::GpuStatus::Usable;
    card.name = hardware::known<std::string>("NVIDIA GeForce RTX 3090", "test");
    card.memoryBytes = hardware::known<std::int64_t>(25'430'786'048, "test");
    profile.gpus = {card};
    card.id = "cuda:1";
    card.name = hardware::known<std::string>("NVIDIA Card Of Tomorrow", "test");
    card.computeCapability = hardware::known<std::string>("8.6", "test");
    card.multiprocessors = hardware::known(82, "test");
    card.maxMhz = hardware::known(1695.0, "test");
    card.memoryBytesPerSecond = hardware::known(936e9, "test");
    profile.gpus.push_back(card);
    card.id = "pci:0000:03:00.0";
    card.status = hardware::GpuStatus::DriverMissing;
    profile.gpus.push_back(card);
    return profile;
}

TEST(OwnDevices, AreFoundInTheCatalogueOrDescribedFromFacts) {
    const auto own = ownDevices(computer(), test::shippedCatalog(), test::shippedParameters());
    ASSERT_EQ(own.size(), 3U);
    EXPECT_EQ(own[0].device.kind, DeviceKind::Processor);
    EXPECT_DOUBLE_EQ(own[0].device.vectorFlops, 8 * 3e9 * 32);
    EXPECT_DOUBLE_EQ(own[0].device.memoryBytes.value(), 32 * test::kGib);
    EXPECT_EQ(own[1].device.id, "rtx3090");
    EXPECT_DOUBLE_EQ(own[1].device.memoryBytes.value(), 25'430'786'048);
    // Driver values give the vendor's figures: 35.6 TFLOP/s, 71.2 with matrix units.
    EXPECT_NEAR(own[2].device.vectorFlops, 35.6e12, 0.2e12);
    EXPECT_NEAR(own[2].device.matrix16Flops, 71.2e12, 0.4e12);
    EXPECT_EQ(own[2].id, "own/cuda:1");
}

TEST(OwnDevices, CostTheirElectricity) {
    auto own = ownDevices(computer(), test::shippedCatalog(), test::shippedParameters());
    chargeElectricity(own, test::shippedCatalog());
    EXPECT_DOUBLE_EQ(own[0].usdPerHour, 0.100 * 0.12);  // not catalogued: a typical value, stated as such
    EXPECT_NE(own[0].priceSource.text.find("100 W (assumed)"), std::string::npos) << own[0].priceSource;
    EXPECT_DOUBLE_EQ(own[1].usdPerHour, 0.350 * 0.12);
    EXPECT_NE(own[1].priceSource.text.find("published"), std::string::npos) << own[1].priceSource;
    chargeElectricity(own, test::shippedCatalog(), {.usdPerKwh = 0.3, .watts = 450});
    EXPECT_DOUBLE_EQ(own[1].usdPerHour, 0.450 * 0.3);
    // Two of many cores draw their share of the chip's power, but at least that of an idle computer.
    auto profile = computer();
    profile.cpu.name = hardware::known<std::string>("AMD EPYC 9654 96-Core Processor", "test");
    profile.cpu.usableThreads = hardware::known(48, "test");
    own = ownDevices(profile, test::shippedCatalog(), test::shippedParameters());
    chargeElectricity(own, test::shippedCatalog());
    EXPECT_DOUBLE_EQ(own[0].usdPerHour, 0.180 * 0.12);
}

bench::CaseRecord measured(std::string workload, std::string device, double seconds) {
    bench::CaseRecord record;
    record.spec.workload = std::move(workload);
    record.spec.device = std::move(device);
    record.spec.batch = 32;
    record.status = bench::Status::Ok;
    record.stepSeconds = bench::Summary{.median = seconds,
                                        .ci95Low = 0.9 * seconds,
                                        .ci95High = 1.1 * seconds,
                                        .mean = seconds,
                                        .min = seconds,
                                        .n = 20};
    return record;
}

TEST(References, AreTheCasesThatEndedWell) {
    bench::RunRecord run;
    run.profileJson = hardware::toJson(computer());
    run.records = {measured("resnet18", "cuda:0", 0.02), measured("resnet18", "cpu", 0.9),
                   measured("resnet18", "reference", 50), measured("a_net_of_the_past", "cuda:0", 1),
                   measured("resnet34", "cuda:0", 0.03)};
    run.records.back().status = bench::Status::TimedOut;
    auto later = run;
    later.records = {measured("resnet18", "cuda:0", 0.018)};
    const std::vector<bench::RunRecord> runs{run, later};
    const auto references = referencesFrom(runs, test::shippedCatalog(), test::shippedParameters());
    ASSERT_EQ(references.size(), 2U);
    const Predictor predictor(test::shippedParameters(), references);
    const auto card = test::device("rtx3090");
    const auto p = predictor.predict(test::job("resnet18", plan::Mode::Train, 32), {.device = &card});
    EXPECT_EQ(p->basis, Basis::Measured);
    EXPECT_DOUBLE_EQ(p->seconds.median, 0.018);  // the newest
}

TEST(References, AChangedNetworkFileIsAnotherNetwork) {
    const steelyard::test::TemporaryFolder folder;
    const auto file = (folder / "net.json").string();
    const auto write = [&](int units) {
        steelyard::test::TemporaryFolder::spill(
            file,
            R"({"name": "n", "layers": [{"kind": "input", "shape": [8]}, {"kind": "dense", "name": "out", "units": )" +
                std::to_string(units) + R"(}], "outputs": [{"layer": "out"}]})");
    };
    write(4);
    const auto workload = model::resolveWorkload(file).value();
    bench::RunRecord run;
    run.profileJson = hardware::toJson(computer());
    run.records = {measured(file, "cpu", 0.1)};
    run.records[0].flopsPerStep =
        plan::lower(workload.build().value(), {plan::Mode::Train, 32, plan::Precision::Fp32, workload.optimizer})
            ->stepFlops();
    const std::vector runs{run};
    EXPECT_EQ(referencesFrom(runs, test::shippedCatalog(), test::shippedParameters()).size(), 1U);
    write(400);
    EXPECT_TRUE(referencesFrom(runs, test::shippedCatalog(), test::shippedParameters()).empty());
}

TEST(References, OtherProgramsCountWhereTheirSoftwareIsKnown) {
    bench::RunRecord run;
    run.records = {measured("resnet18", "NVIDIA L4", 0.02), measured("resnet18", "NVIDIA L4", 0.03),
                   measured("resnet18", "Abacus", 0.04)};
    for (auto& record : run.records) record.deviceName = record.spec.device;
    run.records[0].conditions["software"] = "ngc22";
    run.records[1].conditions["software"] = "my framework";
    run.records[2].conditions["software"] = "ngc22";
    const auto references = referencesFrom(std::vector{run}, test::shippedCatalog(), test::shippedParameters());
    ASSERT_EQ(references.size(), 1U);
    EXPECT_EQ(references[0].software, "ngc22");
    EXPECT_EQ(references[0].device.id, "l4");
    EXPECT_DOUBLE_EQ(references[0].seconds.median, 0.02);
}

}  // namespace
}  // namespace steelyard::advisor
