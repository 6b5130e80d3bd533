// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/task.h"

namespace steelyard::compute::cpu {

PrimitiveTask::PrimitiveTask(dnnl::primitive primitive, const std::vector<std::pair<int, dnnl::memory>>& arguments)
    : m_primitive(std::move(primitive)) {
    for (const auto& [argument, memory] : arguments) {
        m_memories.push_back(memory);
        m_arguments.push_back({argument, memory.get()});
    }
}

// The C entry point: the C++ one builds a vector of arguments on each call.
void PrimitiveTask::run(const StepState& state) {
    dnnl::error::wrap_c_api(dnnl_primitive_execute(m_primitive.get(), state.stream.get(),
                                                   static_cast<int>(m_arguments.size()), m_arguments.data()),
                            "a primitive failed");
}

}  // namespace steelyard::compute::cpu
