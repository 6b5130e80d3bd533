// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/imported/imported_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/bench/record/record_json.h"
#include "tests/support/json_schema.h"

namespace steelyard::bench {
namespace {

using testing::HasSubstr;

constexpr const char* kTable =
    "# date: 2026-08-03\n"
    "# software: ngc22\n"
    "# computer: the lab\n"
    "# note: measured by hand\n"
    "workload,device,mode,batch,precision,step_seconds,ci95_low,ci95_high,remark\n"
    "resnet50,GeForce RTX 3090,train,64,fp16,0.12,0.118,0.125,x\n"
    "\"./a net, ours.json\",GeForce RTX 3090,infer,8,fp32,0.5,,,\n";

TEST(ImportedResults, ReadsATable) {
    const auto runs = importedResultsFromCsv("lab.csv", kTable);
    ASSERT_TRUE(runs) << describe(runs.error());
    ASSERT_EQ(runs->size(), 1U);
    const auto& run = runs->front();
    EXPECT_EQ(run.origin, "imported");
    EXPECT_EQ(run.computer, "the lab");
    EXPECT_EQ(run.note, "measured by hand");
    EXPECT_EQ(run.programVersion, "ngc22");
    EXPECT_EQ(run.startedUnixMs, 1'785'715'200'000);
    EXPECT_EQ(run.id.size(), 12U);
    ASSERT_EQ(run.records.size(), 2U);
    const auto& record = run.records[0];
    EXPECT_EQ(record.spec.workload, "resnet50");
    EXPECT_EQ(record.deviceName, "GeForce RTX 3090");
    EXPECT_DOUBLE_EQ(record.stepSeconds->median, 0.12);
    EXPECT_DOUBLE_EQ(record.stepSeconds->ci95High.value(), 0.125);
    EXPECT_DOUBLE_EQ(record.throughput->value, 64 / 0.12);
    EXPECT_EQ(record.verification.state, VerificationState::NotChecked);
    EXPECT_EQ(record.conditions.at("software"), "ngc22");
    EXPECT_FALSE(run.records[1].stepSeconds->ci95Low);  // one number has no interval
    EXPECT_EQ(run.records[1].spec.workload, "./a net, ours.json");
    // The same file gives the same run id, another file another one.
    EXPECT_EQ(importedResultsFromCsv("again.csv", kTable)->front(), run);
    EXPECT_NE(importedResultsFromCsv("lab.csv", std::string(kTable) + "vgg16,y,train,1,fp32,1,,,\n")->front().id,
              run.id);
    const auto schemas = std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources" / "schemas";
    EXPECT_THAT(test::schemaProblems(schemas, "results.schema.json", resultsToJson(*runs)), testing::IsEmpty());
}

TEST(ImportedResults, ReadsJson) {
    const std::string text = R"({"format": "steelyard-measurements", "version": 1, "date": "2026-08-03",
        "software": "PyTorch 2.9", "measurements": [
          {"workload": "bert_base", "device": "L4", "batch": 8, "precision": "bf16", "samples_per_second": 40},
          {"workload": "resnet18", "device": "EPYC 9654", "computer": "other", "threads": 16, "batch": 32,
           "samples_seconds": [0.5, 0.6, 0.4, 0.5, 0.5, 0.7]}]})";
    EXPECT_TRUE(isMeasurementsJson(text));
    EXPECT_FALSE(isMeasurementsJson(resultsToJson({})));
    const auto runs = importedResultsFromJson("lab.json", text);
    ASSERT_TRUE(runs) << describe(runs.error());
    ASSERT_EQ(runs->size(), 2U);  // of two computers
    EXPECT_DOUBLE_EQ((*runs)[0].records[0].stepSeconds->median, 0.2);
    EXPECT_EQ((*runs)[0].records[0].spec.workload, "bert_base_128");  // the shortest name of the same network
    const auto& sampled = (*runs)[1].records[0];
    EXPECT_EQ(sampled.spec.threads, 16);
    EXPECT_DOUBLE_EQ(sampled.stepSeconds->median, 0.5);
    EXPECT_EQ(sampled.stepSeconds->n, 6);
    EXPECT_TRUE(sampled.stepSeconds->ci95Low);
}

