// SPDX-License-Identifier: Apache-2.0
// A recommendation as text for the terminal.
#pragma once

#include <iosfwd>

#include "engine/advisor/cost/purchase.h"

namespace steelyard::cli {

// The choices with reasons, the top `lines` of the ranking, the number of excluded candidates by reason, and the
// sensitivity analysis.
void printAdvice(std::ostream& out, const advisor::AdviceRequest& request, const advisor::Advice& advice,
                 std::size_t lines, const ExchangeRate& money);
void printPurchase(std::ostream& out, const advisor::Purchase& purchase, const ExchangeRate& money);

}  // namespace steelyard::cli
