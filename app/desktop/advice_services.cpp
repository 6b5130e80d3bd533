// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/advice_services.h"

#include <malloc.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "app/desktop/user_networks.h"
#include "engine/advisor/advisor_data.h"
#include "engine/advisor/language/language_anchors.h"
#include "engine/advisor/language/language_json.h"
#include "engine/advisor/language/language_offers.h"
#include "engine/advisor/predict/local_hardware.h"
#include "engine/advisor/study/study.h"
#include "engine/catalog/skypilot_import.h"
#include "engine/history/history_store.h"
#include "engine/model/zoo/zoo.h"
#include "engine/shortlist/shortlist.h"

namespace steelyard::desktop {
namespace {

using advisor::AdvisorData;

// Loading a catalogue and a history takes tens of megabytes temporarily, which malloc would keep for this thread.
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
        for (const auto& network : UserNetworks(m_files.networks).list()) {
            if (network.workload) {
                result.workloads.push_back(optionOf(*network.workload));
            } else {
                ui::AdviceWorkload one{network.id, network.title, "own"};
                one.problem = messageOf(network.workload.error());
                result.workloads.push_back(std::move(one));
            }
        }
        for (const auto& workload : model::workloads())
            if (workload.family != "micro") result.workloads.push_back(optionOf(workload));  // no network to compute
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
        result.workloadTitle = titleOf(job.workload);
        for (const auto& candidate : advice->candidates) nameDevice(candidate, result.deviceNames);
        result.advice = std::move(*advice);
        result.cards = std::move(*cards);
        result.collected = m_data->catalog.collected;
        return result;
    }

    // For a campaign: predicted for this program, which does the measuring. This computer is always a candidate.
    Result<shortlist::Shortlist> shortlist(const ui::AdviceQuestion& question,
                                           const ui::AdviceSurroundings& surroundings,
                                           const shortlist::ShortlistRequest& wanted) {
        const FreedMemoryReturned afterwards;
        TRY(load());
        auto asked = question;
        asked.ownComputer = true;
        ASSIGN(const auto job,
               advisor::makeJob({question.workload, question.mode, question.batch, question.precision}));
        const auto predictor = advisor::makePredictor(*m_data, storedReferences(surroundings.database));
        const advisor::Electricity electricity{.usdPerKwh = surroundings.usdPerKwh};
        ASSIGN(const auto request,
               shortlist::campaignQuestion(requestOf(asked, job.model, surroundings), wanted.hosts, *m_data,
                                           surroundings.profile.value_or(hardware::HardwareProfile()), electricity));
        ASSIGN(const auto advice, advisor::advise(request, m_data->catalog, predictor));
        return shortlist::shortlistOf(wanted, request, advice, m_data->catalog);
    }

    // Networks that no longer exist and precisions without a prediction are skipped.
    Result<ui::LadderAnswer> ladder(const std::vector<ui::LadderQuestion>& questions,
                                    const ui::AdviceSurroundings& surroundings) {
        const FreedMemoryReturned afterwards;
        TRY(load());
        const auto predictor = advisor::makePredictor(*m_data, storedReferences(surroundings.database));
        std::vector<ui::LadderAnswer> answers;
        for (const auto& question : questions) {
            const auto job = advisor::makeJob({question.workload, question.mode, question.batch, question.precision});
            if (!job) continue;
            auto targets =
                advisor::predictTargets(job->model, *m_data, predictor, {}, {.only = ui::LadderPresenter::devices()});
            if (!targets) return Failure(targets.error());
            answers.push_back({questions, question, std::move(*targets)});
        }
        return ui::LadderPresenter::best(std::move(answers)).value_or(ui::LadderAnswer{questions, {}, {}});
    }

    Result<ui::LanguageOptions> languageOptions() {
        TRY(load());
        TRY(loadLanguage());
        ui::LanguageOptions result;
        for (const auto& spec : m_language->table.models) result.models.push_back(optionOf(spec));
        for (const auto& scheme : model::weightSchemes()) result.weights.emplace_back(scheme.name, scheme.title);
        for (const auto& target : languageTargets())
            if (target.usableBytes) result.devices.emplace_back(target.id, target.name);
        for (const auto& stack : m_language->parameters.stacks) result.software.emplace_back(stack.id, stack.title);
        for (const auto& stack : m_language->training.stacks) result.tuningSoftware.emplace_back(stack.id, stack.title);
        return result;
    }

