// SPDX-License-Identifier: Apache-2.0
// The program's output matches the published schemas, and the schemas refuse what the readers refuse.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/bench/record/record_fields.h"
#include "engine/bench/record/record_json.h"
#include "engine/bench/run/run_issue.h"
#include "engine/hardware/profile/profile_json.h"
#include "tests/support/json_schema.h"
#include "tests/support/random_records.h"
#include "tests/support/schema_fields.h"

namespace steelyard::bench {
namespace {

using nlohmann::json;
using test::differences;
using test::Optionals;
using test::schemaProblems;
using test::Undeclared;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kSchemas = std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources" / "schemas";

class Schema : public testing::TestWithParam<Optionals> {};

TEST_P(Schema, DeclaresEverythingThatIsWritten) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto record = test::inventRecord(seed, GetParam());
        EXPECT_THAT(schemaProblems(kSchemas, "record.schema.json", toJson(record), Undeclared::Reported), IsEmpty());
        const auto run = test::inventRun(seed, GetParam());
        EXPECT_THAT(schemaProblems(kSchemas, "run.schema.json", toJson(run), Undeclared::Reported), IsEmpty());
        EXPECT_THAT(schemaProblems(kSchemas, "results.schema.json", resultsToJson({run}), Undeclared::Reported),
                    IsEmpty());
        for (int kind = 0; kind < 7; ++kind) {
            const auto line = toJsonLine(test::inventEvent(seed, GetParam(), static_cast<EventKind>(kind)));
            EXPECT_THAT(schemaProblems(kSchemas, "event.schema.json", line, Undeclared::Reported), IsEmpty()) << line;
        }
    }
}

