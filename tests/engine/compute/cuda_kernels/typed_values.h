// SPDX-License-Identifier: Apache-2.0
// Values in one of the kernels' element types, converted from and to Float32.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/compute/reference/rounding.h"
#include "engine/core/random.h"

namespace steelyard::compute::cuda::kernels {

[[nodiscard]] inline model::DataType dataTypeOf(ElementType type) {
    return type == ElementType::F32   ? model::DataType::Float32
           : type == ElementType::F16 ? model::DataType::Float16
                                      : model::DataType::BFloat16;
}
[[nodiscard]] inline float rounded(ElementType type, float value) {
    return reference::roundedTo(dataTypeOf(type), value);
}
[[nodiscard]] inline std::vector<float> rounded(ElementType type, std::vector<float> values) {
    for (auto& value : values) value = rounded(type, value);
    return values;
}

// Owns its memory; 16-byte aligned unless an offset in elements is given.
class Typed {
public:
    Typed(ElementType type, std::int64_t count, std::int64_t shift = 0);
    Typed(ElementType type, const std::vector<float>& values, std::int64_t shift = 0);
    [[nodiscard]] void* data();
    [[nodiscard]] std::vector<float> floats() const;

private:
    ElementType m_type;
    std::int64_t m_count, m_shift;
    std::vector<std::uint64_t> m_words;
};

// A single value in memory accessible to kernels: on the heap (see device_main.cpp).
template <typename T>
class Placed {
public:
    explicit Placed(const T& value) : m_value(std::make_unique<T>(value)) {}
    [[nodiscard]] T* get() const { return m_value.get(); }
    T* operator->() const { return m_value.get(); }
    T& operator*() const { return *m_value; }

private:
    std::unique_ptr<T> m_value;
};

[[nodiscard]] inline std::vector<float> normals(std::int64_t count, std::uint64_t seed, float spread = 1) {
    std::vector<float> values(static_cast<std::size_t>(count));
    const RandomStream noise(seed, 0x51);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = spread * noise.normal(static_cast<std::uint32_t>(i));
    return values;
}

// Largest difference over the largest magnitude of `expected` (at least 1e-3).
[[nodiscard]] double difference(const std::vector<float>& expected, const std::vector<float>& found);

// Rounding error of a single rounding to the type, relative to the largest value.
[[nodiscard]] constexpr double toleranceOf(ElementType type) {
    return type == ElementType::F32 ? 2e-5 : type == ElementType::F16 ? 1e-3 : 8e-3;
}

inline constexpr ElementType kTypes[] = {ElementType::F32, ElementType::F16, ElementType::Bf16};

}  // namespace steelyard::compute::cuda::kernels
