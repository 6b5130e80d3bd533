// SPDX-License-Identifier: Apache-2.0
// A network small enough to calculate by hand, on the reference backend. Tensors are identified by name; a failure to
// find, write or run throws, which fails the test.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/graph.h"

namespace steelyard::compute {

class TinyNetwork {
public:
    using Values = std::vector<float>;

    TinyNetwork(model::GraphBuilder graph, const plan::PlanOptions& options, const CompileOptions& compile = {},
                const ReferenceOptions& reference = {})
        : m_backend(makeReferenceBackend(reference)) {
        m_plan = std::make_shared<plan::Plan>(plan::lower(std::move(graph).build().value(), options).value());
        m_executable = m_backend->compile(m_plan, compile).value();
        check(writeInitialValues(*m_executable, 1));
    }

    [[nodiscard]] const plan::Plan& plan() const { return *m_plan; }
    [[nodiscard]] Executable& executable() { return *m_executable; }

    // The first of several tensors with one name (x and the tensor of x).
    [[nodiscard]] plan::TensorId find(const std::string& name) const {
        for (const auto& tensor : m_plan->tensors)
            if (tensor.name == name) return tensor.id;
        throw std::runtime_error("no tensor " + name);
    }
    void write(const std::string& name, const Values& values) { check(m_executable->write(find(name), values)); }
    void writeIntegers(const std::string& name, const std::vector<std::int32_t>& values) {
        check(m_executable->write(find(name), values));
    }
    [[nodiscard]] Values read(const std::string& name) {
        Values values(static_cast<std::size_t>(m_plan->tensor(find(name)).elements()));
        check(m_executable->read(find(name), values));
        return values;
    }
    StepOutcome step(const StepContext& context = {}) { return m_executable->step(context).value(); }

private:
    static void check(const Result<void>& result) {
        if (!result) throw std::runtime_error(describe(result.error()));
    }

    std::unique_ptr<Backend> m_backend;
    std::shared_ptr<plan::Plan> m_plan;
    std::unique_ptr<Executable> m_executable;
};

// One layer between an input and the head, run forward once: its output for an input, with parameters by name.
struct OneLayer {
    model::Layer layer;
    model::Shape input;
    std::vector<std::pair<std::string, std::vector<float>>> parameters;  // "weight"
    plan::Mode mode = plan::Mode::Infer;
};
[[nodiscard]] inline std::vector<float> outputOf(const OneLayer& one, std::vector<float> input) {
    model::GraphBuilder g("one");
    const auto x = g.input(one.input);
    const auto y = g.add(one.layer, {x}, "layer");
    g.head(g.shapeOf(y).size() > 2 ? g.flatten(y) : y);
    const auto batch = static_cast<std::int64_t>(input.size()) / model::elementCount(one.input);
    TinyNetwork network(std::move(g), {one.mode, batch, plan::Precision::Fp32, {}});
    network.write("input_1", input);
    for (const auto& [name, values] : one.parameters) network.write("layer." + name, values);
    network.step();
    return network.read("layer");
}

}  // namespace steelyard::compute
