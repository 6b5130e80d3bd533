// SPDX-License-Identifier: Apache-2.0
#include "tests/support/altered_backend.h"

#include "engine/compute/reference/reference_backend.h"

namespace steelyard::test {
namespace {

class AlteredExecutable final : public compute::Executable {
public:
    AlteredExecutable(std::unique_ptr<compute::Executable> inner, const Alterations& alterations)
        : m_inner(std::move(inner)), m_alterations(alterations) {}

    [[nodiscard]] const plan::Plan& plan() const override { return m_inner->plan(); }
    [[nodiscard]] Result<void> write(plan::TensorId tensor, std::span<const float> values) override {
        return m_inner->write(tensor, values);
    }
    [[nodiscard]] Result<void> write(plan::TensorId tensor, std::span<const std::int32_t> values) override {
        return m_inner->write(tensor, values);
    }
    [[nodiscard]] Result<void> read(plan::TensorId tensor, std::span<float> values) override {
        const auto& what = plan().tensor(tensor);
        if (m_alterations.refuseRead)
            if (auto ok = m_alterations.refuseRead(what); !ok) return ok;
        if (auto ok = m_inner->read(tensor, values); !ok) return ok;
        if (m_alterations.onRead) m_alterations.onRead(what, values);
        return {};
    }
    [[nodiscard]] Result<compute::StepOutcome> step(const compute::StepContext& context) override {
        if (m_alterations.refuseStep)
            if (auto ok = m_alterations.refuseStep(); !ok) return Failure(ok.error());
        auto outcome = m_inner->step(context);
        if (outcome && m_alterations.onLoss) outcome->loss = m_alterations.onLoss(outcome->loss, context);
        return outcome;
    }
    [[nodiscard]] compute::MemoryFigures memory() const override { return m_inner->memory(); }
    [[nodiscard]] std::vector<compute::OperationTime> profile() const override { return m_inner->profile(); }

private:
    std::unique_ptr<compute::Executable> m_inner;
    const Alterations& m_alterations;
};

class AlteredBackend final : public compute::Backend {
public:
    explicit AlteredBackend(Alterations alterations)
        : m_inner(compute::makeReferenceBackend()), m_alterations(std::move(alterations)) {}

    [[nodiscard]] std::string_view name() const override { return "altered"; }
    [[nodiscard]] std::vector<compute::Device> devices() const override { return m_inner->devices(); }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
    [[nodiscard]] Result<void> supports(const plan::Operation& operation, const plan::Plan& plan) const override {
        return m_inner->supports(operation, plan);
    }
    [[nodiscard]] Result<std::unique_ptr<compute::Executable>> compile(
        std::shared_ptr<const plan::Plan> plan, const compute::CompileOptions& options) override {
        if (m_alterations.refuseCompile)
            if (auto ok = m_alterations.refuseCompile(); !ok) return Failure(ok.error());
        auto inner = m_inner->compile(std::move(plan), options);
        if (!inner) return Failure(inner.error());
        return std::make_unique<AlteredExecutable>(std::move(*inner), m_alterations);
    }

private:
    std::unique_ptr<compute::Backend> m_inner;
    Alterations m_alterations;
};

}  // namespace

std::unique_ptr<compute::Backend> makeAlteredBackend(Alterations alterations) {
    return std::make_unique<AlteredBackend>(std::move(alterations));
}

}  // namespace steelyard::test
