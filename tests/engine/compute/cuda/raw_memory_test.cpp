// SPDX-License-Identifier: Apache-2.0
// Plain memory of the simulated device: what is written is read, nothing leaks, errors are values.
#include "engine/compute/raw_memory.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/engine/compute/cuda/simulated_device.h"

namespace steelyard::compute::cuda {
namespace {

using test::Script;
using test::SimulatedProvider;

TEST(RawMemory, IsWrittenAndReadInPlace) {
    const auto provider = std::make_shared<SimulatedProvider>();
    const auto backend = makeCudaBackend(provider);
    auto* source = rawMemoryOf(*backend);
    ASSERT_NE(source, nullptr);
    EXPECT_GT(source->freeMemory("cuda:0")->value(), 0);
    {
        const auto memory = source->allocateRaw("cuda:0", Bytes(1000));
        ASSERT_TRUE(memory) << describe(memory.error());
        EXPECT_EQ((*memory)->bytes(), 1000);
        const std::array<std::byte, 4> written{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
        ASSERT_TRUE((*memory)->write(500, written));
        std::array<std::byte, 2> read{};
        ASSERT_TRUE((*memory)->read(501, read));
        EXPECT_EQ(read[0], std::byte{2});
        EXPECT_EQ(read[1], std::byte{3});
        EXPECT_EQ(provider->record().liveAllocations, 1);
    }
    EXPECT_EQ(provider->record().liveAllocations, 0);
}

TEST(RawMemory, SaysWhatIsWrong) {
    const auto provider = std::make_shared<SimulatedProvider>(Script{.freeBytes = 1000});
    const auto backend = makeCudaBackend(provider);
    auto& source = *rawMemoryOf(*backend);
    EXPECT_EQ(source.allocateRaw("cuda:0", Bytes(1 << 20)).error().kind, ErrorKind::OutOfMemory);
    EXPECT_EQ(source.allocateRaw("cuda:7", Bytes(1)).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(source.freeMemory("cuda:7").error().kind, ErrorKind::NotFound);
    for (int failing = 0; failing < 10; ++failing) {
        const auto faulty = std::make_shared<SimulatedProvider>(Script{.failingCall = failing});
        const auto device = makeCudaBackend(faulty);
        std::array<std::byte, 8> bytes{};
        if (const auto memory = rawMemoryOf(*device)->allocateRaw("cuda:0", Bytes(64)))
            if ((*memory)->write(0, bytes)) (void)(*memory)->read(0, bytes);
        EXPECT_EQ(faulty->record().liveAllocations, 0) << failing;
    }
}

}  // namespace
}  // namespace steelyard::compute::cuda
