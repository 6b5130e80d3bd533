// SPDX-License-Identifier: Apache-2.0
#include "engine/history/anonymous.h"

#include <nlohmann/json.hpp>

#include "engine/core/messages/history.h"

namespace steelyard::history {

bench::RunRecord withoutHostName(bench::RunRecord run) {
    // On the text, not a HardwareProfile: members written by other versions are kept.
    auto profile = nlohmann::ordered_json::parse(run.profileJson, nullptr, false);
    if (!profile.is_object()) return run;
    const auto environment = profile.find("environment");
    if (environment == profile.end() || !environment->is_object()) return run;
    const auto name = environment->find("hostname");
    if (name == environment->end() || !name->is_string()) return run;
    if (run.computer == name->get_ref<const std::string&>()) {
        run.computer = "a computer";
        const auto cpu = profile.find("cpu");
        if (cpu != profile.end() && cpu->is_object() && cpu->contains("name") && (*cpu)["name"].is_string())
            run.computer = (*cpu)["name"].get<std::string>();
    }
    *name = nullptr;
    if (const auto sources = profile.find("sources"); sources != profile.end() && sources->is_object())
        (*sources)["environment.hostname"] = {{"source", ""}, {"reason", messages::leftOut().text}};
    run.profileJson = profile.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return run;
}

}  // namespace steelyard::history
