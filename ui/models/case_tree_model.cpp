// SPDX-License-Identifier: Apache-2.0
#include "ui/models/case_tree_model.h"

#include <QBrush>
#include <QFont>
#include <QGuiApplication>
#include <QPalette>
#include <algorithm>

#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/status_text.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

// internalId of a workload's index is 1 + the row of its family; 0 for a family.
constexpr quintptr kFamily = 0;

}  // namespace

void CaseTreeModel::setCatalogue(const WorkloadCatalogue& catalogue) {
    beginResetModel();
    m_families.clear();
    for (const auto& workload : catalogue.workloads) {
        auto family = std::find_if(m_families.begin(), m_families.end(),
                                   [&](const Family& one) { return one.id == workload.family; });
        if (family == m_families.end()) family = m_families.insert(m_families.end(), {workload.family, {}});
        family->workloads.push_back(workload);
    }
    const auto before = m_checked;
    m_checked.clear();
    for (const auto& workload : catalogue.workloads) {
        if (workload.runnable && before.count(workload.id) > 0) m_checked.insert(workload.id);
    }
    endResetModel();
}

void CaseTreeModel::setChecked(const std::vector<std::string>& ids) {
    m_checked.clear();
    for (const auto& family : m_families) {
        for (const auto& workload : family.workloads) {
            const bool wanted = std::find(ids.begin(), ids.end(), workload.id) != ids.end();
            if (wanted && workload.runnable) m_checked.insert(workload.id);
        }
    }
    announceChecks();
}

void CaseTreeModel::announceChecks() {
    if (m_families.empty()) return;
    emit dataChanged(index(0, Name), index(rowCount() - 1, Name), {Qt::CheckStateRole});
    for (int row = 0; row < rowCount(); ++row) {
        const auto family = index(row, Name);
        emit dataChanged(index(0, Name, family), index(rowCount(family) - 1, Name, family), {Qt::CheckStateRole});
    }
}

std::vector<std::string> CaseTreeModel::checked() const {
    std::vector<std::string> ids;
    for (const auto& family : m_families) {
        for (const auto& workload : family.workloads) {
            if (m_checked.count(workload.id) > 0) ids.push_back(workload.id);
        }
    }
    return ids;
}

QModelIndex CaseTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kFamily);
}

QModelIndex CaseTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kFamily) return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, kFamily);
}

int CaseTreeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(m_families.size());
    if (parent.internalId() != kFamily || parent.column() != 0) return 0;
    return static_cast<int>(m_families[static_cast<std::size_t>(parent.row())].workloads.size());
}

int CaseTreeModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

Qt::CheckState CaseTreeModel::stateOf(const Family& family) const {
    std::size_t runnable = 0;
    std::size_t checked = 0;
    for (const auto& workload : family.workloads) {
        runnable += workload.runnable ? 1 : 0;
        checked += m_checked.count(workload.id);
    }
    if (checked == 0) return Qt::Unchecked;
    return checked == runnable ? Qt::Checked : Qt::PartiallyChecked;
}

QVariant CaseTreeModel::familyData(const Family& family, int column, int role) const {
    if (column != Name) return {};
    switch (role) {
        case Qt::DisplayRole:
            return StatusText::family(family.id);
        case Qt::CheckStateRole:
            return stateOf(family);
        case Qt::FontRole:
            return fontOfSize(fontsize::kBase, QFont::DemiBold);
        case RunnableRole:
            return std::any_of(family.workloads.begin(), family.workloads.end(),
                               [](const auto& one) { return one.runnable; });
        default:
            return {};
    }
}

void CaseTreeModel::setSuite(const std::vector<SuiteCase>& cases) {
    m_planned.clear();
    for (const auto& one : cases) {
        auto& planned = m_planned[one.workload];
        planned.batches.insert(one.batch);
        planned.modes.push_back(one.mode);
        planned.seconds += one.estimateSeconds;
    }
    for (int family = 0; family < rowCount(); ++family) {
        const auto parent = index(family, Name);
        emit dataChanged(index(0, Batch, parent), index(rowCount(parent) - 1, Estimate, parent));
    }
}

QVariant CaseTreeModel::plannedData(const Planned& planned, int column, int role) const {
    if (role == Qt::ToolTipRole) {
        QStringList modes;
        for (const auto mode : planned.modes) modes << StatusText::mode(mode);
        return tr("In this suite: %1").arg(modes.join(tr(", ")));
    }
    if (column == Estimate) return Format::duration(planned.seconds);
    QStringList batches;
    for (const auto batch : planned.batches) batches << Format::integer(batch);
    return batches.join(tr(", "));
}

