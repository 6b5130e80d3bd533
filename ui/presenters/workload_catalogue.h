// SPDX-License-Identifier: Apache-2.0
// The workloads of this computer as plain values: filled from the engine by app/desktop, shown by the Benchmark page.
// Texts are the engine's (titles are proper names; reasons are its messages). Copied freely.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/plan/mode.h"

namespace steelyard::ui {

struct WorkloadOption {
    std::string id;      // "resnet50"
    std::string title;   // "ResNet-50"
    std::string family;  // groups the tree
    std::vector<plan::Mode> modes{plan::kModes.begin(), plan::kModes.end()};
    std::int64_t defaultBatch = 0;
    std::int64_t parameters = 0;
    std::optional<double> estimateSeconds;  // per case (one mode on the CPU at the default batch)
    bool runnable = true;
    Message reason;  // why it cannot run

    friend bool operator==(const WorkloadOption&, const WorkloadOption&) = default;
};

// A suite's case of one workload.
struct SuiteCase {
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    std::int64_t batch = 0;
    double estimateSeconds = 0;

    friend bool operator==(const SuiteCase&, const SuiteCase&) = default;
};

struct SuiteOption {
    std::string id;  // "quick"
    std::string title;
    std::int64_t caseCount = 0;
    std::optional<double> estimateSeconds;
    std::vector<std::string> workloads;  // ids, to show the suite's contents
    std::vector<SuiteCase> cases;        // in run order

    friend bool operator==(const SuiteOption&, const SuiteOption&) = default;
};

struct DeviceOption {
    std::string id;    // "cpu", "cuda:0"
    std::string name;  // "AMD EPYC 9354"
    bool runnable = true;
    Message reason;

    friend bool operator==(const DeviceOption&, const DeviceOption&) = default;
};

struct WorkloadCatalogue {
    std::vector<WorkloadOption> workloads;
    std::vector<SuiteOption> suites;  // the first one belongs to the primary button
    std::vector<DeviceOption> devices;
    std::map<std::string, std::string, std::less<>> languageModels;  // titles by name
    std::vector<plan::Precision> precisions;
    int maxThreads = 1;  // useful maximum: physical cores available to this process

    friend bool operator==(const WorkloadCatalogue&, const WorkloadCatalogue&) = default;

    [[nodiscard]] const WorkloadOption* findWorkload(const std::string& id) const;
    [[nodiscard]] const SuiteOption* findSuite(const std::string& id) const;
    // In the user's language (engine/model/workload_title.h).
    [[nodiscard]] std::string titleOf(const std::string& id) const;
    // Multiplies all estimates.
    void scaleEstimates(double factor);
};

}  // namespace steelyard::ui
