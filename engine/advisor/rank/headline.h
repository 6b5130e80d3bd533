// SPDX-License-Identifier: Apache-2.0
// The answer of an advice as one English sentence, with figures rounded as in the window: estimated times to two
// digits, money as in engine/core/money.h. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "engine/advisor/rank/ranking.h"

namespace steelyard::advisor {

// "T4", "8 x Xeon vCPU": the candidate's hardware; empty for own devices, whose title names it.
[[nodiscard]] std::string deviceName(const Candidate& candidate, const catalog::Catalog& catalog);

// "5.5 h", "2.1 d"
[[nodiscard]] std::string waitText(double hours);
// The same, for reasons.
[[nodiscard]] Message waitMessage(double hours);
// "4.6 to 6.9 h", in the unit of the median
[[nodiscard]] std::string waitBandText(const Interval& hours);
// "Amounts in EUR; 1 US dollar = 0.86 EUR (2026-11-20, ECB)."; empty for US dollars.
[[nodiscard]] std::string rateSentence(const ExchangeRate& rate);

// The own device that the job's precision or software leaves out, but that would take no longer in another one than the
// machine to rent; absent if renting is faster.
[[nodiscard]] const Candidate* ownIsEnough(const Advice& advice);

// "Rent AWS g4dn.xlarge (T4): training ResNet-50, batch 256, fp16 takes about 5.5 h (4.6 to 6.9 h) and costs $3.42
// ($2.90 to 4.20)." If an own device is enough, that comes first.
[[nodiscard]] std::string headline(const AdviceRequest& request, const Advice& advice, const catalog::Catalog& catalog,
                                   std::string_view workloadTitle, const ExchangeRate& rate = {});

}  // namespace steelyard::advisor
