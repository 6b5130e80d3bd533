// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/bench/record/record_fields.h"
#include "engine/core/hash.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::bench {
namespace {

template <typename Enum, std::size_t count>
using NameTable = std::array<std::pair<Enum, std::string_view>, count>;

constexpr NameTable<Status, 7> kStatusNames{{{Status::Ok, "ok"},
                                             {Status::OutOfMemory, "out_of_memory"},
                                             {Status::Unsupported, "unsupported"},
                                             {Status::TimedOut, "timed_out"},
                                             {Status::Cancelled, "cancelled"},
                                             {Status::Failed, "failed"},
                                             {Status::Crashed, "crashed"}}};
constexpr NameTable<VerificationState, 3> kVerificationNames{{{VerificationState::Pass, "pass"},
                                                              {VerificationState::Fail, "fail"},
                                                              {VerificationState::NotChecked, "not_checked"}}};
constexpr NameTable<Part, 3> kPartNames{
    {{Part::Step, "step"}, {Part::Pipeline, "pipeline"}, {Part::Together, "together"}}};
constexpr NameTable<StopReason, 4> kStopReasonNames{{{StopReason::Precision, "precision"},
                                                     {StopReason::NoiseStable, "noise_stable"},
                                                     {StopReason::TimeCap, "time_cap"},
                                                     {StopReason::Sustained, "sustained"}}};
constexpr NameTable<Phase, 5> kPhaseNames{{{Phase::Compile, "compile"},
                                           {Phase::Verify, "verify"},
                                           {Phase::WarmUp, "warm_up"},
                                           {Phase::Sampling, "sampling"},
                                           {Phase::CoolDown, "cool_down"}}};
constexpr NameTable<EventKind, 7> kEventNames{{{EventKind::SuiteStarted, "suite_started"},
                                               {EventKind::CaseStarted, "case_started"},
                                               {EventKind::Phase, "phase"},
                                               {EventKind::Sample, "sample"},
                                               {EventKind::Sensor, "sensor"},
                                               {EventKind::CaseFinished, "case_finished"},
                                               {EventKind::SuiteFinished, "suite_finished"}}};

template <typename Enum, std::size_t count>
std::string_view nameOf(const NameTable<Enum, count>& table, Enum value) {
    for (const auto& [entry, name] : table) {
        if (entry == value) return name;
    }
    return {};
}

template <typename Enum, std::size_t count>
std::optional<Enum> valueOf(const NameTable<Enum, count>& table, std::string_view name) {
    for (const auto& [entry, entryName] : table) {
        if (entryName == name) return entry;
    }
    return std::nullopt;
}

// Length-prefixed, so that different lists of fields give different texts.
void appendField(std::string& text, std::string_view value) {
    text += fmt::format("{}:{};", value.size(), value);
}

// Fields added later enter the hash only if they are set, so that existing hashes stay valid.
struct LaterFields {
    static constexpr std::array<std::string_view, 10> kFirst{"workload", "mode", "device", "precision", "batch",
                                                             "threads",  "isa",  "data",   "optimizer", "seed"};
    std::string& text;

    void operator()(const Field& field, const std::optional<std::string>& value) const {
        if (value) append(field, *value);
    }
    void operator()(const Field& field, const std::string& value) const {
        if (!value.empty()) append(field, value);
    }
    template <typename T>
    void operator()(const Field& field, const T& value) const {
        if constexpr (std::is_enum_v<T>) {
            if (value != T{}) append(field, toString(value));
        } else if constexpr (std::is_arithmetic_v<T>) {
            if (value != T{}) append(field, fmt::format("{}", value));
        } else if (value) {
            append(field, fmt::format("{}", *value));
        }
    }
    void append(const Field& field, std::string_view value) const {
        if (std::ranges::find(kFirst, field.name) == kFirst.end())
            appendField(text, fmt::format("{}={}", field.name, value));
    }
};

std::string_view lastPathPart(std::string_view path) {
    while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

// "/a/b/net.onnx(batch=2)#1a2b3c4d" without "/a/b/"; one folder stays with config.json, which names nothing.
std::string_view withoutFolders(std::string_view workload) {
    const auto path = workload.substr(0, workload.find('('));
    auto start = path.rfind('/');
    if (start == std::string_view::npos) return workload;
    if (start > 0 && path.substr(start + 1) == "config.json") {
        start = path.rfind('/', start - 1);
        if (start == std::string_view::npos) return workload;
    }
    return workload.substr(start + 1);
}

}  // namespace

std::string caseHash(const Case& value) {
    std::string text;
    appendField(text, model::onnx::workloadIdentity(value.workload));
    appendField(text, plan::toString(value.mode));
    appendField(text, value.device);
    appendField(text, plan::toString(value.precision));
    appendField(text, std::to_string(value.batch));
    appendField(text, value.threads ? "=" + std::to_string(*value.threads) : "");
    appendField(text, value.isa ? "=" + *value.isa : "");
    appendField(text, value.data);
    appendField(text, value.optimizer);
    visitCaseFields(value, LaterFields{text});
    return fmt::format("{:016x}", fnv1a(text));
}

std::string caseLabel(const Case& value) {
    auto label = fmt::format("{} {} {} {} b{}", withoutFolders(value.workload), plan::toString(value.mode),
                             value.device, plan::toString(value.precision), value.batch);
    if (value.threads) label += fmt::format(" t{}", *value.threads);
    if (value.isa) label += " " + *value.isa;
    if (value.kernels) label += " " + *value.kernels;
    if (value.data != "synthetic") label += fmt::format(" data={}", lastPathPart(value.data));
    if (value.part != Part::Step) label += fmt::format(" ({})", toString(value.part));
    return label;
}

double StepProfile::sumSeconds() const {
    double sum = 0;
    for (const auto& operation : operations) sum += operation.seconds;
    return sum;
}

std::string_view toString(Part part) {
    return nameOf(kPartNames, part);
}
std::optional<Part> partFromString(std::string_view name) {
    return valueOf(kPartNames, name);
}

std::string_view toString(Status status) {
    return nameOf(kStatusNames, status);
}
std::optional<Status> statusFromString(std::string_view name) {
    return valueOf(kStatusNames, name);
}

std::string_view toString(VerificationState state) {
    return nameOf(kVerificationNames, state);
}
std::optional<VerificationState> verificationStateFromString(std::string_view name) {
    return valueOf(kVerificationNames, name);
}

std::string_view toString(StopReason reason) {
    return nameOf(kStopReasonNames, reason);
}
std::optional<StopReason> stopReasonFromString(std::string_view name) {
    return valueOf(kStopReasonNames, name);
}

std::string_view toString(Phase phase) {
    return nameOf(kPhaseNames, phase);
}
std::optional<Phase> phaseFromString(std::string_view name) {
    return valueOf(kPhaseNames, name);
}

std::string_view toString(EventKind kind) {
    return nameOf(kEventNames, kind);
}
std::optional<EventKind> eventKindFromString(std::string_view name) {
    return valueOf(kEventNames, name);
}

}  // namespace steelyard::bench
