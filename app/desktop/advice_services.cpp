// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/advice_services.h"

#include <malloc.h>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>

#include "app/desktop/own_networks.h"
#include "engine/advisor/advisor_data.h"
#include "engine/advisor/predict/local_hardware.h"
#include "engine/advisor/study/study.h"
#include "engine/catalog/skypilot_import.h"
#include "engine/history/history_store.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::desktop {
namespace {

using advisor::AdvisorData;

// Reading a catalogue and a history takes tens of megabytes for a moment, which the C library would keep for this
// thread.
struct FreedMemoryReturned {
    FreedMemoryReturned() = default;
    FreedMemoryReturned(const FreedMemoryReturned&) = delete;
    FreedMemoryReturned& operator=(const FreedMemoryReturned&) = delete;
    ~FreedMemoryReturned() { ::malloc_trim(0); }
};

class Advisor {
public:
    Advisor(AdviceFiles files, const Clock& clock) : m_files(std::move(files)), m_clock(clock) {}

    Result<ui::AdviceOptions> options() {
        TRY(load());
        ui::AdviceOptions result;
        auto workloads = model::workloads();
        for (auto& own : OwnNetworks(m_files.networks).list()) workloads.push_back(std::move(own));
        for (const auto& workload : workloads) {
            ui::AdviceWorkload one{workload.id, workload.title, workload.family, workload.batch,
                                   static_cast<double>(workload.epochs)};
            if (workload.trainSamples > 0) one.samples = static_cast<double>(workload.trainSamples);
            one.inferenceOnly = workload.inferenceOnly;
            result.workloads.push_back(std::move(one));
        }
        std::set<std::string> providers;
        for (const auto& offer : m_data->catalog.offers) {
            if (offer.historical || offer.partOfMachine) continue;
            providers.insert(offer.provider);
            ++result.offers;
        }
        result.providers.assign(providers.begin(), providers.end());
        for (const auto& stack : m_data->parameters.stacks) result.software.emplace_back(stack.name, stack.title);
        result.collected = m_data->catalog.collected;
        return result;
    }

    Result<ui::AdviceAnswer> answer(const ui::AdviceQuestion& question, const ui::AdviceSurroundings& surroundings) {
        const FreedMemoryReturned afterwards;
        TRY(load());
        ASSIGN(const auto job,
               advisor::makeJob({question.workload, question.mode, question.batch, question.precision}));
        auto references = storedReferences(surroundings.database);
        ui::AdviceAnswer result;
        result.ownMeasurements = references.size();
        const auto predictor = advisor::makePredictor(*m_data, std::move(references));
        auto request = requestOf(question, job.model, surroundings);
        auto advice = advisor::advise(request, m_data->catalog, predictor);
        if (!advice) return Failure(advice.error());
        auto cards = advisor::cardsToBuy(job.model, m_data->catalog, predictor, question.software);
        if (!cards) return Failure(cards.error());
        result.question = question;
        result.request = std::move(request);
        result.workloadTitle = job.workload.title;
        for (const auto& candidate : advice->candidates) nameDevice(candidate, result.deviceNames);
        result.advice = std::move(*advice);
        result.cards = std::move(*cards);
        result.collected = m_data->catalog.collected;
        return result;
    }

    Result<advisor::BacktestReport> backtest() {
        TRY(load());
        return advisor::shippedBacktest(m_files.resources, m_data->parameters);
    }

    Result<ui::ImportedPrices> importPrices(const std::filesystem::path& folder) {
        TRY(load());
        ASSIGN(auto import, catalog::importSkyPilot(folder, m_data->shipped));
        ui::ImportedPrices result{import.offers.size(), import.rejected.size(), import.rows, {}};
        std::set<std::string> providers;
        for (const auto& offer : import.offers) providers.insert(offer.provider);
        result.providers.assign(providers.begin(), providers.end());
        auto user = m_data->user;
        catalog::replaceImported(user, std::move(import.offers));
        TRY(save(user));
        return result;
    }

    Result<std::string> addNetwork(const std::filesystem::path& file) {
        ASSIGN(const auto workload, OwnNetworks(m_files.networks).add(file));
        return workload.id;
    }

    Result<void> setPrice(const catalog::PriceOverride& price) {
        TRY(load());
        auto dated = price;
        if (dated.price.date.empty()) dated.price.date = today();
        auto user = m_data->user;
        TRY(catalog::setPrice(user, m_data->catalog, dated));
        return save(user);
    }

private:
    Result<void> load() {
        if (m_data) return {};
        const FreedMemoryReturned afterwards;
        ASSIGN(auto data, advisor::loadAdvisorData({m_files.resources, m_files.userCatalog}));
        m_data = std::move(data);
        m_stored.reset();
        return {};
    }

