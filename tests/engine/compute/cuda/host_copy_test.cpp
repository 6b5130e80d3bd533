// SPDX-License-Identifier: Apache-2.0
// Copies between host and the simulated device: correct data, no leaks, and error messages.
#include <gtest/gtest.h>

#include "engine/compute/host_copies.h"
#include "tests/engine/compute/cuda/simulated_device.h"

namespace steelyard::compute::cuda {
namespace {

using test::Script;
using test::SimulatedProvider;

TEST(HostCopies, ArriveInBothDirectionsFromBothKindsOfMemory) {
    const auto provider = std::make_shared<SimulatedProvider>();
    const auto backend = makeCudaBackend(provider);
    auto* copies = hostCopiesOf(*backend);
    ASSERT_NE(copies, nullptr);
    for (const bool toDevice : {true, false})
        for (const bool pinned : {true, false}) {
            const auto copy = copies->prepareCopy({"cuda:0", toDevice, pinned, Bytes(100'003)});
            ASSERT_TRUE(copy) << describe(copy.error());
            EXPECT_FALSE((*copy)->check()) << "nothing was copied yet";
            for (int i = 0; i < 2; ++i) {
                const auto seconds = (*copy)->run();
                ASSERT_TRUE(seconds) << describe(seconds.error());
                EXPECT_TRUE(*seconds) << "the device has events";
            }
            const auto arrived = (*copy)->check();
            EXPECT_TRUE(arrived) << describe(arrived.error());
            EXPECT_EQ(provider->record().livePinned > 0, pinned);
        }
    EXPECT_EQ(provider->record().liveAllocations, 0);
    EXPECT_EQ(provider->record().livePinned, 0);
    EXPECT_EQ(provider->record().liveEvents, 0);
}

TEST(HostCopies, SayWhatIsWrong) {
    const auto provider = std::make_shared<SimulatedProvider>(Script{.freeBytes = 1000});
    const auto backend = makeCudaBackend(provider);
    auto& copies = *hostCopiesOf(*backend);
    EXPECT_EQ(copies.prepareCopy({"cuda:0", true, true, Bytes(1 << 20)}).error().kind, ErrorKind::OutOfMemory);
    EXPECT_EQ(copies.prepareCopy({"cuda:7", true, true, Bytes(1)}).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(copies.prepareCopy({"cuda:0", true, true, Bytes(0)}).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(provider->record().liveAllocations, 0);
}

// Whichever call fails, the failure is a value and everything is released.
TEST(HostCopies, GiveBackEverythingAfterAFailure) {
    for (int failing = 0; failing < 12; ++failing) {
        const auto provider = std::make_shared<SimulatedProvider>(Script{.failingCall = failing});
        const auto backend = makeCudaBackend(provider);
        {
            const auto copy = hostCopiesOf(*backend)->prepareCopy({"cuda:0", false, true, Bytes(5000)});
            if (copy && (*copy)->run()) (void)(*copy)->check();
        }
        EXPECT_EQ(provider->record().liveAllocations, 0) << failing;
        EXPECT_EQ(provider->record().livePinned, 0) << failing;
        EXPECT_EQ(provider->record().liveEvents, 0) << failing;
    }
}

}  // namespace
}  // namespace steelyard::compute::cuda
