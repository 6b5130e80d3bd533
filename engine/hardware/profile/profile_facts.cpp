// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/profile/profile_facts.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/cpu/cpu_probe.h"
#include "engine/hardware/profile/profile_fields.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

std::string textOf(const std::string& value) {
    return value;
}
std::string textOf(bool value) {
    return value ? "true" : "false";
}
std::string textOf(int value) {
    return std::to_string(value);
}
std::string textOf(std::int64_t value) {
    return std::to_string(value);
}
std::string textOf(double value) {
    return fmt::format("{}", value);
}
std::string textOf(const CpuKind& kind) {
    return fmt::format("{} x {}", kind.cores, kind.name);
}
std::string textOf(const CacheInfo& cache) {
    return fmt::format("{} x L{} {} {} B", cache.count, cache.level, cache.type, cache.bytes);
}
std::string textOf(const NumaNode& node) {
    return fmt::format("node {}: {} CPUs", node.index, node.cpus.size());
}

template <typename T>
std::string textOf(const std::vector<T>& list) {
    std::string text;
    for (const auto& item : list) {
        if (!text.empty()) text += ", ";
        text += textOf(item);
    }
    return text;
}

template <typename T>
constexpr bool kIsList = false;
template <typename T>
constexpr bool kIsList<std::vector<T>> = true;

bool parse(std::string_view text, std::string& value) {
    value = std::string(trimmed(text));
    return !value.empty();
}

bool parse(std::string_view text, bool& value) {
    text = trimmed(text);
    value = text == "true" || text == "yes" || text == "1";
    return value || text == "false" || text == "no" || text == "0";
}

bool parse(std::string_view text, std::int64_t& value) {
    const auto number = parseInteger(text);
    if (!number || *number < 0) return false;
    value = *number;
    return true;
}

bool parse(std::string_view text, int& value) {
    std::int64_t wide = 0;
    if (!parse(text, wide) || wide > 1'000'000) return false;
    value = static_cast<int>(wide);
    return true;
}

bool parse(std::string_view text, double& value) {
    const auto number = parseReal(text);
    if (!number || !std::isfinite(*number) || *number <= 0) return false;
    value = *number;
    return true;
}

// Zero is valid only for counts of absent or used things.
bool mayBeZero(std::string_view path) {
    return path.ends_with("numa_node") || path.ends_with("used_bytes") || path.find("swap") != std::string_view::npos;
}

template <typename T>
std::optional<Error> replace(Fact<T>& fact, std::string_view path, std::string_view text) {
    const auto refused = [path](Message why) {
        return Error{ErrorKind::InvalidArgument, std::string(path), std::move(why), {}, {}, {}};
    };
    if constexpr (kIsList<T>) {
        return refused(messages::listIsFixed());
    } else {
        T value{};
        if (!parse(text, value)) return refused(messages::notAValue(text));
        if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>) {
            if (value == 0 && !mayBeZero(path)) return refused(messages::mustBePositive());
        }
        fact = known(std::move(value), std::string(kUserSource));
        return std::nullopt;
    }
}

}  // namespace

std::vector<FactRow> listFacts(const HardwareProfile& profile) {
    std::vector<FactRow> rows;
    visitFacts(profile, [&rows](const std::string& path, const auto& fact) {
        using Value = typename std::decay_t<decltype(fact.value)>::value_type;
        rows.push_back({.path = path,
                        .text = fact.value ? textOf(*fact.value) : std::string(),
                        .source = fact.source,
                        .reason = fact.reason,
                        .known = fact.isKnown(),
                        .overridable = !kIsList<Value>});
    });
    return rows;
}

Result<HardwareProfile> withOverride(HardwareProfile profile, std::string_view path, std::string_view text) {
    bool found = false;
    std::optional<Error> error;
    visitFacts(profile, [&](const std::string& candidate, auto& fact) {
        if (candidate != path) return;
        found = true;
        error = replace(fact, path, text);
    });
    if (!found) return fail(ErrorKind::NotFound, std::string(path), messages::noSuchFact());
    if (error) return Failure(*std::move(error));
    if (profile.cpu.usableThreads.source != kUserSource) profile.cpu.usableThreads = deriveUsableThreads(profile.cpu);
    return profile;
}

}  // namespace steelyard::hardware
