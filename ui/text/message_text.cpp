// SPDX-License-Identifier: Apache-2.0
#include "ui/text/message_text.h"

#include <QRegularExpression>
#include <map>
#include <utility>
#include <variant>

#include "ui/text/format.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

constexpr int kDeepestMessage = 20;  // nesting limit; a record from elsewhere may be deeper

QString messageTextOf(const Message& message, int depth);

struct ArgumentWriter {
    int depth;
    QString operator()(const std::string& text) const {
        constexpr std::size_t kDate = 10;  // "2026-07-09"; shorter numbers may be anything
        return text.size() == kDate ? Format::isoDate(text) : plain(text);
    }
    QString operator()(std::int64_t count) const { return Format::integer(count); }
    QString operator()(double number) const { return Format::number(number); }
    QString operator()(Bytes bytes) const { return Format::bytes(bytes.value()); }
    QString operator()(Seconds seconds) const { return Format::seconds(seconds.value()); }
    QString operator()(Usd usd) const { return Format::money(usd.value()); }
    QString operator()(Percent percent) const { return Format::percent(percent.fraction); }
    QString operator()(const Message& message) const { return messageTextOf(message, depth + 1); }
};

const char* patternOf(const std::string& id) {
    static const auto patterns = [] {
        std::map<std::string, const char*, std::less<>> all;
        for (const auto& message : allMessages()) all.emplace(message.id, message.english.data());
        return all;
    }();
    const auto found = patterns.find(id);
    return found == patterns.end() ? nullptr : found->second;
}

QString messageTextOf(const Message& message, int depth) {
    const auto* pattern = depth < kDeepestMessage ? patternOf(message.id) : nullptr;
    if (pattern == nullptr) return plain(message.text).trimmed();
    const auto text = QCoreApplication::translate(message.id.c_str(), pattern);
    // In one pass, since a value may contain a percent sign.
    QString result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const auto place = text[i] == QLatin1Char('%') && i + 1 < text.size() ? text[i + 1].digitValue() - 1 : -1;
        if (place < 0 || place >= static_cast<int>(message.arguments.size())) {
            result += text[i];
            continue;
        }
        result += std::visit(ArgumentWriter{depth}, message.arguments[static_cast<std::size_t>(place)].value);
        ++i;
    }
    return result;
}

// "libcuda.so.1", "/proc/stat", "bert_base", "cpu0": names keep their case.
bool beginsWithName(const QString& text) {
    static const QRegularExpression name(QStringLiteral("^[^\\s:,;]*[\\d_/\\\\][^\\s:,;]*|^[^\\s:,;]+\\.[^\\s:,;]+"));
    return name.match(text).hasMatch();
}

// Names of networks and machines keep their case.
bool beginsWithArgument(const Message& message, const QString& text) {
    if (message.arguments.empty()) return false;
    const auto* name = std::get_if<std::string>(&message.arguments.front().value);
    return name != nullptr && !name->empty() && text.startsWith(QString::fromStdString(*name));
}

}  // namespace

QString MessageText::text(const Message& message) {
    return messageTextOf(message, 0);
}

QString MessageText::sentence(const Message& message) {
    auto result = text(message);
    if (result.isEmpty()) return result;
    if (!beginsWithName(result) && !beginsWithArgument(message, result)) result[0] = result[0].toUpper();
    const auto last = result.back();
    const bool ended = last == QLatin1Char('.') || last == QLatin1Char('!') || last == QChar(0x3002);
    return ended ? result : tr("%1.", "a clause as a sentence").arg(result);
}

