// SPDX-License-Identifier: Apache-2.0
// Each known pitfall of these files as a fictitious row modelled on real ones.
#include "engine/catalog/skypilot_import.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "engine/core/file_io.h"

namespace steelyard::catalog {
namespace {

namespace fs = std::filesystem;

constexpr auto kAwsHeader =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,"
    "Arch\n";
constexpr auto kGcpHeader =
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n";
constexpr auto kVastHeader =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\n";

std::string gpuInfo(int mib) {
    return fmt::format(
        "\"{{'Gpus': [{{'Name': 'X', 'Manufacturer': 'NVIDIA', 'Count': 1, 'MemoryInfo': {{'SizeInMiB': {}}}}}], "
        "'TotalGpuMemoryInMiB': {}}}\"",
        mib, mib);
}

class SkyPilot : public testing::Test {
protected:
    SkyPilot() : m_folder(fs::temp_directory_path() / fmt::format("steelyard-sky-{}", ::getpid())) {
        m_catalog = loadCatalog(fs::path(STEELYARD_SOURCE_DIR) / "resources/catalog").value();
    }
    ~SkyPilot() override { fs::remove_all(m_folder); }

    void write(const std::string& path, const std::string& text) {
        fs::create_directories((m_folder / path).parent_path());
        ASSERT_TRUE(writeFileAtomically(m_folder / path, text));
    }
    SkyPilotImport import(const SkyPilotOptions& options = {}) {
        auto result = importSkyPilot(m_folder, m_catalog, options);
        EXPECT_TRUE(result.has_value()) << describe(result.error());
        return std::move(result.value());
    }
    static const Offer* find(const SkyPilotImport& result, std::string_view instance) {
        const auto found = std::ranges::find(result.offers, instance, &Offer::instance);
        return found == result.offers.end() ? nullptr : &*found;
    }
    static int count(const SkyPilotImport& result, Rejection reason) {
        return static_cast<int>(std::ranges::count(result.rejected, reason, &RejectedRow::reason));
    }

