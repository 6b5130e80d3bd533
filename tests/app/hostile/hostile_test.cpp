// SPDX-License-Identifier: Apache-2.0
// Malicious files and unusual environments: each command ends with a result or a message, no foreign content affects
// the terminal, a spreadsheet or the database, and nothing is written unexpectedly.
#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/random.h"
#include "engine/core/text.h"
#include "tests/app/hostile/program.h"
#include "tests/support/temporary_folder.h"

namespace steelyard {
namespace {

namespace fs = std::filesystem;
using test::Finish;
using test::TemporaryFolder;
using Words = std::vector<std::string>;

constexpr const char* kHeader = "workload,device,mode,batch,precision,step_seconds\n";

std::string network(const std::string& title, const std::string& units) {
    return R"({"name":"net","title":")" + title + R"(","batch":4,"layers":[{"kind":"input","shape":[8]},)" +
           R"({"kind":"dense","units":)" + units + R"(,"name":"d"}],"outputs":[{"layer":"d"}]})";
}

class Hostile : public testing::Test {
protected:
    Hostile() {
        fs::create_directory(m_folder / "home");
        m_start.folder = m_folder.path();
        m_start.environment = {{"HOME", (m_folder / "home").string()}, {"PATH", "/usr/bin:/bin"}};
    }
    Finish call(const Words& arguments) const { return test::runProgram(arguments, m_start); }
    // The command exits by itself with one of the codes and prints a message.
    Finish expect(const Words& arguments, const std::vector<int>& codes) const {
        auto finish = call(arguments);
        std::string text;
        for (const auto& word : arguments) text += visible(word) + " ";
        EXPECT_FALSE(finish.hung) << text;
        EXPECT_TRUE(finish.code && std::find(codes.begin(), codes.end(), *finish.code) != codes.end())
            << text << "-> " << finish.code.value_or(-1) << ", signal " << finish.signal.value_or(0) << "\n"
            << finish.err;
        EXPECT_FALSE(finish.all().empty()) << text;
        EXPECT_EQ(finish.all().find("terminate called"), std::string::npos) << text;
        EXPECT_EQ(finish.all().find('\x1b'), std::string::npos) << text << visible(finish.all());
        EXPECT_TRUE(isUtf8(finish.all())) << text;
        return finish;
    }
    std::string file(const std::string& name, const std::string& content) const {
        TemporaryFolder::spill(m_folder / name, content);
        return "./" + name;
    }
    std::string pipe(const std::string& name) const {
        EXPECT_EQ(::mkfifo((m_folder / name).c_str(), 0600), 0);
        return "./" + name;
    }
    // An imported run of two cases, and the rest of the table's lines.
    void import(const std::string& more = {}, const std::string& database = "h.sqlite") const {
        const auto table =
            file("results.csv", "# date: 2026-08-03\n# computer: lab\n" + std::string(kHeader) +
                                    "resnet50,=1+1,train,64,fp16,0.1\nvgg16,\"<script>x\",train,64,fp16,0.1\n" + more);
        expect({"history", "--db", database, "import", table}, {0});
    }

