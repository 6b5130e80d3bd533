// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "tests/ui/support/sample_data.h"
#include "ui/models/case_tree_model.h"
#include "ui/models/rows_model.h"
#include "ui/models/runs_model.h"
#include "ui/presenters/results/records_presenter.h"

namespace steelyard::ui {
namespace {

using Tester = QAbstractItemModelTester;
constexpr auto kFatal = Tester::FailureReportingMode::Fatal;

history::RunOverview overview(const std::string& id, std::int64_t failed) {
    history::RunOverview run;
    run.id = id;
    run.suite = "quick";
    run.startedUnixMs = 1'767'225'600'000;
    run.finishedUnixMs = 1'767'225'700'000;
    run.computer = "workshop";
    run.origin = "measured";
    run.caseCount = 14;
    run.okCount = 14 - failed;
    run.failedCount = failed;
    return run;
}

TEST(RunsModel, SaysHowARunEnded) {
    history::RunOverview run;
    run.origin = "measured";
    run.plannedCount = 14;
    run.caseCount = 6;
    run.okCount = 4;
    run.failedCount = 1;  // and one cancelled
    EXPECT_EQ(RunsModel::state(run), QStringLiteral("interrupted after 5 of 14 case(s)"));
    EXPECT_TRUE(RunsModel::wasInterrupted(run));
    run.stoppedUnixMs = 1;
    EXPECT_EQ(RunsModel::state(run), QStringLiteral("stopped by you after 5 of 14 case(s)"));
    EXPECT_FALSE(RunsModel::wasInterrupted(run));
    run.stoppedUnixMs.reset();
    run.underWay = true;
    EXPECT_EQ(RunsModel::state(run), QStringLiteral("in progress"));
    EXPECT_FALSE(RunsModel::wasInterrupted(run));
    run.underWay = false;
    run.finishedUnixMs = 2;
    EXPECT_EQ(RunsModel::state(run), QStringLiteral("1 without result"));
    run.failedCount = 0;
    EXPECT_EQ(RunsModel::state(run), QStringLiteral("complete"));
    run = {};
    run.origin = "imported";
    EXPECT_EQ(RunsModel::state(run), QStringLiteral("not finished"));
    EXPECT_FALSE(RunsModel::wasInterrupted(run));
}

TEST(RunsModel, ShowsRunsAndHandsNotesBack) {
    RunsModel model;
    Tester tester(&model, kFatal);
    model.setRuns({overview("aa", 0), overview("bb", 2)});
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, RunsModel::State).data().toString(), QStringLiteral("complete"));
    EXPECT_TRUE(model.index(1, RunsModel::State).data().toString().startsWith(QStringLiteral("2")));
    EXPECT_EQ(model.index(0, RunsModel::Suite).data().toString(), QStringLiteral("Quick"));

    QSignalSpy spy(&model, &RunsModel::noteEdited);
    const auto note = model.index(1, RunsModel::Note);
    EXPECT_TRUE(model.flags(note) & Qt::ItemIsEditable);
    EXPECT_FALSE(model.flags(model.index(1, RunsModel::Suite)) & Qt::ItemIsEditable);
    EXPECT_TRUE(model.setData(note, QStringLiteral("  new fan "), Qt::EditRole));
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.front().at(0).toString(), QStringLiteral("bb"));
    EXPECT_EQ(spy.front().at(1).toString(), QStringLiteral("new fan"));
    EXPECT_FALSE(model.setData(note, QStringLiteral("new fan"), Qt::EditRole)) << "unchanged";
    EXPECT_EQ(model.rowOf("bb"), 1);
    EXPECT_EQ(model.rowOf("zz"), -1);
}

TEST(CaseTreeModel, FamiliesAndWorkloadsCanBeChecked) {
    CaseTreeModel model;
    Tester tester(&model, kFatal);
    model.setCatalogue(sample::catalogue());
    ASSERT_EQ(model.rowCount(), 4);
    const auto family = model.index(0, 0);
    ASSERT_EQ(model.rowCount(family), 2);
    QSignalSpy spy(&model, &CaseTreeModel::checkedByUser);
    EXPECT_TRUE(model.setData(model.index(0, 0, family), Qt::Checked, Qt::CheckStateRole));
    EXPECT_EQ(family.data(Qt::CheckStateRole).toInt(), Qt::PartiallyChecked);
    EXPECT_TRUE(model.setData(family, Qt::Checked, Qt::CheckStateRole));
    EXPECT_EQ(family.data(Qt::CheckStateRole).toInt(), Qt::Checked);
    EXPECT_EQ(model.checked(), (std::vector<std::string>{"mnist_mlp", "mnist_cnn"}));
    EXPECT_EQ(spy.count(), 2);
    model.setChecked({"resnet50", "flowers_vgg16", "unheard_of"});
    EXPECT_EQ(model.checked(), std::vector<std::string>{"resnet50"}) << "only what can run";
    EXPECT_EQ(spy.count(), 2) << "setChecked is not the user";
}

