// SPDX-License-Identifier: Apache-2.0
// The profile as a value: JSON round trip, the flat list of facts, user overrides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/hardware/profile/profile_facts.h"
#include "engine/hardware/profile/profile_json.h"

namespace steelyard::hardware {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

HardwareProfile sample() {
    HardwareProfile profile;
    CpuInfo& cpu = profile.cpu;
    cpu.name = known<std::string>("AMD EPYC 9354", "/proc/cpuinfo");
    cpu.packages = known(2, "hwloc");
    cpu.cores = known(64, "hwloc");
    cpu.threads = known(128, "hwloc");
    cpu.allowedCores = known(8, "sched_getaffinity");
    cpu.allowedCpus = known(16, "sched_getaffinity");
    cpu.allowedCpuList = known(std::vector<int>{0, 1, 2}, "sched_getaffinity");
    cpu.quotaCores = known(6.5, "cgroup v2 cpu.max");
    cpu.usableThreads = known(6, "CPU quota");
    cpu.kinds =
        known(std::vector<CpuKind>{{1, "performance", 8, {0, 1}, 4600.0}, {0, "efficiency", 4, {2}, {}}}, "hwloc");
    cpu.caches = known(std::vector<CacheInfo>{{3, "unified", 33554432, 2, 16}}, "hwloc");
    cpu.isa = known(std::vector<std::string>{"avx2", "fma"}, "/proc/cpuinfo");
    cpu.numa = known(std::vector<NumaNode>{{0, {0, 1}, std::int64_t{1} << 36}, {1, {2}, {}}}, "hwloc");
    cpu.baseMhz = unknown<double>(Message("not reported in a virtual machine"), "cpufreq");
    cpu.topology.children = {{.kind = TopologyKind::Package,
                              .index = 0,
                              .children = {{.kind = TopologyKind::Cache, .bytes = 1 << 20, .cacheLevel = 3},
                                           {.kind = TopologyKind::Core, .efficiencyRank = 1, .allowed = false}}}};
    cpu.topology.pciBusIds = {"0000:01:00.0"};
    profile.memory.totalBytes = known(std::int64_t{1} << 37, "/proc/meminfo");
    profile.memory.limitBytes = unknown<std::int64_t>(Message("no control group limits the memory"));
    GpuInfo gpu;
    gpu.id = "cuda:0";
    gpu.vendor = "NVIDIA";
    gpu.status = GpuStatus::DriverTooOld;
    gpu.reason = Message("too old");
    gpu.computeCapability = known<std::string>("9.0", "libcuda.so.1");
    gpu.memoryBytes = known(std::int64_t{80} << 30, "libcuda.so.1");
    profile.gpus = {gpu};
    profile.environment.wsl = known(false, "/proc/sys/kernel/osrelease");
    profile.backends = {{"cpu", true, {}}, {"cuda", false, Message("no driver")}};
    return profile;
}

TEST(ProfileJson, KeepsTheContractsNames) {
    const Json json = Json::parse(toJson(sample(), 2));
    EXPECT_EQ(json["cpu"]["name"], "AMD EPYC 9354");
    EXPECT_EQ(json["cpu"]["allowed_cores"], 8);
    EXPECT_EQ(json["cpu"]["kinds"][0]["name"], "performance");
    EXPECT_EQ(json["cpu"]["caches"][0]["bytes"], 33554432);
    EXPECT_EQ(json["cpu"]["isa"], Json::array({"avx2", "fma"}));
    EXPECT_EQ(json["cpu"]["numa"][0]["memory_bytes"], std::int64_t{1} << 36);
    EXPECT_EQ(json["memory"]["total_bytes"], std::int64_t{1} << 37);
    EXPECT_EQ(json["gpus"][0]["id"], "cuda:0");
    EXPECT_EQ(json["gpus"][0]["compute_capability"], "9.0");
    EXPECT_EQ(json["environment"]["wsl"], false);
    EXPECT_EQ(json["backends"][1]["reason"], "no driver");
    for (const char* name : {"packages", "cores", "threads"}) EXPECT_TRUE(json["cpu"].contains(name)) << name;
    for (const char* name : {"os", "kernel", "container", "virtual_machine"}) {
        EXPECT_TRUE(json["environment"].contains(name)) << name;
    }
}

TEST(ProfileJson, UnknownIsNullAndSaysWhy) {
    const Json json = Json::parse(toJson(sample()));
    EXPECT_TRUE(json["cpu"]["base_mhz"].is_null());
    EXPECT_EQ(json["sources"]["cpu.base_mhz"]["reason"], "not reported in a virtual machine");
    EXPECT_EQ(json["sources"]["cpu.cores"]["source"], "hwloc");
    EXPECT_FALSE(json["sources"]["cpu.cores"].contains("reason"));
    EXPECT_EQ(json["sources"]["gpus[0].memory_bytes"]["source"], "libcuda.so.1");
}

TEST(ProfileJson, ComesBackUnchanged) {
    const HardwareProfile profile = sample();
    const auto read = profileFromJson(toJson(profile));
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(*read, profile);
}

TEST(ProfileJson, TakesUnknownMembersAndMissingFacts) {
    const auto read = profileFromJson(R"({"cpu": {"cores": 4, "colour": "blue"}, "later": [1]})");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->cpu.cores.value, 4);
    EXPECT_FALSE(read->memory.totalBytes.isKnown());
    EXPECT_EQ(read->memory.totalBytes.reason, "not recorded");
}

