// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning/kernel_cache.h"

#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <utility>

#include "engine/core/file_io.h"
#include "engine/core/hash.h"

namespace steelyard::compute::cpu {
namespace {

// First line. The number changes whenever the meaning of a key changes, or native kernels become faster.
constexpr std::string_view kForm = "steelyard kernels 8";
constexpr std::int64_t kLargestFile = std::int64_t{4} << 20;
constexpr std::size_t kMostChoices = 20'000;
constexpr int kMostCandidates = 64;

// Format, machine, one line per choice ("index seconds key"), then the hash of all that.
std::string textOf(std::string_view machine, const KernelChoices& choices) {
    auto text = fmt::format("{}\n{}\n", kForm, machine);
    for (const auto& [key, choice] : choices) text += fmt::format("{} {:.6g} {}\n", choice.index, choice.seconds, key);
    return text + fmt::format("{:016x}\n", fnv1a(text));
}

KernelChoices choicesOf(const std::string& text, std::string_view machine) {
    constexpr std::size_t kHashLine = 17;
    if (text.size() < kHashLine) return {};
    const auto body = std::string_view(text).substr(0, text.size() - kHashLine);
    if (std::string_view(text).substr(body.size()) != fmt::format("{:016x}\n", fnv1a(body))) return {};
    std::istringstream lines{std::string(body)};
    std::string line;
    if (!std::getline(lines, line) || line != kForm) return {};
    if (!std::getline(lines, line) || line != machine) return {};
    KernelChoices choices;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        Choice choice{.certain = true};
        std::string key;
        words >> choice.index >> choice.seconds;
        if (!words || !std::getline(words >> std::ws, key)) return {};
        if (choice.index < 0 || choice.index >= kMostCandidates || !std::isfinite(choice.seconds)) return {};
        choices[key] = choice;
    }
    return choices;
}

}  // namespace

KernelCache::KernelCache(const std::filesystem::path& folder, std::string machine) : m_machine(std::move(machine)) {
    if (!folder.empty()) m_file = folder / fmt::format("kernels-{:016x}.txt", fnv1a(m_machine));
}

KernelChoices KernelCache::load() const {
    if (m_file.empty()) return {};
    const auto text = readFile(m_file, kLargestFile);
    return text ? choicesOf(*text, m_machine) : KernelChoices();
}

bool KernelCache::add(const KernelChoices& choices) const {
    if (m_file.empty()) return true;
    auto all = load();
    if (all.size() + choices.size() > kMostChoices) all.clear();
    bool changed = false;
    for (const auto& [key, choice] : choices) {
        if (!choice.certain || key.find('\n') != std::string::npos) continue;
        all[key] = choice;
        changed = true;
    }
    if (!changed) return true;
    return createPrivateFolders(m_file.parent_path()) &&
           writeFileAtomically(m_file, textOf(m_machine, all), FileRights::OwnerOnly);
}

}  // namespace steelyard::compute::cpu
