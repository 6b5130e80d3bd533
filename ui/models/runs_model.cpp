// SPDX-License-Identifier: Apache-2.0
#include "ui/models/runs_model.h"

#include "ui/text/format.h"
#include "ui/text/status_text.h"
#include "ui/widgets/icons.h"

namespace steelyard::ui {
namespace {

Tone toneOf(const history::RunOverview& run) {
    if (run.failedCount > 0 || run.disturbedCount > 0 || RunsModel::wasInterrupted(run)) return Tone::Caution;
    return run.finishedUnixMs && run.okCount == run.caseCount ? Tone::Good : Tone::Neutral;
}

}  // namespace

void RunsModel::setRuns(std::vector<history::RunOverview> runs) {
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

int RunsModel::rowOf(const std::string& id) const {
    for (std::size_t row = 0; row < m_runs.size(); ++row) {
        if (m_runs[row].id == id) return static_cast<int>(row);
    }
    return -1;
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

bool RunsModel::wasInterrupted(const history::RunOverview& run) {
    return !run.finishedUnixMs && !run.stoppedUnixMs && !run.underWay && run.origin == "measured" && run.plannedCount;
}

QString RunsModel::state(const history::RunOverview& run) {
    if (run.underWay) return tr("in progress");
    if (run.finishedUnixMs) {
        if (run.failedCount > 0) return tr("%n without result", nullptr, static_cast<int>(run.failedCount));
        return run.disturbedCount > 0 ? tr("%n disturbed", nullptr, static_cast<int>(run.disturbedCount))
                                      : tr("complete");
    }
    if (!run.plannedCount) return run.stoppedUnixMs ? tr("stopped by you") : tr("not finished");
    const auto planned = static_cast<int>(*run.plannedCount);
    return (run.stoppedUnixMs ? tr("stopped by you after %1 of %n case(s)", nullptr, planned)
                              : tr("interrupted after %1 of %n case(s)", nullptr, planned))
        .arg(Format::integer(run.doneCount()));
}

QString RunsModel::unfinished(const history::RunOverview& run) {
    if (!run.resumable || run.underWay || !run.plannedCount) return {};
    const auto planned = static_cast<int>(*run.plannedCount);
    return (run.stoppedUnixMs ? tr("You stopped this run after %1 of %n case(s).", nullptr, planned)
                              : tr("This run was interrupted after %1 of %n case(s).", nullptr, planned))
        .arg(Format::integer(run.doneCount()));
}

QVariant RunsModel::display(const history::RunOverview& run, int column) const {
    switch (column) {
        case Started:
            return Format::dateTime(run.startedUnixMs);
        case Computer:
            return QString::fromStdString(run.computer);
        case Suite:
            return StatusText::suite(run.suite);
        case Cases:
            return Format::integer(run.caseCount);
        case State:
            return state(run);
        case Origin:
            return StatusText::runOrigin(run.origin);
        case Note:
            return QString::fromStdString(run.note);
        default:
            return {};
    }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const auto& run = m_runs[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return display(run, index.column());
        case Qt::EditRole:
            return index.column() == Note ? display(run, Note) : QVariant();
        case IdRole:
            return QString::fromStdString(run.id);
        case SortRole:
            if (index.column() == Started) return qlonglong{run.startedUnixMs};
            if (index.column() == Cases) return qlonglong{run.caseCount};
            return display(run, index.column());
        case Qt::ToolTipRole:
            if (index.column() == Note) return tr("Double-click to write a note.");
            return tr("Run %1, program %2, suite version %3")
                .arg(QString::fromStdString(run.id), QString::fromStdString(run.programVersion),
                     QString::fromStdString(run.suiteVersion));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((index.column() == Cases ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::DecorationRole:
            if (index.column() != State) return {};
            switch (toneOf(run)) {
                case Tone::Good:
                    return icon(toneIcon(Tone::Good), IconColour::Good);
                case Tone::Caution:
                    return icon(toneIcon(Tone::Caution), IconColour::Caution);
                case Tone::Bad:
                    return icon(toneIcon(Tone::Bad), IconColour::Bad);
                case Tone::Neutral:
                    return icon(toneIcon(Tone::Neutral), IconColour::Muted);
            }
            return {};
        default:
            return {};
    }
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid() || index.column() != Note) return false;
    auto& run = m_runs[static_cast<std::size_t>(index.row())];
    const auto text = value.toString().trimmed();
    if (text.toStdString() == run.note) return false;
    run.note = text.toStdString();
    emit dataChanged(index, index);
    emit noteEdited(QString::fromStdString(run.id), text);
    return true;
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((section == Cases ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Started:
            return tr("Started");
        case Computer:
            return tr("Computer");
        case Suite:
            return tr("Suite");
        case Cases:
            return tr("Cases");
        case State:
            return tr("State");
        case Origin:
            return tr("Origin");
        case Note:
            return tr("Note");
        default:
            return {};
    }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    auto flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == Note) flags |= Qt::ItemIsEditable;
    return flags;
}

}  // namespace steelyard::ui
