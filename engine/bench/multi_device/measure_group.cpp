// SPDX-License-Identifier: Apache-2.0
// A case on several devices: one process each, synchronized through a private folder.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "engine/bench/multi_device/device_group.h"
#include "engine/bench/run/measuring_child.h"
#include "engine/core/messages/bench.h"
#include "engine/core/messages/core.h"

namespace steelyard::bench {
namespace {

using namespace std::chrono_literals;
constexpr auto kGroupPollInterval = 20ms;

class RendezvousFolder {
public:
    [[nodiscard]] static Result<RendezvousFolder> make() {
        std::error_code error;
        auto name = (std::filesystem::temp_directory_path(error) / "steelyard-XXXXXX").string();
        if (error || ::mkdtemp(name.data()) == nullptr)
            return fail(ErrorKind::IoFailed, name,
                        Message(std::generic_category().message(error ? error.value() : errno)));
        return RendezvousFolder(std::move(name));
    }
    RendezvousFolder(RendezvousFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    RendezvousFolder& operator=(RendezvousFolder&&) = delete;
    ~RendezvousFolder() {
        std::error_code ignored;
        if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
    }
    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    explicit RendezvousFolder(std::string path) : m_path(std::move(path)) {}
    std::string m_path;
};

class SharedCase {
public:
    SharedCase(const CaseSpec& order, const SuiteServices& services, const std::function<void(const Event&)>& onEvent)
        : m_order(order),
          m_spec(order.spec),
          m_services(services),
          m_onEvent(onEvent),
          m_devices(deviceGroup(order.spec.device)) {}

    CaseRecord run() {
        auto folder = RendezvousFolder::make();
        if (!folder) return failed(folder.error());
        if (auto ok = start(folder->path()); !ok) {
            endAll();
            return failed(ok.error());
        }
        return follow();
    }

private:
    CaseRecord failed(const Error& error) const {
        const auto status = error.kind == ErrorKind::Unsupported ? Status::Unsupported : Status::Failed;
        return emptyRecord(m_spec, status, messageOf(error), m_services.clock);
    }

    Result<void> start(const std::string& folder) {
        auto threads = m_spec;
        threads.threads = std::max(1, m_services.usableThreads / m_devices.count());
        const auto environment = childEnvironment(threads, m_services.usableThreads);
        for (int rank = 0; rank < m_devices.count(); ++rank) {
            ASSIGN(auto own, caseOfRank(m_spec, rank));
            auto order = m_order;
            order.spec = std::move(own);
            order.rank = RankSpec{{rank, m_devices.count(), folder, {}}, m_devices.sideBySide};
            ASSIGN(auto child, MeasuringChild::start(order, environment, m_services));
            m_children.push_back(std::move(child));
        }
        return {};
    }

    CaseRecord follow() {
        const auto begun = m_services.clock.nowNanoseconds();
        std::vector<std::optional<CaseRecord>> records(m_children.size());
        while (std::any_of(records.begin(), records.end(), [](const auto& one) { return !one.has_value(); })) {
            for (std::size_t rank = 0; rank < m_children.size(); ++rank) {
                if (records[rank]) continue;
                auto& child = m_children[rank];
                child.read(kGroupPollInterval / m_devices.count(), [&](const Event& event) {
                    if (rank == 0) m_onEvent(event);
                });
                if (!child.atEnd()) continue;
                records[rank] = child.finish(m_services.clock);
                if (records[rank]->status == Status::Ok) continue;
                endAll();
                return failureOf(rank, *records[rank]);
            }
            const bool cancelled = m_services.cancelled();
            if (!cancelled && secondsBetween(begun, m_services.clock.nowNanoseconds()) < hardLimit(m_order.protocol))
                continue;
            endAll();
            if (cancelled) return emptyRecord(m_spec, Status::Cancelled, messages::stopped(), m_services.clock);
            return emptyRecord(m_spec, Status::TimedOut, messages::tookLonger(hardLimit(m_order.protocol)),
                               m_services.clock);
        }
        std::vector<CaseRecord> all;
        for (auto& record : records) all.push_back(std::move(*record));
        return mergedRecord(m_spec, all);
    }

    CaseRecord failureOf(std::size_t rank, const CaseRecord& record) const {
        auto whole = record;
        whole.spec = m_spec;
        whole.reason = steelyard::messages::withDetail(m_devices.ids[rank], record.reason);
        return whole;
    }

    // Terminate all before waiting for any.
    void endAll() {
        for (auto& child : m_children)
            if (!child.atEnd()) child.terminate();
        for (auto& child : m_children)
            if (!child.atEnd()) child.end();
    }

    const CaseSpec& m_order;
    const Case& m_spec;
    const SuiteServices& m_services;
    const std::function<void(const Event&)>& m_onEvent;
    DeviceGroup m_devices;
    std::vector<MeasuringChild> m_children;
};

}  // namespace

CaseRecord measureGroup(const CaseSpec& order, const SuiteServices& services,
                        const std::function<void(const Event&)>& onEvent) {
    return SharedCase(order, services, onEvent).run();
}

}  // namespace steelyard::bench
