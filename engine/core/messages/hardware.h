// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/core/messages/begin_list.h"
namespace steelyard::hardware::messages {
#include "engine/core/messages/hardware.inc"
}
#include "engine/core/messages/end_list.h"
