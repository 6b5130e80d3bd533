// SPDX-License-Identifier: Apache-2.0
// report, and the import of results of other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/bench/record/record_json.h"
#include "engine/history/history_store.h"
#include "tests/app/cli/advice_fixture.h"

namespace steelyard::cli {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ReportCommandTest : public AdviceCliTest {
protected:
    void storeRun(const std::string& id, const std::string& workload) {
        auto store = history::HistoryStore::open(m_folder / ".local/share/steelyard/history.sqlite");
        ASSERT_TRUE(store) << describe(store.error());
        bench::RunRecord run;
        run.id = id;
        run.suite = "quick";
        run.suiteVersion = "1";
        run.computer = "test computer";
        run.startedUnixMs = 1'790'000'000'000;
        run.finishedUnixMs = 1'790'000'060'000;
        bench::CaseRecord record;
        record.spec = {.workload = workload, .mode = plan::Mode::Train, .batch = 128};
        record.status = bench::Status::Ok;
        record.samplesSeconds = {0.040, 0.041, 0.042, 0.043, 0.044, 0.045};
        record.stepSeconds = bench::Summary{.median = 0.0425, .mean = 0.0425, .min = 0.040, .n = 6};
        run.records.push_back(record);
        ASSERT_TRUE((*store)->beginRun(run));
    }
    std::string reported(const std::string& name, std::vector<std::string> more = {}) {
        const auto file = (m_folder / name).string();
        std::vector<std::string> arguments{"report", "-o", file, "--own", "no"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
        return TemporaryFolder::slurp(file);
    }
};

TEST_F(ReportCommandTest, NamesCasesAndAmountsAsTheReaderDoes) {
    storeRun("aaaaaaaaaaaa", "llama_3_2_1b(mode=decode,weights=q4_0,context=128)");
    const auto text = reported("r.md", {"--workload", "resnet50", "--currency", "EUR", "--exchange-rate", "0.86"});
    EXPECT_THAT(text, HasSubstr("Llama 3.2 1B decode"));
    EXPECT_THAT(text, HasSubstr("ResNet-50"));
    EXPECT_THAT(text, Not(HasSubstr("resnet50")));
    EXPECT_THAT(text, HasSubstr("Cost in EUR"));
    EXPECT_THAT(text, HasSubstr("€"));
    EXPECT_THAT(text, Not(HasSubstr("$")));
}

TEST_F(ReportCommandTest, HoldsTheRunAndTheRecommendation) {
    storeRun("aaaaaaaaaaaa", "mnist_cnn");
    for (const char* name : {"r.html", "r.md"}) {
        const auto text = reported(name);
        EXPECT_THAT(text, HasSubstr("MNIST")) << name;
        EXPECT_THAT(text, HasSubstr("42.5 ms")) << name;
        EXPECT_THAT(text, HasSubstr("Recommendation for MNIST")) << name;
        EXPECT_THAT(text, HasSubstr("Times are predicted, not measured")) << name;
        EXPECT_THAT(text, HasSubstr("Error of the predictions")) << name;
    }
    const auto csv = reported("r.csv");
    EXPECT_THAT(csv, HasSubstr("mnist_cnn,"));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
    const auto json = reported("r.json");
    EXPECT_THAT(schemaProblems("results.schema.json", json), IsEmpty());
    const auto document = nlohmann::json::parse(json);
    ASSERT_EQ(document["advice"].size(), 1U);
    EXPECT_EQ(document["advice"][0]["workload"], "mnist_cnn");
    // The JSON report is the file that history import reads.
    EXPECT_EQ(
        call({"history", "import", (m_folder / "r.json").string(), "--db", (m_folder / "b.sqlite").string()}).code, 0);
}

TEST_F(ReportCommandTest, TheJobOfTheRecommendationCanBeNamedOrLeftOut) {
    storeRun("aaaaaaaaaaaa", "mnist_cnn");
    storeRun("bbbbbbbbbbbb", "mnist_mlp");
    const auto named =
        reported("n.md", {"--run", "aaaa", "--workload", "resnet50", "--steps", "450000", "--priority", "cheapest"});
    EXPECT_THAT(named, HasSubstr("Recommendation for ResNet-50"));
    EXPECT_THAT(named, Not(HasSubstr("Recommendation for MNIST")));
    const auto plain = reported("p.md", {"--run", "aaaa,bbbb", "--no-advice"});
    EXPECT_THAT(plain, Not(HasSubstr("Recommendation")));
    EXPECT_THAT(plain, HasSubstr("bbbbbbbbbbbb"));
}

TEST_F(ReportCommandTest, TheJobCanBeOfALanguageModel) {
    storeRun("aaaaaaaaaaaa", "mnist_cnn");
    const auto chat = reported("c.md", {"--workload", "llama_3_1_8b", "--job", "chat", "--user-speed", "12"});
    EXPECT_THAT(chat, HasSubstr("Chat: Llama 3.1 8B"));
    EXPECT_THAT(chat, HasSubstr("at least 12 tokens/s per user"));
    EXPECT_THAT(chat, HasSubstr("cheapest API"));
    EXPECT_THAT(chat, Not(HasSubstr("Recommendation for MNIST")));
    const auto serve = reported("s.html", {"--workload", "llama_3_1_8b", "--job", "serve", "--weights", "awq4",
                                           "--software", "vllm", "--currency", "EUR", "--exchange-rate", "0.86"});
    EXPECT_THAT(serve, HasSubstr("Serve: Llama 3.1 8B"));
    EXPECT_THAT(serve, HasSubstr("EUR/month"));
    EXPECT_THAT(serve, HasSubstr("<svg"));
    const auto tuned = reported("t.md", {"--workload", "llama_3_1_8b", "--job", "finetune", "--method", "qlora"});
    EXPECT_THAT(tuned, HasSubstr("Fine-tune: Llama 3.1 8B"));
    EXPECT_THAT(tuned, HasSubstr("Fastest: "));
    const auto json = nlohmann::json::parse(
        reported("r.json", {"--workload", "llama_3_1_8b", "--job", "finetune", "--tokens", "2e6"}));
    ASSERT_EQ(json["advice"].size(), 1U);
    const auto same = call({"advise", "--workload", "llama_3_1_8b", "--job", "finetune", "--tokens", "2e6", "--json"});
    EXPECT_EQ(json["advice"][0], same.json());
}

TEST_F(ReportCommandTest, BadInputIsOneSentenceThatNamesIt) {
    const auto file = (m_folder / "r.md").string();
    EXPECT_THAT(call({"report", "-o", file}).err, HasSubstr("no runs yet"));
    EXPECT_THAT(m_folder.contents(), IsEmpty());
    storeRun("aaaaaaaaaaaa", "mnist_cnn");
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad{
        {{"report"}, "--output"},
        {{"report", "-o", (m_folder / "r.pdf").string()}, ".html"},
        {{"report", "-o", file, "--run", "ffff"}, "ffff"},
        {{"report", "-o", file, "--workload", "resnet5"}, "did you mean"},
        {{"report", "-o", file, "--provider", "Acme"}, "Acme"},
        {{"report", "-o", file, "--workload", "llama_3_1_8b"}, "--job"},
        {{"report", "-o", file, "--job", "chat"}, "--workload"},
        {{"report", "-o", file, "--workload", "resnet50", "--method", "lora"}, "finetune"},
        {{"report", "-o", file, "--workload", "llama_3_1_8c", "--job", "chat"}, "did you mean"},
        {{"report", "-o", (m_folder / "no/such/r.md").string()}, "no/such"},
    };
    for (const auto& [arguments, mention] : bad) {
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << mention;
        EXPECT_THAT(outcome.err, HasSubstr(mention));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
    EXPECT_FALSE(std::filesystem::exists(file));
}

using ForeignImportTest = ReportCommandTest;

constexpr const char* kTable =
    "# date: 2026-08-03\n# software: ngc22\n# computer: the lab\n"
    "workload,device,mode,batch,precision,step_seconds\n"
    "resnet50,GeForce RTX 3090,train,64,fp16,0.2\n";

TEST_F(ForeignImportTest, JoinsTheHistoryMarkedAsImported) {
    write("lab.csv", kTable);
    const auto file = (m_folder / "lab.csv").string();
    const auto imported = call({"history", "import", file, "--json"});
    ASSERT_EQ(imported.code, 0) << imported.err;
    ASSERT_EQ(imported.json()["imported"].size(), 1U);
    EXPECT_EQ(call({"history", "import", file, "--json"}).json()["imported"].size(), 0U) << "the same file twice";
    const auto run = call({"history", "show", "latest", "--json"}).json();
    EXPECT_EQ(run["origin"], "imported");
    EXPECT_EQ(run["computer"], "the lab");
    EXPECT_EQ(run["records"][0]["conditions"]["software"], "ngc22");
    EXPECT_EQ(run["records"][0]["verification"]["state"], "not_checked");

    write("lab.json", R"({"format": "steelyard-measurements", "version": 1, "date": "2026-08-04", "measurements":
        [{"workload": "resnet18", "device": "T4", "batch": 32, "samples_per_second": 400}]})");
    EXPECT_EQ(call({"history", "import", (m_folder / "lab.json").string()}).code, 0);
    EXPECT_EQ(call({"history", "list", "--json"}).json()["runs"].size(), 2U);
    EXPECT_THAT(call({"history", "list"}).out, HasSubstr("imported"));
}

TEST_F(ForeignImportTest, ItsSoftwareDecidesWhatItTells) {
    write("lab.csv", kTable);
    ASSERT_EQ(call({"history", "import", (m_folder / "lab.csv").string()}).code, 0);
    const std::vector<std::string> job{"predict", "--workload",  "resnet50", "--mode", "train",   "--batch",
                                       "64",      "--precision", "fp16",     "--on",   "rtx3090", "--json"};
    auto stack = job;
    stack.insert(stack.end(), {"--software", "ngc22"});
    const auto same = call(stack).json()["targets"][0];
    EXPECT_EQ(same["basis"], "measured");
    EXPECT_EQ(same["step_seconds"]["median"], 0.2);
    EXPECT_EQ(call(job).json()["targets"][0]["basis"], "extrapolated") << "another program's speed is not this one's";
}

TEST_F(ForeignImportTest, AHostileFileChangesNothing) {
    storeRun("aaaaaaaaaaaa", "mnist_cnn");
    const std::vector<std::pair<std::string, std::string>> hostile{
        {"header.csv", "a,b\n1,2\n"},
        {"line.csv", std::string(kTable) + "resnet50,T4,train,64,fp16,-3\n"},
        {"binary.csv", std::string("\x7f"
                                   "ELF\0\1\2",
                                   7)},
        {"cut.csv", std::string(kTable) + "\"resnet"},
        {"empty.csv", ""},
        {"cut.json", R"({"format": "steelyard-measurements", "version": 1, "measurements": [{)"},
        {"wrong.json", R"({"format": "something else"})"},
        {"list.json", "[]"},
        {"deep.json", std::string(100'000, '[')},
    };
    for (const auto& [name, text] : hostile) {
        write(name, text);
        const auto outcome = call({"history", "import", (m_folder / name).string()});
        EXPECT_EQ(outcome.code, 2) << name;
        EXPECT_THAT(outcome.err, HasSubstr(name));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
    EXPECT_EQ(call({"history", "list", "--json"}).json()["runs"].size(), 1U);
}

}  // namespace
}  // namespace steelyard::cli
