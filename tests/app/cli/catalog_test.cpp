// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/cli/advice_fixture.h"

namespace steelyard::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kUser = ".local/share/steelyard/catalog/user.json";
constexpr const char* kAwsHeader =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,"
    "Arch\n";

class CatalogCommandTest : public AdviceCliTest {
protected:
    std::string folder() const { return (m_folder / "sky").string(); }
};

TEST_F(CatalogCommandTest, ShowsEveryFigureWithItsSource) {
    const auto all = call({"catalog", "show", "--json"});
    ASSERT_EQ(all.code, 0) << all.err;
    EXPECT_GT(all.json()["hardware"].size(), 90U);
    EXPECT_GT(all.json()["offers"].size(), 190U);
    const auto device = call({"catalog", "show", "rtx3090", "--json"}).json();
    EXPECT_EQ(device["id"], "rtx3090");
    EXPECT_FALSE(device["figures"]["memory_bytes_per_second"]["source"].get<std::string>().empty());
    EXPECT_FALSE(device["figures"]["memory_bytes_per_second"]["date"].get<std::string>().empty());
    EXPECT_THAT(call({"catalog", "show", "rtx3090"}).out, HasSubstr("memory_bytes_per_second"));
    const auto id = call({"list", "offers", "--json"}).json()["offers"][0]["id"].get<std::string>();
    EXPECT_EQ(call({"catalog", "show", id, "--json"}).json()["id"], id);
    EXPECT_EQ(call({"catalog", "show"}).code, 0);
    EXPECT_EQ(call({"list", "hardware"}).code, 0);
    EXPECT_EQ(call({"list", "offers"}).code, 0);
    // An estimate is printed with limited precision; the document has the full value.
    const auto suites = call({"list", "suites"}).out;
    EXPECT_THAT(suites, testing::ContainsRegex("about [0-9.]+ (s|min|h) "));
    EXPECT_THAT(suites, testing::Not(testing::ContainsRegex("[0-9]\\.[0-9][0-9][0-9]")));
    EXPECT_TRUE(call({"list", "suites", "--json"}).json()["suites"][0]["estimate_seconds"].is_number());
}

TEST_F(CatalogCommandTest, ChecksForWhatIsQuestionable) {
    const auto outcome = call({"catalog", "check", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto problems = outcome.json().at("problems");
    for (const auto& problem : problems) {
        EXPECT_NE(problem["kind"], "duplicate_id");
        EXPECT_NE(problem["kind"], "implausible_figure") << problem.dump();
    }
    EXPECT_EQ(call({"catalog", "check"}).code, 0);
}

TEST_F(CatalogCommandTest, TheCurrencyOfAmountsIsSetWithADatedRate) {
    const std::vector<std::string> advise{"advise", "--workload", "mnist_cnn", "--own", "no", "--top", "2"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), advise.begin(), advise.end());
        return call(more);
    };
    EXPECT_THAT(with({}).out, HasSubstr("$"));
    // There is no shipped rate.
    const auto without = with({"--currency", "EUR"});
    EXPECT_EQ(without.code, 2);
    EXPECT_THAT(without.err, HasSubstr("--exchange-rate"));
    EXPECT_EQ(call({"catalog", "set-currency", "EUR"}).code, 2);
    EXPECT_NE(call({"catalog", "set-currency", "EUR", "--rate", "0.86"}).code, 0);  // no source
    EXPECT_EQ(call({"catalog", "set-currency", "EUR", "--rate", "0.86", "--source", "a bank", "--date", "x"}).code, 2);
    EXPECT_EQ(call({"catalog", "set-currency", "XXX"}).code, 2);
    EXPECT_THAT(with({"--currency", "EUR", "--exchange-rate", "0.86"}).out, HasSubstr("€"));

    const auto set =
        call({"catalog", "set-currency", "EUR", "--rate", "0.86", "--source", "a bank", "--date", "2026-11-20"});
    ASSERT_EQ(set.code, 0) << set.err;
    EXPECT_EQ(set.out, "Amounts in EUR; 1 US dollar = 0.86 EUR (2026-11-20, a bank).\n");
    for (const auto& outcome : {with({}), with({"--currency", "EUR"})}) {
        EXPECT_THAT(outcome.out, HasSubstr(set.out));
        EXPECT_THAT(outcome.out, HasSubstr("€"));
        EXPECT_THAT(outcome.out, Not(HasSubstr("$")));
    }
    EXPECT_THAT(with({"--currency", "USD"}).out, HasSubstr("$"));
    // A budget is in the currency; documents are in US dollars.
    auto limited = with({"--budget", "86", "--json"});
    ASSERT_EQ(limited.code, 0) << limited.err;
    EXPECT_DOUBLE_EQ(limited.json()["budget_usd"].get<double>(), 100);
    EXPECT_EQ(call({"catalog", "set-currency", "USD"}).out, "Amounts in USD.\n");
    EXPECT_THAT(with({}).out, HasSubstr("$"));
}

