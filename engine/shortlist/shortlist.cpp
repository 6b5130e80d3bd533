// SPDX-License-Identifier: Apache-2.0
#include "engine/shortlist/shortlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "engine/bench/suite/suite.h"
#include "engine/catalog/offer_id.h"
#include "engine/core/messages/campaign.h"

namespace steelyard::shortlist {
namespace {

using advisor::Advice;
using campaign::Campaign;
using campaign::Engine;
namespace messages = campaign::messages;

constexpr std::string_view kHostPrefix = "host/", kOwnPrefix = "own/";
constexpr const char* kFirstGpu = "cuda:0";

campaign::Band bandOf(const advisor::Interval& interval) {
    return {interval.low, interval.median, interval.high};
}

campaign::Question questionOf(const advisor::AdviceRequest& request) {
    campaign::Question question;
    question.workload = request.job.workload;
    question.mode = plan::toString(request.job.mode);
    question.batch = request.job.batch;
    question.precision = plan::toString(request.job.precision);
    question.steps = request.steps;
    question.priority = advisor::toString(request.priority);
    question.timeWeight = request.timeWeight;
    question.budgetUsd = request.budgetUsd;
    question.deadlineHours = request.deadlineHours;
    return question;
}

bool isHost(const advisor::Candidate& candidate) {
    return candidate.id.starts_with(kHostPrefix);
}

class ShortlistMaker {
public:
    ShortlistMaker(const ShortlistRequest& request, const advisor::AdviceRequest& question, const Advice& advice,
                   const catalog::Catalog& catalog)
        : m_request(request), m_question(question), m_advice(advice), m_catalog(catalog) {}

    Result<Shortlist> run() {
        m_list.campaign.question = questionOf(m_question);
        m_list.campaign.suite = m_request.suite;
        m_list.campaign.budgetUsd = m_request.budgetUsd;
        std::size_t best = 0;
        for (const auto& id : m_request.ids)
            if (m_advice.find(id) == nullptr)
                return fail(ErrorKind::InvalidArgument, "--candidate", messages::unknownCandidate(id));
        for (std::size_t i = 0; i < m_advice.candidates.size(); ++i) {
            const auto& candidate = m_advice.candidates[i];
            const bool isNamed =
                isHost(candidate) || std::ranges::find(m_request.ids, candidate.id) != m_request.ids.end();
            if (!isNamed && (best >= m_request.top || !candidate.isViable())) continue;
            ASSIGN(const bool added, add(candidate, i + 1, isNamed));
            if (added && !isNamed) ++best;
        }
        if (m_list.campaign.candidates.empty())
            return fail(ErrorKind::NotFound, {},
                        m_list.leftOut.empty() ? messages::noCandidates() : joined(m_list.leftOut));
        return std::move(m_list);
    }

private:
    bool leaveOut(Message why) {
        m_list.leftOut.push_back(std::move(why));
        return false;
    }

    // The engine that reaches it; none for offers if the requested engine rents nothing.
    [[nodiscard]] std::optional<Engine> engineOf(const advisor::Candidate& candidate) const {
        if (candidate.id.starts_with(kOwnPrefix)) return Engine::Local;
        if (isHost(candidate)) return m_request.engine.value_or(Engine::Parallel);
        const auto engine = m_request.engine.value_or(Engine::SkyPilot);
        if (engine == Engine::SkyPilot) return engine;
        return std::nullopt;
    }

    // Devices supported by the program: processors, and GPUs with CUDA.
    [[nodiscard]] std::optional<std::string> deviceOf(const advisor::Candidate& candidate) const {
        if (candidate.id.starts_with(kOwnPrefix)) return candidate.id.substr(kOwnPrefix.size());
        const auto id = candidate.hardware.substr(0, candidate.hardware.find(':'));
        const auto* spec = m_catalog.findHardware(id);
        if (spec == nullptr) return "cpu";  // a host like this computer, with a processor that is not in the catalogue
        if (spec->isCpu()) return "cpu";
        return spec->isGpu() && spec->vendor == "NVIDIA" ? std::optional<std::string>(kFirstGpu) : std::nullopt;
    }

