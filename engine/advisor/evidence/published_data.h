// SPDX-License-Identifier: Apache-2.0
// Published speeds that the predictor is tested against: networks as lists of operations, the devices, and rows of
// measured seconds (resources/backtest). Plain values, read once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advisor/predict/device_model.h"
#include "engine/advisor/predict/job_model.h"
#include "engine/core/error.h"

namespace steelyard::advisor {

struct PublishedNetwork {
    std::string name;    // "resnet50@224"
    std::string family;  // networks left out together
    std::size_t operations = 0;
    JobModel job;  // one sample
};

struct PublishedRow {
    std::size_t device = 0, network = 0;  // indices
    std::string chip;                     // devices of one chip are left out together
    plan::Mode mode = plan::Mode::Infer;
    plan::Precision precision = plan::Precision::Fp32;
    bool mixedPrecision = false;
    std::int64_t batch = 1;
    std::string stack;
    bool stackKnownElsewhere = false;  // also measured on other chips
    double seconds = 0;                // per step
};

struct ProcessorRow {
    DeviceModel device;  // with the cores in use
    std::size_t network = 0;
    plan::Mode mode = plan::Mode::Infer;
    std::int64_t batch = 1;
    std::string stack;
    double seconds = 0;
};

struct PublishedData {
    std::vector<PublishedNetwork> networks;
    std::vector<DeviceModel> devices;
    std::vector<PublishedRow> rows;
    std::vector<ProcessorRow> processorRows;

    [[nodiscard]] JobModel jobOf(const PublishedRow& row) const;
    [[nodiscard]] JobModel jobOf(const ProcessorRow& row) const;
    [[nodiscard]] const PublishedNetwork* findNetwork(std::string_view name) const;
};

[[nodiscard]] Result<PublishedData> loadPublishedData(const std::filesystem::path& folder,
                                                      const PredictorParameters& parameters);

}  // namespace steelyard::advisor
