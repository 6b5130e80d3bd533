// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda_kernels/typed_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/compute/cuda/kernels/execution/portable.h"

namespace steelyard::compute::cuda::kernels {

Typed::Typed(ElementType type, std::int64_t count, std::int64_t shift) : m_type(type), m_count(count), m_shift(shift) {
    m_words.assign(static_cast<std::size_t>((count + shift) * bytesOf(type) / 8 + 8), 0x7fc07fc07fc07fc0ULL);  // NaN
}

Typed::Typed(ElementType type, const std::vector<float>& values, std::int64_t shift)
    : Typed(type, static_cast<std::int64_t>(values.size()), shift) {
    auto* bytes = static_cast<unsigned char*>(data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint16_t narrow = type == ElementType::F16 ? halfBits(values[i]) : bfloat16Bits(values[i]);
        const auto width = static_cast<std::size_t>(bytesOf(type));
        if (type == ElementType::F32)
            std::memcpy(bytes + i * width, &values[i], width);
        else
            std::memcpy(bytes + i * width, &narrow, width);
    }
}

void* Typed::data() {
    auto address = reinterpret_cast<std::uintptr_t>(m_words.data());
    address = (address + 15) / 16 * 16;
    return reinterpret_cast<unsigned char*>(address) + m_shift * bytesOf(m_type);
}

std::vector<float> Typed::floats() const {
    const auto* bytes = static_cast<const unsigned char*>(const_cast<Typed*>(this)->data());
    std::vector<float> values(static_cast<std::size_t>(m_count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (m_type == ElementType::F32) {
            std::memcpy(&values[i], bytes + i * 4, 4);
            continue;
        }
        std::uint16_t narrow = 0;
        std::memcpy(&narrow, bytes + i * 2, 2);
        values[i] = m_type == ElementType::F16 ? toFloat(Half{narrow}) : toFloat(Bfloat16{narrow});
    }
    return values;
}

double difference(const std::vector<float>& expected, const std::vector<float>& found) {
    if (expected.size() != found.size()) return HUGE_VAL;
    double largest = 1e-3, worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
        const double off = std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i]));
        if (!(off <= worst)) worst = std::isnan(off) ? HUGE_VAL : off;
    }
    return worst / largest;
}

}  // namespace steelyard::compute::cuda::kernels
