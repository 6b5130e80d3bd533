// SPDX-License-Identifier: Apache-2.0
// The module steelyard_mpi under mpirun on this machine: two processes train like one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "tests/support/shell.h"

namespace steelyard::compute {
namespace {

#ifndef STEELYARD_MPI_TRAINING
#define STEELYARD_MPI_TRAINING ""
#define STEELYARD_MPI_FOLDER ""
#endif

class MpiLearns : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (std::string(STEELYARD_MPI_TRAINING).empty()) GTEST_SKIP() << "built without MPI (libopenmpi-dev)";
        if (test::shell("command -v mpirun").code != 0) GTEST_SKIP() << "mpirun is not installed (openmpi-bin)";
    }
};

TEST_P(MpiLearns, InTwoProcessesWhatOneLearnsOfTheJointBatch) {
    // AddressSanitizer reports memory that Open MPI keeps until the end as leaks.
    const auto line =
        std::string(
            "timeout 300 mpirun --allow-run-as-root --oversubscribe -np 2 --bind-to none "
            "--mca mpi_yield_when_idle 1 env OMP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=0 " STEELYARD_MPI_TRAINING
            " " STEELYARD_MPI_FOLDER " ") +
        GetParam() + " 8 10";
    const auto outcome = test::shell(line);
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    int ranks = 0, parameters = 0;
    double difference = 1, loss = 1, learned = 0;
    const auto at = outcome.text.find("ranks ");
    ASSERT_NE(at, std::string::npos) << outcome.text;
    ASSERT_EQ(std::sscanf(outcome.text.c_str() + at, "ranks %d parameters %d difference %lf loss %lf learned %lf",
                          &ranks, &parameters, &difference, &loss, &learned),
              5)
        << outcome.text;
    EXPECT_EQ(ranks, 2);
    EXPECT_GT(learned, 1e-4);
    EXPECT_LT(difference, 1e-5);
    EXPECT_LT(loss, 1e-5);
    RecordProperty("relative_difference", std::to_string(difference));
}

INSTANTIATE_TEST_SUITE_P(Networks, MpiLearns, ::testing::Values("fcn_r", "mnist_cnn"),
                         [](const auto& network) { return std::string(network.param); });

}  // namespace
}  // namespace steelyard::compute
