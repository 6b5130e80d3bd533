// SPDX-License-Identifier: Apache-2.0
// std::visit(Overloaded{[](const Dense& layer) {...}, [](const auto&) {...}}, variant): one lambda per alternative.
#pragma once

namespace steelyard {

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;  // Clang 14 deduces no arguments of aggregates

}  // namespace steelyard
