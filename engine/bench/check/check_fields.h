// SPDX-License-Identifier: Apache-2.0
// The fields of a machine check, each listed once (core/fields.h). Include from .cpp files only.
#pragma once

#include <type_traits>

#include "engine/bench/check/check_report.h"
#include "engine/core/fields.h"

namespace steelyard::bench {

inline auto fromName(std::type_identity<CheckKind>, std::string_view name) {
    return checkKindFromString(name);
}
inline auto fromName(std::type_identity<CheckState>, std::string_view name) {
    return checkStateFromString(name);
}

template <SameAs<CheckPart> T, typename Visitor>
void visitFields(T& part, Visitor&& visit) {
    visit(required("kind"), part.kind);
    visit(required("device"), part.device);
    visit(field("device_name"), part.deviceName);
    visit(required("state"), part.state);
    visit(field("finding"), part.finding);
    visit(field("details"), part.details);
    visit(field("seconds"), part.seconds);
    visit(field("checked"), part.checked);
    visit(field("wrong"), part.wrong);
    visit(field("first_mhz"), part.firstMhz);
    visit(field("last_mhz"), part.lastMhz);
    visit(field("hottest_celsius").atLeast(kAnySign), part.hottestCelsius);
    visit(field("throttled_fraction"), part.throttledFraction);
    visit(field("slowdown"), part.slowdown);
}

template <SameAs<CheckReport> T, typename Visitor>
void visitFields(T& report, Visitor&& visit) {
    visit(required("computer"), report.computer);
    visit(field("program_version"), report.programVersion);
    visit(required("started_unix_ms"), report.startedUnixMs);
    visit(field("finished_unix_ms"), report.finishedUnixMs);
    visit(field("load_seconds"), report.loadSeconds);
    visit.derived("verdict", [&] { return report.verdict(); });
    visit(required("parts"), report.parts);
}

template <SameAs<CheckTask> T, typename Visitor>
void visitFields(T& task, Visitor&& visit) {
    visit(required("kind"), task.kind);
    visit(required("device"), task.device);
    visit(field("device_name"), task.deviceName);
    visit(field("load_seconds"), task.loadSeconds);
    visit(field("memory_bytes"), task.memoryBytes);
    visit(field("seed"), task.seed);
}

template <SameAs<CheckEvent> T, typename Visitor>
void visitFields(T& event, Visitor&& visit) {
    visit(required("part_index"), event.partIndex);
    visit(required("part_count"), event.partCount);
    visit(required("kind"), event.kind);
    visit(required("device"), event.device);
    visit(required("fraction"), event.fraction);
    visit(field("part").omittedWhenEmpty(), event.part);
    visit(field("report").omittedWhenEmpty(), event.report);
}

}  // namespace steelyard::bench