TEST(ProfileJson, RefusesWrongTypesNamingThePath) {
    const std::vector<std::pair<const char*, const char*>> cases = {
        {R"({"cpu": {"cores": "four"}})", "cpu.cores"},
        {R"({"cpu": 4})", "cpu"},
        {R"({"cpu": {"isa": ["avx", 2]}})", "cpu.isa[1]"},
        {R"({"cpu": {"kinds": [{"cores": 1.5}]}})", "cpu.kinds[0].cores"},
        {R"({"cpu": {"cores": 4294967296}})", "cpu.cores"},
        {R"({"memory": {"total_bytes": 18446744073709551615}})", "memory.total_bytes"},
        {R"({"gpus": {}})", "gpus"},
        {R"({"gpus": [{"status": "melted"}]})", "gpus[0].status"},
        {R"({"gpus": [{"name": 3}]})", "gpus[0].name"},
        {R"({"cpu": {"topology": {"kind": "planet"}}})", "cpu.topology.kind"},
        {R"({"backends": [{"loaded": "yes"}]})", "backends[0].loaded"},
        {R"({"sources": []})", "sources"},
        {R"({"sources": {"cpu.cores": 1}})", "sources.cpu.cores"},
    };
    for (const auto& [text, path] : cases) {
        const auto read = profileFromJson(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::CorruptData);
        EXPECT_THAT(read.error().detail.text, ::testing::StartsWith(std::string(path) + " ")) << text;
    }
    for (const char* text : {"", "[]", "{", "null"}) EXPECT_FALSE(profileFromJson(text)) << text;
}

TEST(ProfileJson, RefusesALaterFormat) {
    const auto read = profileFromJson(R"({"profile_version": 99})");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::VersionTooNew);
}

TEST(ProfileJson, RefusesATreeThatIsTooDeep) {
    std::string tree = R"({"kind": "core"})";
    for (int i = 0; i < 40; ++i) tree = R"({"kind": "core", "children": [)" + tree + "]}";
    EXPECT_FALSE(profileFromJson(R"({"cpu": {"topology": )" + tree + "}}"));
}

TEST(ProfileJson, WritesWhatJsonHasNoWordsFor) {
    HardwareProfile profile = sample();
    profile.cpu.maxMhz = known(std::numeric_limits<double>::infinity(), "test");
    profile.cpu.name = known<std::string>("bad \xff byte", "firmware");
    const Json json = Json::parse(toJson(profile));
    EXPECT_TRUE(json["cpu"]["max_mhz"].is_null());
    EXPECT_EQ(json["cpu"]["name"], "bad \xef\xbf\xbd byte");
}

