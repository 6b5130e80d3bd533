// SPDX-License-Identifier: Apache-2.0
#include "engine/history/migrations.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "engine/history/history_store.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::history {
namespace {

using test::TemporaryFolder;
using testing::ElementsAre;

constexpr std::array kSteps{
    Migration{1, "first", "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1); INSERT INTO a VALUES (2);"},
    Migration{2, "second; with a semicolon in text", "UPDATE a SET x = x + 10; CREATE TABLE b (y TEXT DEFAULT ';');"},
};

class Migrations : public testing::Test {
protected:
    [[nodiscard]] SQLite::Database open() const {
        return {(m_folder / "db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 10'000};
    }
    static int number(SQLite::Database& database, const std::string& sql) { return database.execAndGet(sql).getInt(); }

    TemporaryFolder m_folder;
};

TEST_F(Migrations, CreateFromNothing) {
    auto database = open();
    const auto result = migrate(database, kSteps);
    EXPECT_EQ(result.outcome, MigrationOutcome::Created);
    EXPECT_EQ(result.fromVersion, 0);
    EXPECT_EQ(result.toVersion, 2);
    EXPECT_FALSE(result.error);
    EXPECT_EQ(number(database, "PRAGMA user_version"), 2);
    EXPECT_EQ(number(database, "PRAGMA application_id"), kApplicationId);
    EXPECT_EQ(number(database, "SELECT sum(x) FROM a"), 23);
    EXPECT_EQ(number(database, "PRAGMA foreign_keys"), 1);
}

TEST_F(Migrations, CurrentIsLeftAlone) {
    auto database = open();
    ASSERT_EQ(migrate(database, kSteps).outcome, MigrationOutcome::Created);
    EXPECT_EQ(migrate(database, kSteps).outcome, MigrationOutcome::Current);
    EXPECT_EQ(number(database, "SELECT sum(x) FROM a"), 23);
}

TEST_F(Migrations, UpgradeAppliesTheMissingSteps) {
    auto database = open();
    ASSERT_EQ(migrate(database, std::span(kSteps).first(1)).outcome, MigrationOutcome::Created);
    const auto result = migrate(database, kSteps);
    EXPECT_EQ(result.outcome, MigrationOutcome::Upgraded);
    EXPECT_EQ(result.fromVersion, 1);
    EXPECT_EQ(result.toVersion, 2);
    EXPECT_EQ(number(database, "SELECT sum(x) FROM a"), 23);
}

TEST_F(Migrations, NewerSchemaIsRefused) {
    auto database = open();
    ASSERT_EQ(migrate(database, kSteps).outcome, MigrationOutcome::Created);
    const auto result = migrate(database, std::span(kSteps).first(1));
    EXPECT_EQ(result.outcome, MigrationOutcome::NewerSchema);
    EXPECT_EQ(result.error->kind, ErrorKind::VersionTooNew);
    EXPECT_EQ(number(database, "PRAGMA user_version"), 2);
}

TEST_F(Migrations, OtherApplicationsAreRefused) {
    auto database = open();
    database.exec("CREATE TABLE theirs (x)");
    const auto anonymous = migrate(database, kSteps);
    EXPECT_EQ(anonymous.outcome, MigrationOutcome::OtherApplication);
    EXPECT_EQ(anonymous.error->kind, ErrorKind::InvalidArgument);
    database.exec("DROP TABLE theirs; PRAGMA application_id = 7");
    EXPECT_EQ(migrate(database, kSteps).outcome, MigrationOutcome::OtherApplication);
    EXPECT_EQ(number(database, "SELECT count(*) FROM sqlite_master"), 0);
}

TEST_F(Migrations, FailedStepIsRolledBackAndTheOnesBeforeItKept) {
    auto database = open();
    const std::array broken{kSteps[0],
                            Migration{2, "broken", "INSERT INTO a VALUES (9); INSERT INTO nowhere VALUES (1)"}};
    const auto result = migrate(database, broken);
    EXPECT_EQ(result.outcome, MigrationOutcome::Failed);
    EXPECT_EQ(result.toVersion, 1);
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.error->kind, ErrorKind::CorruptData) << "of the file, not of the program";
    EXPECT_EQ(number(database, "SELECT sum(x) FROM a"), 3);
    EXPECT_EQ(number(database, "PRAGMA user_version"), 1);
    EXPECT_EQ(number(database, "PRAGMA foreign_keys"), 1);
    EXPECT_EQ(migrate(database, kSteps).outcome, MigrationOutcome::Upgraded);
}

TEST_F(Migrations, StepThatLeavesDanglingReferencesIsRolledBack) {
    auto database = open();
    constexpr std::array dangling{Migration{1, "dangling",
                                            "CREATE TABLE p (k INTEGER PRIMARY KEY);"
                                            "CREATE TABLE c (p INTEGER REFERENCES p (k)); INSERT INTO c VALUES (5)"}};
    EXPECT_EQ(migrate(database, dangling).outcome, MigrationOutcome::Failed);
    EXPECT_EQ(number(database, "SELECT count(*) FROM sqlite_master"), 0);
}

TEST_F(Migrations, EachStepIsAppliedOnceHoweverManyTry) {
    std::vector<MigrationOutcome> outcomes(6, MigrationOutcome::Failed);
    {
        std::vector<std::thread> threads;
        for (auto& outcome : outcomes) {
            threads.emplace_back([this, &outcome] {
                auto database = open();
                outcome = migrate(database, kSteps).outcome;
            });
        }
        for (auto& thread : threads) thread.join();
    }
    for (const auto outcome : outcomes) {
        EXPECT_THAT(outcome,
                    testing::AnyOf(MigrationOutcome::Created, MigrationOutcome::Current, MigrationOutcome::Upgraded));
    }
    auto database = open();
    EXPECT_EQ(number(database, "SELECT sum(x) FROM a"), 23);
}

TEST(HistoryMigrations, AreNumberedWithoutGapsAndDescribed) {
    int expected = 1;
    for (const auto& migration : historyMigrations()) {
        EXPECT_EQ(migration.version, expected++);
        EXPECT_FALSE(migration.description.empty());
    }
}

// Released steps are never edited: the fixture was written by the program of its time.
TEST(HistoryMigrations, FirstStepMakesTheSchemaOfTheFixture) {
    const auto schemaOf = [](SQLite::Database& database) {
        std::vector<std::string> lines;
        SQLite::Statement query(database, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name");
        while (query.executeStep()) lines.push_back(query.getColumn(0).getString());
        return lines;
    };
    const TemporaryFolder folder;
    SQLite::Database fresh((folder / "db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    ASSERT_EQ(migrate(fresh, historyMigrations().first(1)).outcome, MigrationOutcome::Created);
    std::filesystem::copy(std::filesystem::path(STEELYARD_TEST_DATA) / "history" / "schema_v1.sqlite", folder / "v1");
    SQLite::Database fixture((folder / "v1").string(), SQLite::OPEN_READWRITE);
    EXPECT_EQ(schemaOf(fresh), schemaOf(fixture));
    EXPECT_EQ(fixture.execAndGet("PRAGMA user_version").getInt(), 1);
}

}  // namespace
}  // namespace steelyard::history