    Result<void> save(const catalog::UserCatalog& user) {
        TRY(catalog::saveUserCatalog(user, m_files.userCatalog));
        m_data.reset();
        return load();
    }

    [[nodiscard]] std::string today() const { return formatIsoTime(m_clock.unixMilliseconds()).substr(0, 10); }

    // Read again when the history or the catalogue changed, not with every question. A file that is not there, or
    // cannot be read, is no reason to give no advice: Home and History report it.
    [[nodiscard]] const std::vector<advisor::Reference>& storedReferences(const std::string& file) {
        // Before reading: what is written meanwhile is read the next time.
        const auto state = history::stateOf(file);
        if (m_stored && m_stored->file == file && m_stored->state == state) return m_stored->references;
        m_stored = Stored{file, state, {}};
        if (file.empty() || !std::filesystem::exists(file)) return m_stored->references;
        const auto store = history::HistoryStore::open(file);
        if (!store) {
            static const std::vector<advisor::Reference> none;
            m_stored.reset();  // it may be locked only now
            return none;
        }
        advisor::ReferenceCollector collector(m_data->catalog, m_data->parameters);
        (void)(*store)->forEachRun([&](const auto& run) { collector.add(run); }, history::Detail::Summaries);
        m_stored->references = collector.references();
        return m_stored->references;
    }

    advisor::AdviceRequest requestOf(const ui::AdviceQuestion& question, const advisor::JobModel& job,
                                     const ui::AdviceSurroundings& surroundings) const {
        advisor::AdviceRequest request;
        request.job = job;
        request.steps =
            question.bySteps ? question.steps : advisor::stepsOf(question.epochs, question.samples, job.batch);
        request.software = question.software;
        request.priority = question.priority;
        request.timeWeight = question.timeWeight;
        request.budgetUsd = question.budgetUsd;
        request.deadlineHours = question.deadlineHours;
        request.spot = question.spot;
        request.providers = question.providers;
        request.today = today();
        request.oldPriceDays = surroundings.oldPriceDays;
        if (!question.ownComputer || !surroundings.profile) return request;
        request.own = advisor::ownDevices(*surroundings.profile, m_data->catalog, m_data->parameters);
        advisor::chargeElectricity(request.own, m_data->catalog, {.usdPerKwh = surroundings.usdPerKwh});
        return request;
    }

    void nameDevice(const advisor::Candidate& candidate, std::map<std::string, std::string>& names) const {
        if (candidate.hardware.empty() || names.contains(candidate.hardware)) return;
        const auto colon = candidate.hardware.find(':');  // of a processor: id and cores
        const auto* spec = m_data->catalog.findHardware(candidate.hardware.substr(0, colon));
        if (spec == nullptr) return;
        names[candidate.hardware] = colon == std::string::npos
                                        ? spec->name
                                        : fmt::format("{} × {}", candidate.hardware.substr(colon + 1), spec->name);
    }

    AdviceFiles m_files;
    const Clock& m_clock;
    std::optional<AdvisorData> m_data;
    // What the history says of this computer and others, for the predictor.
    struct Stored {
        std::string file;
        history::FileState state;
        std::vector<advisor::Reference> references;
    };
    std::optional<Stored> m_stored;
};

}  // namespace

ui::AdviceServices adviceServices(const AdviceFiles& files, const Clock& clock) {
    auto advisor = std::make_shared<Advisor>(files, clock);
    ui::AdviceServices services;
    services.options = [advisor] { return advisor->options(); };
    services.answer = [advisor](const ui::AdviceQuestion& question, const ui::AdviceSurroundings& surroundings) {
        return advisor->answer(question, surroundings);
    };
    services.backtest = [advisor] { return advisor->backtest(); };
    services.importPrices = [advisor](const std::filesystem::path& folder) { return advisor->importPrices(folder); };
    services.setPrice = [advisor](const catalog::PriceOverride& price) { return advisor->setPrice(price); };
    services.addNetwork = [advisor](const std::filesystem::path& file) { return advisor->addNetwork(file); };
    services.networkSchema = files.resources / "schemas" / "network.schema.json";
    services.studies = advisor::studyFiles(files.resources / "studies");
    return services;
}

}  // namespace steelyard::desktop