struct BadTable {
    const char* text;
    const char* mention;
};
class BadForeignTable : public testing::TestWithParam<BadTable> {};
TEST_P(BadForeignTable, IsNamedWithItsLine) {
    const auto runs = importedResultsFromCsv("lab.csv", GetParam().text);
    ASSERT_FALSE(runs) << GetParam().text;
    EXPECT_EQ(runs.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(runs.error().subject, "lab.csv");
    EXPECT_THAT(describe(runs.error()), HasSubstr(GetParam().mention));
}
INSTANTIATE_TEST_SUITE_P(
    Tables, BadForeignTable,
    testing::Values(BadTable{"workload,device,step_seconds\nx,y,1\n", "no column batch"},
                    BadTable{"workload,device,batch,step_seconds,date\nx,y,8,-1,2026-01-01\n", "line 2: step_seconds"},
                    BadTable{"workload,device,batch,step_seconds,date\nx,y,8,fast,2026-01-01\n", "\"fast\""},
                    BadTable{"workload,device,batch,step_seconds,date\nx,y,0,1,2026-01-01\n", "line 2: batch"},
                    BadTable{"workload,device,batch,step_seconds,date\nx,y,1.5,1,2026-01-01\n", "line 2: batch"},
                    BadTable{"workload,device,batch,step_seconds,date\nx,y,8,1,2026-02-30\n", "line 2: date"},
                    BadTable{"workload,device,batch,step_seconds\nx,y,8,1\n", "line 2: date"},
                    BadTable{"workload,device,batch,step_seconds,date\nx,y,8\n", "line 2: has 3 fields"},
                    BadTable{"workload,device,batch,step_seconds,date,mode\nx,y,8,1,2026-01-01,play\n", "mode"},
                    BadTable{"workload,device,batch,step_seconds,date,precision\nx,y,8,1,2026-01-01,fp7\n", "fp32"},
                    BadTable{"workload,device,batch,step_seconds,date,threads\nx,y,8,1,2026-01-01,0\n", "threads"},
                    BadTable{"workload,device,batch,step_seconds,date,ci95_low,ci95_high\nx,y,8,1,2026-01-01,2,3\n",
                             "between"},
                    BadTable{"workload,device,batch,date\nx,y,8,2026-01-01\n", "one of"},
                    BadTable{"workload,device,batch,step_seconds,date\n", "no measurement"}));

class BadForeignJson : public testing::TestWithParam<BadTable> {};
TEST_P(BadForeignJson, IsNamedWithItsPlace) {
    const auto runs = importedResultsFromJson("lab.json", GetParam().text);
    ASSERT_FALSE(runs) << GetParam().text;
    EXPECT_EQ(runs.error().subject, "lab.json");
    EXPECT_THAT(describe(runs.error()), HasSubstr(GetParam().mention));
}
INSTANTIATE_TEST_SUITE_P(
    Documents, BadForeignJson,
    testing::Values(BadTable{"{", "lab.json"}, BadTable{"[]", "object"},
                    BadTable{R"({"format": "steelyard-measurements", "version": 1})", "measurements"},
                    BadTable{R"({"format": "steelyard-measurements", "version": 7, "measurements": []})", "version 7"},
                    BadTable{R"({"format": "steelyard-measurements", "version": 1, "measurements": []})",
                             "no measurement"},
                    BadTable{R"({"version": 1, "measurements": [{"workload": "x", "device": "y", "batch": 1,
                                 "step_seconds": 1}]})",
                             "measurements[0]: date"},
                    BadTable{R"({"version": 1, "date": "2026-01-01", "measurements": [{"workload": "x", "device": "y",
                                 "batch": "many", "step_seconds": 1}]})",
                             "measurements[0].batch"},
                    BadTable{R"({"version": 1, "date": "2026-01-01", "measurements": [{"workload": "x", "device": "y",
                                 "batch": 1, "samples_seconds": [1, 0]}]})",
                             "samples_seconds"}));

}  // namespace
}  // namespace steelyard::bench