    TemporaryFolder m_folder;
    test::Start m_start;
};

TEST_F(Hostile, Networks) {
    expect({"show", file("good.json", network("Good", "4"))}, {0});
    expect({"show", file("nan.json", network("x", "NaN"))}, {2});
    expect({"show", file("huge.json", network("x", "9223372036854775808"))}, {2});
    EXPECT_NE(expect({"show", file("deep.json", std::string(100'000, '['))}, {2}).err.find("nested"),
              std::string::npos);
    expect({"show", "/dev/zero"}, {2});
    expect({"show", pipe("pipe.json")}, {2});
    const auto shown = expect({"show", file("title.json", network("\\u001b]0;x\\u0007\\u001b[2J", "4"))}, {0});
    EXPECT_NE(shown.out.find("\\x1b[2J"), std::string::npos) << shown.out;
    auto kind = network("x", "4");
    kind.replace(kind.find("dense"), 5, "\\u001b[31mx");
    EXPECT_NE(expect({"show", file("kind.json", kind)}, {2}).err.find("\\x1b[31mx"), std::string::npos);
}

TEST_F(Hostile, ArgumentsThatAreNotUtf8AreRefused) {
    file("b\xff.json", network("x", "4"));
    for (const auto& words : {Words{"show", "--json", "./b\xff.json"}, Words{"run", "--workload", "./b\xff.json"},
                              Words{"history", "note", "latest", "a\xff"}, Words{"b\xff"}})
        EXPECT_NE(expect(words, {2}).err.find("UTF-8"), std::string::npos);
}

TEST_F(Hostile, FilesThatAreNotRegularAreNotWaitedFor) {
    expect({"history", "import", pipe("results")}, {2});
    expect({"study", pipe("study")}, {2});
    expect({"history", "--db", pipe("history"), "list"}, {2});
    expect({"history", "import", "/dev/zero"}, {2});
    expect({"study", m_folder.path().string()}, {2});
}

TEST_F(Hostile, TextThatIsNotUtf8IsReplacedInImports) {
    file("bytes.csv",
         "# date: 2026-08-03\n# computer: \xff\n" + std::string(kHeader) + "resnet50,x\xc3,train,64,fp16,1\n");
    expect({"history", "import", "bytes.csv"}, {0});
    const auto listed = expect({"history", "list", "--json"}, {0});
    EXPECT_EQ(nlohmann::json::parse(listed.out)["runs"][0]["computer"], "\xef\xbf\xbd");
    expect({"history", "show", "latest", "--json"}, {0});
}

TEST_F(Hostile, NamesDoNotActOnTheTerminal) {
    file("escape.csv", "# date: 2026-08-03\n" + std::string(kHeader).replace(0, 0, "# computer: \x1b[2Jlab\n") +
                           "resnet50,\"two\nlines \x1b[31m\",train,64,fp16,1\n");
    expect({"history", "import", "escape.csv"}, {0});
    const auto listed = expect({"history", "list"}, {0});
    EXPECT_NE(listed.out.find("\\x1b[2Jlab"), std::string::npos) << listed.out;
    const auto shown = expect({"history", "show", "latest"}, {0});
    EXPECT_NE(shown.out.find("two\\x0alines \\x1b[31m"), std::string::npos) << shown.out;
    expect({"history", "note", "latest", "\x1b[2J"}, {0});
    EXPECT_EQ(nlohmann::json::parse(expect({"history", "list", "--json"}, {0}).out)["runs"][0]["note"], "\x1b[2J");
    expect({"study", file("study.csv",
                          "workload,platform,variant,epoch_seconds,price_usd_per_hour\n"
                          "c\x1b[2J,P\x1b[2J,v,1,2\n")},
           {0});
}

TEST_F(Hostile, ReportsHoldNeitherMarkupNorFormulas) {
    import();
    expect({"report", "--run", "latest", "--no-advice", "--db", "h.sqlite", "-o", "r.html"}, {0});
    expect({"report", "--run", "latest", "--no-advice", "--db", "h.sqlite", "-o", "r.csv"}, {0});
    EXPECT_EQ(TemporaryFolder::slurp(m_folder / "r.html").find("<script>x"), std::string::npos);
    const auto csv = TemporaryFolder::slurp(m_folder / "r.csv");
    EXPECT_NE(csv.find(",'=1+1"), std::string::npos);
    EXPECT_EQ(csv.find(",=1+1"), std::string::npos);
}

struct BadTable {
    const char* content;
    const char* reason;
};

TEST_F(Hostile, ImportsAreRefusedForTheRightReason) {
    const std::string date = "# date: 2026-08-03\n";
    for (const auto& [content, reason] :
         {BadTable{"workload,device,batch,step_seconds\nresnet50,x,2,nan\n", "step_seconds"},
          BadTable{"workload,device,batch,step_seconds\nresnet50,x,2,1e308\n", "at most"},
          BadTable{"workload,device,batch,step_seconds\nresnet50,x,1000000000000,1\n", "from 1 to 1000000000"},
          BadTable{"workload,device,batch,step_seconds,Batch\nresnet50,x,2,1,3\n", "two columns"},
          BadTable{"workload,device,batch,step_seconds\nnope,x,2,1\n", "not a workload of this program"},
          BadTable{"workload,device,batch,step_seconds\n/etc/passwd,x,2,1\n", "not a workload of this program"}}) {
        const auto finish = expect({"history", "import", file("bad.csv", date + content)}, {2});
        EXPECT_NE(finish.err.find(reason), std::string::npos) << finish.err;
    }
    for (const auto& [fields, reason] : {BadTable{R"("batch": 2000000000)", "from 1 to 1000000000"},
                                         BadTable{R"("batch": 2, "threads": 100000)", "from 1 to 4096"}}) {
        const auto json = std::string(R"({"format": "steelyard-measurements", "version": 1, "date": "2026-08-03",)") +
                          R"("measurements": [{"workload": "resnet50", "device": "x", "step_seconds": 1, )" + fields +
                          "}]}";
        const auto finish = expect({"history", "import", file("bad.json", json)}, {2});
        EXPECT_NE(finish.err.find(reason), std::string::npos) << finish.err;
    }
}

TEST_F(Hostile, ADatabaseFromElsewhereRunsNothing) {
    import();
    fs::copy_file(m_folder / "h.sqlite", m_folder / "trigger.sqlite");
    {
        SQLite::Database database((m_folder / "trigger.sqlite").string(), SQLite::OPEN_READWRITE);
        database.exec("CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM runs; END");
    }
    EXPECT_NE(expect({"history", "--db", "trigger.sqlite", "note", "latest", "x"}, {2}).err.find("trigger"),
              std::string::npos);
    SQLite::Database database((m_folder / "trigger.sqlite").string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("SELECT count(*) FROM runs").getInt(), 1);
    fs::copy_file(m_folder / "h.sqlite", m_folder / "newer.sqlite");
    {
        SQLite::Database newer((m_folder / "newer.sqlite").string(), SQLite::OPEN_READWRITE);
        newer.exec("PRAGMA user_version = 9999");
    }
    EXPECT_NE(expect({"history", "--db", "newer.sqlite", "list"}, {2}).err.find("newer"), std::string::npos);
}

TEST_F(Hostile, DamagedDatabasesAreReadOrRefused) {
    import();
    const auto intact = TemporaryFolder::slurp(m_folder / "h.sqlite");
    const RandomStream random(5, 0x666c6970);
    std::uint32_t draw = 0;
    for (int copy = 0; copy < 12; ++copy) {
        auto damaged = intact;
        for (int i = 0; i < 200; ++i) {
            const auto at = 100 + random.below(draw++, static_cast<std::uint32_t>(damaged.size() - 100));
            damaged[at] = static_cast<char>(random.below(draw++, 256));
        }
        for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(m_folder / ("d.sqlite" + std::string(suffix)));
        TemporaryFolder::spill(m_folder / "d.sqlite", damaged);
        expect({"history", "--db", "d.sqlite", "list", "--json"}, {0, 2});
        expect({"history", "--db", "d.sqlite", "show", "latest", "--json"}, {0, 2});
    }
}

TEST_F(Hostile, NumbersWithoutMeaningAreRefused) {
    for (const auto& words : {Words{"predict", "--workload", "gpt2_small", "--batch", "1000000000000", "--on", "l4"},
                              Words{"run", "--workload", "mnist_mlp", "--threads", "100000", "--no-save"},
                              Words{"run", "--workload", "", "--no-save"}, Words{"run", "--batch", "", "--no-save"},
                              Words{"run", "--workload", ",", "--no-save"},
                              Words{"run", "--workload", "mnist_mlp", "--seed", "-1", "--no-save"},
                              Words{"train", "mnist_mlp", "--data", ".", "--seed", "-1"},
                              Words{"train", "mnist_mlp", "--data", ".", "--threads", "100000"},
                              Words{"advise", "--workload", "mnist_mlp", "--steps", "100", "--time-weight", "1e99"},
                              Words{"advise", "--workload", "resnet50", "--epochs", "1e99"},
                              Words{"catalog", "set-price", "vast.ai/1x-h100_nvl", "1e308", "--source", "x"},
                              Words{"catalog", "set-price", "vast.ai/1x-h100_nvl", "1e-308", "--source", "x"}})
        expect(words, {2});
    expect({"catalog", "show"}, {0});
    // The largest that is accepted has no absurd memory.
    const auto largest =
        expect({"predict", "--workload", "gpt2_small", "--batch", "1000000000", "--on", "l4", "--mode", "infer"}, {0});
    EXPECT_EQ(largest.out.find(" -"), std::string::npos) << largest.out;
}

TEST_F(Hostile, ATooLargeBatchSaysWhatItNeeds) {
    const auto finish =
        expect({"run", "--workload", "gpt2_small", "--mode", "train", "--batch", "100000", "--no-save"}, {1});
    EXPECT_NE(finish.all().find("needs"), std::string::npos) << finish.all();
    EXPECT_NE(finish.all().find(", has"), std::string::npos) << finish.all();
}

TEST_F(Hostile, NothingIsWrittenWhereNobodyAskedForIt) {
    fs::create_directory(m_folder / "here");
    m_start.folder = m_folder / "here";
    m_start.environment["HOME"] = "relative";
    expect({"history", "list"}, {2});
    expect({"history", "import", "none.csv"}, {2});
    expect({"catalog", "set-price", "vast.ai/1x-h100_nvl", "2", "--source", "x"}, {2});
    m_start.environment.erase("HOME");
    m_start.environment["XDG_DATA_HOME"] = "relative";
    expect({"history", "list"}, {0, 2});
    m_start.environment["HOME"] = (m_folder / "home").string();
    expect({"history", "--db", "deep/mistyped.sqlite", "list"}, {2});
    expect({"history", "--db", "mistyped.sqlite", "export", "-o", "x.json"}, {2});
    EXPECT_EQ(nlohmann::json::parse(expect({"history", "list", "--json"}, {0}).out)["runs"].size(), 0U);
    EXPECT_TRUE(fs::is_empty(m_folder / "here"));
    EXPECT_TRUE(fs::is_empty(m_folder / "home"));
}

TEST_F(Hostile, WhatIsStoredIsForTheUserAlone) {
    ASSERT_EQ(::umask(022), ::umask(022));
    file("r.csv", "# date: 2026-08-03\n" + std::string(kHeader) + "resnet50,x,train,64,fp16,1\n");
    expect({"history", "import", "r.csv"}, {0});
    expect({"catalog", "set-price", "vast.ai/1x-h100_nvl", "2", "--source", "x"}, {0});
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder / "home")) {
        files += entry.is_regular_file() ? 1 : 0;
        EXPECT_EQ(entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none)
            << entry.path();
    }
    EXPECT_GE(files, 2);
}

// Files beside the program are trusted, but one that is not a backend is refused with a reason.
TEST_F(Hostile, APluginThatIsNone) {
    fs::create_directory(m_folder / "bin");
    m_start.program = m_folder / "bin" / "steelyard-cli";
    fs::copy_file(STEELYARD_CLI, m_start.program);
    const auto plugin = m_folder / "bin" / "libsteelyard_cuda.so";
    for (const std::string& content : {std::string("no library"), std::string(), TemporaryFolder::slurp("/bin/true")}) {
        TemporaryFolder::spill(plugin, content);
        expect({"detect"}, {0});
    }
    TemporaryFolder::spill(plugin, "x");
    fs::permissions(plugin, fs::perms::all);
    EXPECT_NE(expect({"detect"}, {0}).out.find("is writable by others"), std::string::npos);
    fs::remove(plugin);
    ASSERT_EQ(::mkfifo(plugin.c_str(), 0600), 0);
    expect({"detect"}, {0});
}

TEST_F(Hostile, NoLocaleChangesWhatIsPrinted) {
    const auto plain = expect({"predict", "--workload", "resnet50", "--on", "l4", "--json"}, {0});
    const auto built = m_folder / "locales";
    fs::create_directory(built);
    int tried = 0;
    for (const char* name : {"de_DE", "tr_TR", "ar_SA"}) {
        const auto command =
            "localedef -i " + std::string(name) + " -f UTF-8 '" + (built / name).string() + ".UTF-8' 2>/dev/null";
        if (std::system(command.c_str()) != 0) continue;
        ++tried;
        m_start.environment["LOCPATH"] = built.string();
        m_start.environment["LC_ALL"] = std::string(name) + ".UTF-8";
        EXPECT_EQ(expect({"predict", "--workload", "resnet50", "--on", "l4", "--json"}, {0}).out, plain.out) << name;
        import({}, std::string(name) + ".sqlite");
    }
    if (tried == 0) GTEST_SKIP() << "no locale can be built here (localedef and its sources)";
}

}  // namespace
}  // namespace steelyard