    Result<bool> add(const advisor::Candidate& candidate, std::size_t rank, bool isNamed) {
        const auto title = advisor::machineTitle(candidate.title);
        if (!candidate.prediction.hasTime())
            return leaveOut(messages::leftOutRejected(title, messageOf(candidate.rejectedBecause.front())));
        const auto engine = engineOf(candidate);
        if (!engine && isNamed)
            return fail(ErrorKind::InvalidArgument, "--engine",
                        messages::engineRentsNothing(toString(*m_request.engine)));
        if (!engine) return false;
        const auto device = deviceOf(candidate);
        if (!device) return leaveOut(messages::leftOutNoBackend(title, candidate.hardware));
        campaign::Candidate planned;
        planned.id = fmt::format("{:02}", m_list.campaign.candidates.size() + 1);
        planned.title = candidate.title;
        planned.engine = *engine;
        planned.hardware = candidate.hardware;
        planned.device = *device;
        planned.capSeconds = m_request.capSeconds;
        if (candidate.devices > 1) planned.gpus = static_cast<int>(candidate.devices);
        if (isHost(candidate)) {
            planned.host = candidate.id.substr(kHostPrefix.size());
        } else if (!candidate.own) {
            planned.placements = {{catalog::OfferId::parse(candidate.id).offer, candidate.provider, candidate.instance,
                                   candidate.region, candidate.spot, candidate.usdPerHour}};
        }
        planned.forecast = forecastOf(candidate, rank, planned.device);
        m_list.campaign.candidates.push_back(std::move(planned));
        if (campaign::checkBudget(m_list.campaign)) return true;
        const double worst = *campaign::worstUsd(m_list.campaign);
        m_list.campaign.candidates.pop_back();
        return leaveOut(messages::leftOutForBudget(title, Usd{worst}, Usd{*m_request.budgetUsd}));
    }

    [[nodiscard]] campaign::Forecast forecastOf(const advisor::Candidate& candidate, std::size_t rank,
                                                const std::string& device) const {
        campaign::Forecast forecast;
        forecast.stepSeconds = bandOf(candidate.prediction.seconds);
        forecast.hours = bandOf(candidate.hours);
        forecast.usd = bandOf(candidate.costUsd);
        forecast.jobHours = (candidate.breakdown.jobSeconds + candidate.breakdown.interruptionSeconds) / 3600;
        forecast.basis = advisor::toString(candidate.prediction.basis);
        if (candidate.isViable()) forecast.rank = static_cast<std::int64_t>(rank);
        forecast.measuringSeconds =
            measuringSeconds(*m_list.campaign.question, device, m_request.suite, forecast.stepSeconds.median,
                             candidate.own ? 0 : m_question.rental.startUpSeconds);
        return forecast;
    }

    const ShortlistRequest& m_request;
    const advisor::AdviceRequest& m_question;
    const Advice& m_advice;
    const catalog::Catalog& m_catalog;
    Shortlist m_list;
};

}  // namespace

Result<Host> hostFromText(std::string_view text) {
    const auto refuse = [&] { return fail(ErrorKind::InvalidArgument, "--host", messages::notAHost(text)); };
    Host host;
    const auto equals = text.find('=');
    host.name = text.substr(0, equals);
    if (host.name.empty()) return refuse();
    if (equals == std::string_view::npos) return host;
    auto hardware = text.substr(equals + 1);
    if (const auto colon = hardware.rfind(':'); colon != std::string_view::npos) {
        const auto count = hardware.substr(colon + 1);
        const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), host.count);
        if (error != std::errc() || end != count.data() + count.size() || host.count < 1 || host.count > 64)
            return refuse();
        hardware = hardware.substr(0, colon);
    }
    host.hardware = hardware;
    if (host.hardware.empty()) return refuse();
    return host;
}

