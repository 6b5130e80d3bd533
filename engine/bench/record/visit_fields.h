// SPDX-License-Identifier: Apache-2.0
// The fields of visits and figures, listed once (core/fields.h). Unset values are omitted, since there are many
// readings. Include from .cpp files only.
#pragma once

#include "engine/bench/record/machine_reading.h"
#include "engine/core/fields.h"

namespace steelyard::bench {

template <SameAs<MachineReading> T, typename Visitor>
void visitFields(T& reading, Visitor&& visit) {
    visit(field("round_trip_seconds").omittedWhenEmpty(), reading.roundTripSeconds);
    visit(field("slowest_round_trip_seconds").omittedWhenEmpty(), reading.slowestRoundTripSeconds);
    visit(field("arithmetic_rate").omittedWhenEmpty(), reading.arithmeticRate);
    visit(field("bandwidth").omittedWhenEmpty(), reading.bandwidth);
    visit(field("weight_bandwidth").omittedWhenEmpty(), reading.weightBandwidth);
    visit(field("stolen_cpus").omittedWhenEmpty(), reading.stolenCpus);
    visit(field("other_cpus").omittedWhenEmpty(), reading.otherCpus);
    visit(field("involuntary_switches").omittedWhenEmpty(), reading.involuntarySwitches);
    visit(field("gpu_mhz").omittedWhenEmpty(), reading.gpuMhz);
    visit(field("gpu_celsius").atLeast(kAnySign).omittedWhenEmpty(), reading.gpuCelsius);
    visit(field("gpu_throttled").omittedWhenEmpty(), reading.gpuThrottled);
    visit(field("gpu_other_processes").omittedWhenEmpty(), reading.gpuOtherProcesses);
}

template <SameAs<SamplingWindow> T, typename Visitor>
void visitFields(T& window, Visitor&& visit) {
    visit(required("samples"), window.samples);
    visit(field("before"), window.before);
    visit(field("after"), window.after);
}

template <SameAs<Visit> T, typename Visitor>
void visitFields(T& value, Visitor&& visit) {
    visit(field("started_unix_ms"), value.startedUnixMs);
    visit(required("windows"), value.windows);
}

template <SameAs<StateFigure> T, typename Visitor>
void visitFields(T& state, Visitor&& visit) {
    visit(field("round_trip_seconds").omittedWhenEmpty(), state.roundTripSeconds);
    visit(required("median_seconds"), state.medianSeconds);
    visit(field("mean_seconds"), state.meanSeconds);
    visit(required("windows"), state.windows);
    visit(field("arithmetic_rate").omittedWhenEmpty(), state.arithmeticRate);
    visit(field("bandwidth").omittedWhenEmpty(), state.bandwidth);
    visit(required("visit_seconds"), state.visitSeconds);
}

template <SameAs<Figure> T, typename Visitor>
void visitFields(T& figure, Visitor&& visit) {
    visit(required("main"), figure.main);
    visit(field("others"), figure.others);
    visit(field("low").omittedWhenEmpty(), figure.low);
    visit(field("high").omittedWhenEmpty(), figure.high);
    visit(field("deviation").omittedWhenEmpty(), figure.deviation);
    visit(field("degrees_of_freedom").omittedWhenEmpty(), figure.degrees);
    visit(field("prior_deviation").omittedWhenEmpty(), figure.priorDeviation);
    visit(field("prior_degrees_of_freedom").omittedWhenEmpty(), figure.priorDegrees);
    visit(field("run_deviation").omittedWhenEmpty(), figure.runDeviation);
    visit(field("run_degrees_of_freedom").omittedWhenEmpty(), figure.runDegrees);
    visit(field("torn_windows"), figure.tornWindows);
    visit(field("disturbed_windows"), figure.disturbedWindows);
    visit(field("disturbed"), figure.disturbed);
    visit(field("worst_other_cpus").omittedWhenEmpty(), figure.worstOtherCpus);
}

}  // namespace steelyard::bench
