// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "engine/catalog/catalog_json.h"
#include "engine/catalog/offer_id.h"
#include "engine/core/file_io.h"
#include "tests/support/json_schema.h"

namespace steelyard::catalog {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path kResources = fs::path(STEELYARD_SOURCE_DIR) / "resources";

Catalog shipped() {
    auto catalog = loadCatalog(kResources / "catalog");
    EXPECT_TRUE(catalog.has_value()) << describe(catalog.error());
    return std::move(catalog.value());
}

TEST(ShippedCatalog, HasEveryDeviceWithSourceAndDate) {
    const auto catalog = shipped();
    EXPECT_EQ(catalog.hardware.size(), 209U);
    for (const auto& spec : catalog.hardware) {
        int figures = 0;
        for (const auto& field : figureFields()) {
            const auto& figure = spec.*field.member;
            if (!figure) continue;
            ++figures;
            EXPECT_GT(figure->value, 0) << spec.id << " " << field.name;
            EXPECT_FALSE(figure->source.empty()) << spec.id << " " << field.name;
            EXPECT_TRUE(daysBetween(figure->date, "2026-11-20")) << spec.id << " " << field.name << " " << figure->date;
        }
        EXPECT_GT(figures, 0) << spec.id;
    }
}

TEST(ShippedCatalog, HasTheFiguresOfTheSources) {
    const auto catalog = shipped();
    const auto* card = catalog.findHardware("rtx3090");
    ASSERT_NE(card, nullptr);
    EXPECT_DOUBLE_EQ(card->fp16Flops->value, 71.3e12);
    EXPECT_DOUBLE_EQ(card->memoryBytes->value, 24.0 * (1 << 30));
    EXPECT_EQ(card->generation, "GA10x");
    EXPECT_TRUE(card->halfRateFp32Accumulation);
    EXPECT_TRUE(card->matrixUnits.value());
    EXPECT_EQ(card->multiprocessors->value, 82);
    EXPECT_FALSE(catalog.findHardware("titanv")->halfRateFp32Accumulation);
    EXPECT_FALSE(catalog.findHardware("gtx1080")->matrixUnits.value());
    EXPECT_FALSE(catalog.findHardware("tpu_v2")->fp32Flops);  // unknown is absent
    EXPECT_DOUBLE_EQ(catalog.findHardware("k80_gk210")->sustainedFp32Flops->value, 2.8e12);
    EXPECT_EQ(catalog.findHardware("nothing"), nullptr);
}

TEST(ShippedCatalog, HasOffersOfSixCloudsWithDatedPrices) {
    const auto catalog = shipped();
    EXPECT_EQ(catalog.offers.size(), 202U);
    std::set<std::string> providers;
    int spot = 0, historical = 0;
    for (const auto& offer : catalog.offers) {
        providers.insert(offer.provider);
        historical += offer.historical ? 1 : 0;
        for (const auto* price : {&offer.onDemand, &offer.spot}) {
            if (!*price) continue;
            EXPECT_GT((*price)->usdPerHour, 0) << offer.id;
            EXPECT_FALSE((*price)->source.empty()) << offer.id;
            EXPECT_TRUE(daysBetween((*price)->date, "2026-11-20")) << offer.id;
        }
        spot += offer.spot ? 1 : 0;
        EXPECT_FALSE(offer.billing.text.empty() && !offer.historical) << offer.id;
    }
    EXPECT_EQ(providers.size(), 6U);
    EXPECT_EQ(spot, 92);
    EXPECT_EQ(historical, 8);
    const auto* v100 = catalog.findOffer("aws/p3.2xlarge");
    ASSERT_NE(v100, nullptr);
    EXPECT_DOUBLE_EQ(v100->onDemand->usdPerHour, 3.06);
    EXPECT_EQ(v100->acceleratorHardware, "v100_sxm2_16");
    EXPECT_EQ(v100->acceleratorCount, 1);
    EXPECT_EQ(v100->billing.minimumSeconds, 60);
    EXPECT_FALSE(v100->spot);
}

TEST(ShippedCatalog, ChecksClean) {
    const auto problems = check(shipped(), "2026-08-20");
    for (const auto& problem : problems) {
        EXPECT_NE(problem.kind, ProblemKind::DuplicateId) << problem.id;
        EXPECT_NE(problem.kind, ProblemKind::SpotAboveOnDemand) << problem.id;
        EXPECT_NE(problem.kind, ProblemKind::ImplausibleFigure) << problem.id << " " << problem.subject;
    }
}

TEST(ShippedCatalog, FollowsTheSchemas) {
    const auto schemas = kResources / "schemas";
    EXPECT_THAT(test::schemaProblems(schemas, "hardware.schema.json",
                                     readFile(kResources / "catalog/hardware.json", 1 << 24).value(),
                                     test::Undeclared::Reported),
                IsEmpty());
    int files = 0;
    for (const auto& entry : fs::directory_iterator(kResources / "catalog/offers")) {
        ++files;
        EXPECT_THAT(test::schemaProblems(schemas, "offers.schema.json", readFile(entry.path(), 1 << 24).value(),
                                         test::Undeclared::Reported),
                    IsEmpty())
            << entry.path();
    }
    EXPECT_EQ(files, 6);
}

TEST(CatalogCheck, ReportsOldPricesAndSpotAboveOnDemand) {
    Catalog catalog;
    Offer offer;
    offer.id = "a/b";
    offer.onDemand = Price{1.0, "2026-01-01", "list"};
    offer.spot = Price{1.5, "2026-10-01", "list"};
    catalog.offers = {offer, offer};
    catalog.offers[1].onDemand.reset();
    catalog.offers[1].spot.reset();
    std::set<ProblemKind> kinds;
    for (const auto& problem : check(catalog, "2026-11-20")) kinds.insert(problem.kind);
    EXPECT_EQ(kinds, (std::set{ProblemKind::DuplicateId, ProblemKind::NoPrice, ProblemKind::OldPrice,
                               ProblemKind::SpotAboveOnDemand}));
}

TEST(CatalogDates, CountsDays) {
    EXPECT_EQ(daysBetween("2026-08-03", "2026-11-20"), 109);
    EXPECT_EQ(daysBetween("2017-07", "2017-07-31"), 30);
    EXPECT_EQ(daysBetween("2020", "2021-01-01"), 366);
    for (const char* bad : {"", "soon", "2026-13-01", "2026-02-30", "2026/01/01", "20260101"})
        EXPECT_FALSE(daysBetween(bad, "2026-11-20")) << bad;
}

TEST(CatalogFiles, RefusesDamageWithThePlace) {
    const auto zero = offersFromJson(
        "x.json",
        R"({"format":"steelyard-offers","version":1,"provider":"P","offers":[{"id":"i","instance":"n","on_demand":{"usd_per_hour":0,"date":"2026","source":"s"}}]})");
    ASSERT_FALSE(zero);
    EXPECT_EQ(zero.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(zero.error().subject, "x.json.offers[0].on_demand.usd_per_hour");
    const auto later = offersFromJson("x.json", R"({"format":"steelyard-offers","version":2,"provider":"P"})");
    ASSERT_FALSE(later);
    EXPECT_EQ(later.error().kind, ErrorKind::VersionTooNew);
    const auto other = hardwareFromJson("x.json", R"({"format":"steelyard-offers","version":1})");
    ASSERT_FALSE(other);
    EXPECT_THAT(describe(other.error()), HasSubstr("format"));
    const auto text = hardwareFromJson(
        "x.json",
        R"({"format":"steelyard-hardware","version":1,"devices":[{"id":"d","vendor":"v","name":"n","figures":{"fp32_flops":{"value":"fast","source":"s"}}}]})");
    ASSERT_FALSE(text);
    EXPECT_THAT(text.error().subject, HasSubstr("fp32_flops.value"));
    const auto cut = hardwareFromJson("x.json", R"({"format":"steelyard-hard)");
    ASSERT_FALSE(cut);
    EXPECT_TRUE(cut.error().offset);
    EXPECT_FALSE(hardwareFromJson("x.json", std::string(100'000, '[')));
    EXPECT_FALSE(hardwareFromJson("x.json", "[]"));
    const auto absurd = userCatalogFromJson(
        "x.json",
        R"({"format":"steelyard-user-catalog","version":1,"prices":[{"offer":"i","usd_per_hour":1e40,"date":"2026","source":"s"}]})");
    ASSERT_FALSE(absurd);
    EXPECT_EQ(absurd.error().subject, "x.json.prices");
}

class UserFile : public testing::Test {
protected:
    UserFile()
        : m_file(fs::temp_directory_path() / ("steelyard-user-" + std::to_string(::getpid())) / "catalog.json") {}
    ~UserFile() override { fs::remove_all(m_file.parent_path()); }
    fs::path m_file;
};

TEST_F(UserFile, IsLaidOverTheShippedCatalog) {
    const auto catalog = shipped();
    auto user = loadUserCatalog(m_file).value();  // absent: empty
    EXPECT_EQ(user, UserCatalog{});
    ASSERT_TRUE(setPrice(user, catalog, {"aws/p3.2xlarge", false, {2.5, "2026-11-20", "my contract"}}));
    ASSERT_TRUE(setPrice(user, catalog, {"aws/p3.2xlarge", false, {2.0, "2026-11-21", "my contract"}}));
    EXPECT_EQ(user.prices.size(), 1U);
    Offer own;
    own.id = "own/desk";
    own.provider = "Own";
    own.instance = "desk";
    own.acceleratorHardware = "rtx3090";
    own.acceleratorCount = 1;
    own.onDemand = Price{0.2, "2026-11-20", "my bill"};
    own.origin = OfferOrigin::User;
    user.offers.push_back(own);
    HardwareSpec card = *catalog.findHardware("rtx3090");
    card.id = "my_card";
    user.hardware.push_back(card);
    EXPECT_EQ(defaultUserCatalogFile("/x/data", "/home/me"), "/x/data/steelyard/catalog/user.json");
    EXPECT_EQ(defaultUserCatalogFile(nullptr, "/home/me"), "/home/me/.local/share/steelyard/catalog/user.json");
    ASSERT_TRUE(saveUserCatalog(user, m_file));
    const auto again = loadUserCatalog(m_file);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, user);
    const auto schemas = kResources / "schemas";
    EXPECT_THAT(test::schemaProblems(schemas, "user_catalog.schema.json", readFile(m_file, 1 << 24).value(),
                                     test::Undeclared::Reported),
                IsEmpty());

    const auto merged = withUser(catalog, *again);
    EXPECT_EQ(merged.offers.size(), catalog.offers.size() + 1);
    EXPECT_DOUBLE_EQ(merged.findOffer("aws/p3.2xlarge")->onDemand->usdPerHour, 2.0);
    EXPECT_EQ(*merged.findOffer("own/desk"), own);
    EXPECT_NE(merged.findHardware("my_card"), nullptr);
}

TEST_F(UserFile, RefusesPricesThatAreNone) {
    const auto catalog = shipped();
    UserCatalog user;
    EXPECT_EQ(setPrice(user, catalog, {"no/such", false, {1, "2026", "s"}}).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(setPrice(user, catalog, {"aws/p3.2xlarge", false, {0, "2026", "s"}}).error().kind,
              ErrorKind::InvalidArgument);
    EXPECT_EQ(setPrice(user, catalog, {"aws/p3.2xlarge", false, {1, "2026", " "}}).error().kind,
              ErrorKind::InvalidArgument);
    EXPECT_EQ(user, UserCatalog{});
}

TEST(CatalogJson, PrintsUnknownAsNull) {
    const auto catalog = shipped();
    const auto json = toJson(*catalog.findHardware("tpu_v2"));
    EXPECT_THAT(json, HasSubstr("\"fp32_flops\": null"));
    EXPECT_THAT(json, HasSubstr("\"source\""));
    EXPECT_THAT(toJson(*catalog.findOffer("aws/p3.2xlarge")), HasSubstr("\"spot\": null"));
    EXPECT_THAT(toJson(catalog, -1), HasSubstr("\"collected\":\"2026-11-20\""));
}

TEST(OfferId, NamesTheSpotPriceOfAnOffer) {
    for (const auto& id : {OfferId{"aws/p3.2xlarge", false}, OfferId{"aws/p3.2xlarge", true}})
        EXPECT_EQ(OfferId::parse(id.text()), id);
    EXPECT_EQ((OfferId{"aws/p3.2xlarge", true}.text()), "aws/p3.2xlarge+spot");
}

TEST(Offers, CountPhysicalCores) {
    Offer offer;
    EXPECT_FALSE(physicalCores(offer));
    offer.vcpus = 64;
    EXPECT_EQ(physicalCores(offer), 32);
    offer.vcpuKind = VcpuKind::Core;
    EXPECT_EQ(physicalCores(offer), 64);
    offer.vcpus = 1;
    offer.vcpuKind = VcpuKind::Hyperthread;
    EXPECT_EQ(physicalCores(offer), 1);
}

}  // namespace
}  // namespace steelyard::catalog