TEST_F(CatalogCommandTest, APriceOfOnesOwnReplacesTheShippedOne) {
    const auto id = call({"list", "offers", "--json"}).json()["offers"][0]["id"].get<std::string>();
    const auto set =
        call({"catalog", "set-price", id, "7.25", "--source", "my invoice", "--date", "2026-11-02", "--json"});
    ASSERT_EQ(set.code, 0) << set.err;
    const auto shown = call({"catalog", "show", id, "--json"}).json();
    EXPECT_EQ(shown, set.json());
    EXPECT_EQ(shown["on_demand"]["usd_per_hour"], 7.25);
    EXPECT_EQ(shown["on_demand"]["source"], "my invoice");
    EXPECT_EQ(shown["on_demand"]["date"], "2026-11-02");
    EXPECT_TRUE(std::filesystem::exists(m_folder / kUser));
    EXPECT_EQ(call({"catalog", "set-price", id, "1.5", "--source", "x", "--spot"}).code, 0);
    EXPECT_EQ(call({"catalog", "show", id, "--json"}).json()["spot"]["usd_per_hour"], 1.5);
}

TEST_F(CatalogCommandTest, ImportsPricesAndExplainsWhatItLeavesOut) {
    write("sky/v8/aws/vms.csv", std::string(kAwsHeader) +
                                    "p3.2xlarge,V100,1,8,61,,2.5,0.9,us-east-1,us-east-1a,x86_64\n"
                                    "new.large,,,2,8,,0.1,,r,z,x86_64\n"
                                    "odd.large,,,2,8,,cheap,,r,z,x86_64\n"
                                    "upside.large,,,2,8,,0.1,0.4,r,z,x86_64\n");
    const auto trial = call({"catalog", "import-skypilot", folder(), "--dry-run", "--json"});
    ASSERT_EQ(trial.code, 0) << trial.err;
    EXPECT_FALSE(std::filesystem::exists(m_folder / kUser));
    const auto done = call({"catalog", "import-skypilot", folder(), "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.json(), trial.json());
    EXPECT_EQ(done.json()["rows"], 4);
    EXPECT_EQ(done.json()["rejected_by_reason"]["not_a_number"], 1);
    EXPECT_EQ(done.json()["rejected"][0]["line"], 4);
    EXPECT_EQ(call({"catalog", "show", "aws/new.large/r", "--json"}).json()["on_demand"]["usd_per_hour"], 0.1);
    const auto text = call({"catalog", "import-skypilot", folder()});
    EXPECT_THAT(text.out, HasSubstr("line 4: \"cheap\" is not a number"));
    EXPECT_THAT(text.out, HasSubstr("the on-demand price is ignored"));
    // A second import replaces the first; a price of one's own stays.
    ASSERT_EQ(call({"catalog", "set-price", "aws/new.large/r", "0.05", "--source", "haggled"}).code, 0);
    ASSERT_EQ(call({"catalog", "import-skypilot", folder()}).code, 0);
    EXPECT_EQ(call({"catalog", "show", "aws/new.large/r", "--json"}).json()["on_demand"]["usd_per_hour"], 0.05);
}

TEST_F(CatalogCommandTest, AHostileImportGivesASentenceAndChangesNothing) {
    const auto id = call({"list", "offers", "--json"}).json()["offers"][0]["id"].get<std::string>();
    ASSERT_EQ(call({"catalog", "set-price", id, "7.25", "--source", "my invoice"}).code, 0);
    const auto before = test::TemporaryFolder::slurp(m_folder / kUser);
    const std::vector<std::pair<std::string, std::string>> hostile{
        {"wrong header", "Name,Cost\nx,1\n"},
        {"binary", std::string(kAwsHeader) + std::string("\x7f"
                                                         "ELF\0\1\2",
                                                         7)},
        {"truncated", std::string(kAwsHeader) + "p4d.24xlarge,A100,8,96,1152,\"{'Gpus'"},
        {"a field without end", std::string(kAwsHeader) + std::string(200'000, 'x')},
        {"empty", ""},
    };
    for (const auto& [name, text] : hostile) {
        write("sky/aws/vms.csv", text);
        const auto outcome = call({"catalog", "import-skypilot", folder()});
        EXPECT_EQ(outcome.code, 2) << name;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr("vms.csv")) << name;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
    std::filesystem::resize_file(m_folder / "sky/aws/vms.csv", 100U << 20U);
    EXPECT_EQ(call({"catalog", "import-skypilot", folder()}).code, 2);
    std::filesystem::remove(m_folder / "sky/aws/vms.csv");
    EXPECT_EQ(call({"catalog", "import-skypilot", folder()}).code, 2);
    EXPECT_EQ(call({"catalog", "import-skypilot", (m_folder / "nowhere").string()}).code, 2);
    // If all rows are refused, nothing is stored, and that is not an error.
    write("sky/aws/vms.csv", std::string(kAwsHeader) + "odd.large,,,2,8,,cheap,,r,z,x86_64\n");
    const auto nothing = call({"catalog", "import-skypilot", folder()});
    EXPECT_EQ(nothing.code, 0);
    EXPECT_THAT(nothing.err, HasSubstr("nothing was stored"));
    EXPECT_EQ(test::TemporaryFolder::slurp(m_folder / kUser), before);
}

TEST_F(CatalogCommandTest, BadInputIsOneSentenceThatNamesIt) {
    const auto id = call({"list", "offers", "--json"}).json()["offers"][0]["id"].get<std::string>();
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad{
        {{"catalog"}, "subcommand"},
        {{"catalog", "show", "rtx3091"}, "rtx3090"},
        {{"catalog", "set-price", "aws/nothing", "1", "--source", "x"}, "aws/nothing"},
        {{"catalog", "set-price", id, "0", "--source", "x"}, "usd"},
        {{"catalog", "set-price", id, "free", "--source", "x"}, "usd"},
        {{"catalog", "set-price", id, "1"}, "--source"},
        {{"catalog", "set-price", id, "1", "--source", " "}, "source"},
        {{"catalog", "set-price", id, "1", "--source", "x", "--date", "yesterday"}, "--date"},
    };
    for (const auto& [arguments, mention] : bad) {
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << mention;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(mention));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
    EXPECT_THAT(m_folder.contents(), IsEmpty());
}

TEST_F(CatalogCommandTest, WhatCannotBeWrittenIsSaid) {
    write(".local/share/steelyard/catalog", "a file in the way");
    const auto id = call({"list", "studies", "--json"});
    EXPECT_EQ(id.code, 0);
    const auto outcome = call({"catalog", "set-price", "aws/p3.2xlarge", "1", "--source", "x"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, Not(IsEmpty()));
}

}  // namespace
}  // namespace steelyard::cli
