// SPDX-License-Identifier: Apache-2.0
// mpi_training MODULE_FOLDER NETWORK BATCH_OF_RANK STEPS: under mpirun, prints the result of trainTogether() in rank 0.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/engine/compute/parallel/joint_training.h"

int main(int count, char** words) {
    using namespace steelyard::compute;
    if (count != 5) return 2;
    try {
        const auto ranks = HostCommunicator::start([&] { return joinMpi({words[1]}); });
        if (!ranks) {
            std::fprintf(stderr, "%s\n", steelyard::describe(ranks.error()).c_str());
            return 3;
        }
        const auto found = testing::trainTogether(*ranks, words[2], std::atoi(words[3]), std::atoi(words[4]));
        if ((*ranks)->rank() == 0)
            std::printf("ranks %d parameters %d difference %.3g loss %.3g learned %.3g by %s\n", (*ranks)->size(),
                        found.parameters, found.worstParameters, found.worstLoss, found.learned,
                        (*ranks)->library().c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        std::_Exit(4);
    }
    return 0;
}
