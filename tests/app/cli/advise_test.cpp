// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/app/cli/advice_fixture.h"

namespace steelyard::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::json;

class AdviseTest : public AdviceCliTest {
protected:
    // ResNet-50 on ImageNet, ninety epochs, without this computer by default.
    Json advised(const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments{"--workload", "resnet50", "--epochs", "90",
                                           "--samples",  "1281167",  "--mode",   "train"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return document("advise", "advice.schema.json", arguments);
    }
    // The same for this program, in small batches.
    Json ours(std::vector<std::string> more) {
        more.insert(more.end(), {"--software", "steelyard", "--batch", "16"});
        return advised(more);
    }
    static Json offer(const Json& advice, const std::string& id) {
        for (const auto& entry : advice["offers"])
            if (entry["offer"] == id) return entry;
        ADD_FAILURE() << "no offer " << id;
        return {};
    }
    static Json chosen(const Json& advice) { return offer(advice, advice["chosen"]); }
    static bool isRejected(const Json& entry, const std::string& kind) {
        for (const auto& reason : entry["rejected_because"])
            if (reason["kind"] == kind) return true;
        return false;
    }
};

TEST_F(AdviseTest, WeighsBuyingAgainstRenting) {
    const auto advice =
        advised({"--precision", "fp16", "--provider", "AWS", "--buy", "rtx3090", "--utilization", "0.5"});
    const auto& purchase = advice["purchase"];
    EXPECT_EQ(purchase["hardware"], "rtx3090");
    EXPECT_GT(purchase["watts"], 300);
    const auto rented = offer(advice, purchase["rented"]);
    EXPECT_TRUE(rented["rejected_because"].empty());
    EXPECT_EQ(purchase["rented_usd_per_hour"], rented["usd_per_hour"]);
    // At the break-even day both have cost the same.
    const double day = purchase["break_even_day"].get<double>();
    const double rent =
        24 * 0.5 * day * purchase["rented_usd_per_hour"].get<double>() * purchase["speed_ratio"].get<double>();
    const double own = purchase["card_usd"].get<double>() + purchase["host_usd"].get<double>() +
                       purchase["electricity_usd_per_year"].get<double>() * day / 365;
    EXPECT_NEAR(rent / own, 1, 2e-3);
    EXPECT_LT(purchase["break_even_day_soonest"].get<double>(), day);
    EXPECT_GT(purchase["break_even_day_latest"].get<double>(), day);
    EXPECT_LT(purchase["speed_ratio_low"], purchase["speed_ratio"]);
    EXPECT_GT(purchase["speed_ratio_high"], purchase["speed_ratio"]);
    const auto rare = advised({"--precision", "fp16", "--buy", "rtx3090", "--utilization", "0.001"});
    EXPECT_TRUE(rare["purchase"]["break_even_day"].is_null());
    EXPECT_TRUE(rare["purchase"]["break_even_day_soonest"].is_null());
    EXPECT_FALSE(advised({"--buy"})["purchase"]["hardware"].get<std::string>().empty());
    EXPECT_FALSE(advised().contains("purchase"));
    const auto text = call({"advise", "--workload", "resnet50", "--steps", "1000", "--buy", "rtx3090"});
    EXPECT_THAT(text.out, HasSubstr("Buy or rent"));
    const auto used = call({"advise", "--workload", "resnet50", "--steps", "1000", "--precision", "fp16", "--provider",
                            "AWS", "--buy", "rtx3090", "--utilization", "0.5"});
    EXPECT_THAT(used.out, testing::ContainsRegex("after [0-9]+ days \\(80 % interval [0-9]+ to [0-9]+\\)"));
    const auto idle = call({"advise", "--workload", "resnet50", "--steps", "1000", "--precision", "fp16", "--provider",
                            "AWS", "--buy", "rtx3090", "--utilization", "0.001"});
    EXPECT_THAT(idle.out, HasSubstr("renting stays cheaper for 4 years, within the 80 % interval too"));
    const auto none = call({"advise", "--workload", "resnet50", "--steps", "1000", "--buy", "abacus"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("abacus"));
    EXPECT_EQ(call({"advise", "--workload", "resnet50", "--steps", "9", "--utilization", "0.5"}).code, 2);
}

TEST_F(AdviseTest, TellsOfThisComputerWhereTheSoftwareIsNotForIt) {
    const auto text =
        call({"advise", "--workload", "resnet50", "--steps", "1000", "--software", "ngc22", "--precision", "fp16"});
    EXPECT_THAT(text.out, HasSubstr("excluded  this computer's processor"));
    EXPECT_THAT(text.out, HasSubstr("with Steelyard itself, in fp32, batch "));
    const auto advice = advised({"--software", "ngc22"});
    const auto entries = advice["offers"];
    const auto own = std::ranges::find_if(entries, [](const Json& entry) { return entry["own"].get<bool>(); });
    ASSERT_NE(own, entries.end());
    EXPECT_EQ((*own)["instead"]["software"], "steelyard");
    EXPECT_GT((*own)["instead"]["hours"]["median"], 0);
}

TEST_F(AdviseTest, RanksEveryOfferWithHoursCostBandsAndReasons) {
    const auto advice = advised();
    EXPECT_DOUBLE_EQ(advice["steps"].get<double>(), 90.0 * ((1281167 + 255) / 256));
    const auto offers = call({"list", "offers", "--json"}).json()["offers"];
    std::set<std::string> ids;
    for (const auto& entry : advice["offers"]) ids.insert(entry["offer"]);
    std::size_t rentable = 0;
    for (const auto& entry : offers) {
        if (entry["historical"] == true || entry["part_of_machine"] == true) continue;
        ++rentable;
        const std::string id = entry["id"];
        EXPECT_TRUE(ids.contains(id) || ids.contains(id + "+spot")) << id;
    }
    EXPECT_GT(rentable, 100U);
    bool isRejectedTail = false;
    double last = 0;
    for (const auto& entry : advice["offers"]) {
        EXPECT_FALSE(entry["reasons"].empty() && entry["rejected_because"].empty()) << entry["offer"];
        if (!entry["rejected_because"].empty()) {
            isRejectedTail = true;
            continue;
        }
        EXPECT_FALSE(isRejectedTail) << "what can be taken comes first";
        const double hours = entry["hours"]["median"], cost = entry["cost_usd"]["median"];
        EXPECT_LE(entry["hours"]["low"].get<double>(), hours);
        EXPECT_GE(entry["cost_usd"]["high"].get<double>(), cost);
        EXPECT_GE(hours * std::max(0.01, cost), last * (1 - 1e-9));  // balanced: time x cost
        last = hours * std::max(0.01, cost);
        if (!entry["own"]) {
            EXPECT_TRUE(entry["price_date"].is_string());
            EXPECT_TRUE(entry["price_source"].is_string());
        }
    }
    for (const char* name : {"cheapest", "fastest", "balanced"}) EXPECT_TRUE(advice["choices"][name].is_string());
    EXPECT_TRUE(advice["sensitivity"]["price"].is_object());
    EXPECT_TRUE(chosen(advice)["on_pareto"]);
}

TEST_F(AdviseTest, EachOptionChangesTheAnswer) {
    const auto base = ours({"--own", "no"});
    const auto fastest = offer(base, base["choices"]["fastest"]), cheapest = offer(base, base["choices"]["cheapest"]);
    ASSERT_NE(fastest["offer"], cheapest["offer"]);

    EXPECT_EQ(ours({"--own", "no", "--priority", "fastest"})["chosen"], fastest["offer"]);
    EXPECT_EQ(ours({"--own", "no", "--priority", "cheapest"})["chosen"], cheapest["offer"]);
    EXPECT_EQ(ours({"--own", "no", "--time-weight", "0"})["chosen"], cheapest["offer"]);
    EXPECT_EQ(ours({"--own", "no", "--time-weight", "50"})["chosen"], fastest["offer"]);

    const double budget = 0.9 * fastest["cost_usd"]["median"].get<double>();
    const auto poor = ours({"--own", "no", "--priority", "fastest", "--budget", std::to_string(budget)});
    EXPECT_TRUE(isRejected(offer(poor, fastest["offer"]), "over_budget"));
    EXPECT_LE(chosen(poor)["cost_usd"]["median"].get<double>(), budget);

    const double deadline = 0.5 * cheapest["hours"]["median"].get<double>();
    const auto hurried = ours({"--own", "no", "--priority", "cheapest", "--deadline", std::to_string(deadline)});
    EXPECT_TRUE(isRejected(offer(hurried, cheapest["offer"]), "over_deadline"));
    EXPECT_LE(chosen(hurried)["hours"]["median"].get<double>(), deadline);

    for (const auto& entry : base["offers"])
        if (entry["spot"] == true) {
            EXPECT_TRUE(isRejected(entry, "spot_excluded"));
        }
    const auto spot = ours({"--own", "no", "--priority", "cheapest", "--spot", "yes"});
    EXPECT_TRUE(chosen(spot)["spot"]);
    EXPECT_LT(chosen(spot)["cost_usd"]["median"], cheapest["cost_usd"]["median"]);

    const auto azure = ours({"--own", "no", "--provider", "azure"});
    EXPECT_EQ(chosen(azure)["provider"], "Azure");
    for (const auto& entry : azure["offers"])
        EXPECT_EQ(isRejected(entry, "provider_excluded"), entry["provider"] != "Azure") << entry["offer"];

    const auto professional = ours({"--own", "no", "--persona", "professional"});
    EXPECT_EQ(professional["time_weight"], 2);
    const auto byHand = ours({"--own", "no", "--time-weight", "2"});
    EXPECT_EQ(professional["offers"], byHand["offers"]);
    // Command line options override the preset.
    const auto hobbyist = ours({"--own", "no", "--preset", "overnight_hobbyist", "--deadline", "500"});
    EXPECT_EQ(hobbyist["priority"], "cheapest");
    EXPECT_EQ(hobbyist["deadline_hours"], 500);

    const auto stack = ours({"--own", "no", "--precision", "fp16"});
    EXPECT_NE(offer(stack, fastest["offer"])["hours"], fastest["hours"]);
    const auto discount = ours({"--own", "no", "--price-factor", "0.5"});
    EXPECT_NEAR(offer(discount, fastest["offer"])["cost_usd"]["median"].get<double>(),
                0.5 * fastest["cost_usd"]["median"].get<double>(), 1e-6);
    const auto starved = ours({"--own", "no", "--input-rate", "50"});
    EXPECT_EQ(offer(starved, fastest["offer"])["prediction"]["bound"], "input");
}

TEST_F(AdviseTest, ABudgetThatNothingMeetsLeavesNoChoiceAndSaysWhy) {
    const auto none = advised({"--own", "no", "--budget", "0.01"});
    EXPECT_TRUE(none["chosen"].is_null());
    EXPECT_TRUE(none["choices"]["fastest"].is_null());
    const auto text =
        call({"advise", "--workload", "resnet50", "--steps", "100000", "--own", "no", "--budget", "0.01"});
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.out, HasSubstr("over budget"));
    EXPECT_THAT(text.out, testing::StartsWith("No machine can do this job within these limits"));
}

TEST_F(AdviseTest, AnIrrelevantOfferChangesNothingElse) {
    const auto before = advised({"--own", "no"});
    // The price of the most expensive machine increases tenfold: only its own result changes.
    std::string dearest;
    double most = 0;
    for (const auto& entry : before["offers"])
        if (entry["rejected_because"].empty() && entry["cost_usd"]["median"].get<double>() > most) {
            most = entry["cost_usd"]["median"];
            dearest = entry["offer"];
        }
    ASSERT_FALSE(offer(before, dearest)["on_pareto"]) << dearest;
    const auto price = std::to_string(10 * offer(before, dearest)["usd_per_hour"].get<double>());
    ASSERT_EQ(call({"catalog", "set-price", dearest, price, "--source", "a test"}).code, 0);
    const auto after = advised({"--own", "no"});
    EXPECT_GT(offer(after, dearest)["cost_usd"]["median"], most);
    EXPECT_EQ(after["choices"], before["choices"]);
    EXPECT_EQ(after["sensitivity"], before["sensitivity"]);
    for (const auto& entry : before["offers"])
        if (entry["offer"] != dearest) {
            EXPECT_EQ(offer(after, entry["offer"]), entry);
        }
}

TEST_F(AdviseTest, ThisComputerIsACandidateThatCostsItsElectricity) {
    const auto advice = advised({"--software", "steelyard", "--watts", "200", "--usd-per-kwh", "0.5"});
    const auto own = offer(advice, "own/cpu");
    EXPECT_TRUE(own["own"]);
    EXPECT_DOUBLE_EQ(own["usd_per_hour"].get<double>(), 0.1);
    EXPECT_THAT(own["price_source"].get<std::string>(), HasSubstr("200 W"));
    EXPECT_NEAR(own["cost_usd"]["median"].get<double>(), 0.1 * own["hours"]["median"].get<double>(), 1.0);
}

TEST_F(AdviseTest, TheTextNamesChoiceReasonsAndSensitivity) {
    const auto outcome = call({"advise", "--workload", "resnet50", "--steps", "450000", "--own", "no", "--top", "5"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* text : {"predicted", "cheapest", "fastest", "balanced", "Why ", "best balance", "--all lists",
                             "What would change the choice", "if its price rises by more than"})
        EXPECT_THAT(outcome.out, HasSubstr(text));
    const auto all = call({"advise", "--workload", "resnet50", "--steps", "450000", "--own", "no", "--all"});
    EXPECT_GT(std::count(all.out.begin(), all.out.end(), '\n'), 200);
}

TEST_F(AdviseTest, DefaultsAreWhatIsUsual) {
    const auto usual = document("advise", "advice.schema.json", {"--workload", "resnet50", "--own", "no"});
    const auto said = advised({"--own", "no", "--batch", "256", "--precision", "fp16", "--software", "ngc22"});
    EXPECT_EQ(usual, said);
    const auto inference =
        document("advise", "advice.schema.json", {"--workload", "resnet50", "--mode", "infer", "--own", "no"});
    EXPECT_DOUBLE_EQ(inference["steps"].get<double>(), (1281167 + 255) / 256) << "once over the data";
    const auto own =
        document("advise", "advice.schema.json", {"--workload", "resnet50", "--own", "no", "--software", "steelyard"});
    EXPECT_EQ(own["precision"], "fp32") << "this program is measured so";
    const auto text = call({"advise", "--workload", "resnet50", "--own", "no"});
    EXPECT_THAT(text.out, testing::StartsWith("Rent "));
    EXPECT_THAT(text.out, HasSubstr("training ResNet-50, batch 256, fp16 takes about "));
}

TEST_F(AdviseTest, BadInputIsOneSentenceThatNamesIt) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad{
        {{"--epochs", "-1"}, "--epochs"},
        {{"--steps", "0"}, "--steps"},
        {{"--steps", "9", "--epochs", "1"}, "--epochs"},
        {{"--samples", "nan"}, "--samples"},
        {{"--priority", "best"}, "--priority"},
        {{"--time-weight", "-1"}, "--time-weight"},
        {{"--budget", "free"}, "--budget"},
        {{"--deadline", "0"}, "--deadline"},
        {{"--spot", "maybe"}, "--spot"},
        {{"--provider", "Acme"}, "Azure"},
        {{"--preset", "king"}, "--preset"},
        {{"--software", "abacus"}, "abacus"},
        {{"--top", "0"}, "--top"}};
    for (const auto& [more, mention] : bad) {
        std::vector<std::string> arguments{"advise", "--workload", "resnet50"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << mention;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(mention));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
    const auto unknown = call({"advise", "--workload", "paradnn_fc", "--own", "no"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("--samples"));
}

}  // namespace
}  // namespace steelyard::cli
