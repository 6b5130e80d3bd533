// SPDX-License-Identifier: Apache-2.0
// An advice as text for the terminal.
#pragma once

#include <iosfwd>

#include "engine/advisor/cost/purchase.h"

namespace steelyard::cli {

// The choices with their reasons, the `lines` best of the ranking, how many were left out and why, and the sensitivity.
void printAdvice(std::ostream& out, const advisor::AdviceRequest& request, const advisor::Advice& advice,
                 std::size_t lines);
void printPurchase(std::ostream& out, const advisor::Purchase& purchase);

}  // namespace steelyard::cli
