// SPDX-License-Identifier: Apache-2.0
// All message lists in one table, and the core's messages. Included by message.cpp only.
#pragma once

#include "engine/core/message.h"
#include "engine/core/messages/core.h"

#define DECLARE(name)
#define MESSAGE(id, english) ::steelyard::MessageText{id, english},
namespace steelyard {
inline constexpr MessageText kAllMessages[] = {
#include "engine/core/messages/advisor.inc"
#include "engine/core/messages/app.inc"
#include "engine/core/messages/bench.inc"
#include "engine/core/messages/campaign.inc"
#include "engine/core/messages/catalog.inc"
#include "engine/core/messages/compute.inc"
#include "engine/core/messages/core.inc"
#include "engine/core/messages/data.inc"
#include "engine/core/messages/hardware.inc"
#include "engine/core/messages/history.inc"
#include "engine/core/messages/model.inc"
#include "engine/core/messages/onnx.inc"
#include "engine/core/messages/plan.inc"
#include "engine/core/messages/report.inc"
};
}  // namespace steelyard
#undef DECLARE
#undef MESSAGE
