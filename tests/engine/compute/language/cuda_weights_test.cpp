// SPDX-License-Identifier: Apache-2.0
// Weights that were split for a CUDA device keep the values of the file, in every format; on a simulated GPU.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compute/cuda/kernels/language/row_products.h"
#include "engine/compute/cuda/language/weight_upload.h"
#include "engine/core/random.h"
#include "engine/model/decoder/weight_blocks.h"
#include "tests/engine/compute/cuda/simulated_device.h"

namespace steelyard::compute::cuda {
namespace {

constexpr std::int64_t kRows = 5, kColumns = 512, kMatrices = 2;

// Random bytes, drawn again until the weights are finite and of a usual size.
std::vector<std::byte> randomBlocks(model::TensorType type, std::int64_t count) {
    const auto& format = model::formatOf(type);
    std::vector<std::byte> bytes;
    std::vector<float> values(static_cast<std::size_t>(format.blockWeights));
    std::uint32_t drawn = 0;
    while (std::ssize(bytes) < count * format.blockBytes) {
        std::vector<std::byte> block;
        for (std::int64_t i = 0; i < format.blockBytes; ++i)
            block.push_back(static_cast<std::byte>(RandomStream(3, 7).below(drawn++, 256)));
        model::dequantise(type, block.data(), values);
        if (std::ranges::all_of(values, [](float v) { return std::isfinite(v) && std::abs(v) < 1e6F; }))
            bytes.insert(bytes.end(), block.begin(), block.end());
    }
    return bytes;
}

class CudaWeights : public testing::TestWithParam<model::TensorType> {};

TEST_P(CudaWeights, KeepTheirValues) {
    const auto type = GetParam();
    const auto& format = model::formatOf(type);
    const auto blocks = randomBlocks(type, kMatrices * kRows * kColumns / format.blockWeights);
    const model::StoredMatrix matrix{type, kRows, kColumns, kMatrices, blocks.data()};

    test::SimulatedProvider provider;
    const auto device = provider.open(0).value();
    auto& runtime = *device->runtime;
    ASSERT_TRUE(runtime.makeCurrent());
    auto stored = kernels::storedAs(matrix);
    const auto memory = DeviceMemory::allocate(runtime, stored.bytes()).value();
    stored.data = memory.data();
    ASSERT_TRUE(WeightUpload::make(runtime).value().copy(matrix, stored));

    const auto result = DeviceMemory::allocate(runtime, kRows * kColumns * 4).value();
    std::vector<float> found(kRows * kColumns), expected(kRows * kColumns);
    for (std::int64_t which = 0; which < kMatrices; ++which) {
        ASSERT_TRUE(runtime.launch(runtime.stream(), [&] {
            return kernels::dequantise(runtime.stream(), stored, which, kernels::ElementType::F32, result.data());
        }));
        ASSERT_TRUE(runtime.copyToHost(found.data(), result.data(), result.bytes(), runtime.stream()));
        ASSERT_TRUE(runtime.synchronize(runtime.stream()));
        for (std::int64_t r = 0; r < kRows; ++r)
            model::dequantise(type, matrix.row(r, which),
                              std::span(expected).subspan(static_cast<std::size_t>(r * kColumns), kColumns));
        for (std::size_t i = 0; i < found.size(); ++i) {
            // An offset may be larger than the weight.
            float largest = 0;
            for (std::size_t j = i / 16 * 16; j < i / 16 * 16 + 16; ++j)
                largest = std::max(largest, std::abs(expected[j]));
            ASSERT_NEAR(found[i], expected[i], 1e-5F * largest) << which << ", " << i;
        }
    }
}

std::vector<model::TensorType> storedTypes() {
    std::vector<model::TensorType> types;
    for (int type = 0; type <= static_cast<int>(model::TensorType::Fp8); ++type)
        if (model::hasBlocks(static_cast<model::TensorType>(type)))
            types.push_back(static_cast<model::TensorType>(type));
    return types;
}
INSTANTIATE_TEST_SUITE_P(Formats, CudaWeights, testing::ValuesIn(storedTypes()),
                         [](const auto& instance) { return std::string(model::formatOf(instance.param).name); });

}  // namespace
}  // namespace steelyard::compute::cuda
