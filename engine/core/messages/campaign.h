// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/core/messages/begin_list.h"
namespace steelyard::campaign::messages {
#include "engine/core/messages/campaign.inc"
}
#include "engine/core/messages/end_list.h"
