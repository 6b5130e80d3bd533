// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/core/messages/begin_list.h"
// Sources of the window include this header. lupdate loses a list that it meets through an include, and does not follow
// this form.
#define STEELYARD_APP_MESSAGES "engine/core/messages/app.inc"
namespace steelyard::app::messages {
#include STEELYARD_APP_MESSAGES
}
#undef STEELYARD_APP_MESSAGES
#include "engine/core/messages/end_list.h"