TEST(ProfileNames, RoundTrip) {
    for (int i = 0; i < 8; ++i) {
        const auto status = static_cast<GpuStatus>(i);
        EXPECT_EQ(gpuStatusFromString(toString(status)), status);
    }
    for (int i = 0; i < 6; ++i) {
        const auto kind = static_cast<TopologyKind>(i);
        EXPECT_EQ(topologyKindFromString(toString(kind)), kind);
    }
    EXPECT_FALSE(gpuStatusFromString("melted"));
}

TEST(ProfileFacts, ListsEachFactOnce) {
    const auto rows = listFacts(sample());
    std::set<std::string> paths;
    for (const auto& row : rows) EXPECT_TRUE(paths.insert(row.path).second) << row.path;
    const auto row = [&rows](const std::string& path) {
        for (const auto& each : rows) {
            if (each.path == path) return each;
        }
        ADD_FAILURE() << path;
        return FactRow{};
    };
    EXPECT_EQ(row("cpu.isa").text, "avx2, fma");
    EXPECT_FALSE(row("cpu.isa").overridable);
    EXPECT_EQ(row("cpu.quota_cores").text, "6.5");
    EXPECT_TRUE(row("cpu.quota_cores").overridable);
    EXPECT_FALSE(row("cpu.base_mhz").known);
    EXPECT_EQ(row("cpu.base_mhz").text, "");
    EXPECT_EQ(row("environment.wsl").text, "false");
    EXPECT_EQ(row("gpus[0].memory_bytes").source, "libcuda.so.1");
}

TEST(ProfileFacts, AUsersValueReplacesADetectedOne) {
    const auto changed = withOverride(sample(), "cpu.allowed_cores", " 4 ");
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->cpu.allowedCores, known(4, std::string(kUserSource)));
    EXPECT_EQ(changed->cpu.usableThreads.value, 4) << "derived facts follow";
    const auto both = withOverride(*changed, "cpu.usable_threads", "3");
    ASSERT_TRUE(both);
    const auto later = withOverride(*both, "cpu.allowed_cores", "2");
    ASSERT_TRUE(later);
    EXPECT_EQ(later->cpu.usableThreads, known(3, std::string(kUserSource))) << "the user's own value stays";

    EXPECT_EQ(withOverride(sample(), "gpus[0].memory_bytes", "123")->gpus[0].memoryBytes.value, 123);
    EXPECT_EQ(withOverride(sample(), "environment.wsl", "yes")->environment.wsl.value, true);
    EXPECT_EQ(withOverride(sample(), "cpu.base_mhz", "3250.5")->cpu.baseMhz.value, 3250.5);
    EXPECT_EQ(withOverride(sample(), "gpus[0].numa_node", "0")->gpus[0].numaNode.value, 0);
}

TEST(ProfileFacts, RefusesWhatIsNoValue) {
    const std::vector<std::pair<const char*, const char*>> cases = {
        {"cpu.cores", "four"}, {"cpu.cores", "0"},       {"cpu.cores", "-1"},    {"cpu.cores", "99999999"},
        {"cpu.cores", ""},     {"cpu.base_mhz", "nan"},  {"cpu.base_mhz", "0"},  {"memory.total_bytes", "1.5"},
        {"cpu.isa", "avx2"},   {"environment.wsl", "?"}, {"environment.os", " "}};
    for (const auto& [path, text] : cases) {
        const auto changed = withOverride(sample(), path, text);
        ASSERT_FALSE(changed) << path << " = " << text;
        EXPECT_EQ(changed.error().kind, ErrorKind::InvalidArgument);
        EXPECT_EQ(changed.error().subject, path);
    }
    EXPECT_EQ(withOverride(sample(), "cpu.wheels", "4").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(withOverride(sample(), "gpus[1].name", "x").error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace steelyard::hardware
