// SPDX-License-Identifier: Apache-2.0
// Private to this folder: the fields of the overviews, each listed once (core/fields.h). Their columns are those of the
// queries in rows.cpp.
#pragma once

#include <utility>

#include "engine/bench/record/record_fields.h"
#include "engine/core/fields.h"
#include "engine/history/history_store.h"

namespace steelyard::history {

template <SameAs<RunOverview> T, typename Visitor>
void visitFields(T& run, Visitor&& visit) {
    visit(required("id"), run.id);
    visit(field("suite"), run.suite);
    visit(field("suite_version"), run.suiteVersion);
    visit(field("program_version"), run.programVersion);
    visit(field("started_unix_ms"), run.startedUnixMs);
    visit(field("finished_unix_ms"), run.finishedUnixMs);
    visit(field("computer"), run.computer);
    visit(field("origin"), run.origin);
    visit(field("note"), run.note);
    visit(field("case_count"), run.caseCount);
    visit(field("ok_count"), run.okCount);
    visit(field("failed_count"), run.failedCount);
    visit(field("disturbed_count"), run.disturbedCount);
    visit(field("resumable"), run.resumable);
    visit(field("planned_count"), run.plannedCount);
    visit(field("stopped_unix_ms"), run.stoppedUnixMs);
    visit(field("under_way").storedElsewhere(), run.underWay);
}

template <SameAs<CaseOverview> T, typename Visitor>
void visitFields(T& overview, Visitor&& visit) {
    visit(required("run_id"), overview.runId);
    visit(field("position"), overview.position);
    visit(field("run_started"), overview.startedUnixMs);
    visit(field("computer"), overview.computer);
    visit(field("suite_version"), overview.suiteVersion);
    visit(field("origin"), overview.origin);
    visit(required("case").flat(), overview.spec);
    visit(field("hash"), overview.hash);
    visit(field("device_name"), overview.deviceName);
    visit(required("status"), overview.status);
    visit(field("reason"), overview.reason);
    visit(field("median"), overview.medianSeconds);
    visit(field("ci95_low"), overview.ci95Low);
    visit(field("ci95_high"), overview.ci95High);
    visit(field("throughput").flat("throughput_"), overview.throughput);
}

}  // namespace steelyard::history
