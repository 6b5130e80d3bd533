// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/sensor_readings.h"

#include <algorithm>
#include <array>

#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

// The CPU lines come first; the list of interrupts after them may be long.
constexpr std::size_t kStatLimit = 256 * 1024;
constexpr std::size_t kMostThermometers = 16;

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [text](std::string_view word) { return text.starts_with(word); });
}

// Sensors of one hwmon folder. Package and die sensors represent all cores if present.
void addMonitor(const SystemFiles& files, const std::string& folder, std::vector<std::string>& paths) {
    std::vector<std::string> whole;
    std::vector<std::string> all;
    for (const auto& name : files.list(folder)) {
        if (!name.starts_with("temp") || !name.ends_with("_input")) continue;
        const std::string stem = folder + "/" + name.substr(0, name.size() - 6);
        const std::string label = files.readLine(stem + "_label").value_or("");
        all.push_back(folder + "/" + name);
        if (startsWithAny(label, {"Package", "Tdie", "Tctl"})) whole.push_back(all.back());
    }
    const auto& chosen = whole.empty() ? all : whole;
    paths.insert(paths.end(), chosen.begin(), chosen.end());
}

}  // namespace

std::optional<CpuTimes> parseCpuTimes(std::string_view stat, const std::vector<int>& cpus) {
    CpuTimes times;
    bool any = false;
    for (std::string_view line : splitText(stat, '\n')) {
        if (!line.starts_with("cpu")) break;
        const auto words = splitText(line, ' ');
        const auto cpu = parseInteger(words[0].substr(3));
        if (!cpu || words.size() < 5) continue;  // "cpu" alone is the sum over all
        if (!cpus.empty() && std::find(cpus.begin(), cpus.end(), static_cast<int>(*cpu)) == cpus.end()) continue;
        // user nice system idle iowait irq softirq steal; guest time is part of user (proc(5)).
        for (std::size_t i = 1; i < std::min<std::size_t>(words.size(), 9); ++i) {
            const std::int64_t ticks = parseInteger(words[i]).value_or(0);
            times.total += ticks;
            if (i != 4 && i != 5) times.busy += ticks;
            if (i == 8) times.stolen += ticks;
        }
        ++times.cpus;
        any = true;
    }
    return any ? std::optional(times) : std::nullopt;
}

std::optional<CpuTimes> readCpuTimes(const SystemFiles& files, const std::vector<int>& cpus) {
    const auto text = files.read("/proc/stat", kStatLimit);
    return text ? parseCpuTimes(*text, cpus) : std::nullopt;
}

std::optional<double> busyFraction(const CpuTimes& before, const CpuTimes& after) {
    const std::int64_t total = after.total - before.total;
    if (total <= 0) return std::nullopt;
    // The kernel may decrease idle time by a tick.
    const std::int64_t busy = std::clamp<std::int64_t>(after.busy - before.busy, 0, total);
    return static_cast<double>(busy) / static_cast<double>(total);
}

std::vector<std::string> findCpuThermometers(const SystemFiles& files) {
    std::vector<std::string> paths;
    const std::string monitors = "/sys/class/hwmon";
    for (const auto& name : files.list(monitors)) {
        const std::string folder = monitors + "/" + name;
        const std::string chip = files.readLine(folder + "/name").value_or("");
        if (startsWithAny(chip, {"coretemp", "k10temp", "zenpower", "cpu_thermal", "fam15h_power", "soc_thermal"})) {
            addMonitor(files, folder, paths);
        }
    }
    if (paths.empty()) {
        const std::string zones = "/sys/class/thermal";
        for (const auto& name : files.list(zones)) {
            const std::string folder = zones + "/" + name;
            const std::string type = files.readLine(folder + "/type").value_or("");
            if (name.starts_with("thermal_zone") && startsWithAny(type, {"x86_pkg_temp", "cpu", "soc"})) {
                paths.push_back(folder + "/temp");
            }
        }
    }
    if (paths.size() > kMostThermometers) paths.resize(kMostThermometers);
    return paths;
}

std::optional<double> readHottest(const SystemFiles& files, const std::vector<std::string>& paths) {
    std::optional<double> hottest;
    for (const auto& path : paths) {
        const auto milli = files.readInteger(path);
        // A disabled sensor reports 0 or an implausible value.
        if (!milli || *milli <= 0 || *milli > 150'000) continue;
        hottest = std::max(hottest.value_or(0), static_cast<double>(*milli) / 1000);
    }
    return hottest;
}

std::vector<EnergyCounter> findEnergyCounters(const SystemFiles& files) {
    std::vector<EnergyCounter> counters;
    const std::string zones = "/sys/class/powercap";
    for (const auto& name : files.list(zones)) {
        const std::string folder = zones + "/" + name;
        // "intel-rapl:0" is a package (on AMD too), "intel-rapl:0:1" a part of one and included in it.
        const auto kind = files.readLine(folder + "/name").value_or("");
        if (!name.starts_with("intel-rapl:") || !kind.starts_with("package")) continue;
        if (!files.readInteger(folder + "/energy_uj")) continue;  // readable by root only since 2020
        counters.push_back({folder + "/energy_uj", files.readInteger(folder + "/max_energy_range_uj").value_or(0)});
    }
    return counters;
}

double joulesBetween(std::int64_t before, std::int64_t after, std::int64_t range) {
    const std::int64_t micro = after >= before ? after - before : after - before + range;
    return static_cast<double>(std::max<std::int64_t>(0, micro)) * 1e-6;
}

std::optional<double> parsePressure(std::string_view text) {
    constexpr std::string_view kKey = "some avg10=";
    const auto at = text.find(kKey);
    if (at == std::string_view::npos) return std::nullopt;
    const auto rest = text.substr(at + kKey.size());
    const auto percent = parseReal(rest.substr(0, rest.find(' ')));
    return percent ? std::optional(*percent / 100) : std::nullopt;
}

}  // namespace steelyard::hardware