    Result<ui::LanguageAnswer> languageAnswer(const ui::LanguageQuestion& question,
                                              const ui::AdviceSurroundings& surroundings) {
        TRY(load());
        TRY(loadLanguage());
        ui::LanguageAnswer result;
        result.question = question;
        ASSIGN(auto resolved, model::resolveDecoder(m_language->table, question.model));
        result.unread = resolved.unread;
        ASSIGN(result.job, languageJob(std::move(resolved), question));
        result.memory = advisor::languageMemory(result.job, true);
        const auto trained = static_cast<double>(result.job.model.spec.contextLength);
        result.isBeyondTraining = trained > 0 && result.job.context > trained;
        const auto targets = languageTargets();
        for (const auto& target : targets) result.deviceNames[target.id] = target.name;
        for (const auto& stack : m_language->parameters.stacks) result.softwareNames[stack.id] = stack.title;
        for (const auto& stack : m_language->training.stacks) result.softwareNames[stack.id] = stack.title;
        if (question.task == ui::LanguageTask::Chat || question.task == ui::LanguageTask::Serve) {
            result.request = servingRequest(result.job, question, surroundings);
            ASSIGN(result.advice,
                   advisor::adviseServing(result.request, m_data->catalog, m_language->parameters, m_language->prices));
            result.json = advisor::servingJson(result.request, result.advice);
        } else if (question.task == ui::LanguageTask::Fit) {
            TRY(fit(question, surroundings, result));
        }
        if (question.task == ui::LanguageTask::FineTune) {
            addMethods(question, result);
            TRY(addTuning(question, surroundings, result));
        } else {
            ASSIGN(result.formats, otherFormats(result.job));
        }
        addCapacities(targets, surroundings, result);
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

    Result<void> setPrice(const catalog::PriceOverride& price) {
        TRY(load());
        auto dated = price;
        if (dated.price.date.empty()) dated.price.date = today();
        auto user = m_data->user;
        TRY(catalog::setPrice(user, m_data->catalog, dated));
        return save(user);
    }

private:
    // Measurements in the history, of this computer and others, for the predictors.
    struct Stored {
        std::string file;
        history::FileState state;
        std::vector<advisor::Reference> references;
        std::vector<advisor::LanguageAnchor> anchors;
    };

    static ui::AdviceWorkload optionOf(const model::Workload& workload) {
        ui::AdviceWorkload one{workload.id, workload.title, workload.family};
        one.training = advisor::usualJob(workload, plan::Mode::Train);
        one.inference = advisor::usualJob(workload, plan::Mode::Infer);
        one.usuallyInferred = plan::usualMode(workload) == plan::Mode::Infer;
        return one;
    }

    // The user's name for an imported network.
    [[nodiscard]] std::string titleOf(const model::Workload& workload) const {
        if (workload.family != "own") return workload.title;
        const auto name = UserNetworks(m_files.networks).nameOf(workload.id);
        return name.empty() ? workload.title : name;
    }

    Result<void> loadLanguage() {
        if (m_language) return {};
        Language language;
        ASSIGN(language.table, model::loadDecoderTable(m_files.resources));
        ASSIGN(language.parameters, advisor::loadLanguageParameters(m_files.resources));
        ASSIGN(language.training, advisor::loadTrainingParameters(m_files.resources));
        ASSIGN(language.prices, advisor::loadLanguagePrices(m_files.resources));
        m_language = std::move(language);
        return {};
    }

    static ui::LanguageModelOption optionOf(const model::DecoderSpec& spec) {
        return {spec.id, spec.title, model::parametersOf(spec).total, static_cast<double>(spec.contextLength)};
    }

    // Devices with all the figures that a prediction needs.
    [[nodiscard]] std::vector<advisor::LanguageTarget> languageTargets() const {
        std::vector<advisor::LanguageTarget> targets;
        for (const auto& spec : m_data->catalog.hardware) {
            auto refusal = advisor::LanguageRefusal::None;
            if (auto target = advisor::languageTarget(spec, refusal)) targets.push_back(std::move(*target));
        }
        return targets;
    }

    static Result<advisor::LanguageJob> languageJob(model::ResolvedDecoder resolved,
                                                    const ui::LanguageQuestion& question) {
        advisor::LanguageJob job;
        job.model = std::move(resolved);
        ASSIGN(job.weights, advisor::weightsOfJob(job.model, question.weights));
        job.cache = question.smallCache ? model::CacheType::Q8_0 : model::CacheType::F16;
        const bool fit = question.task == ui::LanguageTask::Fit;
        job.context = fit ? question.context : question.prompt + question.answer;
        job.batch = fit ? question.batch : 1;
        return advisor::sized(std::move(job));
    }

    [[nodiscard]] advisor::ServingRequest servingRequest(const advisor::LanguageJob& job,
                                                         const ui::LanguageQuestion& question,
                                                         const ui::AdviceSurroundings& surroundings) const {
        advisor::ServingRequest request;
        request.job = job;
        request.software = question.software;
        request.prompt = question.prompt;
        request.answer = question.answer;
        request.tokensPerMonth = question.load().tokensPerMonth;
        request.userSpeed = question.load().userSpeed;
        request.busy = question.busy;
        request.years = question.years;
        request.usdPerKwh = surroundings.usdPerKwh;
        request.spot = question.spot;
        request.today = today();
        if (question.apiInput && question.apiOutput)
            request.ownApi = advisor::ApiPrice{
                job.model.spec.id,      "own", "entered", *question.apiInput, *question.apiOutput, request.today,
                "entered in the window"};
        return request;
    }

    // The model on every device, and every model on one device.
    Result<void> fit(const ui::LanguageQuestion& question, const ui::AdviceSurroundings& surroundings,
                     ui::LanguageAnswer& result) {
        advisor::LanguageRequest request;
        request.software = question.software;
        request.count = question.devices;
        if (surroundings.profile) {
            request.anchors = storedMeasurements(surroundings.database).anchors;
            request.own = advisor::ownLanguageTargets(*surroundings.profile, m_data->catalog, m_data->parameters,
                                                      request.anchors);
        }
        ASSIGN(result.devices, advisor::predictLanguage(result.job, m_data->catalog, m_language->parameters, request));
        result.json = advisor::languagePredictionsJson(result.job, request, m_language->parameters, result.devices);
        std::erase_if(result.devices, [](const auto& one) { return !one.availableBytes; });
        auto prompt = result.job;
        prompt.mode = advisor::LanguageMode::Prefill;
        prompt.batch = 1;
        ASSIGN(auto prompts, advisor::predictLanguage(prompt, m_data->catalog, m_language->parameters, request));
        for (auto& one : prompts) result.prompts.emplace(one.id, std::move(one));
        const auto* device = m_data->catalog.findHardware(question.device);
        if (device == nullptr) return {};
        result.deviceName = device->name;
        request.only = {question.device};
        for (const auto& spec : m_language->table.models) {
            ASSIGN(const auto job, languageJob({spec, {}, {}, {}, {}, {}}, question));
            ASSIGN(auto on, advisor::predictLanguage(job, m_data->catalog, m_language->parameters, request));
            if (!on.empty()) result.models.push_back({optionOf(spec), std::move(on.front())});
        }
        std::ranges::stable_sort(result.models, {}, [](const auto& one) { return one.model.parameters; });
        return {};
    }

    static void addMethods(const ui::LanguageQuestion& question, ui::LanguageAnswer& result) {
        using Method = advisor::FineTuning::Method;
        for (const auto method : {Method::Qlora, Method::Lora, Method::FullBf16, Method::Full}) {
            auto tuning = question.tuning;
            tuning.method = method;
            result.methods.emplace_back(method, advisor::fineTuningMemory(result.job.model.spec, tuning));
        }
    }

    // Speeds on every device, and time and cost of the job on those that can be rented or bought.
    Result<void> addTuning(const ui::LanguageQuestion& question, const ui::AdviceSurroundings& surroundings,
                           ui::LanguageAnswer& result) {
        auto& request = result.tuningRequest;
        request.job = {result.job.model, question.tuning};
        request.tokens = question.datasetTokens * question.epochs;
        request.software = question.tuningSoftware;
        request.busy = question.busy;
        request.years = question.years;
        request.usdPerKwh = surroundings.usdPerKwh;
        request.spot = question.spot;
        request.today = today();
        ASSIGN(result.tuningAdvice,
               advisor::adviseTuning(request, m_data->catalog, m_language->training, m_language->prices));
        result.json = advisor::tuningAdviceJson(request, m_language->training, result.tuningAdvice);
        advisor::TuningRequest devices;
        devices.software = question.tuningSoftware;
        if (surroundings.profile)
            devices.own = advisor::ownLanguageTargets(*surroundings.profile, m_data->catalog, m_data->parameters, {});
        ASSIGN(result.tuned, advisor::predictTuning(request.job, m_data->catalog, m_language->training, devices));
        std::erase_if(result.tuned, [](const auto& one) { return !one.availableBytes; });
        return {};
    }

    // Common formats, and the requested one.
    static Result<std::vector<std::pair<std::string, advisor::LanguageMemory>>> otherFormats(
        const advisor::LanguageJob& asked) {
        std::vector<std::pair<std::string, advisor::LanguageMemory>> formats;
        for (const auto* name : {"q4_k_m", "q8_0", "bf16", ""}) {
            auto job = asked;
            if (*name != '\0') {
                if (asked.weights->name == name) continue;
                ASSIGN(job.weights, advisor::weightsOfJob(asked.model, name));
                job = advisor::sized({job.model, job.weights, job.cache, job.mode, job.context, job.depth, job.batch});
            }
            formats.emplace_back(job.weights->title, advisor::languageMemory(job, true));
        }
        std::ranges::stable_sort(formats, {}, [](const auto& one) { return one.second.weights; });
        return formats;
    }

    // One card per memory size, and this computer's devices.
    static void addCapacities(const std::vector<advisor::LanguageTarget>& targets,
                              const ui::AdviceSurroundings& surroundings, ui::LanguageAnswer& result) {
        std::map<double, std::string> sizes;
        for (const auto& target : targets)
            if (target.isDiscreteGpu && target.usableBytes) sizes.emplace(*target.usableBytes, target.name);
        for (const auto& [bytes, name] : sizes) result.capacities.push_back({name, bytes, false});
        if (surroundings.profile) {
            const auto& memory = surroundings.profile->memory;
            const auto ram = memory.limitBytes.value ? memory.limitBytes.value : memory.totalBytes.value;
            if (ram) result.capacities.push_back({{}, static_cast<double>(*ram), true});
            for (const auto& gpu : surroundings.profile->gpus)
                if (gpu.memoryBytes.value)
                    result.capacities.push_back(
                        {gpu.name.valueOr(gpu.id), static_cast<double>(*gpu.memoryBytes.value), true});
        }
        std::ranges::stable_sort(result.capacities, {}, &ui::MemoryCapacity::bytes);
    }

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

    // Reloaded when the history or the catalogue changed. A missing or unreadable file does not prevent advice: Home
    // and History report it.
    [[nodiscard]] const std::vector<advisor::Reference>& storedReferences(const std::string& file) {
        return storedMeasurements(file).references;
    }

    [[nodiscard]] const Stored& storedMeasurements(const std::string& file) {
        // Taken before reading, so that a concurrent write causes a reload.
        const auto state = history::stateOf(file);
        if (m_stored && m_stored->file == file && m_stored->state == state) return *m_stored;
        m_stored = Stored{file, state, {}, {}};
        if (file.empty() || !std::filesystem::exists(file)) return *m_stored;
        const auto store = history::HistoryStore::open(file);
        if (!store) {
            static const Stored none;
            m_stored.reset();  // it may be locked only temporarily
            return none;
        }
        advisor::ReferenceCollector collector(m_data->catalog, m_data->parameters);
        std::optional<advisor::LanguageAnchorCollector> anchors;
        if (loadLanguage()) anchors.emplace(m_data->catalog, m_data->parameters, m_language->table);
        const auto add = [&](const bench::RunRecord& run) {
            collector.add(run);
            if (anchors) anchors->add(run);
        };
        (void)(*store)->forEachRun(add, history::Detail::Summaries);
        m_stored->references = collector.references();
        if (anchors) m_stored->anchors = anchors->anchors();
        return *m_stored;
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
        const auto colon = candidate.hardware.find(':');  // a processor: id and core count
        const auto* spec = m_data->catalog.findHardware(candidate.hardware.substr(0, colon));
        if (spec == nullptr) return;
        names[candidate.hardware] = colon == std::string::npos
                                        ? spec->name
                                        : fmt::format("{} × {}", candidate.hardware.substr(colon + 1), spec->name);
    }

    AdviceFiles m_files;
    const Clock& m_clock;
    std::optional<AdvisorData> m_data;
    struct Language {
        model::DecoderTable table;
        advisor::LanguageParameters parameters;
        advisor::TrainingParameters training;
        advisor::LanguagePrices prices;
    };
    std::optional<Language> m_language;  // loaded on the first question about a language model
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
    services.shortlist = [advisor](const ui::AdviceQuestion& question, const ui::AdviceSurroundings& surroundings,
                                   const shortlist::ShortlistRequest& wanted) {
        return advisor->shortlist(question, surroundings, wanted);
    };
    services.ladder = [advisor](const std::vector<ui::LadderQuestion>& questions,
                                const ui::AdviceSurroundings& surroundings) {
        return advisor->ladder(questions, surroundings);
    };
    services.backtest = [advisor] { return advisor->backtest(); };
    services.importPrices = [advisor](const std::filesystem::path& folder) { return advisor->importPrices(folder); };
    services.setPrice = [advisor](const catalog::PriceOverride& price) { return advisor->setPrice(price); };
    services.languageOptions = [advisor] { return advisor->languageOptions(); };
    services.languageAnswer = [advisor](const ui::LanguageQuestion& question,
                                        const ui::AdviceSurroundings& surroundings) {
        return advisor->languageAnswer(question, surroundings);
    };
    services.studies = advisor::studyFiles(files.resources / "studies");
    return services;
}

}  // namespace steelyard::desktop
