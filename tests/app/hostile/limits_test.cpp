// SPDX-License-Identifier: Apache-2.0
// Resource limits (ulimit): each command ends with a result or a message.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/app/hostile/program.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace steelyard {
namespace {

using test::Finish;
using Words = std::vector<std::string>;

class Limits : public testing::Test {
protected:
    Limits() {
        m_start.folder = m_folder.path();
        m_start.environment = {{"HOME", m_folder.path().string()}};
    }
    Finish call(const Words& arguments, int resource, rlim_t limit) {
        m_start.before = [resource, limit] {
            const struct rlimit both { limit, limit };
            ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
        };
        return test::runProgram(arguments, m_start);
    }
    static void expectWords(const Finish& finish, const std::string& trace) {
        EXPECT_FALSE(finish.hung) << trace;
        EXPECT_FALSE(finish.signal) << trace << ": signal " << finish.signal.value_or(0) << "\n" << finish.all();
        EXPECT_FALSE(finish.all().empty()) << trace;
    }

    test::TemporaryFolder m_folder;
    test::Start m_start;
};

const std::vector<Words> kCommands{{"list", "workloads"},
                                   {"show", "mnist_mlp"},
                                   {"history", "list"},
                                   {"catalog", "show"},
                                   {"predict", "--workload", "resnet50", "--on", "l4"},
                                   {"advise", "--workload", "resnet50", "--epochs", "1"},
                                   {"detect"},
                                   {"doctor"},
                                   {"verify", "--workload", "mnist_mlp"},
                                   {"run", "--workload", "mnist_mlp", "--mode", "infer", "--batch", "8", "--time-cap",
                                    "0.1", "--no-verify", "--no-save"}};

TEST_F(Limits, ASmallAddressSpace) {
#if STEELYARD_SANITIZED
    GTEST_SKIP() << "a sanitizer reserves the address space";
#endif
    for (const rlim_t kilobytes : {100'000, 200'000, 400'000, 800'000}) {
        for (const auto& command : kCommands) {
            const auto finish = call(command, RLIMIT_AS, kilobytes * 1024);
            expectWords(finish, command[0] + " " + command.back() + " with " + std::to_string(kilobytes) + " KB");
        }
    }
    const auto listed = call({"list", "workloads"}, RLIMIT_AS, 200'000 * 1024);
    EXPECT_EQ(listed.code, 0) << listed.err;
}

TEST_F(Limits, SmallFiles) {
    const auto finish =
        call({"run", "--workload", "mnist_mlp", "--mode", "infer", "--batch", "8", "--time-cap", "0.1", "--no-verify"},
             RLIMIT_FSIZE, 10 * 1024);
    expectWords(finish, "files of 10 KiB");
    EXPECT_NE(finish.code, 0);
    EXPECT_NE(finish.err.find("ulimit -f"), std::string::npos) << finish.err;
}

TEST_F(Limits, ASmallStack) {
    for (const rlim_t kilobytes : {64, 256}) {
        const auto finish = call({"list", "workloads"}, RLIMIT_STACK, kilobytes * 1024);
        expectWords(finish, std::to_string(kilobytes) + " KiB of stack");
    }
}

TEST_F(Limits, FewFiles) {
    for (const rlim_t files : {4, 8, 16})
        expectWords(call({"detect"}, RLIMIT_NOFILE, files), std::to_string(files) + " files");
}

}  // namespace
}  // namespace steelyard
