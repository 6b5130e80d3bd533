// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/network_presenter.h"

#include <QStringList>

#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

constexpr std::size_t kShownValues = 6;  // inputs or outputs; some networks have dozens
constexpr std::size_t kShownKinds = 5;

// "8.18 GFLOP"
QString flopCount(double flops) {
    const auto scaled = Format::flopRateUnit(flops);
    auto unit = scaled.unit;
    unit.chop(2);  // a count, not a rate
    return QStringLiteral("%1 %2").arg(Format::number(flops / scaled.divisor), unit);
}

}  // namespace

QString NetworkPresenter::value(const NetworkValue& value) {
    QStringList dims;
    for (std::size_t i = 0; i < value.dims.size(); ++i) {
        const bool named = i < value.symbols.size() && !value.symbols[i].empty();
        dims << (value.dims[i] > 0 ? Format::integer(value.dims[i])
                 : named           ? plain(value.symbols[i])
                                   : QStringLiteral("?"));
    }
    const auto shape = !value.hasShape  ? tr("shape not in the file")
                       : dims.isEmpty() ? tr("scalar")
                                        : dims.join(QStringLiteral(" × "));
    return tr("%1: %2, %3").arg(plain(value.name), shape, plain(value.type));
}

QString NetworkPresenter::state(const NetworkSummary& summary) {
    if (summary.understood) {
        const auto& network = *summary.understood;
        return tr("Understood: %n layer(s), %1 parameters, %2 per sample", nullptr, static_cast<int>(network.layers))
            .arg(Format::count(static_cast<double>(network.parameters)), flopCount(network.flopsPerSample));
    }
    if (summary.needsDimensions) return tr("The file has dynamic dimensions: set them below.");
    if (!summary.problem) return {};
    if (summary.problem->kind == ErrorKind::Unsupported)
        return tr("Not supported: %1").arg(MessageText::sentence(summary.problem->detail));
    return MessageText::sentence(summary.problem->detail.empty() ? messageOf(*summary.problem)
                                                                 : summary.problem->detail);
}

Tone NetworkPresenter::tone(const NetworkSummary& summary) {
    if (summary.understood) return Tone::Good;
    return summary.needsDimensions ? Tone::Caution : Tone::Bad;
}

QString NetworkPresenter::advice(const NetworkSummary& summary, const QString& schema) {
    if (!summary.cutBefore.empty())
        return tr("The part of the network before this node, up to \"%1\", can be added instead.")
            .arg(plain(summary.cutBefore));
    if (summary.understood || summary.needsDimensions || !summary.problem) return {};
    if (!summary.isOnnx)
        return tr("The file format is described in %1 and, with an example, in the user guide (docs/guide.md).")
            .arg(schema);
    if (summary.problem->kind == ErrorKind::Unsupported)
        return tr("Export the network without this operator, with another opset, or in floating point.");
    return {};
}

std::vector<Detail> NetworkPresenter::details(const NetworkSummary& summary) {
    std::vector<Detail> details;
    if (summary.isOnnx) {
        QStringList parts{QStringLiteral("ONNX")};
        if (summary.opset > 0) parts << tr("opset %1").arg(summary.opset);
        if (summary.nodes > 0) parts << tr("%n node(s)", nullptr, static_cast<int>(summary.nodes));
        if (!summary.producer.empty()) parts << tr("written by %1").arg(plain(summary.producer));
        details.push_back({tr("Format"), parts.join(QStringLiteral(", "))});
    } else if (summary.understood) {
        details.push_back({tr("Format"), tr("Network described in JSON")});
    }
    const auto list = [&](const QString& label, const std::vector<NetworkValue>& values) {
        if (values.empty()) return;
        QStringList lines;
        for (std::size_t i = 0; i < values.size() && i < kShownValues; ++i) lines << value(values[i]);
        if (values.size() > kShownValues)
            lines << tr("and %n more", nullptr, static_cast<int>(values.size() - kShownValues));
        details.push_back({label, lines.join(QLatin1Char('\n'))});
    };
    list(tr("Inputs"), summary.inputs);
    list(tr("Outputs"), summary.outputs);
    if (!summary.understood) return details;
    const auto& network = *summary.understood;
    QStringList kinds;
    for (std::size_t i = 0; i < network.kinds.size() && i < kShownKinds; ++i)
        kinds << QStringLiteral("%1 × %2").arg(Format::integer(network.kinds[i].second), plain(network.kinds[i].first));
    if (network.kinds.size() > kShownKinds) kinds << QStringLiteral("…");
    details.push_back(
        {tr("Layers"), tr("%1 (%2)").arg(Format::integer(network.layers), kinds.join(QStringLiteral(", ")))});
    details.push_back({tr("Parameters"), Format::integer(network.parameters)});
    details.push_back({tr("Work"), tr("%1 per sample, forward").arg(flopCount(network.flopsPerSample))});
    details.push_back({tr("Memory"), (network.trainable ? tr("%1 for a training step at batch %2 in fp32")
                                                        : tr("%1 for inference at batch %2 in fp32"))
                                         .arg(Format::bytes(network.memoryBytes), Format::integer(network.batch))});
    details.push_back({tr("Use"), network.trainable ? tr("training and inference") : tr("inference")});
    return details;
}

}  // namespace steelyard::ui
