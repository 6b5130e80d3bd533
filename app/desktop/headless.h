// SPDX-License-Identifier: Apache-2.0
// Reports and charts without a window: `steelyard --export-report FILE --run ID` and `--export-charts DIR --run ID`.
// Needs a QApplication (Qt draws the charts) but no display. GUI thread.
#pragma once

#include <QString>
#include <filesystem>
#include <iosfwd>

#include "app/desktop/advice_services.h"

namespace steelyard::desktop {

struct HeadlessRequest {
    QString reportFile, chartsFolder;  // either, or both
    QString run;                       // id, a unique prefix of it, or "latest"
    std::filesystem::path database;
    AdviceFiles advice;
};

// Whether the arguments request an export; call before creating the application.
[[nodiscard]] bool isHeadless(int argc, char** argv);

// Exit status: 0, or 2 with a message on `errors` if the run does not exist or a file cannot be written. Hardware is
// recommended for the most expensive case of the run.
[[nodiscard]] int runHeadless(const HeadlessRequest& request, const Clock& clock, std::ostream& out,
                              std::ostream& errors);

}  // namespace steelyard::desktop
