// SPDX-License-Identifier: Apache-2.0
#include "engine/core/date.h"

#include <gtest/gtest.h>

#include "engine/core/clock.h"

namespace steelyard {
namespace {

TEST(Date, BeginsAtMidnight) {
    EXPECT_EQ(unixMillisecondsOfDate("1970-01-01"), 0);
    EXPECT_EQ(formatIsoTime(unixMillisecondsOfDate("2026-08-03").value()), "2026-08-03T00:00:00Z");
    EXPECT_EQ(formatIsoTime(unixMillisecondsOfDate("2024-02-29").value()), "2024-02-29T00:00:00Z");
}

TEST(Date, WhatIsNoDayIsNothing) {
    for (const auto* text :
         {"", "2026", "2026-8-3", "2026-02-30", "2026-13-01", "2026-00-01", "2026-01-00", "03.08.2026", "2026-08-03T",
          "2026/08/03", "-026-08-03", "2026--8-03", "2026-08-0x", "1969-12-31"})
        EXPECT_EQ(unixMillisecondsOfDate(text), std::nullopt) << text;
}

}  // namespace
}  // namespace steelyard
