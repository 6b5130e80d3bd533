// SPDX-License-Identifier: Apache-2.0
// A drawing of the processor: packages, NUMA nodes and shared caches as boxes, cores as squares, filled if available to
// this process, GPUs beside their NUMA node. Height depends on width. GUI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::ui {

class TopologyView : public QWidget {
    Q_OBJECT

public:
    explicit TopologyView(QWidget* parent = nullptr);
    void setProfile(const hardware::HardwareProfile& profile);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, m_height}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Core {
        int index = -1;
        int threads = 0;
        int allowedThreads = 0;
        int efficiencyRank = -1;
    };
    struct Group {  // cores that share a cache or a NUMA node
        QString caption;
        std::vector<Core> cores;
        QStringList gpus;
        QRectF box;
        std::vector<QRectF> squares;
    };
    struct Package {
        QString caption;
        std::vector<Group> groups;
        QRectF box;
    };
    void addGroups(Package& package, const hardware::TopologyNode& node, QStringList captions, QStringList gpus);
    // Lays out all boxes for a width; returns the height.
    double layOut(std::vector<Package>& packages, double width) const;
    double layOutGroup(Group& group, const QPointF& topLeft, double widest) const;
    void paintCore(QPainter& painter, const QRectF& square, const Core& core) const;
    [[nodiscard]] QString gpuName(const std::string& busId) const;

    std::vector<Package> m_packages;
    std::vector<std::pair<std::string, QString>> m_gpuNames;  // by PCI address
    int m_height = 80;
};

}  // namespace steelyard::ui
