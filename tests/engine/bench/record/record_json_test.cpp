// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/record_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/random_records.h"
#include "tests/support/special_values.h"

namespace steelyard::bench {
namespace {

using nlohmann::json;
using test::Optionals;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class RoundTrip : public testing::TestWithParam<Optionals> {};

TEST_P(RoundTrip, Case) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto spec = test::inventCase(seed, GetParam());
        EXPECT_EQ(caseFromJson(toJson(spec)), spec) << toJson(spec);
    }
}

TEST_P(RoundTrip, Record) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto record = test::inventRecord(seed, GetParam());
        EXPECT_EQ(caseRecordFromJson(toJson(record, seed % 2 == 0 ? -1 : 2)), record) << toJson(record);
    }
}

TEST_P(RoundTrip, RunAndResults) {
    std::vector<RunRecord> runs;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        runs.push_back(test::inventRun(seed, GetParam()));
        EXPECT_EQ(runRecordFromJson(toJson(runs.back())), runs.back());
    }
    EXPECT_EQ(resultsFromJson(resultsToJson(runs)), runs);
}

TEST_P(RoundTrip, EventIsOneLine) {
    for (int kind = 0; kind < 7; ++kind) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto event = test::inventEvent(seed, GetParam(), static_cast<EventKind>(kind));
            const auto line = toJsonLine(event);
            EXPECT_EQ(line.find('\n'), std::string::npos);
            EXPECT_EQ(eventFromJson(line), event) << line;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Optionals, RoundTrip, testing::Values(Optionals::None, Optionals::Some, Optionals::All), [](const auto& tested) {
        return std::string(tested.param == Optionals::None ? "None" : tested.param == Optionals::Some ? "Some" : "All");
    });

TEST(RecordJson, UnknownIsNullAndNotAbsent) {
    const auto document = json::parse(toJson(CaseRecord{}));
    for (const auto* key : {"step_seconds", "throughput", "flops_per_step", "bytes_per_step", "utilization",
                            "stop_reason", "compile_seconds", "energy_joules_per_step"}) {
        ASSERT_TRUE(document.contains(key)) << key;
        EXPECT_TRUE(document[key].is_null()) << key;
    }
    EXPECT_TRUE(document["memory"]["planned_bytes"].is_null());
    EXPECT_TRUE(document["case"]["threads"].is_null());
}

TEST(RecordJson, FiguresThatAreNotFiniteAreNeverWritten) {
    for (const double bad : {test::kNan, kInfinity, -kInfinity}) {
        auto record = test::inventRecord(1, Optionals::All);
        record.stepSeconds->ci95High = bad;
        record.throughput->value = bad;
        record.utilization->fraction = bad;
        record.verification.maxRelativeError = bad;
        record.compileSeconds = bad;
        record.samplesSeconds = {1.0, bad, 2.0};
        record.warmUp.seconds = bad;
        SensorReading reading;
        reading.atSeconds = 1;
        reading.gpuWatts = bad;
        record.sensors = {reading};
        const auto text = toJson(record);
        const auto document = json::parse(text);  // throws where "nan" or "inf" was written
        EXPECT_TRUE(document["step_seconds"]["ci95_high"].is_null());
        EXPECT_TRUE(document["throughput"].is_null());
        EXPECT_TRUE(document["utilization"]["fraction"].is_null());
        EXPECT_TRUE(document["verification"]["max_relative_error"].is_null());
        EXPECT_TRUE(document["compile_seconds"].is_null());
        EXPECT_EQ(document["samples_seconds"], json::array({1.0, 2.0}));
        EXPECT_TRUE(document["sensors"][0]["gpu_watts"].is_null());
        const auto back = caseRecordFromJson(text);
        ASSERT_TRUE(back) << describe(back.error());
        EXPECT_FALSE(back->throughput);

        record.stepSeconds->median = bad;
        EXPECT_TRUE(json::parse(toJson(record))["step_seconds"].is_null());
    }
}

TEST(RecordJson, BytesThatAreNotUtf8AreReplaced) {
    CaseRecord record;
    record.deviceName = "bad \xff name";
    EXPECT_EQ(json::parse(toJson(record))["case"]["device_name"], "bad \xef\xbf\xbd name");
}

TEST(RecordJson, UnknownMembersAreAcceptedAndAbsentOnesLeftAtTheirDefaults) {
    const auto record = caseRecordFromJson(
        R"({"case": {"workload": "w", "mode": "infer", "device": "cpu", "batch": 3.0, "precision": "fp32", "new": 1},
            "status": "ok", "later": {"x": []}})");
    ASSERT_TRUE(record) << describe(record.error());
    EXPECT_EQ(record->spec.batch, 3);
    EXPECT_EQ(record->spec.seed, 1U);
    EXPECT_EQ(record->stepsPerSample, 1);
    EXPECT_FALSE(record->stepSeconds);
}

struct WrongMember {
    const char* pointer;
    json value;
    const char* path;
};

class WrongRecord : public testing::TestWithParam<WrongMember> {};