    fs::path m_folder;
    Catalog m_catalog;
};

TEST_F(SkyPilot, ReadsByColumnNameAndKeepsTheLowestSpotOfARegion) {
    write("aws/vms.csv", std::string(kAwsHeader) + "p4d.24xlarge,A100,8,96,1152," + gpuInfo(40960) +
                             ",21.96,13.99,us-east-1,us-east-1a,x86_64\n" + "p4d.24xlarge,A100,8,96,1152," +
                             gpuInfo(40960) + ",21.96,6.53,us-east-1,us-east-1b,x86_64\n" +
                             "p4d.24xlarge,A100,8,96,1152," + gpuInfo(40960) +
                             ",30.00,5.00,eu-west-1,eu-west-1a,x86_64\n");
    const auto result = import();
    EXPECT_EQ(result.rows, 3U);
    ASSERT_EQ(result.offers.size(), 1U);
    const auto& offer = result.offers[0];
    EXPECT_EQ(offer.id, "aws/p4d.24xlarge");  // the shipped machine in its region
    EXPECT_EQ(offer.provider, "AWS");
    EXPECT_EQ(offer.origin, OfferOrigin::Imported);
    EXPECT_DOUBLE_EQ(offer.onDemand->usdPerHour, 21.96);
    EXPECT_DOUBLE_EQ(offer.spot->usdPerHour, 6.53);
    EXPECT_DOUBLE_EQ(offer.highestSpotUsdPerHour.value(), 13.99);
    EXPECT_EQ(offer.acceleratorHardware, "a100_sxm_40");
    EXPECT_EQ(offer.acceleratorMemory, Bytes(40960LL << 20));
    EXPECT_EQ(offer.billing.minimumSeconds, 60);
    EXPECT_EQ(offer.onDemand->date.size(), 10U);
    EXPECT_EQ(import({.cheapestRegionOnly = false}).offers.size(), 2U);
    EXPECT_EQ(import({.regions = {"eu-west-1"}}).offers.at(0).region, "eu-west-1");
}

TEST_F(SkyPilot, AddsGoogleHostAndAcceleratorOfTheSameZone) {
    write("gcp/vms.csv",
          std::string(kGcpHeader) + "a2-highgpu-1g,12,85,,,,us-central1,us-central1-a,0.73948,0.3\n" +
              ",,,A100,1,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]},us-central1,us-central1-a,2.93391,1.6\n" +
              ",,,A100,8,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]},us-central1,us-central1-a,23.47,12.0\n" +
              "n1-standard-8,8,30,,,,us-central1,us-central1-a,0.38,0.13\n" +
              ",,,V100,1,,us-central1,us-central1-a,2.48,1.23\n" + ",,,V100,3,,us-central1,us-central1-a,7.44,3.7\n" +
              "a4-highgpu-8g,224,3968,,,,us-central1,us-central1-b,0.0,0.0\n" +
              ",,,B200,8,,us-central1,us-central1-b,90.2,37.7\n");
    const auto result = import();
    ASSERT_NE(find(result, "a2-highgpu-1g"), nullptr);
    EXPECT_NEAR(find(result, "a2-highgpu-1g")->onDemand->usdPerHour, 3.67339, 1e-9);
    EXPECT_NEAR(find(result, "a2-highgpu-1g")->spot->usdPerHour, 1.9, 1e-9);
    ASSERT_NE(find(result, "n1-standard-8 + 1x V100"), nullptr);
    EXPECT_NEAR(find(result, "n1-standard-8 + 1x V100")->onDemand->usdPerHour, 2.86, 1e-9);
    ASSERT_NE(find(result, "n1-standard-8"), nullptr);  // also an offer by itself
    EXPECT_EQ(result.offers.size(), 3U);
    EXPECT_EQ(count(result, Rejection::NoHostRow), 1);         // A100 x8: a2-highgpu-8g is not listed
    EXPECT_EQ(count(result, Rejection::UnknownHost), 1);       // three V100
    EXPECT_EQ(count(result, Rejection::HostPriceUnknown), 1);  // 0.0 is unknown, not free
}

TEST_F(SkyPilot, KnowsTheMarksForNoPrice) {
    write("gcp/vms.csv", std::string(kGcpHeader) + ",,,tpu-v2-8,1,tpu-v2-8,us-central1,us-central1-b,4.5,1.35\n" +
                             ",,,tpu-v3-8,1,tpu-v3-8,us-east1,us-east1-d,700.0,700.0\n" +
                             ",,,tpu-v3-8,1,tpu-v3-8,europe-west4,europe-west4-a,700.0,2.04\n" +
                             ",,,tpu-v5p-8,1,tpu-v5p-8,us-east5,us-east5-a,16.8,5.2\n,,,tpu-v5p-8,1,tpu-v5p-8,us-east5,"
                             "us-east5-a,16.8,5.2\n");
    write("vast/vms.csv", std::string(kVastHeader) + "1x-RTX_3060_Ti,RTX3060,1,32,64," + gpuInfo(8192) +
                              ",0.16,0.00,\"Oregon, US, NA\"\n");
    write("runpod/vms.csv",
          std::string(kVastHeader) + "1x_A100-80GB_SECURE,A100-80GB,1,8,80," + gpuInfo(80) + ",1.79,1.79,US\n");
    const auto result = import();
    EXPECT_EQ(find(result, "tpu-v2-8")->acceleratorHardware, "tpu_v2");
    EXPECT_EQ(find(result, "tpu-v2-8")->acceleratorCount, 4);  // eight cores, four chips
    EXPECT_FALSE(find(result, "tpu-v3-8")->onDemand);
    EXPECT_DOUBLE_EQ(find(result, "tpu-v3-8")->spot->usdPerHour, 2.04);
    EXPECT_EQ(std::ranges::count(result.offers, "tpu-v5p-8", &Offer::instance), 1);  // duplicate rows
    EXPECT_EQ(count(result, Rejection::PriceSentinel), 3);
    EXPECT_EQ(count(result, Rejection::NoPrice), 1);
    const auto* vast = find(result, "1x-RTX_3060_Ti");
    EXPECT_FALSE(vast->spot);  // 0.00 is none, not free
    EXPECT_EQ(vast->region, "Oregon, US, NA");
    EXPECT_EQ(vast->acceleratorHardware, "rtx3060ti");  // told from its memory
    const auto* runpod = find(result, "1x_A100-80GB_SECURE");
    EXPECT_FALSE(runpod->spot);
    EXPECT_EQ(runpod->acceleratorMemory, Bytes(80LL << 30));  // GiB in a MiB column
}

TEST_F(SkyPilot, DropsOnDemandPricesBelowSpot) {
    write("gcp/vms.csv",
          std::string(kGcpHeader) + "a3-highgpu-8g,208,1872,,,,us-central1,us-central1-a,10.0,4.0\n" +
              ",,,H100,8,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]},us-central1,us-central1-a,33.61,42.71\n");
    const auto result = import();
    const auto* offer = find(result, "a3-highgpu-8g");
    ASSERT_NE(offer, nullptr);
    EXPECT_FALSE(offer->onDemand);
    EXPECT_NEAR(offer->spot->usdPerHour, 46.71, 1e-9);
    ASSERT_EQ(count(result, Rejection::SpotAboveOnDemand), 1);
    EXPECT_FALSE(result.rejected[0].wholeRow);
    EXPECT_EQ(result.rejected[0].line, 3U);
}

TEST_F(SkyPilot, KeepsSpotOnlyMachinesFractionsAndUnknownDevices) {
    write("aws/vms.csv", std::string(kAwsHeader) + "p5e.48xlarge,H200,8,192,2048," + gpuInfo(144384) +
                             ",,24.4,us-east-2,us-east-2a,x86_64\n" + "g6f.large,L4,0.125,2,8," + gpuInfo(2861) +
                             ",0.2,0.1,us-east-2,us-east-2a,x86_64\n" +
                             "x9.large,Mystery9,1,2,8,,1.0,,us-east-2,us-east-2a,x86_64\n" +
                             "m8g.large,,,2,8,,0.09,0.03,us-east-2,us-east-2a,arm64\n");
    const auto result = import();
    EXPECT_TRUE(result.rejected.empty());
    EXPECT_FALSE(find(result, "p5e.48xlarge")->onDemand);
    EXPECT_EQ(find(result, "g6f.large")->acceleratorCount, 0.125);
    EXPECT_FALSE(find(result, "x9.large")->acceleratorHardware);
    EXPECT_EQ(find(result, "x9.large")->accelerator, "Mystery9");
    EXPECT_EQ(find(result, "m8g.large")->vcpuKind, VcpuKind::Core);
    EXPECT_EQ(find(result, "m8g.large")->cpuHardware, "graviton4");  // from the shipped machine of that family
}

TEST_F(SkyPilot, ExplainsEachRejectedRow) {
    write("aws/vms.csv", std::string(kAwsHeader) + "a.large,,,2,8,,cheap,,r,z,x86_64\n" +
                             "b.large,,,2,8,,-1,,r,z,x86_64\n" + "c.large,,,2,8,,1e9,,r,z,x86_64\n" + "d.large,,,2\n" +
                             ",,,2,8,,1,,r,z,x86_64\n" + "e.large,,,2,8,,,,r,z,x86_64\n");
    const auto result = import();
    EXPECT_TRUE(result.offers.empty());
    ASSERT_EQ(result.rejected.size(), 6U);
    EXPECT_EQ(count(result, Rejection::NotANumber), 1);
    EXPECT_EQ(count(result, Rejection::Implausible), 2);
    EXPECT_EQ(count(result, Rejection::FieldCount), 1);
    EXPECT_EQ(count(result, Rejection::NoInstance), 1);
    EXPECT_EQ(count(result, Rejection::NoPrice), 1);
    EXPECT_EQ(result.rejected[0].line, 2U);
}

TEST_F(SkyPilot, TakesTheHighestVersionThatHasTheCloud) {
    write("v8/aws/vms.csv", std::string(kAwsHeader) + "old.large,,,2,8,,1,,r,z,x86_64\n");
    write("v10/aws/vms.csv", std::string(kAwsHeader) + "new.large,,,2,8,,1,,r,z,x86_64\n");
    write("v8/vast/vms.csv", std::string(kVastHeader) + "1x-T4,T4,1,32,64,,0.1,0.00,\n");
    const auto result = import();
    EXPECT_EQ(find(result, "old.large"), nullptr);
    EXPECT_NE(find(result, "new.large"), nullptr);
    EXPECT_NE(find(result, "1x-T4"), nullptr);
    EXPECT_EQ(result.files.size(), 2U);
}

TEST_F(SkyPilot, RefusesHostileFiles) {
    EXPECT_EQ(importSkyPilot(m_folder, m_catalog).error().kind, ErrorKind::NotFound);
    write("aws/vms.csv", "Name,Cost\nx,1\n");
    EXPECT_EQ(importSkyPilot(m_folder, m_catalog).error().kind, ErrorKind::CorruptData);
    write("aws/vms.csv", std::string(kAwsHeader) + std::string("\x7f"
                                                               "ELF\0\1\2",
                                                               7));
    EXPECT_EQ(importSkyPilot(m_folder, m_catalog).error().kind, ErrorKind::CorruptData);
    write("aws/vms.csv", std::string(kAwsHeader) + "p4d.24xlarge,A100,8,96,1152,\"{'Gpus'");
    EXPECT_EQ(importSkyPilot(m_folder, m_catalog).error().kind, ErrorKind::CorruptData);
    write("aws/vms.csv", std::string(kAwsHeader) + std::string(200'000, 'x'));
    EXPECT_EQ(importSkyPilot(m_folder, m_catalog).error().kind, ErrorKind::InvalidArgument);
    fs::resize_file(m_folder / "aws/vms.csv", 100U << 20U);
    EXPECT_EQ(importSkyPilot(m_folder, m_catalog).error().kind, ErrorKind::InvalidArgument);
}

TEST_F(SkyPilot, ReadsAFileOfFourMegabytes) {
    std::string text = kAwsHeader;
    for (int i = 0; text.size() < 4'600'000; ++i)
        text += fmt::format("m{}.large,A100,8,96,1152,{},21.96,{:.2f},region-{},zone-{},x86_64\n", i % 900,
                            gpuInfo(40960), 5 + 0.01 * (i % 100), i % 7, i);
    write("aws/vms.csv", text);
    const auto result = import();
    EXPECT_EQ(result.offers.size(), 900U);
    EXPECT_TRUE(result.rejected.empty());
}

TEST_F(SkyPilot, ReplacesWhatWasImportedBefore) {
    UserCatalog user;
    Offer own;
    own.id = own.instance = "mine";
    own.provider = "AWS";
    own.origin = OfferOrigin::User;
    user.offers = {own};
    write("aws/vms.csv", std::string(kAwsHeader) + "p3.2xlarge,V100,1,8,61," + gpuInfo(16384) +
                             ",2.9,0.9,us-east-1,us-east-1a,x86_64\n");
    replaceImported(user, import().offers);
    replaceImported(user, import().offers);
    EXPECT_EQ(user.offers.size(), 2U);
    const auto merged = withUser(m_catalog, user);
    EXPECT_EQ(merged.offers.size(), m_catalog.offers.size() + 1);
    EXPECT_DOUBLE_EQ(merged.findOffer("aws/p3.2xlarge")->onDemand->usdPerHour, 2.9);
}

TEST(GpuInfo, IsReadWithoutAPythonParser) {
    EXPECT_EQ(deviceMemoryFromGpuInfo("{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]}"), Bytes(40960LL << 20));
    EXPECT_EQ(deviceMemoryFromGpuInfo("{'Gpus': [{'Name': 'T4', 'Ok': True, 'MemoryInfo': {'SizeInMiB': 16384.0}}], "
                                      "'TotalGpuMemoryInMiB': 65536}"),
              Bytes(16384LL << 20));
    for (const char* text :
         {"", "tpu-v2-8", "{'SizeInMiB': ", "{'SizeInMiB': 'x'}", "{'SizeInMiB': -5}", "{'SizeInMiB': 1e300}"})
        EXPECT_FALSE(deviceMemoryFromGpuInfo(text)) << text;
}

}  // namespace
}  // namespace steelyard::catalog