TEST(CaseTreeModel, ASuiteShowsItsOwnBatchesAndTimes) {
    CaseTreeModel model;
    const Tester tester(&model, kFatal);
    model.setCatalogue(sample::catalogue());
    const auto family = model.index(0, 0);
    const auto text = [&](int row, int column) { return model.index(row, column, family).data().toString(); };
    ASSERT_EQ(text(0, CaseTreeModel::Batch), QStringLiteral("128"));
    model.setSuite({{"mnist_mlp", plan::Mode::Train, 256, 20}, {"mnist_mlp", plan::Mode::Infer, 256, 11}});
    EXPECT_EQ(text(0, CaseTreeModel::Batch), QStringLiteral("256"));
    EXPECT_EQ(text(0, CaseTreeModel::Estimate), QStringLiteral("31 s")) << "both cases";
    EXPECT_EQ(text(1, CaseTreeModel::Batch), QStringLiteral("128")) << "not in the suite: its own";
    model.setSuite({});
    EXPECT_EQ(text(0, CaseTreeModel::Batch), QStringLiteral("128"));
}

TEST(CaseTreeModel, WhatCannotRunIsGreyAndSaysWhy) {
    CaseTreeModel model;
    model.setCatalogue(sample::catalogue());
    const auto flowers = model.index(0, 0, model.index(2, 0));
    EXPECT_FALSE(model.flags(flowers) & Qt::ItemIsEnabled);
    EXPECT_TRUE(flowers.data(Qt::ToolTipRole).toString().contains(QStringLiteral("needs 90")));
    EXPECT_FALSE(model.setData(flowers, Qt::Checked, Qt::CheckStateRole));
}

TEST(CaseFilter, HidesWhatCannotRunAndWhatIsNotSearched) {
    CaseTreeModel model;
    CaseFilter filter;
    filter.setSourceModel(&model);
    Tester tester(&filter, kFatal);
    model.setCatalogue(sample::catalogue());
    EXPECT_EQ(filter.rowCount(), 3) << "the flowers family has nothing that runs";
    filter.setOnlyRunnable(false);
    EXPECT_EQ(filter.rowCount(), 4);
    filter.setFilterFixedString(QStringLiteral("resnet"));
    ASSERT_EQ(filter.rowCount(), 1);
    EXPECT_EQ(filter.rowCount(filter.index(0, 0)), 1);
}

TEST(RowsModel, ShowsContentAndGrows) {
    RowsModel model;
    Tester tester(&model, kFatal);
    const auto run = sample::run();
    model.setContent(RecordsPresenter::table(run, sample::catalogue()));
    EXPECT_EQ(model.rowCount(), static_cast<int>(run.records.size()));
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("MNIST MLP"));
    EXPECT_EQ(model.index(3, 0).data(RowsModel::KeyRole).toString(), QStringLiteral("3"));
    model.setContent(RecordsPresenter::emptyLog());
    EXPECT_EQ(model.rowCount(), 0);
    model.appendRow(RecordsPresenter::logRow(run.records.front(), sample::catalogue(), QStringLiteral("0")));
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("ok"));
    EXPECT_FALSE(model.index(0, 0).data(Qt::DecorationRole).isNull());
}

TEST(RowsProxy, NumbersSortAsNumbersAndUnknownComesLast) {
    TableContent content;
    content.columns = {{QStringLiteral("Value"), true, {}}};
    const auto row = [](const QString& text, std::optional<double> number) {
        TableRow result;
        result.cells = {{text, {}, number, {}}};
        return result;
    };
    content.rows = {row(QStringLiteral("100"), 100.0), row(QStringLiteral("–"), {}), row(QStringLiteral("20"), 20.0)};
    RowsModel model;
    model.setContent(content);
    RowsProxy proxy;
    proxy.setSourceModel(&model);
    Tester tester(&proxy, kFatal);
    proxy.sort(0, Qt::AscendingOrder);
    EXPECT_EQ(proxy.index(0, 0).data().toString(), QStringLiteral("20"));
    EXPECT_EQ(proxy.index(2, 0).data().toString(), QStringLiteral("–"));
    proxy.sort(0, Qt::DescendingOrder);
    EXPECT_EQ(proxy.index(0, 0).data().toString(), QStringLiteral("100"));
    EXPECT_EQ(proxy.index(2, 0).data().toString(), QStringLiteral("–"));
}

}  // namespace
}  // namespace steelyard::ui