TEST_P(WrongRecord, IsRefusedWithThePath) {
    auto record = test::inventRecord(3, Optionals::All);
    record.samplesSeconds = {1, 2, 3};
    record.sensors.resize(2);
    record.warnings = {Message("w")};
    record.conditions = {{"governor", "powersave"}};
    auto document = json::parse(toJson(record));
    document[json::json_pointer(GetParam().pointer)] = GetParam().value;
    const auto result = caseRecordFromJson(document.dump());
    ASSERT_FALSE(result) << document.dump();
    EXPECT_EQ(result.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(result.error().subject, GetParam().path);
    EXPECT_FALSE(result.error().detail.text.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Members, WrongRecord,
    testing::Values(WrongMember{"/case", 5, "case"}, WrongMember{"/case/batch", "128", "case.batch"},
                    WrongMember{"/case/batch", 1.5, "case.batch"}, WrongMember{"/case/batch", -1, "case.batch"},
                    WrongMember{"/case/batch", 1e300, "case.batch"}, WrongMember{"/case/threads", 0, "case.threads"},
                    WrongMember{"/case/threads", 3'000'000'000, "case.threads"},
                    WrongMember{"/case/workload", nullptr, "case.workload"}, WrongMember{"/case/seed", -1, "case.seed"},
                    WrongMember{"/status", "fine", "status"}, WrongMember{"/status", 0, "status"},
                    WrongMember{"/step_seconds/median", true, "step_seconds.median"},
                    WrongMember{"/step_seconds/n", 0, "step_seconds.n"},
                    WrongMember{"/step_seconds", json::array(), "step_seconds"},
                    WrongMember{"/samples_seconds/1", "x", "samples_seconds[1]"},
                    WrongMember{"/samples_seconds/2", nullptr, "samples_seconds[2]"},
                    WrongMember{"/samples_seconds/2", -0.5, "samples_seconds[2]"},
                    WrongMember{"/sensors/1/throttled", 1, "sensors[1].throttled"},
                    WrongMember{"/warnings/0", json::object(), "warnings[0]"},
                    WrongMember{"/conditions/governor", 7, "conditions.governor"},
                    WrongMember{"/memory/planned_bytes", "1 GB", "memory.planned_bytes"},
                    WrongMember{"/verification/state", "maybe", "verification.state"},
                    WrongMember{"/stop_reason", "bored", "stop_reason"},
                    WrongMember{"/warm_up/steps", json::array(), "warm_up.steps"}));

TEST(RecordJson, MissingMembersThatMatterAreNamed) {
    const auto result = caseRecordFromJson(R"({"case": {"workload": "w", "mode": "train"}, "status": "ok"})");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().subject, "case.device");
    const auto noStatus = caseRecordFromJson(
        R"({"case": {"workload": "w", "mode": "train", "device": "cpu", "batch": 1, "precision": "fp32"}})");
    ASSERT_FALSE(noStatus);
    EXPECT_EQ(noStatus.error().subject, "status");
}

TEST(RecordJson, TextThatIsNotJsonIsRefusedWithThePosition) {
    const auto result = caseRecordFromJson(R"({"case": )");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::CorruptData);
    EXPECT_TRUE(result.error().offset);
    EXPECT_FALSE(caseRecordFromJson(""));
    EXPECT_FALSE(caseRecordFromJson(R"({"compile_seconds": 1e999})"));
    EXPECT_FALSE(caseRecordFromJson("[]"));
    EXPECT_FALSE(runRecordFromJson("{\"profile\": " + std::string(200'000, '[')));
}

TEST(ResultsJson, AnotherFormatAndALaterVersionAreToldApart) {
    EXPECT_EQ(resultsFromJson(R"({"format": "other", "version": 1, "runs": []})").error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(resultsFromJson(R"({"format": "steelyard-results", "version": 2, "runs": 7})").error().kind,
              ErrorKind::VersionTooNew);
    EXPECT_EQ(resultsFromJson(R"({"format": "steelyard-results", "version": 1})").error().subject, "runs");
    EXPECT_EQ(resultsFromJson(R"({"format": "steelyard-results", "version": 1, "runs": []})"),
              std::vector<RunRecord>{});
}

TEST(ResultsJson, PathsReachIntoTheRunsAndRepeatedIdsAreRefused) {
    auto document =
        json::parse(resultsToJson({test::inventRun(1, Optionals::All), test::inventRun(2, Optionals::All)}));
    document["runs"][1]["records"][2]["case"]["batch"] = "many";
    EXPECT_EQ(resultsFromJson(document.dump()).error().subject, "runs[1].records[2].case.batch");
    document = json::parse(resultsToJson({test::inventRun(1, Optionals::All), test::inventRun(1, Optionals::None)}));
    EXPECT_EQ(resultsFromJson(document.dump()).error().subject, "runs[1].id");
}

TEST(RunJson, TheProfileIsNested) {
    RunRecord run;
    run.id = "abc";
    run.profileJson = R"({ "cpu": {"cores": 4} })";
    EXPECT_EQ(json::parse(toJson(run))["profile"]["cpu"]["cores"], 4);
    EXPECT_EQ(runRecordFromJson(toJson(run))->profileJson, R"({"cpu":{"cores":4}})");
    run.profileJson = "not json";
    EXPECT_TRUE(json::parse(toJson(run))["profile"].is_null());
}

TEST(EventJson, UnknownKindsAreRefused) {
    EXPECT_EQ(eventFromJson(R"({"event": "party"})").error().subject, "event");
    EXPECT_EQ(eventFromJson(R"({"run_id": "x"})").error().subject, "event");
}

}  // namespace
}  // namespace steelyard::bench
