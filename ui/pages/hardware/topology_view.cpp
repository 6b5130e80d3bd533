// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/hardware/topology_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/text/format.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

using hardware::TopologyKind;
using hardware::TopologyNode;

constexpr double kSquareGap = 4;
constexpr double kPad = 8;
constexpr double kGap = 10;

// Grows with the text size.
double squareSide() {
    return scaled(16);
}
double captionHeight() {
    return scaled(18);
}
int footHeight() {  // height of the legend
    return scaled(26);
}

QString captionOf(const TopologyNode& node) {
    switch (node.kind) {
        case TopologyKind::Package:
            return TopologyView::tr("Package %1").arg(node.index);
        case TopologyKind::Numa: {
            const auto name = TopologyView::tr("NUMA node %1").arg(node.index);
            return node.bytes ? QStringLiteral("%1, %2").arg(name, Format::bytes(*node.bytes)) : name;
        }
        case TopologyKind::Cache:
            return node.bytes
                       ? QStringLiteral("L%1 %2").arg(node.cacheLevel.value_or(3)).arg(Format::bytes(*node.bytes))
                       : QStringLiteral("L%1").arg(node.cacheLevel.value_or(3));
        case TopologyKind::Machine:
        case TopologyKind::Core:
        case TopologyKind::Thread:
            break;
    }
    return {};
}

}  // namespace

