// SPDX-License-Identifier: Apache-2.0
// Private to the JSON sources of this folder: a protocol as JSON.
#pragma once

#include "engine/bench/measure/case_runner.h"
#include "engine/bench/record/record_json_parts.h"

namespace steelyard::bench {

[[nodiscard]] inline Json protocolToJson(const Protocol& protocol) {
    return Json{{"time_cap_seconds", protocol.timeCap.value()},
                {"precise", protocol.precise},
                {"verify", protocol.verify},
                {"sustained", protocol.sustained},
                {"profile", protocol.profile},
                {"sensors_per_second", protocol.sensorsPerSecond}};
}

[[nodiscard]] inline Protocol readProtocol(const Json& json, const std::string& path, std::optional<Error>& error) {
    Protocol protocol;
    JsonReader reader(json, path, error);
    double timeCap = 0;
    reader.require("time_cap_seconds", timeCap);
    protocol.timeCap = Seconds(timeCap);
    reader.require("precise", protocol.precise);
    reader.require("verify", protocol.verify);
    reader.read("sustained", protocol.sustained);  // absent in what earlier versions stored
    reader.require("profile", protocol.profile);
    reader.require("sensors_per_second", protocol.sensorsPerSecond);
    return protocol;
}

}  // namespace steelyard::bench
