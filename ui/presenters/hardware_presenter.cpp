// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/hardware_presenter.h"

#include <QStringList>
#include <cmath>

#include "engine/hardware/profile/profile_facts.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

using hardware::Fact;

constexpr double kGiB = 1024.0 * 1024 * 1024;

QString sourceOf(const std::string& source) {
    if (source == hardware::kUserSource) return HardwarePresenter::tr("set by you");
    return MessageText::text(Message(source));
}

// Text of a fact, or the reason if unknown.
template <typename T, typename Show>
TableCell cellOf(const Fact<T>& fact, Show show) {
    if (fact.isKnown()) return {show(*fact.value), {}, {}, {}};
    constexpr qsizetype kShort = 40;  // a short reason is better than a dash
    const auto reason = fact.reason.empty() ? QString() : MessageText::text(fact.reason);
    return {reason.isEmpty() || reason.size() > kShort ? Format::unknown() : reason,
            reason.isEmpty() ? HardwarePresenter::tr("unknown") : reason,
            {},
            {}};
}

const auto kShowText = [](const std::string& value) { return plain(value); };
const auto kShowCount = [](int value) { return Format::integer(value); };
const auto kShowBytes = [](std::int64_t value) { return Format::bytes(value); };
const auto kShowMhz = [](double value) {
    return HardwarePresenter::tr("%1 MHz").arg(Format::integer(std::llround(value)));
};

TableRow heading(const QString& text) {
    TableRow row;
    row.heading = true;
    row.cells = {{text, {}, {}, {}}, {}, {}, {}, {}};
    return row;
}

// A fact that is only detected, without allowed and used values.
template <typename T, typename Show>
TableRow simpleRow(const QString& name, const Fact<T>& fact, Show show, const std::string& path = {}) {
    TableRow row;
    row.key = plain(path);
    row.cells = {{name, {}, {}, {}}, cellOf(fact, show), {}, {}, {sourceOf(fact.source), {}, {}, {}}};
    return row;
}

QString cacheText(const std::vector<hardware::CacheInfo>& caches) {
    QStringList parts;
    for (const auto& cache : caches) {
        if (cache.type == "instruction") continue;
        parts << QStringLiteral("L%1 %2 × %3")
                     .arg(cache.level)
                     .arg(Format::integer(cache.count), Format::bytes(cache.bytes));
    }
    return parts.join(QLatin1Char('\n'));
}

// Three per line: tables do not wrap.
QString listText(const std::vector<std::string>& values) {
    constexpr std::size_t kPerLine = 3;
    QString text;
    for (std::size_t index = 0; index < values.size(); ++index) {
        if (index > 0) text += index % kPerLine == 0 ? QStringLiteral(",\n") : QStringLiteral(", ");
        text += plain(values[index]);
    }
    return text;
}

QString kindsText(const std::vector<hardware::CpuKind>& kinds) {
    QStringList parts;
    for (const auto& kind : kinds)
        parts << QStringLiteral("%1 × %2").arg(Format::integer(kind.cores), plain(kind.name));
    return parts.join(QStringLiteral(", "));
}

