// SPDX-License-Identifier: Apache-2.0
// All candidates for a job, predicted and priced but not ranked. Internal to the advisor.
#pragma once

#include <vector>

#include "engine/advisor/rank/ranking.h"

namespace steelyard::advisor {

[[nodiscard]] Result<std::vector<Candidate>> candidatesFor(const AdviceRequest& request,
                                                           const catalog::Catalog& catalog, const Predictor& predictor);

}  // namespace steelyard::advisor
