// SPDX-License-Identifier: Apache-2.0
// Before a list of messages: each line becomes a constant (engine/core/message.h). end_list.h takes it back.
// MESSAGE is also the name by which lupdate finds the patterns (ui/CMakeLists.txt): the id is the context.
#include "engine/core/message.h"

#define DECLARE(name) inline constexpr auto name =
#define MESSAGE(id, english) ::steelyard::MessagePattern<::steelyard::countPlaces(english)>{id, english};
