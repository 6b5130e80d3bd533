// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/predictor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/advisor/predict/transfer.h"
#include "engine/model/zoo/zoo.h"
#include "tests/engine/advisor/advisor_fixture.h"

namespace steelyard::advisor {
namespace {

using plan::Mode;
using plan::Precision;
using test::device;
using test::job;
using test::shippedCatalog;
using test::shippedParameters;

Prediction predicted(const Predictor& predictor, const JobModel& job, const DeviceModel& device, double count = 1,
                     std::string_view software = kThisEngine) {
    const auto result = predictor.predict(job, {.device = &device, .count = count}, software);
    EXPECT_TRUE(result) << describe(result.error());
    return *result;
}

TEST(Predictor, PredictsEveryNetworkOnEveryDeviceOrSaysWhyNot) {
    const Predictor predictor(shippedParameters());
    int answered = 0, refused = 0;
    for (const auto& workload : model::workloads()) {
        const auto mode = workload.inferenceOnly ? Mode::Infer : Mode::Train;
        const auto work = job(workload.id, mode, workload.batch);
        for (const auto& spec : shippedCatalog().hardware) {
            MissingFigure missing = MissingFigure::None;
            const auto model = deviceModel(spec, shippedParameters(), &missing);
            if (!model) {
                EXPECT_NE(missing, MissingFigure::None) << spec.id;
                ++refused;
                continue;
            }
            const auto p = predicted(predictor, work, *model);
            ASSERT_TRUE(p.hasTime()) << spec.id << " " << workload.id;
            ++answered;
            EXPECT_TRUE(std::isfinite(p.seconds.median) && p.seconds.median > 0) << spec.id << " " << workload.id;
            EXPECT_LE(p.seconds.low, p.seconds.median);
            EXPECT_LE(p.seconds.median, p.seconds.high);
            EXPECT_GE(p.seconds.low, p.boundSeconds) << spec.id << " " << workload.id;  // physics
            EXPECT_GT(p.neededBytes, 0);
        }
    }
    EXPECT_GT(answered, 80 * 35);
    EXPECT_LT(refused, 14 * 40);
}

TEST(Predictor, NamesSoftwareAndUsesItsFactor) {
    const Predictor predictor(shippedParameters());
    const auto work = job("resnet50", Mode::Train, 64, Precision::Fp16);
    const auto card = device("rtx3090");
    const auto own = predicted(predictor, work, card);
    EXPECT_EQ(own.software, "steelyard");
    EXPECT_EQ(own.basis, Basis::Extrapolated);
    EXPECT_EQ(own.bandClass, BandClass::Unmeasured);
    const auto published = predicted(predictor, work, card, 1, "ngc22");
    EXPECT_EQ(published.bandClass, BandClass::KnownStack);
    EXPECT_LT(published.seconds.high / published.seconds.low, own.seconds.high / own.seconds.low);
    const auto unknown = predictor.predict(work, {.device = &card}, "abacus");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(predicted(predictor, work, device("epyc_7763"), 1, "ngc22").refusal, Refusal::PrecisionUnsupported);
    EXPECT_EQ(predicted(predictor, job("resnet50", Mode::Train, 64), device("epyc_7763"), 1, "ngc22").refusal,
              Refusal::SoftwareNotForDevice);
}

TEST(Predictor, RefusesWhatItCannotKnow) {
    const Predictor predictor(shippedParameters());
    const auto bf16 = job("resnet50", Mode::Train, 64, Precision::Bf16);
    EXPECT_EQ(predicted(predictor, bf16, device("rtx2080ti")).refusal, Refusal::PrecisionUnsupported);
    EXPECT_TRUE(predicted(predictor, bf16, device("rtx3090")).hasTime());
    EXPECT_EQ(predicted(predictor, job("resnet50", Mode::Train, 64, Precision::Tf32), device("gtx1080")).refusal,
              Refusal::PrecisionUnsupported);
    EXPECT_EQ(predicted(predictor, bf16, device("l4"), 0.125).refusal, Refusal::PartOfDevice);
    EXPECT_EQ(predicted(predictor, job("resnet50", Mode::Train, 4), device("a100_sxm_40"), 8).refusal,
              Refusal::BatchBelowDevices);
    MissingFigure missing = MissingFigure::None;
    EXPECT_FALSE(deviceModel(*shippedCatalog().findHardware("ryzen_7950x3d"), shippedParameters(), &missing));
    EXPECT_EQ(missing, MissingFigure::Bandwidth);
}

TEST(Predictor, SaysWhatDoesNotFitAndByHowMuch) {
    const Predictor predictor(shippedParameters());
    const auto card = device("v100_sxm2_16");
    const auto small = predicted(predictor, job("flowers_vgg16", Mode::Train, 16), card);
    const auto large = predicted(predictor, job("flowers_vgg16", Mode::Train, 128), card);
    EXPECT_EQ(small.fits, Fits::Yes);
    EXPECT_EQ(large.fits, Fits::No);
    EXPECT_GT(large.neededBytes, 1.05 * *large.availableBytes);
    const auto container =
        predictor.predict(job("flowers_vgg16", Mode::Train, 16), {.device = &card, .memoryBytes = 1e9});
    EXPECT_EQ(container->fits, Fits::No);
}

TEST(Predictor, TakesWhatWasMeasured) {
    const auto card = device("rtx3090");
    const auto work = job("resnet50", Mode::Train, 64, Precision::Fp16);
    const Predictor predictor(shippedParameters(), {{work, card, std::string(kThisEngine), {0.09, 0.1, 0.11}}});
    const auto p = predicted(predictor, work, card);
    EXPECT_EQ(p.basis, Basis::Measured);
    EXPECT_EQ(p.seconds, (Interval{0.09, 0.1, 0.11}));
    EXPECT_FALSE(p.bandClass);
}

// A small network's weights remain in a cache, which the bound does not model.
TEST(Predictor, BelievesAMeasurementBelowTheBound) {
    const auto card = device("rtx3090");
    const auto work = job("mnist_mlp", Mode::Infer, 16);
    const double bound = predicted(Predictor(shippedParameters()), work, card).boundSeconds;
    ASSERT_GT(bound, 0);
    const Interval measured{0.5 * bound, 0.6 * bound, 0.7 * bound};
    const auto p =
        predicted(Predictor(shippedParameters(), {{work, card, std::string(kThisEngine), measured}}), work, card);
    EXPECT_EQ(p.basis, Basis::Measured);
    EXPECT_EQ(p.seconds, measured);
    EXPECT_DOUBLE_EQ(p.boundSeconds, measured.low);
}

TEST(Predictor, GivesAMeasurementWithoutAnIntervalABand) {
    const auto card = device("rtx3090");
    const auto work = job("resnet50", Mode::Train, 64, Precision::Fp16);
    const Predictor predictor(shippedParameters(), {{work, card, std::string(kThisEngine), {0.1, 0.1, 0.1}}});
    const auto p = predicted(predictor, work, card);
    EXPECT_EQ(p.basis, Basis::Measured);
    EXPECT_DOUBLE_EQ(p.seconds.median, 0.1);
    EXPECT_LT(p.seconds.low, 0.09);
    EXPECT_GT(p.seconds.high, 0.11);
}

TEST(Predictor, CarriesMeasurementsToRelatives) {
    const auto home = device("rtx3090"), relative = device("rtx3080ti"), stranger = device("a100_sxm_40");
    const auto work = job("resnet50", Mode::Train, 64, Precision::Fp16);
    const Predictor naive(shippedParameters());
    const double modelled = predicted(naive, work, home).seconds.median;
    const Predictor taught(shippedParameters(),
                           {{work, home, std::string(kThisEngine), {1.4 * modelled, 1.5 * modelled, 1.6 * modelled}}});
    const auto near = predicted(taught, work, relative);
    EXPECT_EQ(near.bandClass, BandClass::SameGenerationTransfer);
    EXPECT_EQ(near.basis, Basis::Anchored);
    EXPECT_NEAR(near.seconds.median, predicted(naive, work, relative).seconds.median * std::pow(1.5, kTransferShare),
                1e-12);
    // A device of another generation only indicates the software factor: a third of the deviation is discarded.
    const auto far = predicted(taught, work, stranger);
    EXPECT_EQ(far.bandClass, BandClass::OtherGenerationTransfer);
    const double factor = far.seconds.median / predicted(naive, work, stranger).seconds.median;
    EXPECT_GT(factor, 1.15);
    EXPECT_LT(factor, 1.5);
    // The same network at a similar batch is a reference; at a very different one it is another job.
    auto other = work;
    other.batch = 128;
    EXPECT_EQ(predicted(taught, other, relative).bandClass, BandClass::SameGenerationTransfer);
    other.batch = 1024;
    EXPECT_EQ(predicted(taught, other, relative).bandClass, BandClass::OtherGenerationTransfer);
}

TEST(Predictor, TakesTheMedianOfSeveralReferences) {
    const auto work = job("bert_base_384", Mode::Train, 16, Precision::Fp16);
    const Predictor naive(shippedParameters());
    std::vector<Reference> references;
    for (const auto& [id, factor] :
         {std::pair{"rtx3090", 1.2}, std::pair{"v100_sxm2_32", 1.3}, std::pair{"titanrtx", 3.0}}) {
        const double seconds = factor * predicted(naive, work, device(id)).seconds.median;
        references.push_back({work, device(id), std::string(kThisEngine), {seconds, seconds, seconds}});
    }
    const Predictor taught(shippedParameters(), references);
    const auto p = predicted(taught, work, device("h100_sxm"));
    EXPECT_EQ(p.bandClass, BandClass::MedianTransfer);
    EXPECT_NEAR(p.seconds.median / predicted(naive, work, device("h100_sxm")).seconds.median,
                std::pow(1.3, kTransferShare), 1e-9);
}

TEST(Predictor, CorrectsByOtherJobsOnTheDevice) {
    const auto card = device("rtx4090");
    const Predictor naive(shippedParameters());
    std::vector<Reference> references;
    for (const char* id : {"resnet18", "resnet34", "resnet101"}) {
        const auto anchor = job(id, Mode::Train, 64, Precision::Fp16);
        const double seconds = 2 * predicted(naive, anchor, card).seconds.median;
        references.push_back({anchor, card, std::string(kThisEngine), {seconds, seconds, seconds}});
    }
    const Predictor taught(shippedParameters(), references);
    const auto work = job("vgg16", Mode::Train, 64, Precision::Fp16);
    const auto p = predicted(taught, work, card);
    EXPECT_EQ(p.bandClass, BandClass::Anchored);
    EXPECT_NEAR(p.seconds.median / predicted(naive, work, card).seconds.median, std::pow(2, 3 / 3.5), 1e-9);
}

TEST(Predictor, SharesTheBatchAmongDevicesAndExchangesGradients) {
    const Predictor predictor(shippedParameters());
    const auto card = device("a100_sxm_40");
    const auto work = job("resnet50", Mode::Train, 1024, Precision::Fp16);
    const auto one = predicted(predictor, work, card), eight = predicted(predictor, work, card, 8);
    const double efficiency = parallelEfficiency(one.seconds.median, eight.seconds.median, 8);
    EXPECT_GT(efficiency, 0.6);
    EXPECT_LE(efficiency, 1);
    EXPECT_LT(eight.neededBytes, one.neededBytes);
    // Wide layers at a small batch: little computation, much exchange.
    const auto wide = job("fcn_s", Mode::Train, 64, Precision::Fp16);
    auto slow = card;
    slow.linkBytesPerSecond = 8e9;
    EXPECT_GT(predicted(predictor, wide, slow, 4).exchangeSeconds, 0);
    EXPECT_LT(parallelEfficiency(predicted(predictor, wide, slow).seconds.median,
                                 predicted(predictor, wide, slow, 4).seconds.median, 4),
              0.5);
}

TEST(Predictor, PredictsProcessorsByTheirCores) {
    const Predictor predictor(shippedParameters());
    const auto work = job("resnet50", Mode::Train, 16);
    const auto whole = device("xeon_8480p");
    const auto p8 = predicted(predictor, work, partOf(whole, 8)), p32 = predicted(predictor, work, partOf(whole, 32));
    EXPECT_LT(p32.seconds.median, p8.seconds.median);
    EXPECT_GT(p32.seconds.median, p8.seconds.median / 4);
    EXPECT_EQ(p8.bandClass, BandClass::Unmeasured);
    // Small networks gain little from many cores.
    const auto small = job("mnist_mlp", Mode::Train, 128);
    EXPECT_GT(predicted(predictor, small, partOf(whole, 32)).seconds.median,
              0.5 * predicted(predictor, small, partOf(whole, 8)).seconds.median);
    // A measurement on one processor corrects another.
    const double seconds = 0.4 * p8.seconds.median;
    const Predictor taught(shippedParameters(),
                           {{work, partOf(whole, 8), std::string(kThisEngine), {seconds, seconds, seconds}}});
    const auto moved = predicted(taught, work, partOf(device("epyc_7763"), 16));
    EXPECT_EQ(moved.bandClass, BandClass::OtherProcessor);
    EXPECT_LT(moved.seconds.median, predicted(predictor, work, partOf(device("epyc_7763"), 16)).seconds.median);
}

TEST(Predictor, MarksAcceleratorsAsUncalibrated) {
    const Predictor predictor(shippedParameters());
    const auto p = predicted(predictor, job("resnet50", Mode::Train, 128, Precision::Bf16), device("tpu_v4"));
    EXPECT_EQ(p.bandClass, BandClass::Uncalibrated);
    EXPECT_GT(p.seconds.high / p.seconds.low, 5);
    EXPECT_EQ(predicted(predictor, job("resnet50", Mode::Train, 128, Precision::Fp16), device("mi300x")).bandClass,
              BandClass::Unmeasured);
}

TEST(Predictor, DecodesAtTheSpeedOfTheMemory) {
    const Predictor predictor(shippedParameters());
    const auto work = job("gpt2_small_decode", Mode::Infer, 1, Precision::Fp16);
    ASSERT_TRUE(work.isDecode());
    const auto card = device("rtx3090");
    const auto p = predicted(predictor, work, card);
    EXPECT_NEAR(p.seconds.median, (work.parameters + work.cachedElements) * 2 / (935.8e9 * 0.82), 1e-9);
    EXPECT_EQ(p.limit, Limit::Bandwidth);
}

TEST(Predictor, KnowsThePipelineAsALimit) {
    const Predictor predictor(shippedParameters());
    const auto work = job("resnet50", Mode::Train, 100, Precision::Fp16);
    const auto card = device("h100_sxm");
    const auto p = predictor.predict(work, {.device = &card, .inputSamplesPerSecond = 100.0});
    EXPECT_EQ(p->limit, Limit::Input);
    EXPECT_DOUBLE_EQ(p->seconds.median, 1);
    EXPECT_EQ(predicted(predictor, job("mnist_mlp", Mode::Train, 128), card, 1, "pt1").limit, Limit::Overhead);
}

}  // namespace
}  // namespace steelyard::advisor