void addProcessor(std::vector<TableRow>& rows, const hardware::CpuInfo& cpu) {
    rows.push_back(heading(HardwarePresenter::tr("Processor")));
    rows.push_back(simpleRow(HardwarePresenter::tr("Name"), cpu.name, kShowText, "cpu.name"));
    rows.push_back(simpleRow(HardwarePresenter::tr("Packages"), cpu.packages, kShowCount, "cpu.packages"));
    TableRow cores;
    cores.key = QStringLiteral("cpu.cores");
    cores.cells = {
        {HardwarePresenter::tr("Physical cores"), {}, {}, {}},
        cellOf(cpu.cores, kShowCount),
        cellOf(cpu.allowedCores, kShowCount),
        cellOf(cpu.usableThreads, kShowCount),
        {QStringList{sourceOf(cpu.cores.source), sourceOf(cpu.allowedCores.source)}.join(QStringLiteral(", ")),
         {},
         {},
         {}}};
    cores.cells[3].hover = HardwarePresenter::tr("Default number of threads of a benchmark");
    rows.push_back(std::move(cores));
    TableRow threads;
    threads.key = QStringLiteral("cpu.threads");
    threads.cells = {{HardwarePresenter::tr("Logical CPUs"), {}, {}, {}},
                     cellOf(cpu.threads, kShowCount),
                     cellOf(cpu.allowedCpus, kShowCount),
                     {},
                     {sourceOf(cpu.allowedCpus.source), {}, {}, {}}};
    rows.push_back(std::move(threads));
    TableRow quota;
    quota.key = QStringLiteral("cpu.quota_cores");
    quota.cells = {{HardwarePresenter::tr("CPU quota"), {}, {}, {}},
                   {},
                   cellOf(cpu.quotaCores,
                          [](double value) { return HardwarePresenter::tr("%1 CPUs").arg(Format::number(value)); }),
                   {},
                   {sourceOf(cpu.quotaCores.source), {}, {}, {}}};
    rows.push_back(std::move(quota));
    if (cpu.kinds.isKnown() && cpu.kinds.value->size() > 1) {
        rows.push_back(simpleRow(HardwarePresenter::tr("Core types"), cpu.kinds, kindsText));
    }
    rows.push_back(simpleRow(HardwarePresenter::tr("Caches"), cpu.caches, cacheText));
    auto isa = simpleRow(HardwarePresenter::tr("Instruction sets"), cpu.isa, listText);
    isa.cells[1].hover = isa.cells[1].text;
    rows.push_back(std::move(isa));
    rows.push_back(simpleRow(HardwarePresenter::tr("Maximum clock"), cpu.maxMhz, kShowMhz, "cpu.max_mhz"));
    rows.push_back(simpleRow(HardwarePresenter::tr("Current clock"), cpu.currentMhz, kShowMhz));
    rows.push_back(simpleRow(HardwarePresenter::tr("Governor"), cpu.governor, kShowText));
}

void addMemory(std::vector<TableRow>& rows, const hardware::MemoryInfo& memory) {
    rows.push_back(heading(HardwarePresenter::tr("Memory")));
    TableRow main;
    main.key = QStringLiteral("memory.total_bytes");
    main.cells = {{HardwarePresenter::tr("Main memory"), {}, {}, {}},
                  cellOf(memory.totalBytes, kShowBytes),
                  cellOf(memory.limitBytes, kShowBytes),
                  {},
                  {sourceOf(memory.totalBytes.source), {}, {}, {}}};
    rows.push_back(std::move(main));
    TableRow available;
    available.key = QStringLiteral("memory.available_bytes");
    available.cells = {{HardwarePresenter::tr("Available now"), {}, {}, {}},
                       {},
                       cellOf(memory.availableBytes, kShowBytes),
                       {},
                       {sourceOf(memory.availableBytes.source), {}, {}, {}}};
    rows.push_back(std::move(available));
    rows.push_back(
        simpleRow(HardwarePresenter::tr("Swap"), memory.swapTotalBytes, kShowBytes, "memory.swap_total_bytes"));
}

void addGraphics(std::vector<TableRow>& rows, const std::vector<hardware::GpuInfo>& gpus) {
    const auto rate = [](double value) { return QStringLiteral("%1 GB/s").arg(Format::number(value / 1e9)); };
    for (std::size_t index = 0; index < gpus.size(); ++index) {
        const auto& gpu = gpus[index];
        const auto path = "gpus[" + std::to_string(index) + "].";
        rows.push_back(heading(HardwarePresenter::tr("GPU %1").arg(Format::integer(static_cast<int>(index)))));
        rows.push_back(simpleRow(HardwarePresenter::tr("Name"), gpu.name, kShowText, path + "name"));
        rows.push_back(simpleRow(HardwarePresenter::tr("Memory"), gpu.memoryBytes, kShowBytes, path + "memory_bytes"));
        rows.push_back(simpleRow(HardwarePresenter::tr("Memory bandwidth"), gpu.memoryBytesPerSecond, rate,
                                 path + "memory_bytes_per_second"));
        rows.push_back(simpleRow(HardwarePresenter::tr("Maximum clock"), gpu.maxMhz, kShowMhz, path + "max_mhz"));
    }
}

