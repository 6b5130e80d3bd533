// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/record.h"

#include <gtest/gtest.h>

#include <set>

namespace steelyard::bench {
namespace {

Case exampleCase() {
    Case spec;
    spec.workload = "mnist_cnn";
    spec.batch = 128;
    spec.threads = 2;
    spec.optimizer = "rmsprop";
    return spec;
}

TEST(CaseHash, IsStableAcrossVersionsOfTheProgram) {
    // FNV-1a of "9:mnist_cnn;5:train;3:cpu;4:fp32;3:128;2:=2;0:;9:synthetic;7:rmsprop;", calculated independently.
    EXPECT_EQ(caseHash(exampleCase()), "fcb1d0a63a6a0274");
}

TEST(CaseHash, ChangesWithEveryFieldButTheSeed) {
    std::set<std::string> hashes{caseHash(exampleCase())};
    const auto changed = [&hashes](auto change) {
        auto spec = exampleCase();
        change(spec);
        return hashes.insert(caseHash(spec)).second;
    };
    EXPECT_TRUE(changed([](Case& spec) { spec.workload = "mnist_mlp"; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.mode = plan::Mode::Infer; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.device = "cuda:0"; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.precision = plan::Precision::Bf16; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.batch = 64; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.threads = 3; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.threads.reset(); }));
    EXPECT_TRUE(changed([](Case& spec) { spec.isa = "avx2"; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.isa = ""; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.data = "/data/mnist"; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.optimizer = "adam"; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.kernels = "openblas"; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.part = Part::Pipeline; }));
    EXPECT_TRUE(changed([](Case& spec) { spec.part = Part::Together; }));
    EXPECT_FALSE(changed([](Case& spec) { spec.seed = 99; }));
}

TEST(CaseHash, FieldsDoNotRunIntoEachOther) {
    auto a = exampleCase();
    auto b = exampleCase();
    a.data = "ab";
    a.optimizer = "c";
    b.data = "a";
    b.optimizer = "bc";
    EXPECT_NE(caseHash(a), caseHash(b));
}

TEST(CaseLabel, SaysWhatDistinguishesTheCase) {
    auto spec = exampleCase();
    EXPECT_EQ(caseLabel(spec), "mnist_cnn train cpu fp32 b128 t2");
    spec.threads.reset();
    spec.isa = "avx2";
    spec.data = "/home/me/mnist/";
    EXPECT_EQ(caseLabel(spec), "mnist_cnn train cpu fp32 b128 avx2 data=mnist");
    spec.kernels = "onednn";
    spec.part = Part::Together;
    EXPECT_EQ(caseLabel(spec), "mnist_cnn train cpu fp32 b128 avx2 onednn data=mnist (together)");
}

TEST(CaseLabel, NamesFilesWithoutTheirFolders) {
    auto spec = exampleCase();
    spec.threads.reset();
    const auto labelOf = [&](const char* workload) {
        spec.workload = workload;
        return caseLabel(spec);
    };
    const std::string rest = " train cpu fp32 b128";
    EXPECT_EQ(labelOf("/home/me/net.onnx(batch=2)#1a2b3c4d"), "net.onnx(batch=2)#1a2b3c4d" + rest);
    EXPECT_EQ(labelOf("/home/me/llama/config.json(mode=train,tokens=64)#1a2b3c4d"),
              "llama/config.json(mode=train,tokens=64)#1a2b3c4d" + rest);
    for (const auto* whole : {"llama/config.json", "config.json", "mnist_cnn(file=/a/b)"})
        EXPECT_EQ(labelOf(whole), whole + rest);
    EXPECT_EQ(labelOf("/config.json"), "config.json" + rest);
}

template <typename Enum, typename FromString>
void expectNamesRoundTrip(int count, FromString fromString) {
    std::set<std::string_view> names;
    for (int i = 0; i < count; ++i) {
        const auto name = toString(static_cast<Enum>(i));
        EXPECT_FALSE(name.empty());
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(fromString(name), static_cast<Enum>(i)) << name;
    }
    EXPECT_TRUE(toString(static_cast<Enum>(count)).empty()) << "a value without a name, or a wrong count here";
    EXPECT_FALSE(fromString("nonsense"));
    EXPECT_FALSE(fromString(""));
}

TEST(Names, RoundTrip) {
    expectNamesRoundTrip<Status>(7, statusFromString);
    expectNamesRoundTrip<Part>(3, partFromString);
    expectNamesRoundTrip<VerificationState>(3, verificationStateFromString);
    expectNamesRoundTrip<StopReason>(4, stopReasonFromString);
    expectNamesRoundTrip<Phase>(5, phaseFromString);
    expectNamesRoundTrip<EventKind>(7, eventKindFromString);
}

}  // namespace
}  // namespace steelyard::bench
