// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/profile/profile_json.h"

#include "engine/core/json/json_reader.h"
#include "engine/core/json/json_writer.h"
#include "engine/core/messages/hardware.h"
#include "engine/hardware/profile/profile_fields.h"

namespace steelyard::hardware {
namespace {

constexpr int kFormatVersion = 1;
// detect() creates trees of up to 8 levels; external text must not exhaust the stack.
constexpr JsonLimits kLimits{.depth = 40};

// A visitor that writes facts as members of `out`.
auto membersOf(Json& out) {
    return [&out](const char* name, const auto& fact) { out[name] = toJsonValue(fact.value); };
}

Json gpusToJson(const std::vector<GpuInfo>& gpus) {
    auto list = Json::array();
    for (const auto& gpu : gpus) {
        auto out = toJsonValue(gpu);
        visitGpuFacts(gpu, membersOf(out));
        list.push_back(std::move(out));
    }
    return list;
}

// Resolves "cpu.cores" or "gpus[0].name" from the root; null if there is no such member.
const Json* findMember(const Json& root, std::string_view path) {
    const Json* at = &root;
    while (!path.empty()) {
        const auto end = path.find_first_of(".[");
        const std::string name(path.substr(0, end));
        if (!at->is_object() || !at->contains(name)) return nullptr;
        at = &(*at)[name];
        if (end == std::string_view::npos) return at;
        if (path[end] == '[') {
            const auto close = path.find(']', end);
            const auto index = static_cast<std::size_t>(std::stoul(std::string(path.substr(end + 1, close - end - 1))));
            if (!at->is_array() || index >= at->size()) return nullptr;
            at = &(*at)[index];
            path.remove_prefix(std::min(close + 2, path.size()));
        } else {
            path.remove_prefix(end + 1);
        }
    }
    return at;
}

void readFacts(JsonReader& reader, const Json& root, HardwareProfile& profile) {
    const Json none = Json::object();
    const auto* given = reader.find("sources");
    auto sources = reader.of(given == nullptr ? none : *given, "sources");
    visitFacts(profile, [&](const std::string& path, auto& fact) {
        if (const auto* value = findMember(root, path); value != nullptr && !value->is_null()) {
            reader.convert(path, *value, fact.value, kAnySign);
        } else {
            fact.reason = messages::notRecorded();
        }
        sources.object(path, [&](JsonReader& entry) {
            entry.read("source", fact.source);
            entry.read("reason", fact.reason);
        });
    });
}

void readProfile(JsonReader& reader, const Json& root, HardwareProfile& profile) {
    reader.read("gpus", profile.gpus);
    reader.read("gpu_reason", profile.gpuReason);
    reader.read("backends", profile.backends);
    reader.object("cpu", [&](JsonReader& cpu) { cpu.read("topology", profile.cpu.topology); });
    for (const char* group : {"memory", "environment"}) reader.object(group, [](JsonReader&) {});
    if (!reader.failed()) readFacts(reader, root, profile);
}

}  // namespace

std::string toJson(const HardwareProfile& profile, int indent) {
    Json out = Json::object();
    out["profile_version"] = kFormatVersion;
    visitCpuFacts(profile.cpu, membersOf(out["cpu"]));
    out["cpu"]["topology"] = toJsonValue(profile.cpu.topology);
    visitMemoryFacts(profile.memory, membersOf(out["memory"]));
    out["gpus"] = gpusToJson(profile.gpus);
    writeMessage(out, "gpu_reason", profile.gpuReason);
    visitEnvironmentFacts(profile.environment, membersOf(out["environment"]));
    out["backends"] = toJsonValue(profile.backends);
    Json& sources = out["sources"] = Json::object();
    visitFacts(profile, [&sources](const std::string& path, const auto& fact) {
        Json entry = {{"source", fact.source}};
        if (!fact.isKnown()) writeMessage(entry, "reason", fact.reason);
        sources[path] = std::move(entry);
    });
    return dumpJson(out, indent);
}

Result<HardwareProfile> profileFromJson(std::string_view text) {
    ASSIGN(const auto root, parseJson(text, "profile", kLimits));
    std::optional<Error> error;
    JsonReader reader(root, {}, error);
    int version = kFormatVersion;
    reader.read("profile_version", version);
    if (!error && version > kFormatVersion)
        return fail(ErrorKind::VersionTooNew, "profile", messages::formatVersion(std::to_string(version)));
    HardwareProfile profile;
    readProfile(reader, root, profile);
    if (error) return fail(error->kind, "profile", messages::ofMember(error->subject, error->detail));
    return profile;
}

}  // namespace steelyard::hardware