TopologyView::TopologyView(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(this, QAccessible::Graphic);
    setAccessibleName(tr("Processor layout"));
    auto policy = QSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TopologyView::setProfile(const hardware::HardwareProfile& profile) {
    m_packages.clear();
    m_gpuNames.clear();
    for (const auto& gpu : profile.gpus) {
        if (!gpu.pciBusId.isKnown()) continue;
        m_gpuNames.emplace_back(*gpu.pciBusId.value, QString::fromStdString(gpu.name.valueOr(gpu.id)));
    }
    const auto& machine = profile.cpu.topology;
    std::vector<const TopologyNode*> tops;
    for (const auto& child : machine.children) {
        if (child.kind == TopologyKind::Package) tops.push_back(&child);
    }
    if (tops.empty() && !machine.children.empty()) tops.push_back(&machine);
    int cores = 0;
    int allowed = 0;
    for (const auto* top : tops) {
        Package package;
        package.caption = captionOf(*top);
        addGroups(package, *top, {}, {});
        for (const auto& group : package.groups) {
            cores += static_cast<int>(group.cores.size());
            allowed += static_cast<int>(std::count_if(group.cores.begin(), group.cores.end(),
                                                      [](const Core& core) { return core.allowedThreads > 0; }));
        }
        m_packages.push_back(std::move(package));
    }
    setAccessibleValue(this, tr("%n core(s), %1 of them allowed", nullptr, cores).arg(Format::integer(allowed)));
    m_height = heightForWidth(std::max(width(), 320));
    updateGeometry();
    resizeEvent(nullptr);
    update();
}

QString TopologyView::gpuName(const std::string& busId) const {
    for (const auto& [bus, name] : m_gpuNames) {
        if (bus == busId) return name;
    }
    return QString::fromStdString(busId);
}

void TopologyView::addGroups(Package& package, const TopologyNode& node, QStringList captions, QStringList gpus) {
    for (const auto& busId : node.pciBusIds) gpus << gpuName(busId);
    if (node.kind == TopologyKind::Numa || node.kind == TopologyKind::Cache) captions << captionOf(node);
    std::vector<Core> cores;
    for (const auto& child : node.children) {
        if (child.kind != TopologyKind::Core) continue;
        Core core;
        core.index = child.index;
        core.efficiencyRank = child.efficiencyRank.value_or(-1);
        core.threads = std::max(1, static_cast<int>(child.children.size()));
        core.allowedThreads = static_cast<int>(std::count_if(
            child.children.begin(), child.children.end(), [](const TopologyNode& thread) { return thread.allowed; }));
        if (child.children.empty()) core.allowedThreads = child.allowed ? 1 : 0;
        cores.push_back(core);
    }
    if (!cores.empty())
        package.groups.push_back({captions.join(QStringLiteral(" · ")), std::move(cores), gpus, {}, {}});
    for (const auto& child : node.children) {
        if (child.kind != TopologyKind::Core && child.kind != TopologyKind::Thread)
            addGroups(package, child, captions, gpus);
    }
}

double TopologyView::layOutGroup(Group& group, const QPointF& topLeft, double widest) const {
    const QFontMetricsF metrics(fontOfSize(fontsize::kSmall));
    const auto count = group.cores.size();
    const auto most =
        static_cast<std::size_t>(std::max(1.0, (widest - 2 * kPad + kSquareGap) / (squareSide() + kSquareGap)));
    const auto columns = std::min({count, most, std::size_t{16}});
    const auto rows = (count + columns - 1) / columns;
    double width = static_cast<double>(columns) * (squareSide() + kSquareGap) - kSquareGap;
    width = std::max(width, metrics.horizontalAdvance(group.caption));
    for (const auto& gpu : group.gpus) width = std::max(width, metrics.horizontalAdvance(gpu) + 20);
    width = std::min(width + 2 * kPad, widest);
    const double top = topLeft.y() + kPad + (group.caption.isEmpty() ? 0 : captionHeight());
    group.squares.clear();
    for (std::size_t index = 0; index < count; ++index) {
        group.squares.emplace_back(
            topLeft.x() + kPad + static_cast<double>(index % columns) * (squareSide() + kSquareGap),
            top + static_cast<double>(index / columns) * (squareSide() + kSquareGap), squareSide(), squareSide());
    }
    const double height = top - topLeft.y() + static_cast<double>(rows) * (squareSide() + kSquareGap) - kSquareGap +
                          kPad + static_cast<double>(group.gpus.size()) * captionHeight();
    group.box = QRectF(topLeft, QSizeF(width, height));
    return height;
}

double TopologyView::layOut(std::vector<Package>& packages, double width) const {
    double x = 0;
    double y = 0;
    double rowHeight = 0;
    for (auto& package : packages) {
        const auto place = [&](const QPointF& topLeft) {
            double left = topLeft.x() + kPad;
            double top = topLeft.y() + kPad + (package.caption.isEmpty() ? 0 : captionHeight());
            double right = left;
            double line = 0;
            const double widest = width - 2 * kPad;
            for (auto& group : package.groups) {
                double height = layOutGroup(group, QPointF(left, top), widest);
                if (left > topLeft.x() + kPad && group.box.right() > width - kPad) {
                    left = topLeft.x() + kPad;
                    top += line + kGap;
                    line = 0;
                    height = layOutGroup(group, QPointF(left, top), widest);
                }
                right = std::max(right, group.box.right());
                left = group.box.right() + kGap;
                line = std::max(line, height);
            }
            package.box = QRectF(topLeft, QPointF(right + kPad, top + line + kPad));
        };
        place(QPointF(x, y));
        if (x > 0 && package.box.right() > width) {
            x = 0;
            y += rowHeight + kGap;
            rowHeight = 0;
            place(QPointF(x, y));
        }
        x = package.box.right() + kGap;
        rowHeight = std::max(rowHeight, package.box.height());
    }
    return y + rowHeight;
}

int TopologyView::heightForWidth(int width) const {
    auto copy = m_packages;
    return std::max(40, static_cast<int>(std::ceil(layOut(copy, width - 1))) + footHeight());
}

QSize TopologyView::sizeHint() const {
    return {480, m_height};
}

void TopologyView::resizeEvent(QResizeEvent*) {
    const int height = static_cast<int>(std::ceil(layOut(m_packages, width() - 1))) + footHeight();
    if (height == m_height) return;
    m_height = height;
    updateGeometry();
}

void TopologyView::paintCore(QPainter& painter, const QRectF& square, const Core& core) const {
    const auto& theme = Theme::of(palette());
    const QRectF inside =
        core.efficiencyRank == 0 ? square.adjusted(2.5, 2.5, -2.5, -2.5) : square;  // slower cores are smaller
    painter.setPen(QPen(core.allowedThreads > 0 ? theme.accent : theme.muted, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(inside.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (core.allowedThreads == 0) return;
    auto fill = inside.adjusted(2.5, 2.5, -2.5, -2.5);
    if (core.allowedThreads < core.threads)
        fill.setTop(fill.bottom() - fill.height() * core.allowedThreads / core.threads);
    painter.fillRect(fill, theme.accent);
}

void TopologyView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& theme = Theme::of(palette());
    painter.setFont(fontOfSize(fontsize::kSmall));
    const QFontMetricsF metrics(painter.font());
    if (m_packages.empty()) {
        painter.setPen(theme.muted);
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
                         tr("The topology of the processor is not available."));
        return;
    }
    const auto box = [&](const QRectF& rectangle, const QColor& fill) {
        painter.setPen(QPen(theme.line, 1));
        painter.setBrush(fill);
        painter.drawRoundedRect(rectangle.adjusted(0.5, 0.5, -0.5, -0.5), spacing::kRadius, spacing::kRadius);
    };
    const auto text = [&](const QPointF& topLeft, double width, const QString& words, const QColor& colour) {
        painter.setPen(colour);
        painter.drawText(QRectF(topLeft, QSizeF(width, captionHeight())), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(words, Qt::ElideRight, width));
    };
    for (const auto& package : m_packages) {
        box(package.box, theme.window);
        text(package.box.topLeft() + QPointF(kPad, 4), package.box.width() - 2 * kPad, package.caption, theme.text);
        for (const auto& group : package.groups) {
            box(group.box, theme.surface);
            text(group.box.topLeft() + QPointF(kPad, 4), group.box.width() - 2 * kPad, group.caption, theme.muted);
            for (std::size_t index = 0; index < group.cores.size(); ++index)
                paintCore(painter, group.squares[index], group.cores[index]);
            double y = group.box.bottom() - kPad / 2 - captionHeight() * static_cast<double>(group.gpus.size());
            for (const auto& gpu : group.gpus) {
                text(QPointF(group.box.left() + kPad, y), group.box.width() - 2 * kPad, QStringLiteral("⇄ %1").arg(gpu),
                     theme.text);
                y += captionHeight();
            }
        }
    }
    const double bottom = height() - captionHeight();
    Core sample;
    sample.threads = sample.allowedThreads = 1;
    paintCore(painter, QRectF(0, bottom + 1, 14, 14), sample);
    const auto usable = tr("available core");
    text(QPointF(20, bottom), width() - 20, usable, theme.muted);
    const double next = 20 + metrics.horizontalAdvance(usable) + 20;
    sample.allowedThreads = 0;
    if (next + 120 > width()) return;
    paintCore(painter, QRectF(next, bottom + 1, 14, 14), sample);
    text(QPointF(next + 20, bottom), width() - next - 20, tr("not allowed"), theme.muted);
}

bool TopologyView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const auto& package : m_packages) {
        for (const auto& group : package.groups) {
            for (std::size_t index = 0; index < group.squares.size(); ++index) {
                if (!group.squares[index].contains(help->pos())) continue;
                const auto& core = group.cores[index];
                QToolTip::showText(help->globalPos(),
                                   tr("Core %1: %2 of %n thread(s) allowed", nullptr, core.threads)
                                       .arg(core.index)
                                       .arg(core.allowedThreads),
                                   this);
                return true;
            }
        }
    }
    QToolTip::hideText();
    return true;
}

}  // namespace steelyard::ui
