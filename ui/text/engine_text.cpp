// SPDX-License-Identifier: Apache-2.0
#include "ui/text/engine_text.h"

#include <QRegularExpression>
#include <array>
#include <utility>
#include <vector>

namespace steelyard::ui {
namespace {

constexpr int kDeepest = 3;  // sentences within sentences

// What stands for a value is %1 to %4, in the order of the English sentence. The special ones come first: the first
// that fits is taken.
constexpr const char* kPatterns[] = {
    // engine/hardware: why there is no GPU, or why one cannot be used
    QT_TRANSLATE_NOOP("EngineText", "There is no GPU on the PCI bus"),
    QT_TRANSLATE_NOOP("EngineText", "The PCI bus is not visible here"),
    QT_TRANSLATE_NOOP("EngineText", "GPUs were not looked for"),
    QT_TRANSLATE_NOOP("EngineText", "There is no backend for GPUs of this maker yet"),
    QT_TRANSLATE_NOOP("EngineText", "%1: The NVIDIA driver is not installed"),
    QT_TRANSLATE_NOOP("EngineText",
                      "%1: The kernel has the NVIDIA driver, but its library is not here; a container must be started "
                      "with the card passed in"),
    QT_TRANSLATE_NOOP("EngineText", "%1: The NVIDIA driver is not installed (kernel driver in use: %2)"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver is not installed: %1 (kernel driver in use: %2)"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver is not installed: %1"),
    QT_TRANSLATE_NOOP("EngineText",
                      "The kernel has the NVIDIA driver, but its library is not here; a container must be started with "
                      "the card passed in: %1"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver refuses: %1 answers %2"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver is too old: it supports CUDA %1, %2 is needed"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver shows no device (CUDA_VISIBLE_DEVICES is \"%1\")"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver shows no device"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver does not show this card (CUDA_VISIBLE_DEVICES is \"%1\")"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver does not show this card"),
    QT_TRANSLATE_NOOP("EngineText", "The NVIDIA driver does not tell the compute capability: %1"),
    QT_TRANSLATE_NOOP("EngineText", "Compute capability %1 is too old, %2 is needed"),
    QT_TRANSLATE_NOOP("EngineText", "The CUDA backend was not loaded: %1"),
    QT_TRANSLATE_NOOP("EngineText", "The CUDA backend is not installed"),
    // engine/compute: why a backend was not loaded
    QT_TRANSLATE_NOOP("EngineText", "the backend is not installed"),
    QT_TRANSLATE_NOOP("EngineText", "its libraries are missing: %1"),
    QT_TRANSLATE_NOOP("EngineText", "the file is not a backend of this program"),
    // engine/history: why no space is given back
    QT_TRANSLATE_NOOP("EngineText", "run %1 is under way"),
    QT_TRANSLATE_NOOP("EngineText", "another process is reading it"),
    // several GPUs on one case
    QT_TRANSLATE_NOOP("EngineText", "%1 samples cannot be shared evenly by %2 devices"),
    QT_TRANSLATE_NOOP("EngineText", "several devices are measured with invented data only"),
    QT_TRANSLATE_NOOP("EngineText", "several GPUs cannot share an embedding's sparse update"),
    QT_TRANSLATE_NOOP("EngineText", "only GPUs share the work of a step"),
    QT_TRANSLATE_NOOP("EngineText", "NCCL is missing: %1"),
    QT_TRANSLATE_NOOP("EngineText", "rank 0 did not come within %1 s"),
    QT_TRANSLATE_NOOP("EngineText", "this rank has given up"),
    QT_TRANSLATE_NOOP("EngineText", "made for interface version %1, this program has %2"),
    // engine/hardware: why a fact is unknown
    QT_TRANSLATE_NOOP("EngineText", "the driver does not tell memory clock and bus width"),
    QT_TRANSLATE_NOOP("EngineText", "the driver does not tell"),
    QT_TRANSLATE_NOOP("EngineText", "the driver tells 0"),
    QT_TRANSLATE_NOOP("EngineText", "told by the driver only"),
    QT_TRANSLATE_NOOP("EngineText", "no NVIDIA driver is loaded"),
    QT_TRANSLATE_NOOP("EngineText", "no kernel driver is bound to it"),
    QT_TRANSLATE_NOOP("EngineText", "device %1 is in no list here"),
    QT_TRANSLATE_NOOP("EngineText", "%1 cannot be used"),
    QT_TRANSLATE_NOOP("EngineText", "not told in a virtual machine"),
    QT_TRANSLATE_NOOP("EngineText", "the kernel does not tell %1"),
    QT_TRANSLATE_NOOP("EngineText", "the kernel does not tell"),
    QT_TRANSLATE_NOOP("EngineText", "the system does not tell"),
    QT_TRANSLATE_NOOP("EngineText", "the firmware does not tell"),
    QT_TRANSLATE_NOOP("EngineText", "neither processor nor firmware tell"),
    QT_TRANSLATE_NOOP("EngineText", "neither cores nor CPUs are known"),
    QT_TRANSLATE_NOOP("EngineText", "there is no os-release file"),
    QT_TRANSLATE_NOOP("EngineText", "it cannot be read"),
    QT_TRANSLATE_NOOP("EngineText", "the control group's limit is above the machine's memory"),
    QT_TRANSLATE_NOOP("EngineText", "not told by copied files"),
    QT_TRANSLATE_NOOP("EngineText", "removed from this report"),
    QT_TRANSLATE_NOOP("EngineText", "not recorded"),
    QT_TRANSLATE_NOOP("EngineText", "no control group limits the CPU time"),
    QT_TRANSLATE_NOOP("EngineText", "no control group limits the memory"),
    QT_TRANSLATE_NOOP("EngineText", "no control groups are visible"),
    QT_TRANSLATE_NOOP("EngineText", "no sign of one in the file system, the environment or the control group"),
    QT_TRANSLATE_NOOP("EngineText", "none of its CPUs is in the topology"),
    QT_TRANSLATE_NOOP("EngineText", "smallest of allowed cores, allowed CPUs and quota: %1"),
    QT_TRANSLATE_NOOP("EngineText", "the kernel lists no instruction sets known here"),
    QT_TRANSLATE_NOOP("EngineText", "the system does not tell cores from threads"),
    QT_TRANSLATE_NOOP("EngineText", "there is no such fact"),
    QT_TRANSLATE_NOOP("EngineText", "a list cannot be replaced"),
    QT_TRANSLATE_NOOP("EngineText", "must be greater than zero"),
    QT_TRANSLATE_NOOP("EngineText", "\"%1\" is not a value of this fact"),
    // engine/hardware/preflight: what disturbs a measurement
    QT_TRANSLATE_NOOP("EngineText", "The computer runs on its battery (%1 % left)"),
    QT_TRANSLATE_NOOP("EngineText", "The computer runs on its battery"),
    QT_TRANSLATE_NOOP("EngineText", "The clock governor is \"%1\", which holds the clock down"),
    QT_TRANSLATE_NOOP("EngineText", "The processor's energy preference is \"%1\""),
    QT_TRANSLATE_NOOP("EngineText", "The computer's power profile is \"%1\""),
    QT_TRANSLATE_NOOP("EngineText", "Other programs keep %1 of %2 CPUs busy"),
    QT_TRANSLATE_NOOP("EngineText", "Only %1 of %2 memory is free"),
    QT_TRANSLATE_NOOP("EngineText", "%1 are swapped out to disk"),
    QT_TRANSLATE_NOOP("EngineText", "The processor is at %1 degrees before the start"),
    QT_TRANSLATE_NOOP("EngineText", "%1 is at %2 degrees before the start"),
    QT_TRANSLATE_NOOP("EngineText", "1 other program computes on %1"),
    QT_TRANSLATE_NOOP("EngineText", "%1 other programs compute on %2"),
    QT_TRANSLATE_NOOP("EngineText",
                      "The container grants %1 CPUs: with whole threads some of it is lost, or threads are stopped in "
                      "between"),
    // engine/bench: how a case ended, whether it was checked, warnings
    QT_TRANSLATE_NOOP("EngineText",
                      "the measuring process was killed, probably because memory ran out: try a smaller batch"),
    QT_TRANSLATE_NOOP("EngineText", "the measuring process crashed (%1)"),
    QT_TRANSLATE_NOOP("EngineText", "the measuring process ended with code %1 and no result"),
    QT_TRANSLATE_NOOP("EngineText", "the processor was throttled during sampling"),
    QT_TRANSLATE_NOOP("EngineText", "the GPU was slowed down: %1"),
    QT_TRANSLATE_NOOP("EngineText", "power cap"),
    QT_TRANSLATE_NOOP("EngineText", "hardware slowdown"),
    QT_TRANSLATE_NOOP("EngineText", "clocks kept in step with other cards"),
    QT_TRANSLATE_NOOP("EngineText", "software thermal slowdown"),
    QT_TRANSLATE_NOOP("EngineText", "hardware thermal slowdown"),
    QT_TRANSLATE_NOOP("EngineText", "power brake"),
    QT_TRANSLATE_NOOP("EngineText", "the last third of the time ran at %1 % of the first third's speed"),
    QT_TRANSLATE_NOOP("EngineText", "%1 threads share %2 usable cores: expect it to be slower"),
    QT_TRANSLATE_NOOP("EngineText", "the step was not captured as a graph: %1"),
    QT_TRANSLATE_NOOP("EngineText", "recurrent layers are computed by own kernels, not by cuDNN: %1"),
    QT_TRANSLATE_NOOP("EngineText", "no profile: %1"),
    QT_TRANSLATE_NOOP("EngineText", "nothing is computed"),
    QT_TRANSLATE_NOOP("EngineText", "switched off"),
    QT_TRANSLATE_NOOP("EngineText", "it is the reference"),
    QT_TRANSLATE_NOOP("EngineText", "measured by other software"),
    QT_TRANSLATE_NOOP("EngineText", "nothing could be compared"),
    QT_TRANSLATE_NOOP("EngineText", "one sample takes %1, too much to compute naively"),
    QT_TRANSLATE_NOOP("EngineText", "fp16 cannot hold the values of this network: %1"),
    QT_TRANSLATE_NOOP("EngineText", "%1 of %2 differs by %3, allowed is %4"),
    QT_TRANSLATE_NOOP("EngineText", "the loss does not fall within %1 steps: %2, then %3"),
    QT_TRANSLATE_NOOP("EngineText", "training at batch %1 needs %2, available are %3"),
    QT_TRANSLATE_NOOP("EngineText", "inference at batch %1 needs %2, available are %3"),
    QT_TRANSLATE_NOOP("EngineText", "%1 can only infer: its training is left out."),
    QT_TRANSLATE_NOOP("EngineText", "%1 has no real data: its step is timed with invented ones."),
    QT_TRANSLATE_NOOP("EngineText", "there is no case in it"),
    QT_TRANSLATE_NOOP("EngineText", "name a suite or a workload"),
    QT_TRANSLATE_NOOP("EngineText", "no time passed"),
    // engine/compute, engine/plan: what cannot be done
    QT_TRANSLATE_NOOP("EngineText", "oneDNN has only its reference implementation for this convolution"),
    QT_TRANSLATE_NOOP("EngineText", "%1 has nothing to train"),
    QT_TRANSLATE_NOOP("EngineText", "must be at least 1"),
    // engine/advisor: the price of one's own computer
    QT_TRANSLATE_NOOP("EngineText", "electricity: %1 W (%2) at $%3 per kWh"),
    QT_TRANSLATE_NOOP("EngineText", "assumed"),
    QT_TRANSLATE_NOOP("EngineText", "as told"),
    QT_TRANSLATE_NOOP("EngineText", "from its published power"),
    // engine/core/error: whole descriptions, with and without a detail
    QT_TRANSLATE_NOOP("EngineText", "%1 does not fit into memory: needs %2, has %3"),
    QT_TRANSLATE_NOOP("EngineText", "%1 does not fit into memory: %2"),
    QT_TRANSLATE_NOOP("EngineText", "%1 does not fit into memory"),
    QT_TRANSLATE_NOOP("EngineText", "%1 is not supported here: %2"),
    QT_TRANSLATE_NOOP("EngineText", "%1 is not supported here"),
    QT_TRANSLATE_NOOP("EngineText", "%1 is not available: %2"),
    QT_TRANSLATE_NOOP("EngineText", "%1 is not available"),
    QT_TRANSLATE_NOOP("EngineText", "%1 is not valid: %2"),
    QT_TRANSLATE_NOOP("EngineText", "%1 is not valid"),
    QT_TRANSLATE_NOOP("EngineText", "%1 was not found: %2"),
    QT_TRANSLATE_NOOP("EngineText", "%1 was not found"),
    QT_TRANSLATE_NOOP("EngineText", "%1 took longer than its time limit"),
    QT_TRANSLATE_NOOP("EngineText", "%1 was cancelled"),
    QT_TRANSLATE_NOOP("EngineText", "%1 could not be read or written: %2"),
    QT_TRANSLATE_NOOP("EngineText", "%1 could not be read or written"),
    QT_TRANSLATE_NOOP("EngineText", "the disk is full, %1 could not be written"),
    QT_TRANSLATE_NOOP("EngineText", "access to %1 is not permitted"),
    QT_TRANSLATE_NOOP("EngineText", "%1 is in use by another program"),
    QT_TRANSLATE_NOOP("EngineText", "the measuring process of %1 ended unexpectedly"),
    QT_TRANSLATE_NOOP("EngineText", "an unexpected failure in %1: %2"),
    QT_TRANSLATE_NOOP("EngineText", "an unexpected failure in %1"),
};

struct Pattern {
    const char* english = nullptr;
    QRegularExpression expression;
    QList<int> places;  // which %n each group is
};

std::vector<Pattern> makePatterns() {
    static const QRegularExpression place(QStringLiteral("%([1-4])"));
    std::vector<Pattern> list;
    for (const auto* english : kPatterns) {
        Pattern one;
        one.english = english;
        const auto text = QString::fromLatin1(english);
        QString expression;
        qsizetype from = 0;
        for (auto matches = place.globalMatch(text); matches.hasNext();) {
            const auto match = matches.next();
            expression += QRegularExpression::escape(text.mid(from, match.capturedStart() - from));
            expression += QStringLiteral("(.+?)");
            one.places << match.captured(1).toInt();
            from = match.capturedEnd();
        }
        expression += QRegularExpression::escape(text.mid(from));
        one.expression.setPattern(QRegularExpression::anchoredPattern(expression));
        one.expression.setPatternOptions(QRegularExpression::CaseInsensitiveOption |
                                         QRegularExpression::DotMatchesEverythingOption);
        list.push_back(std::move(one));
    }
    return list;
}

QString translated(const QString& english, int depth) {
    static const auto patterns = makePatterns();
    if (english.isEmpty() || depth >= kDeepest) return english;
    for (const auto& pattern : patterns) {
        const auto match = pattern.expression.match(english);
        if (!match.hasMatch()) continue;
        auto text = EngineText::tr(pattern.english);
        // In one pass, for a value may hold a percent sign.
        QString result;
        for (qsizetype i = 0; i < text.size(); ++i) {
            const auto group = text[i] == QLatin1Char('%') && i + 1 < text.size()
                                   ? pattern.places.indexOf(text[i + 1].digitValue())
                                   : -1;
            if (group < 0) {
                result += text[i];
                continue;
            }
            result += translated(match.captured(static_cast<int>(group) + 1), depth + 1);
            ++i;
        }
        return result;
    }
    return english;
}

// "libcuda.so.1", "/proc/stat", "bert_base", "cpu0": what is written so has to stay so.
bool beginsWithName(const QString& text) {
    static const QRegularExpression name(QStringLiteral("^[^\\s:,;]*[\\d_/\\\\][^\\s:,;]*|^[^\\s:,;]+\\.[^\\s:,;]+"));
    return name.match(text).hasMatch();
}

}  // namespace

QString EngineText::text(std::string_view english) {
    return translated(QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size())).trimmed(), 0);
}

QString EngineText::sentence(std::string_view english) {
    auto result = text(english);
    if (result.isEmpty()) return result;
    if (!beginsWithName(result)) result[0] = result[0].toUpper();
    const auto last = result.back();
    const bool ended = last == QLatin1Char('.') || last == QLatin1Char('!') || last == QChar(0x3002);
    return ended ? result : tr("%1.", "a clause as a sentence").arg(result);
}

QString EngineText::condition(std::string_view name) {
    static constexpr std::pair<std::string_view, const char*> kNames[] = {
        {"cpu_mhz_start", QT_TRANSLATE_NOOP("EngineText", "Clock at the start (MHz)")},
        {"cpu_mhz_end", QT_TRANSLATE_NOOP("EngineText", "Clock at the end (MHz)")},
        {"cpu_celsius_start", QT_TRANSLATE_NOOP("EngineText", "Temperature at the start (°C)")},
        {"cpu_celsius_end", QT_TRANSLATE_NOOP("EngineText", "Temperature at the end (°C)")},
        {"load_average_start", QT_TRANSLATE_NOOP("EngineText", "Load average at the start")},
        {"load_average_end", QT_TRANSLATE_NOOP("EngineText", "Load average at the end")},
        {"cpu_pressure_start", QT_TRANSLATE_NOOP("EngineText", "CPU pressure at the start")},
        {"cpu_pressure_end", QT_TRANSLATE_NOOP("EngineText", "CPU pressure at the end")},
        {"cpu", QT_TRANSLATE_NOOP("EngineText", "Processor")},
        {"governor", QT_TRANSLATE_NOOP("EngineText", "Clock governor")},
        {"os", QT_TRANSLATE_NOOP("EngineText", "Operating system")},
        {"kernel", QT_TRANSLATE_NOOP("EngineText", "Kernel")},
        {"virtual_machine", QT_TRANSLATE_NOOP("EngineText", "Virtual machine")},
        {"container", QT_TRANSLATE_NOOP("EngineText", "Container")},
        {"allowed_cpus", QT_TRANSLATE_NOOP("EngineText", "Allowed CPUs")},
        {"quota_cores", QT_TRANSLATE_NOOP("EngineText", "CPU time granted")},
        {"compiler", QT_TRANSLATE_NOOP("EngineText", "Compiler")},
        {"threads", QT_TRANSLATE_NOOP("EngineText", "Threads")},
        {"kernels", QT_TRANSLATE_NOOP("EngineText", "Library of the matrix products")},
    };
    for (const auto& [id, text] : kNames) {
        if (id == name) return tr(text);
    }
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))
        .replace(QLatin1Char('_'), QLatin1Char(' '));
}

QStringList EngineText::patterns() {
    QStringList list;
    for (const auto* english : kPatterns) list << QString::fromLatin1(english);
    return list;
}

}  // namespace steelyard::ui