Result<advisor::OwnCandidate> hostCandidate(const Host& host, const advisor::AdvisorData& data,
                                            const std::vector<advisor::OwnCandidate>& own) {
    advisor::OwnCandidate candidate;
    candidate.id = std::string(kHostPrefix) + host.name;
    candidate.title = host.name;
    candidate.count = host.count;
    if (host.hardware.empty()) {
        const auto processor = std::ranges::find(own, std::string(kOwnPrefix) + "cpu", &advisor::OwnCandidate::id);
        if (processor == own.end()) return fail(ErrorKind::Unsupported, {}, messages::hostNotPredicted(host.name));
        candidate.device = processor->device;
        candidate.memoryBytes = processor->memoryBytes;
        return candidate;
    }
    const auto* spec = data.catalog.findHardware(host.hardware);
    if (spec == nullptr) return fail(ErrorKind::NotFound, {}, messages::unknownHardware(host.hardware));
    auto device = advisor::deviceModel(*spec, data.parameters);
    if (!device) return fail(ErrorKind::Unsupported, {}, messages::hostNotPredicted(host.name));
    candidate.device = std::move(*device);
    return candidate;
}

Result<advisor::AdviceRequest> campaignQuestion(advisor::AdviceRequest question, const std::vector<Host>& hosts,
                                                const advisor::AdvisorData& data,
                                                const hardware::HardwareProfile& profile,
                                                const advisor::Electricity& electricity) {
    question.software = advisor::kThisEngine;
    if (hosts.empty()) return question;
    const auto own = advisor::ownDevices(profile, data.catalog, data.parameters);
    std::vector<advisor::OwnCandidate> candidates;
    for (const auto& host : hosts) {
        ASSIGN(auto candidate, hostCandidate(host, data, own));
        candidates.push_back(std::move(candidate));
    }
    advisor::chargeElectricity(candidates, data.catalog, electricity);
    std::ranges::move(candidates, std::back_inserter(question.own));
    return question;
}

Result<Shortlist> shortlistOf(const ShortlistRequest& request, const advisor::AdviceRequest& question,
                              const Advice& advice, const catalog::Catalog& catalog) {
    return ShortlistMaker(request, question, advice, catalog).run();
}

std::optional<double> measuringSeconds(const campaign::Question& question, std::string_view device,
                                       std::string_view suite, double stepSeconds, double startUpSeconds) {
    const bench::SuiteMachine machine{.devices = {std::string(device)}};
    bench::RunRequest request;
    request.devices = {std::string(device)};
    auto whole = request;
    request.workloads = {question.workload};
    request.modes = {*plan::modeFromString(question.mode)};
    request.precisions = {*plan::precisionFromString(question.precision)};
    request.batches = {question.batch};
    auto job = bench::makeSuite(request, machine);
    if (!job) return std::nullopt;
    bench::Protocol protocol;
    protocol.timeCap = job->timeCap;
    // Assumed rates, scaled so that the job's step takes the predicted time.
    bench::AssumedRates rates;
    auto& ofDevice = rates.devices[std::string(device)];
    constexpr double kGuessedFlops = 1e12, kGuessedBytes = 1e11;
    ofDevice.flopsPerSecond = kGuessedFlops;
    ofDevice.bytesPerSecond = kGuessedBytes;
    const auto guessed = bench::estimateCase(job->cases.front(), protocol, rates).step;
    if (guessed > 0 && stepSeconds > 0) {
        ofDevice.flopsPerSecond = kGuessedFlops * guessed / stepSeconds;
        ofDevice.bytesPerSecond = kGuessedBytes * guessed / stepSeconds;
    }
    double sum = startUpSeconds;
    for (const auto& spec : job->cases) sum += bench::estimateSeconds(spec, protocol, rates);
    if (suite.empty()) return sum;
    whole.suite = suite;
    if (const auto cases = bench::makeSuite(whole, machine))
        for (const auto& spec : cases->cases) sum += bench::estimateSeconds(spec, protocol, rates);
    return sum;
}

}  // namespace steelyard::shortlist