void addSystem(std::vector<TableRow>& rows, const hardware::EnvironmentInfo& environment) {
    const auto none = [](const std::string& value) {
        return value == "none" ? HardwarePresenter::tr("none") : plain(value);
    };
    rows.push_back(heading(HardwarePresenter::tr("System")));
    rows.push_back(simpleRow(HardwarePresenter::tr("Operating system"), environment.os, kShowText, "environment.os"));
    rows.push_back(simpleRow(HardwarePresenter::tr("Kernel"), environment.kernel, kShowText));
    rows.push_back(simpleRow(HardwarePresenter::tr("Machine"), environment.machine, kShowText, "environment.machine"));
    rows.push_back(simpleRow(HardwarePresenter::tr("Virtual machine"), environment.virtualMachine, none));
    rows.push_back(simpleRow(HardwarePresenter::tr("Container"), environment.container, none));
}

template <typename T, typename Show>
void addFact(std::vector<Detail>& facts, const QString& name, const Fact<T>& fact, Show show) {
    if (fact.isKnown()) facts.push_back({name, show(*fact.value)});
}

}  // namespace

QString HardwarePresenter::computerLine(const hardware::HardwareProfile& profile) {
    const auto& cpu = profile.cpu;
    QStringList parts;
    parts << (cpu.name.isKnown() ? plain(*cpu.name.value) : tr("Unknown processor"));
    if (cpu.cores.isKnown()) {
        const int usable = cpu.usableThreads.valueOr(*cpu.cores.value);
        parts << (usable < *cpu.cores.value
                      ? tr("%1 of %n core(s) usable", nullptr, *cpu.cores.value).arg(Format::integer(usable))
                      : tr("%n core(s)", nullptr, *cpu.cores.value));
    }
    const auto& memory = profile.memory;
    const auto& bytes = memory.limitBytes.isKnown() ? memory.limitBytes : memory.totalBytes;
    if (bytes.isKnown()) parts << tr("%1 memory").arg(Format::bytes(*bytes.value));
    QStringList cards;
    for (const auto& gpu : profile.gpus) {
        auto name = gpu.name.isKnown() ? plain(*gpu.name.value) : tr("%1 GPU").arg(plain(gpu.vendor));
        if (gpu.status != hardware::GpuStatus::Usable) name = tr("%1 (%2)").arg(name, StatusText::name(gpu.status));
        cards << name;
    }
    parts << (cards.isEmpty() ? tr("no GPU") : cards.join(QStringLiteral(" + ")));
    return parts.join(QStringLiteral(" · "));
}

QString HardwarePresenter::limits(const hardware::HardwareProfile& profile) {
    QStringList parts;
    const auto& cpu = profile.cpu;
    if (cpu.quotaCores.isKnown() && cpu.cores.isKnown() && *cpu.quotaCores.value < *cpu.cores.value) {
        parts << tr("A control group grants %1 of %2 cores.")
                     .arg(Format::number(*cpu.quotaCores.value), Format::integer(*cpu.cores.value));
    } else if (cpu.allowedCores.isKnown() && cpu.cores.isKnown() && *cpu.allowedCores.value < *cpu.cores.value) {
        parts << tr("This process may run on %1 of %2 cores.")
                     .arg(Format::integer(*cpu.allowedCores.value), Format::integer(*cpu.cores.value));
    }
    const auto& memory = profile.memory;
    if (memory.limitBytes.isKnown() && memory.totalBytes.isKnown() &&
        *memory.limitBytes.value < *memory.totalBytes.value) {
        parts << tr("A control group grants %1 of %2 memory.")
                     .arg(Format::bytes(*memory.limitBytes.value), Format::bytes(*memory.totalBytes.value));
    }
    return parts.join(QLatin1Char(' '));
}

TableContent HardwarePresenter::facts(const hardware::HardwareProfile& profile) {
    TableContent content;
    content.columns = {{tr("Fact"), false, {}},
                       {tr("Detected"), false, tr("What the machine has")},
                       {tr("Allowed"), false, tr("What this process may use")},
                       {tr("Used"), false, tr("Default for benchmarks")},
                       {tr("Source"), false, tr("Where the fact was read")}};
    addProcessor(content.rows, profile.cpu);
    addMemory(content.rows, profile.memory);
    addGraphics(content.rows, profile.gpus);
    addSystem(content.rows, profile.environment);
    return content;
}

QString HardwarePresenter::editText(const hardware::HardwareProfile& profile, const QString& path) {
    for (const auto& row : hardware::listFacts(profile)) {
        if (plain(row.path) != path) continue;
        if (!row.known || !path.endsWith(QLatin1String("_bytes"))) return plain(row.text);
        return QStringLiteral("%1 GiB").arg(QLocale().toString(std::stod(row.text) / kGiB, 'g', 4));
    }
    return {};
}