QString MessageText::condition(std::string_view name) {
    static constexpr std::pair<std::string_view, const char*> kNames[] = {
        {"cpu_mhz_start", QT_TRANSLATE_NOOP("MessageText", "Clock at the start (MHz)")},
        {"cpu_mhz_end", QT_TRANSLATE_NOOP("MessageText", "Clock at the end (MHz)")},
        {"cpu_celsius_start", QT_TRANSLATE_NOOP("MessageText", "Temperature at the start (°C)")},
        {"cpu_celsius_end", QT_TRANSLATE_NOOP("MessageText", "Temperature at the end (°C)")},
        {"load_average_start", QT_TRANSLATE_NOOP("MessageText", "Load average at the start")},
        {"load_average_end", QT_TRANSLATE_NOOP("MessageText", "Load average at the end")},
        {"cpu_pressure_start", QT_TRANSLATE_NOOP("MessageText", "CPU pressure at the start")},
        {"cpu_pressure_end", QT_TRANSLATE_NOOP("MessageText", "CPU pressure at the end")},
        {"cpu", QT_TRANSLATE_NOOP("MessageText", "Processor")},
        {"governor", QT_TRANSLATE_NOOP("MessageText", "Clock governor")},
        {"os", QT_TRANSLATE_NOOP("MessageText", "Operating system")},
        {"kernel", QT_TRANSLATE_NOOP("MessageText", "Kernel")},
        {"virtual_machine", QT_TRANSLATE_NOOP("MessageText", "Virtual machine")},
        {"container", QT_TRANSLATE_NOOP("MessageText", "Container")},
        {"allowed_cpus", QT_TRANSLATE_NOOP("MessageText", "Allowed CPUs")},
        {"quota_cores", QT_TRANSLATE_NOOP("MessageText", "CPU quota")},
        {"compiler", QT_TRANSLATE_NOOP("MessageText", "Compiler")},
        {"threads", QT_TRANSLATE_NOOP("MessageText", "Threads")},
        {"kernels", QT_TRANSLATE_NOOP("MessageText", "Library of the matrix products")},
        {"own_kernels", QT_TRANSLATE_NOOP("MessageText", "Instruction set of the built-in kernels")},
        {"openblas_threads", QT_TRANSLATE_NOOP("MessageText", "Threads of OpenBLAS")},
        {"other_load", QT_TRANSLATE_NOOP("MessageText", "CPUs busy with other programs")},
        {"counted_over_least_work", QT_TRANSLATE_NOOP("MessageText", "Counted FLOPs over the fewest needed")},
        {"sustained_ratio", QT_TRANSLATE_NOOP("MessageText", "Speed at the end over that at the start")},
        {"peak_flops_of", QT_TRANSLATE_NOOP("MessageText", "Peak measured with")},
        {"peak_bytes_of", QT_TRANSLATE_NOOP("MessageText", "Memory bandwidth measured by")},
        {"read_bandwidth_ratio", QT_TRANSLATE_NOOP("MessageText", "Slowest over fastest reading of the weights")},
        {"peak_probe_seconds", QT_TRANSLATE_NOOP("MessageText", "Time to measure the peak (s)")},
        {"energy_source", QT_TRANSLATE_NOOP("MessageText", "Energy read from")},
        {"software", QT_TRANSLATE_NOOP("MessageText", "Software")},
        {"gpu_driver", QT_TRANSLATE_NOOP("MessageText", "GPU driver")},
        {"cuda_driver", QT_TRANSLATE_NOOP("MessageText", "CUDA version of the driver")},
        {"compute_capability", QT_TRANSLATE_NOOP("MessageText", "Compute capability")},
        {"pci_bus_id", QT_TRANSLATE_NOOP("MessageText", "PCI bus ID")},
        {"pcie_link", QT_TRANSLATE_NOOP("MessageText", "PCIe link, highest")},
        {"pcie_link_start", QT_TRANSLATE_NOOP("MessageText", "PCIe link at the start")},
        {"pcie_link_end", QT_TRANSLATE_NOOP("MessageText", "PCIe link at the end")},
        {"gpu_power_limit_watts", QT_TRANSLATE_NOOP("MessageText", "GPU power limit (W)")},
        {"gpu_mhz_start", QT_TRANSLATE_NOOP("MessageText", "GPU clock at the start (MHz)")},
        {"gpu_mhz_end", QT_TRANSLATE_NOOP("MessageText", "GPU clock at the end (MHz)")},
        {"gpu_memory_mhz_start", QT_TRANSLATE_NOOP("MessageText", "GPU memory clock at the start (MHz)")},
        {"gpu_memory_mhz_end", QT_TRANSLATE_NOOP("MessageText", "GPU memory clock at the end (MHz)")},
        {"gpu_celsius_start", QT_TRANSLATE_NOOP("MessageText", "GPU temperature at the start (°C)")},
        {"gpu_celsius_end", QT_TRANSLATE_NOOP("MessageText", "GPU temperature at the end (°C)")},
        {"gpu_watts_start", QT_TRANSLATE_NOOP("MessageText", "GPU power at the start (W)")},
        {"gpu_watts_end", QT_TRANSLATE_NOOP("MessageText", "GPU power at the end (W)")},
        {"gpu_processes_start", QT_TRANSLATE_NOOP("MessageText", "Processes on the GPU at the start")},
        {"gpu_processes_end", QT_TRANSLATE_NOOP("MessageText", "Processes on the GPU at the end")},
        {"to_device_pinned_bytes_per_second", QT_TRANSLATE_NOOP("MessageText", "Copy to the GPU, pinned memory (B/s)")},
        {"to_device_pageable_bytes_per_second",
         QT_TRANSLATE_NOOP("MessageText", "Copy to the GPU, pageable memory (B/s)")},
        {"to_host_pinned_bytes_per_second", QT_TRANSLATE_NOOP("MessageText", "Copy from the GPU, pinned memory (B/s)")},
        {"to_host_pageable_bytes_per_second",
         QT_TRANSLATE_NOOP("MessageText", "Copy from the GPU, pageable memory (B/s)")},
    };
    for (const auto& [id, text] : kNames) {
        if (id == name) return tr(text);
    }
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))
        .replace(QLatin1Char('_'), QLatin1Char(' '));
}

}  // namespace steelyard::ui
