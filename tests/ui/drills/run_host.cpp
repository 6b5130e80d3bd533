// SPDX-License-Identifier: Apache-2.0
// A substitute for the window, to be killed by tests: starts a real run with the window's controller and prints a line
// per finished case. Arguments: the measuring program, the database.
#include <QCoreApplication>
#include <cstdio>

#include "ui/controllers/run_controller.h"

int main(int argc, char** argv) {
    using namespace steelyard::ui;
    QCoreApplication application(argc, argv);
    if (argc != 3) return 2;
    RunController run(QString::fromLocal8Bit(argv[1]));
    QObject::connect(&run, &RunController::caseFinished, &run, [] {
        std::puts("finished");
        std::fflush(stdout);
    });
    QObject::connect(&run, &RunController::runningChanged, &run, [](bool running) {
        if (!running) QCoreApplication::quit();
    });
    steelyard::bench::RunRequest request;
    request.workloads = {"mnist_mlp"};
    request.batches = {4, 8, 16};
    request.devices = {"cpu"};
    request.threads = {1};
    request.timeCapSeconds = 0.2;
    request.database = argv[2];
    run.start(request);
    return QCoreApplication::exec();
}