std::string HardwarePresenter::parsed(const QString& path, const QString& text) {
    const auto typed = text.trimmed();
    if (path.endsWith(QLatin1String("_bytes"))) {
        static const std::pair<const char*, double> kUnits[] = {{"TiB", kGiB * 1024},
                                                                {"GiB", kGiB},
                                                                {"MiB", kGiB / 1024},
                                                                {"TB", 1e12},
                                                                {"GB", 1e9},
                                                                {"MB", 1e6},
                                                                {"B", 1},
                                                                {"", kGiB}};
        for (const auto& [unit, bytes] : kUnits) {
            const auto name = QLatin1String(unit);
            if (!typed.endsWith(name, Qt::CaseInsensitive)) continue;
            bool ok = false;
            const double value = QLocale().toDouble(typed.left(typed.size() - name.size()).trimmed(), &ok);
            if (ok) return std::to_string(std::llround(value * bytes));
        }
        return typed.toStdString();
    }
    bool ok = false;
    const double value = QLocale().toDouble(typed, &ok);
    if (!ok) return typed.toStdString();
    return QString::number(value, 'g', 15).toStdString();
}

std::vector<GpuCard> HardwarePresenter::gpus(const hardware::HardwareProfile& profile) {
    std::vector<GpuCard> cards;
    for (const auto& gpu : profile.gpus) {
        GpuCard card;
        card.title = gpu.name.isKnown() ? plain(*gpu.name.value) : tr("%1 GPU").arg(plain(gpu.vendor));
        card.status = StatusText::name(gpu.status);
        card.tone = gpu.status == hardware::GpuStatus::Usable ? Tone::Good : Tone::Caution;
        card.reason =
            QStringLiteral("%1 %2").arg(MessageText::sentence(gpu.reason), StatusText::advice(gpu.status)).trimmed();
        addFact(card.facts, tr("Memory"), gpu.memoryBytes, kShowBytes);
        addFact(card.facts, tr("Memory in use"), gpu.memoryUsedBytes, kShowBytes);
        addFact(card.facts, tr("Memory bandwidth"), gpu.memoryBytesPerSecond,
                [](double value) { return QStringLiteral("%1 GB/s").arg(Format::number(value / 1e9)); });
        addFact(card.facts, tr("Compute capability"), gpu.computeCapability, kShowText);
        addFact(card.facts, tr("Multiprocessors"), gpu.multiprocessors, kShowCount);
        addFact(card.facts, tr("Maximum clock"), gpu.maxMhz, kShowMhz);
        addFact(card.facts, tr("Power limit"), gpu.powerLimitWatts,
                [](double value) { return QStringLiteral("%1 W").arg(Format::number(value)); });
        if (gpu.pcieGeneration.isKnown() && gpu.pcieWidth.isKnown()) {
            card.facts.push_back({tr("PCI Express"), tr("generation %1, %2 lanes")
                                                         .arg(Format::integer(*gpu.pcieGeneration.value),
                                                              Format::integer(*gpu.pcieWidth.value))});
        }
        addFact(card.facts, tr("Driver"), gpu.driver, kShowText);
        addFact(card.facts, tr("CUDA version"), gpu.cudaVersion, kShowText);
        addFact(card.facts, tr("PCI address"), gpu.pciBusId, kShowText);
        cards.push_back(std::move(card));
    }
    return cards;
}

QString HardwarePresenter::noGpuText(const hardware::HardwareProfile& profile) {
    if (!profile.gpus.empty()) return {};
    const auto reason =
        profile.gpuReason.empty() ? tr("No graphics card was found.") : MessageText::sentence(profile.gpuReason);
    return QStringLiteral("%1 %2").arg(reason, tr("Benchmarks run on the CPU; everything else works as well."));
}

std::vector<BackendRow> HardwarePresenter::backends(const hardware::HardwareProfile& profile) {
    std::vector<BackendRow> rows;
    for (const auto& backend : profile.backends) {
        rows.push_back({plain(backend.name), backend.loaded,
                        backend.loaded ? tr("loaded") : MessageText::sentence(backend.reason)});
    }
    return rows;
}

}  // namespace steelyard::ui