QVariant CaseTreeModel::workloadData(const WorkloadOption& workload, int column, int role) const {
    if ((role == Qt::DisplayRole || role == Qt::ToolTipRole) && (column == Batch || column == Estimate)) {
        const auto planned = m_planned.find(workload.id);
        if (planned != m_planned.end()) return plannedData(planned->second, column, role);
    }
    switch (role) {
        case IdRole:
            return QString::fromStdString(workload.id);
        case RunnableRole:
            return workload.runnable;
        case OwnRole:
            return workload.family == "own";
        case Qt::ForegroundRole:
            if (workload.runnable || workload.family != "own") return {};
            return QBrush(QGuiApplication::palette().color(QPalette::Disabled, QPalette::Text));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::CheckStateRole:
            if (column != Name) return {};
            return m_checked.count(workload.id) > 0 ? Qt::Checked : Qt::Unchecked;
        case Qt::ToolTipRole:
        case Qt::AccessibleDescriptionRole:
            return workload.runnable ? QString() : tr("Cannot run here: %1").arg(MessageText::text(workload.reason));
        case Qt::DisplayRole:
            break;
        default:
            return {};
    }
    switch (column) {
        case Name:
            return QString::fromStdString(workload.title);
        case Parameters:
            return workload.parameters > 0 ? Format::count(static_cast<double>(workload.parameters))
                                           : Format::unknown();
        case Batch:
            return workload.defaultBatch > 0 ? Format::integer(workload.defaultBatch) : Format::unknown();
        case Estimate:
            if (!workload.runnable) return tr("cannot run");
            return workload.estimateSeconds ? Format::duration(*workload.estimateSeconds) : Format::unknown();
        default:
            return {};
    }
}

QVariant CaseTreeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    if (index.internalId() == kFamily) {
        return familyData(m_families[static_cast<std::size_t>(index.row())], index.column(), role);
    }
    const auto& family = m_families[static_cast<std::size_t>(index.internalId() - 1)];
    return workloadData(family.workloads[static_cast<std::size_t>(index.row())], index.column(), role);
}

bool CaseTreeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != Name) return false;
    const bool check = value.toInt() == Qt::Checked;
    const auto set = [&](const WorkloadOption& workload) {
        if (check && workload.runnable) {
            m_checked.insert(workload.id);
        } else {
            m_checked.erase(workload.id);
        }
    };
    if (index.internalId() == kFamily) {
        for (const auto& workload : m_families[static_cast<std::size_t>(index.row())].workloads) set(workload);
    } else {
        const auto& family = m_families[static_cast<std::size_t>(index.internalId() - 1)];
        const auto& workload = family.workloads[static_cast<std::size_t>(index.row())];
        if (!workload.runnable) return false;
        set(workload);
    }
    announceChecks();
    emit checkedByUser();
    return true;
}

QVariant CaseTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && section == Estimate)
        return tr("About how long one case takes; of a suite, all its cases of the workload");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Name:
            return tr("Workload");
        case Parameters:
            return tr("Parameters");
        case Batch:
            return tr("Batch");
        case Estimate:
            return tr("Time");
        default:
            return {};
    }
}

Qt::ItemFlags CaseTreeModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    const bool runnable = index.siblingAtColumn(Name).data(RunnableRole).toBool();
    auto flags = Qt::ItemFlags(Qt::ItemIsSelectable);
    // A user's network that cannot run can still be removed.
    if (runnable || index.siblingAtColumn(Name).data(OwnRole).toBool()) flags |= Qt::ItemIsEnabled;
    if (index.column() == Name) flags |= Qt::ItemIsUserCheckable;
    if (index.internalId() != kFamily) flags |= Qt::ItemNeverHasChildren;
    return flags;
}

CaseFilter::CaseFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setRecursiveFilteringEnabled(true);
    setFilterCaseSensitivity(Qt::CaseInsensitive);
}

void CaseFilter::setOnlyRunnable(bool only) {
    m_onlyRunnable = only;
    invalidateFilter();
}

bool CaseFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto index = sourceModel()->index(row, CaseTreeModel::Name, parent);
    if (!parent.isValid()) return false;  // families are shown for matching workloads, by recursive filtering
    if (m_onlyRunnable && !index.data(CaseTreeModel::RunnableRole).toBool() &&
        !index.data(CaseTreeModel::OwnRole).toBool())
        return false;
    return index.data().toString().contains(filterRegularExpression());
}

}  // namespace steelyard::ui
