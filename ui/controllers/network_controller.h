// SPDX-License-Identifier: Apache-2.0
// The user's networks: inspects a file without blocking the window, adds it to the list of workloads, removes and
// restores it. The services are provided by the program (app/desktop) or a test and called in a worker thread, one at a
// time. GUI thread otherwise.
#pragma once

#include <QObject>
#include <filesystem>
#include <functional>
#include <string>

#include "engine/core/error.h"
#include "ui/presenters/network_summary.h"
#include "ui/widgets/serial_worker.h"

namespace steelyard::ui {

struct NetworkServices {
    // Never fails: problems of a file are in the summary.
    std::function<NetworkSummary(const NetworkRequest&)> inspect;
    // Returns the workload's id. Replaces a network with the same name.
    std::function<Result<std::string>(const NetworkRequest&)> add;
    // By workload id. Removed networks can be restored until the program ends.
    std::function<Result<void>(const std::string& id, bool removed)> setRemoved;
    std::filesystem::path schema;  // schema of network files
};

class NetworkController : public QObject {
    Q_OBJECT

public:
    explicit NetworkController(NetworkServices services, QObject* parent = nullptr)
        : QObject(parent), m_services(std::move(services)) {}

    [[nodiscard]] const std::filesystem::path& schema() const { return m_services.schema; }

public slots:
    // Emits inspected, for the latest request only.
    void inspect(const steelyard::ui::NetworkRequest& request);
    // Emits added, then listChanged; or refused.
    void add(const steelyard::ui::NetworkRequest& request);
    // Emits removed, then listChanged; or failed.
    void remove(const QString& id);
    // Emits listChanged, or failed.
    void restore(const QString& id);

signals:
    void inspected(const steelyard::ui::NetworkSummary& summary);
    void added(const QString& id);
    void refused(const steelyard::Error& error);
    void removed(const QString& id);
    void listChanged();
    void failed(const steelyard::Error& error);

private:
    void setRemoved(const QString& id, bool removed);

    NetworkServices m_services;
    int m_latest = 0;
    SerialWorker m_worker;  // last: its destructor waits for running work
};

}  // namespace steelyard::ui
