// SPDX-License-Identifier: Apache-2.0
// Reads tests/data/machine/*.csv: visits of each case as in a record, one sample per window.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "engine/bench/record/machine_reading.h"
#include "engine/core/file_io.h"

namespace steelyard::bench {

struct ReadCase {
    std::vector<double> samples;  // seconds per step
    std::vector<Visit> visits;
};

inline std::vector<std::string> fieldsOf(const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char letter : line) {
        if (letter == ',')
            fields.emplace_back();
        else
            fields.back() += letter;
    }
    return fields;
}

inline std::map<std::string, ReadCase> readMachineReadings(const std::string& name) {
    const auto text = readFile(std::string(STEELYARD_TEST_DATA) + "/machine/" + name, 1 << 20).value();
    std::map<std::string, ReadCase> cases;
    std::map<std::string, std::size_t> visitOf;
    for (std::size_t begin = 0, line = 0; begin < text.size(); ++line) {
        const auto end = text.find('\n', begin);
        const auto fields = fieldsOf(text.substr(begin, end - begin));
        begin = end + 1;
        if (line < 2) continue;  // description and column names
        const auto number = [&](std::size_t column, double unit) -> std::optional<double> {
            return fields[column].empty() ? std::nullopt : std::optional(std::stod(fields[column]) * unit);
        };
        auto& one = cases[fields[0]];
        const auto visit = static_cast<std::size_t>(std::stoul(fields[1]));
        if (one.visits.empty() || visitOf[fields[0]] != visit) one.visits.emplace_back();
        visitOf[fields[0]] = visit;
        SamplingWindow window{.samples = 1, .before = {}, .after = {}};
        window.before.slowestRoundTripSeconds = window.before.roundTripSeconds = number(2, 1e-9);
        window.after.slowestRoundTripSeconds = window.after.roundTripSeconds = number(3, 1e-9);
        window.after.otherCpus = number(4, 1);
        window.after.stolenCpus = number(5, 1);
        window.after.gpuMhz = number(6, 1);
        if (const auto throttled = number(7, 1)) window.after.gpuThrottled = *throttled != 0;
        if (fields.size() > 10) {
            window.before.arithmeticRate = window.after.arithmeticRate = number(9, 1);
            window.before.bandwidth = window.after.bandwidth = number(10, 1);
        }
        one.visits.back().windows.push_back(window);
        one.samples.push_back(*number(8, 1));
    }
    return cases;
}

}  // namespace steelyard::bench
