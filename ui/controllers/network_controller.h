// SPDX-License-Identifier: Apache-2.0
// The user's own networks: reads a file without blocking the window, adds it to the list of workloads, removes it and
// brings it back. The functions are given by the program (app/desktop) or a test, and are called in a worker thread,
// one at a time. GUI thread otherwise.
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
    // Always an answer: what is wrong with a file is in the summary.
    std::function<NetworkSummary(const NetworkRequest&)> inspect;
    // The id of the workload. One of the same name is replaced.
    std::function<Result<std::string>(const NetworkRequest&)> add;
    // By the id of the workload. Kept until the program ends, to be brought back.
    std::function<Result<void>(const std::string& id, bool removed)> setRemoved;
    std::filesystem::path schema;  // what a network in JSON may hold
};

class NetworkController : public QObject {
    Q_OBJECT

public:
    explicit NetworkController(NetworkServices services, QObject* parent = nullptr)
        : QObject(parent), m_services(std::move(services)) {}

    [[nodiscard]] const std::filesystem::path& schema() const { return m_services.schema; }

public slots:
    // inspected follows, for the latest request only.
    void inspect(const steelyard::ui::NetworkRequest& request);
    // added, then listChanged; or refused.
    void add(const steelyard::ui::NetworkRequest& request);
    // removed, then listChanged; or failed.
    void remove(const QString& id);
    // listChanged, or failed.
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
    SerialWorker m_worker;  // last: waits, when this object ends, for what is under way
};

}  // namespace steelyard::ui
