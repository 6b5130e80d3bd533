// SPDX-License-Identifier: Apache-2.0
// Recurrent layers whose gates hold the input part of all steps: one task adds the recurrent part and computes the
// gates of all steps, with native gemm kernels. With few samples a step takes a microsecond, about as long as the call
// of a library; its weights stay in the second-level cache of a core. Samples, which are independent, are divided among
// threads, and so are units, if waiting for each other after each step takes less time than that saves.
#include <fmt/format.h>

#include <algorithm>

#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/operations/recurrent/recurrent_panels.h"
#include "engine/compute/cpu/spin_barrier.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kTrialMemorySteps = 16;  // the same again and again
constexpr std::int64_t kLeastUnits = 16;        // of a thread: a cache line of the state
constexpr double kFavourOfNoWaiting = 1.05;     // waiting takes longer than in a trial when other programs run

struct StepDivision {
    std::int64_t samples = 1, units = 1;  // number of parts
};

// First the one without waiting.
std::vector<StepDivision> divisionsOf(const RecurrentShape& s, std::int64_t threads) {
    const auto most = std::max<std::int64_t>(1, std::min(threads, s.units / kLeastUnits));
    std::vector<StepDivision> divisions;
    for (std::int64_t units = 1;; units = std::min(2 * units, most)) {
        divisions.push_back({std::min(s.batch, threads / units), units});
        if (units == most) return divisions;
    }
}

StepProduct recurrentProduct(const RecurrentShape& s) {
    return {s.kind, s.units, s.gateWidth(), s.cell != GateKind::Gru};
}

// Addresses of a direction's values (recurrent.h).
template <class T>
struct StepMemory {
    float *gates = nullptr, *hidden = nullptr, *extra = nullptr;
    float* recurrent = nullptr;  // Gru: R h of one step
    T* operand = nullptr;        // states in the type of the product: in float32 `hidden`
    const float* bias = nullptr;
    const ProductWord<T>* panels = nullptr;
};

// A range of samples or units.
struct Part {
    std::int64_t begin = 0, end = 0;

    Part(std::int64_t count, std::int64_t index, std::int64_t parts, std::int64_t multiple) {
        const auto size = blocks(blocks(count, parts), multiple) * multiple;
        begin = std::min(count, index * size);
        end = std::min(count, begin + size);
    }
    [[nodiscard]] std::int64_t size() const { return end - begin; }
};

template <class T>
struct FusedSteps {
    RecurrentShape s;
    StepDivision division;
    std::int64_t steps = 0;
    StepMemory<T> memory;

    void run() const {
        const auto parts = division.samples * division.units;
        // A tenth of the time of one sample less than with barriers of OpenMP.
        SpinBarrier barrier(division.units > 1 ? parts : 0);
        // All threads, which others wait for anyway: a smaller team would end the rest of them.
#pragma omp parallel if (parts > 1)
        {
            const auto thread = omp_get_thread_num();
            const auto threads = std::min<std::int64_t>(parts, omp_get_num_threads());
            for (std::int64_t step = 0; thread < threads && step < steps; ++step) {
                for (std::int64_t part = thread; part < parts; part += threads)
                    runPart(step, {s.batch, part / division.units, division.samples, 1},
                            {s.units, part % division.units, division.units, kLeastUnits});
                if (division.units > 1) barrier.wait(thread, threads);
            }
        }
    }

private:
    void runPart(std::int64_t step, const Part& samples, const Part& units) const {
        if (samples.size() <= 0 || units.size() <= 0) return;
        const auto row = step * s.batch + samples.begin;
        const auto before = row * s.units, after = before + s.batch * s.units;
        const bool gru = s.cell == GateKind::Gru;
        auto* gates = memory.gates + row * s.gateWidth();
        auto* sums = gru ? memory.recurrent + samples.begin * s.gateWidth() : gates;
        const auto product = recurrentProduct(s);
        for (std::int64_t gate = 0; gate < s.gates; ++gate)
            product.run(memory.operand + before, memory.panels, sums, samples.size(), gate * s.units + units.begin,
                        gate * s.units + units.end);
        RecurrentRows rows;
        rows.kind = s.cell;
        rows.gates = gates + units.begin;
        rows.bias = memory.bias + units.begin;
        rows.hiddenBefore = memory.hidden + before + units.begin;
        rows.hidden = memory.hidden + after + units.begin;
        if (gru) rows.recurrent = sums + units.begin;
        if (gru) rows.kept = memory.extra + after + units.begin;
        if (s.cell == GateKind::Lstm) rows.cellBefore = memory.extra + before + units.begin;
        if (s.cell == GateKind::Lstm) rows.cell = memory.extra + after + units.begin;
        rows.samples = samples.size();
        rows.units = units.size();
        rows.stride = s.units;
        kernels().sequence.recurrentForward(rows);
        if constexpr (sizeof(T) != sizeof(float))
            for (std::int64_t b = 0; b < samples.size(); ++b)
                kernels().rows<T>().fromF32(memory.operand + after + b * s.units + units.begin,
                                            rows.hidden + b * s.units, units.size());
    }
};

