// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/core/messages/begin_list.h"
namespace steelyard::history::messages {
#include "engine/core/messages/history.inc"
}
#include "engine/core/messages/end_list.h"
