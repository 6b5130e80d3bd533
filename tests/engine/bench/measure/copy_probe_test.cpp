// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/copy_probe.h"

#include <gtest/gtest.h>

namespace steelyard::bench {
namespace {

// A link of simulated speed on the test's clock: pinned copies are four times faster, the first one is slow.
struct FakeLink final : compute::HostCopies {
    explicit FakeLink(ManualClock& testClock) : clock(testClock) {}
    Result<std::unique_ptr<compute::HostCopy>> prepareCopy(const compute::CopyRequest& request) override {
        if (request.bytes > memory) return fail(ErrorKind::OutOfMemory, request.device);
        return std::make_unique<Copy>(*this, request);
    }

    struct Copy final : compute::HostCopy {
        Copy(FakeLink& l, const compute::CopyRequest& r) : link(l), request(r) {}
        Result<std::optional<double>> run() override {
            const double rate = (request.pinned ? 40e9 : 10e9) / (request.toDevice ? 1 : 2);
            const double seconds = static_cast<double>(request.bytes.value()) / rate;
            link.clock.advance(Seconds(++runs == 1 ? 100 * seconds : seconds));
            if (link.events) return seconds / 2;
            return std::optional<double>();
        }
        Result<void> check() override {
            if (link.loses && !request.pinned) return fail(ErrorKind::Internal, "copy", Message("bytes are lost"));
            return {};
        }
        FakeLink& link;
        compute::CopyRequest request;
        int runs = 0;
    };

    ManualClock& clock;
    Bytes memory{std::int64_t{1} << 30};
    bool events = false, loses = false;
};

TEST(CopyProbe, TellsTheBestOfEachKindWithoutTheFirst) {
    ManualClock clock;
    FakeLink link(clock);
    const auto rates = measureCopies(link, "cuda:0", clock);
    EXPECT_NEAR(*rates.toDevicePinned, 40e9, 1e6);
    EXPECT_NEAR(*rates.toDevicePageable, 10e9, 1e6);
    EXPECT_NEAR(*rates.toHostPinned, 20e9, 1e6);
    EXPECT_NEAR(*rates.toHostPageable, 5e9, 1e6);
    CaseRecord record;
    recordCopyRates(record, rates);
    EXPECT_EQ(record.conditions.at("to_device_pinned_bytes_per_second"), "4e+10");
    EXPECT_EQ(record.conditions.size(), 4);
}

TEST(CopyProbe, PrefersTheDevicesOwnTime) {
    ManualClock clock;
    FakeLink link(clock);
    link.events = true;
    EXPECT_NEAR(*measureCopies(link, "cuda:0", clock).toDevicePinned, 80e9, 1e6);
}

TEST(CopyProbe, WhatDidNotArriveOrFitIsUnknown) {
    ManualClock clock;
    FakeLink link(clock);
    link.loses = true;
    const auto rates = measureCopies(link, "cuda:0", clock);
    EXPECT_TRUE(rates.toDevicePinned);
    EXPECT_FALSE(rates.toDevicePageable);
    link.memory = Bytes(1);
    const auto none = measureCopies(link, "cuda:0", clock);
    EXPECT_FALSE(none.toDevicePinned || none.toHostPageable);
    CaseRecord record;
    recordCopyRates(record, none);
    EXPECT_TRUE(record.conditions.empty());
}

TEST(CopyProbe, ABackendWithoutCopiesOffersNone) {
    struct Plain final : compute::Backend {
        std::string_view name() const override { return "plain"; }
        std::vector<compute::Device> devices() const override { return {}; }
        std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
        Result<void> supports(const plan::Operation&, const plan::Plan&) const override { return {}; }
        Result<std::unique_ptr<compute::Executable>> compile(std::shared_ptr<const plan::Plan>,
                                                             const compute::CompileOptions&) override {
            return fail(ErrorKind::Unsupported, "plain");
        }
    };
    Plain plain;
    EXPECT_EQ(compute::hostCopiesOf(plain), nullptr);
}

}  // namespace
}  // namespace steelyard::bench