template <class T>
Trial trialOf(const RecurrentShape& s, const StepDivision& division, const dnnl::engine& engine) {
    const auto steps = std::min(s.steps, kTrialMemorySteps);
    const auto memory = [&](std::int64_t bytes) { return trialMemory(plainDesc(Dims{bytes}, DataKind::u8), engine); };
    const auto floats = [&](std::int64_t count) { return memory(count * kFloat); };
    const auto as = []<class U>(const dnnl::memory& m, U*& address) { address = static_cast<U*>(m.get_data_handle()); };
    const auto states = (steps + 1) * s.batch * s.units;
    FusedSteps<T> run{s, division, steps, {}};
    std::vector<dnnl::memory> all{floats(steps * s.batch * s.gateWidth()),
                                  floats(states),
                                  floats(states),
                                  floats(s.batch * s.gateWidth()),
                                  memory(states * static_cast<std::int64_t>(sizeof(T))),
                                  floats(s.gateWidth()),
                                  memory(recurrentProduct(s).bytes())};
    as(all[0], run.memory.gates);
    as(all[1], run.memory.hidden);
    as(all[2], run.memory.extra);
    as(all[3], run.memory.recurrent);
    as(all[4], run.memory.operand);
    as(all[5], run.memory.bias);
    as(all[6], run.memory.panels);
    return [run, all = std::move(all)] {
        for (auto left = kFusedTrialSteps; left > 0; left -= run.steps) {
            auto next = run;
            next.steps = std::min(left, run.steps);
            next.run();
        }
    };
}

template <class T>
void emitAs(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& bias,
            const Value& recurrent, const StepDivision& division) {
    const auto& s = d.shape;
    const Value weights = compiler.weight(op.parameters[static_cast<std::size_t>(3 * d.index + 1)],
                                          plainDesc(Dims{s.gateWidth(), s.units}, s.kind));
    const Value panels =
        emitPanels<T>(compiler, recurrentProduct(s), {weights},
                      [=, units = s.units](ProductWord<T>* words, std::int64_t column, std::int64_t width) {
                          packColumns(words, weights.as<T>() + column * units, width, units, units);
                      });
    compiler.task("native:recurrent_steps", {d.gates, d.hidden, d.extra, recurrent, d.bf16Hidden, bias, panels},
                  [=](const StepState&) {
                      FusedSteps<T> run{d.shape, division, d.shape.steps, {}};
                      run.memory.gates = d.gates.as<float>();
                      run.memory.hidden = d.hidden.as<float>();
                      if (d.extra) run.memory.extra = d.extra.as<float>();
                      if (recurrent) run.memory.recurrent = recurrent.as<float>();
                      run.memory.operand = d.operandAt(0).as<T>();
                      run.memory.bias = bias.as<float>();
                      run.memory.panels = panels.as<ProductWord<T>>();
                      run.run();
                  });
}

}  // namespace

Implementation chooseFusedSteps(const Compiler& compiler, const plan::Operation& op, const Direction& d,
                                const Value& bias, const Value& recurrent, Implementation stepByStep) {
    const auto& s = d.shape;
    if (!recurrentProduct(s).runsHere() || compiler.options().kernels != "auto") return stepByStep;
    const auto threads = compiler.options().threads;
    std::vector<Implementation> candidates;
    for (const auto& division : divisionsOf(s, threads)) {
        withElementType(s.kind, [&]<class T>(T) {
            Implementation candidate;
            candidate.trial = [=, engine = compiler.engine()] { return trialOf<T>(s, division, engine); };
            candidate.emit = [=](Compiler& c, const Operands&) { emitAs<T>(c, op, d, bias, recurrent, division); };
            candidates.push_back(std::move(candidate));
        });
    }
    candidates.push_back(std::move(stepByStep));
    const auto key = fmt::format("recurrent steps {} gates {} {}x{}x{}x{} {}", s.kind == DataKind::f32 ? "f32" : "bf16",
                                 s.gates, kFusedTrialSteps, s.batch, s.gateWidth(), s.units, threads);
    return fastest(compiler.tuner(), key, std::move(candidates), kFavourOfNoWaiting).implementation;
}

}  // namespace steelyard::compute::cpu
