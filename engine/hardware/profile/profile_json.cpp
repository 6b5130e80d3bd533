// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/profile/profile_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/hardware/profile/profile_fields.h"

namespace steelyard::hardware {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 1;
constexpr int kDeepestTree =
    16;  // the deepest that detect() makes is 8; text from elsewhere must not exhaust the stack

// Writing -----------------------------------------------------------------------------------------------------------

template <typename T>
Json write(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// JSON has no words for infinity and not-a-number; they are unknown.
Json write(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json write(int value) {
    return Json(value);
}
Json write(const std::string& value) {
    return Json(value);
}
Json write(const TopologyNode& node);
Json write(const GpuInfo& gpu);
Json write(const BackendInfo& backend);

Json write(const CpuKind& kind) {
    return {{"efficiency_rank", kind.efficiencyRank},
            {"name", kind.name},
            {"cores", kind.cores},
            {"cpus", kind.cpus},
            {"max_mhz", write(kind.maxMhz)}};
}

Json write(const CacheInfo& cache) {
    return {{"level", cache.level},
            {"type", cache.type},
            {"bytes", cache.bytes},
            {"count", cache.count},
            {"shared_by_threads", cache.sharedByThreads}};
}

Json write(const NumaNode& node) {
    return {{"index", node.index}, {"cpus", node.cpus}, {"memory_bytes", write(node.memoryBytes)}};
}

template <typename T>
Json writeList(const std::vector<T>& list) {
    Json array = Json::array();
    for (const auto& item : list) array.push_back(write(item));
    return array;
}

template <typename T>
Json writeFact(const Fact<T>& fact) {
    return write(fact.value);
}
template <typename T>
Json writeFact(const Fact<std::vector<T>>& fact) {
    return fact.value ? writeList(*fact.value) : Json(nullptr);
}

Json write(const TopologyNode& node) {
    Json out = {{"kind", toString(node.kind)}, {"index", node.index}, {"allowed", node.allowed}};
    if (node.bytes) out["bytes"] = *node.bytes;
    if (node.cacheLevel) out["cache_level"] = *node.cacheLevel;
    if (node.efficiencyRank) out["efficiency_rank"] = *node.efficiencyRank;
    if (!node.pciBusIds.empty()) out["pci_bus_ids"] = node.pciBusIds;
    if (!node.children.empty()) out["children"] = writeList(node.children);
    return out;
}

// A visitor that writes facts as members of `out`.
auto membersOf(Json& out) {
    return [&out](const char* name, const auto& fact) { out[name] = writeFact(fact); };
}

Json write(const GpuInfo& gpu) {
    Json out = {{"id", gpu.id}, {"vendor", gpu.vendor}, {"status", toString(gpu.status)}, {"reason", gpu.reason}};
    visitGpuFacts(gpu, membersOf(out));
    return out;
}

Json write(const BackendInfo& backend) {
    return {{"name", backend.name}, {"loaded", backend.loaded}, {"reason", backend.reason}};
}

// Reading -----------------------------------------------------------------------------------------------------------
// Each reader returns false, and leaves the path of the offending member in the error, when the type is wrong. A
// missing or null member leaves the value as it is.

struct Reader {
    Error error{ErrorKind::CorruptData, "profile", {}, {}, {}, {}};

    bool refuse(const std::string& path, const char* expected) {
        error.detail = path + " is not " + expected;
        return false;
    }

    bool value(const Json& json, const std::string& path, std::string& out) {
        if (!json.is_string()) return refuse(path, "a text");
        out = json.get_ref<const std::string&>();
        return true;
    }
    bool value(const Json& json, const std::string& path, bool& out) {
        if (!json.is_boolean()) return refuse(path, "true or false");
        out = json.get<bool>();
        return true;
    }
    bool value(const Json& json, const std::string& path, double& out) {
        if (!json.is_number()) return refuse(path, "a number");
        out = json.get<double>();
        return true;
    }
    bool value(const Json& json, const std::string& path, std::int64_t& out) {
        const bool tooLarge = json.is_number_unsigned() &&
                              json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
        if (!json.is_number_integer() || tooLarge) return refuse(path, "a whole number");
        out = json.get<std::int64_t>();
        return true;
    }
    bool value(const Json& json, const std::string& path, int& out) {
        std::int64_t wide = 0;
        if (!value(json, path, wide)) return false;
        if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) {
            return refuse(path, "a number in range");
        }
        out = static_cast<int>(wide);
        return true;
    }
    bool value(const Json& json, const std::string& path, CpuKind& out) {
        return member(json, path, "efficiency_rank", out.efficiencyRank) && member(json, path, "name", out.name) &&
               member(json, path, "cores", out.cores) && member(json, path, "cpus", out.cpus) &&
               member(json, path, "max_mhz", out.maxMhz);
    }
    bool value(const Json& json, const std::string& path, CacheInfo& out) {
        return member(json, path, "level", out.level) && member(json, path, "type", out.type) &&
               member(json, path, "bytes", out.bytes) && member(json, path, "count", out.count) &&
               member(json, path, "shared_by_threads", out.sharedByThreads);
    }
    bool value(const Json& json, const std::string& path, NumaNode& out) {
        return member(json, path, "index", out.index) && member(json, path, "cpus", out.cpus) &&
               member(json, path, "memory_bytes", out.memoryBytes);
    }
    bool value(const Json& json, const std::string& path, BackendInfo& out) {
        return member(json, path, "name", out.name) && member(json, path, "loaded", out.loaded) &&
               member(json, path, "reason", out.reason);
    }
    bool value(const Json& json, const std::string& path, TopologyNode& out) {
        if (++depth > kDeepestTree) return refuse(path, "a tree of a sensible depth");
        std::string kind(toString(out.kind));
        const bool read = member(json, path, "kind", kind) && member(json, path, "index", out.index) &&
                          member(json, path, "allowed", out.allowed) && member(json, path, "bytes", out.bytes) &&
                          member(json, path, "cache_level", out.cacheLevel) &&
                          member(json, path, "efficiency_rank", out.efficiencyRank) &&
                          member(json, path, "pci_bus_ids", out.pciBusIds) &&
                          member(json, path, "children", out.children);
        --depth;
        if (!read) return false;
        const auto known = topologyKindFromString(kind);
        if (!known) return refuse(path + ".kind", "a kind of topology node");
        out.kind = *known;
        return true;
    }
    bool value(const Json& json, const std::string& path, GpuInfo& out) {
        std::string status(toString(out.status));
        if (!member(json, path, "id", out.id) || !member(json, path, "vendor", out.vendor) ||
            !member(json, path, "status", status) || !member(json, path, "reason", out.reason)) {
            return false;
        }
        const auto known = gpuStatusFromString(status);
        if (!known) return refuse(path + ".status", "a status of a GPU");
        out.status = *known;
        return true;
    }
    template <typename T>
    bool value(const Json& json, const std::string& path, std::optional<T>& out) {
        T inner{};
        if (!value(json, path, inner)) return false;
        out = std::move(inner);
        return true;
    }
    template <typename T>
    bool value(const Json& json, const std::string& path, std::vector<T>& out) {
        if (!json.is_array()) return refuse(path, "a list");
        out.clear();
        for (std::size_t i = 0; i < json.size(); ++i) {
            T item{};
            if (!value(json[i], path + "[" + std::to_string(i) + "]", item)) return false;
            out.push_back(std::move(item));
        }
        return true;
    }
    template <typename T>
    bool member(const Json& object, const std::string& path, const char* name, T& out) {
        if (!object.is_object()) return refuse(path, "an object");
        const auto found = object.find(name);
        if (found == object.end() || found->is_null()) return true;
        return value(*found, path.empty() ? name : path + "." + name, out);
    }

    int depth = 0;
};

// Follows "cpu.cores" or "gpus[0].name" from the root; null when there is no such member.
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

bool readFacts(Reader& reader, const Json& root, HardwareProfile& profile) {
    const auto sources = root.find("sources");
    bool good = sources == root.end() || sources->is_object() || reader.refuse("sources", "an object");
    visitFacts(profile, [&](const std::string& path, auto& fact) {
        if (!good) return;
        if (const Json* value = findMember(root, path); value != nullptr && !value->is_null()) {
            good = reader.value(*value, path, fact.value);
        } else {
            fact.reason = "not recorded";
        }
        if (!good || sources == root.end() || !sources->contains(path)) return;
        const Json& entry = (*sources)[path];
        good = reader.member(entry, "sources." + path, "source", fact.source) &&
               reader.member(entry, "sources." + path, "reason", fact.reason);
    });
    return good;
}

bool readProfile(Reader& reader, const Json& root, HardwareProfile& profile) {
    for (const char* group : {"cpu", "memory", "environment"}) {
        if (root.contains(group) && !root[group].is_object()) return reader.refuse(group, "an object");
    }
    if (!reader.member(root, "", "gpus", profile.gpus) || !reader.member(root, "", "gpu_reason", profile.gpuReason) ||
        !reader.member(root, "", "backends", profile.backends)) {
        return false;
    }
    if (root.contains("cpu") && !reader.member(root["cpu"], "cpu", "topology", profile.cpu.topology)) return false;
    return readFacts(reader, root, profile);
}

}  // namespace

std::string toJson(const HardwareProfile& profile, int indent) {
    Json out = Json::object();
    out["profile_version"] = kFormatVersion;
    visitCpuFacts(profile.cpu, membersOf(out["cpu"]));
    out["cpu"]["topology"] = write(profile.cpu.topology);
    visitMemoryFacts(profile.memory, membersOf(out["memory"]));
    out["gpus"] = writeList(profile.gpus);
    out["gpu_reason"] = profile.gpuReason;
    visitEnvironmentFacts(profile.environment, membersOf(out["environment"]));
    out["backends"] = writeList(profile.backends);
    Json& sources = out["sources"] = Json::object();
    visitFacts(profile, [&sources](const std::string& path, const auto& fact) {
        Json entry = {{"source", fact.source}};
        if (!fact.isKnown()) entry["reason"] = fact.reason;
        sources[path] = std::move(entry);
    });
    // Names come from firmware and may be no UTF-8; such bytes are replaced, not a reason to fail.
    return out.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Result<HardwareProfile> profileFromJson(std::string_view text) {
    const Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (root.is_discarded()) return fail(ErrorKind::CorruptData, "profile", "the text is not JSON");
    if (!root.is_object()) return fail(ErrorKind::CorruptData, "profile", "the text is not a JSON object");
    Reader reader;
    int version = kFormatVersion;
    if (!reader.member(root, "", "profile_version", version)) return Failure(reader.error);
    if (version > kFormatVersion) {
        return fail(ErrorKind::VersionTooNew, "profile", "format " + std::to_string(version));
    }
    HardwareProfile profile;
    if (!readProfile(reader, root, profile)) return Failure(reader.error);
    return profile;
}

}  // namespace steelyard::hardware
