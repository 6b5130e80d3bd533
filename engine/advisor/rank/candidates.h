// SPDX-License-Identifier: Apache-2.0
// Everything that could do a job, predicted and priced, not yet ranked. Internal to the advisor.
#pragma once

#include <vector>

#include "engine/advisor/rank/ranking.h"

namespace steelyard::advisor {

[[nodiscard]] Result<std::vector<Candidate>> candidatesFor(const AdviceRequest& request,
                                                           const catalog::Catalog& catalog, const Predictor& predictor);

}  // namespace steelyard::advisor