TEST_P(Schema, HoldsForFiguresThatAreNotFinite) {
    auto record = test::inventRecord(5, GetParam());
    record.stepSeconds = Summary{};
    record.stepSeconds->median = std::numeric_limits<double>::quiet_NaN();
    record.warmUp.seconds = std::numeric_limits<double>::infinity();
    EXPECT_THAT(schemaProblems(kSchemas, "record.schema.json", toJson(record)), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Optionals, Schema, testing::Values(Optionals::None, Optionals::Some, Optionals::All),
                         [](const auto& tested) { return std::to_string(static_cast<int>(tested.param)); });

json schemaOf(const char* file, const char* part = nullptr) {
    return test::schemaOf(kSchemas / file, part);
}

TEST(SchemaFields, ListAndSchemaAgree) {
    constexpr auto kRecord = "record.schema.json";
    EXPECT_THAT(differences<Case>(schemaOf(kRecord, "case"), {"device_name"}), IsEmpty());
    EXPECT_THAT(differences<Summary>(schemaOf(kRecord, "summary")), IsEmpty());
    EXPECT_THAT(differences<Throughput>(schemaOf(kRecord, "throughput")), IsEmpty());
    EXPECT_THAT(differences<Utilization>(schemaOf(kRecord, "utilization")), IsEmpty());
    EXPECT_THAT(differences<MemoryUse>(schemaOf(kRecord, "memory")), IsEmpty());
    EXPECT_THAT(differences<Verification>(schemaOf(kRecord, "verification")), IsEmpty());
    EXPECT_THAT(differences<WarmUp>(schemaOf(kRecord, "warm_up")), IsEmpty());
    EXPECT_THAT(differences<SensorReading>(schemaOf(kRecord, "sensor")), IsEmpty());
    EXPECT_THAT(differences<OperationOfStep>(schemaOf(kRecord, "operation")), IsEmpty());
    EXPECT_THAT(differences<StepProfile>(schemaOf(kRecord, "profile")), IsEmpty());
    EXPECT_THAT(differences<InputUse>(schemaOf(kRecord, "input")), IsEmpty());
    EXPECT_THAT(differences<PrecisionCost>(schemaOf(kRecord, "precision_cost")), IsEmpty());
    EXPECT_THAT(differences<ParallelUse>(schemaOf(kRecord, "parallel")), IsEmpty());
    EXPECT_THAT(differences<CaseRecord>(schemaOf(kRecord)), IsEmpty());
    EXPECT_THAT(differences<RunRecord>(schemaOf("run.schema.json")), IsEmpty());
    // Of the lines of their own kind (run_issue.h).
    EXPECT_THAT(differences<Event>(schemaOf("event.schema.json"), {"error", "file"}), IsEmpty());
}

TEST(SchemaFields, ADifferenceIsSeen) {
    auto schema = schemaOf("record.schema.json", "warm_up");
    schema["properties"]["steps"]["type"] = "number";
    schema["properties"]["seconds"].erase("minimum");
    schema["properties"]["laps"] = {{"type", "integer"}};
    schema["required"] = {"seconds"};
    EXPECT_EQ(differences<WarmUp>(schema).size(), 4U);
    schema["properties"].erase("seconds");
    EXPECT_EQ(differences<WarmUp>(schema).size(), 4U);
}

struct Change {
    const char* pointer;
    json value;
};

class SchemaRefusal : public testing::TestWithParam<Change> {};

TEST_P(SchemaRefusal, AgreesWithTheReader) {
    auto document = json::parse(toJson(test::inventRecord(3, Optionals::All)));
    ASSERT_THAT(schemaProblems(kSchemas, "record.schema.json", document.dump()), IsEmpty());
    document[json::json_pointer(GetParam().pointer)] = GetParam().value;
    EXPECT_THAT(schemaProblems(kSchemas, "record.schema.json", document.dump()), Not(IsEmpty()));
    EXPECT_FALSE(caseRecordFromJson(document.dump()));
}

INSTANTIATE_TEST_SUITE_P(Members, SchemaRefusal,
                         testing::Values(Change{"/case/batch", "128"}, Change{"/case/batch", -1},
                                         Change{"/case/batch", 2.5}, Change{"/status", "fine"},
                                         Change{"/step_seconds/median", "fast"}, Change{"/step_seconds", 3},
                                         Change{"/samples_seconds/0", nullptr}, Change{"/warm_up/steps", false},
                                         Change{"/conditions/x", 1}, Change{"/memory/planned_bytes", -5}));

TEST(SchemaRefusal, EventsNeedTheMembersOfTheirKind) {
    EXPECT_THAT(schemaProblems(kSchemas, "event.schema.json", R"({"event": "sample", "case_index": 1})"),
                Not(IsEmpty()));
    EXPECT_THAT(schemaProblems(kSchemas, "event.schema.json", R"({"event": "party"})"), Not(IsEmpty()));
    EXPECT_THAT(schemaProblems(kSchemas, "event.schema.json",
                               R"({"event": "suite_finished", "run_id": "x", "status": "done"})"),
                IsEmpty());
}

TEST(RunIssueJson, IsOneLineOfTheEventsAndComesBack) {
    for (const auto kind : {RunIssue::Kind::Refused, RunIssue::Kind::NotStored}) {
        for (const std::string file : {"", "/tmp/a \"run\".json"}) {
            const RunIssue issue{
                kind, {ErrorKind::DiskFull, "/data/h.sqlite", Message("no space\nleft"), {}, {}, {}}, file};
            const auto line = toJsonLine(issue);
            EXPECT_EQ(line.find('\n'), std::string::npos);
            EXPECT_EQ(runIssueFromJson(line), issue) << line;
            EXPECT_FALSE(eventFromJson(line)) << "no event of the measuring";
            EXPECT_THAT(schemaProblems(kSchemas, "event.schema.json", line, Undeclared::Reported), IsEmpty()) << line;
        }
    }
    EXPECT_FALSE(runIssueFromJson(R"({"event": "suite_finished", "run_id": "x", "status": "done"})"));
    EXPECT_FALSE(runIssueFromJson(R"({"event": "refused"})"));
    EXPECT_FALSE(runIssueFromJson("garbage"));
}

TEST(ProfileSchema, DeclaresEverythingThatIsWritten) {
    hardware::HardwareProfile profile;
    EXPECT_THAT(schemaProblems(kSchemas, "profile.schema.json", hardware::toJson(profile), Undeclared::Reported),
                IsEmpty());
    profile.cpu.cores = hardware::known(4, "hwloc");
    profile.cpu.kinds = hardware::known(std::vector{hardware::CpuKind{1, "performance", 4, {0, 1}, 3200.0}}, "hwloc");
    profile.cpu.caches = hardware::known(std::vector{hardware::CacheInfo{3, "unified", 1 << 20, 1, 8}}, "hwloc");
    profile.cpu.numa = hardware::known(std::vector{hardware::NumaNode{0, {0, 1}, {}}}, "hwloc");
    profile.cpu.topology.children = {{hardware::TopologyKind::Cache, 0, 1 << 20, 3, 1, true, {"0000:01:00.0"}, {}}};
    profile.memory.totalBytes = hardware::known(std::int64_t{1} << 34, "/proc/meminfo");
    auto& gpu = profile.gpus.emplace_back();
    gpu.id = "cuda:0";
    gpu.powerLimitWatts = hardware::known(72.0, "nvml");
    profile.environment.wsl = hardware::known(false, "/proc/version");
    profile.backends = {{"cpu", true, {}}, {"cuda", false, Message("no card")}};
    EXPECT_THAT(schemaProblems(kSchemas, "profile.schema.json", hardware::toJson(profile), Undeclared::Reported),
                IsEmpty());
}

TEST(SchemaRefusal, ProfileMembersHaveTypes) {
    EXPECT_THAT(schemaProblems(kSchemas, "profile.schema.json", R"({"cpu": {"cores": null}, "gpus": []})"), IsEmpty());
    EXPECT_THAT(schemaProblems(kSchemas, "profile.schema.json", R"({"cpu": {"cores": "four"}})"), Not(IsEmpty()));
    EXPECT_THAT(schemaProblems(kSchemas, "profile.schema.json", R"({"gpus": [{"name": "x"}]})"), Not(IsEmpty()));
}

}  // namespace
}  // namespace steelyard::bench
