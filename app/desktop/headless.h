// SPDX-License-Identifier: Apache-2.0
// Reports and charts without a window: `steelyard --export-report FILE --run ID` and `--export-charts DIR --run ID`. A
// QApplication must be there (charts are drawn by Qt), a display need not. GUI thread.
#pragma once

#include <QString>
#include <filesystem>
#include <iosfwd>

#include "app/desktop/advice_services.h"

namespace steelyard::desktop {

struct HeadlessRequest {
    QString reportFile, chartsFolder;  // either, or both
    QString run;                       // id, a prefix of it, or "latest"
    std::filesystem::path database;
    AdviceFiles advice;
};

// Whether the arguments ask for this; called before the application is created.
[[nodiscard]] bool isHeadless(int argc, char** argv);

// The exit status: 0; 2 with a sentence on `errors` when there is no such run or a file cannot be written. What is
// advised is advised for the heaviest case of the run, on the computer it ran on.
[[nodiscard]] int runHeadless(const HeadlessRequest& request, const Clock& clock, std::ostream& out,
                              std::ostream& errors);

}  // namespace steelyard::desktop
