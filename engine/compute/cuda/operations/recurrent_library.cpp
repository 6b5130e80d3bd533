// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with the network library. In each step the parameters are copied to the library's weight space,
// whose layout is the library's, and their gradients from such a space. States are [B, D U] in the Plan, [D, B, U] in
// the library.
#include "engine/compute/cuda/operations/recurrent_library.h"

#include <cstring>

namespace steelyard::compute::cuda {
namespace {

// Data that the forward pass leaves for the backward one.
struct Kept {
    LibraryRecurrence library;
    Value weights, lengths, y, hidden, cell, reserve;
};

// Elements of a parameter that are contiguous in the weight space, too.
struct Block {
    std::size_t parameter = 0;
    bool isBias = false;
    std::int64_t element = 0, count = 0;
    std::int64_t offset = 0;  // bytes
};

std::vector<Block> blocksOf(const LibraryRecurrence& library) {
    const auto& c = library.call;
    std::vector<Block> blocks;
    for (std::int64_t direction = 0; direction < c.directions; ++direction)
        for (std::int64_t part = 0; part < 3; ++part) {
            const auto count = c.units * (part == 0 ? c.features : part == 1 ? c.units : 1);
            for (std::int64_t gate = 0; gate < kernels::gatesOf(c.cell); ++gate) {
                const auto parameter = static_cast<std::size_t>(direction * 3 + part);
                const auto offset = library.spaces.offsets.at(RecurrenceSpaces::blockOf(c.cell, direction, part, gate));
                if (gate > 0 && blocks.back().offset + blocks.back().count * bytesOf(c.type) == offset)
                    blocks.back().count += count;
                else
                    blocks.push_back({parameter, part == 2, gate * count, count, offset});
            }
        }
    return blocks;
}

class Emitter {
public:
    Emitter(Compiler& compiler, const plan::Operation& op, LibraryRecurrence library)
        : m_compiler(compiler), m_op(op), m_layer(std::get<model::Recurrent>(op.layer)), m_c(library.call) {
        m_kept.library = std::move(library);
    }
    Emitter(Compiler& compiler, const plan::Operation& op, const Kept& kept)
        : m_compiler(compiler),
          m_op(op),
          m_layer(std::get<model::Recurrent>(op.layer)),
          m_c(kept.library.call),
          m_kept(kept) {}

    Result<void> forward() {
        pack();
        fillLengths();
        if (m_layer.carryState) {
            m_kept.hidden = fromState(0);
            if (hasCell()) m_kept.cell = fromState(1);
        }
        placeOutput();
        const bool asksHidden = m_layer.carryState || !m_layer.returnSequence;
        const bool isOutput = !m_layer.returnSequence && m_c.directions == 1;
        const auto output = m_compiler.value(m_op.output);
        const auto hiddenAfter = isOutput ? output : asksHidden ? states(m_c.type) : Value{};
        const auto cellAfter = m_layer.carryState && hasCell() ? states(m_c.type) : Value{};
        if (m_c.training) m_kept.reserve = m_compiler.scratch(m_kept.library.spaces.reserve);
        const auto x = m_compiler.value(m_op.inputs[0]);
        if (auto ok = m_compiler.call(m_c, {x, m_kept.weights, m_kept.lengths, m_kept.hidden, m_kept.cell, m_kept.y,
                                            hiddenAfter, cellAfter, m_kept.reserve});
            !ok)
            return ok;
        if (!m_layer.returnSequence && !isOutput) together(hiddenAfter, m_c.type, output);
        if (m_layer.carryState) toState(hiddenAfter, 0);
        if (cellAfter) toState(cellAfter, 1);
        m_compiler.remember(m_op.node, m_kept);
        return {};
    }

    Result<void> backward() {
        if (auto ok = backwardData(); !ok) return ok;
        const auto& spaces = m_kept.library.spaces;
        const auto gradients = m_compiler.scratch(spaces.weights);
        m_compiler.clear(gradients, spaces.weights);
        auto call = m_c;
        call.pass = RecurrencePass::BackwardWeights;
        const auto x = m_compiler.value(m_op.inputs[0]);
        if (auto ok = m_compiler.call(call, {x, m_kept.hidden, m_kept.y, m_kept.lengths, m_kept.reserve, gradients});
            !ok)
            return ok;
        for (const auto& block : blocksOf(m_kept.library)) unpack(block, gradients);
        return {};
    }

private:
    [[nodiscard]] bool hasCell() const { return m_c.cell == kernels::Cell::Lstm; }
    [[nodiscard]] std::int64_t stateCount() const { return m_c.batch * m_c.directions * m_c.units; }
    [[nodiscard]] Value states(ElementType type) { return m_compiler.scratch(stateCount() * bytesOf(type)); }

    void convert(Value from, ElementType fromType, Value to, ElementType toType, std::int64_t count) {
        if (fromType == toType) return m_compiler.copy(to, from, count * bytesOf(toType));
        m_compiler.kernel("native:convert", {from, to}, [=](Stream stream) {
            return kernels::convert(stream, fromType, from.data(), toType, to.data(), count);
        });
    }
    void add(Value from, ElementType type, Value to, std::int64_t count) {
        m_compiler.kernel("native:accumulate", {from, to}, [=](Stream stream) {
            return kernels::accumulate(stream, type, from.data(), to.data(), count);
        });
    }
    void copyRows(Value from, std::int64_t fromPitch, Value to, std::int64_t toPitch, ElementType type) {
        m_compiler.kernel("native:copy_rows", {from, to}, [=, rows = m_c.batch, length = m_c.units](Stream stream) {
            return kernels::copyRows(stream, type, from.data(), fromPitch, to.data(), toPitch, rows, length, false);
        });
    }
    // [B, D U] to [D, B, U] and back.
    Value apart(Value from, ElementType type) {
        if (m_c.directions == 1) return from;
        const auto to = states(type);
        const auto part = m_c.units * bytesOf(type);
        for (std::int64_t d = 0; d < m_c.directions; ++d)
            copyRows(from.at(d * part), m_c.directions * m_c.units, to.at(d * m_c.batch * part), m_c.units, type);
        return to;
    }
    void together(Value from, ElementType type, Value to) {
        const auto part = m_c.units * bytesOf(type);
        for (std::int64_t d = 0; d < m_c.directions; ++d)
            copyRows(from.at(d * m_c.batch * part), m_c.units, to.at(d * part), m_c.directions * m_c.units, type);
    }
    // A copy: the forward pass replaces the state, the backward pass reads the old one.
    Value fromState(std::size_t which) {
        const auto state = apart(m_compiler.value(m_op.states[which]), ElementType::F32);
        const auto copy = states(m_c.type);
        convert(state, ElementType::F32, copy, m_c.type, stateCount());
        return copy;
    }
    void toState(Value after, std::size_t which) {
        const auto state = m_compiler.value(m_op.states[which]);
        if (m_c.directions == 1) return convert(after, m_c.type, state, ElementType::F32, stateCount());
        const auto f32 = states(ElementType::F32);
        convert(after, m_c.type, f32, ElementType::F32, stateCount());
        together(f32, ElementType::F32, state);
    }

    void pack() {
        const auto& spaces = m_kept.library.spaces;
        m_kept.weights = m_compiler.scratch(spaces.weights);
        if (spaces.restIsZero) m_compiler.clear(m_kept.weights, spaces.weights);
        for (const auto& block : blocksOf(m_kept.library)) {
            const auto id = m_op.parameters[block.parameter];
            const auto parameter = block.isBias ? m_compiler.f32Weight(id) : m_compiler.weight(id);
            const auto type = block.isBias ? ElementType::F32 : m_c.type;
            convert(parameter.at(block.element * bytesOf(type)), type, m_kept.weights.at(block.offset), m_c.type,
                    block.count);
        }
    }
    void unpack(const Block& block, Value gradients) {
        const auto from = gradients.at(block.offset);
        const auto to = m_compiler.value(m_op.parameterGradients[block.parameter]).at(block.element * 4);
        if (!m_op.accumulateParameters) return convert(from, m_c.type, to, ElementType::F32, block.count);
        const auto f32 = m_compiler.scratch(block.count * 4);
        convert(from, m_c.type, f32, ElementType::F32, block.count);
        add(f32, ElementType::F32, to, block.count);
    }
    void fillLengths() {
        m_kept.lengths = m_compiler.persistent(m_c.batch * 4, MemoryKind::Workspace, [c = m_c] {
            const std::vector<std::int32_t> lengths(static_cast<std::size_t>(c.batch),
                                                    static_cast<std::int32_t>(c.steps));
            std::vector<std::byte> bytes(lengths.size() * sizeof(std::int32_t));
            std::memcpy(bytes.data(), lengths.data(), bytes.size());
            return bytes;
        });
    }
    // The backward pass reads all steps of the output, which must not be overwritten.
    void placeOutput() {
        if (!m_layer.returnSequence) {
            m_kept.y = m_compiler.scratch(m_c.steps * stateCount() * bytesOf(m_c.type));
            return;
        }
        if (m_c.training) m_compiler.placeAlone(m_op.output);
        m_kept.y = m_compiler.value(m_op.output);
    }

    Result<void> backwardData() {
        auto dy = m_compiler.value(m_op.outputGradient);
        Value dHidden;
        if (!m_layer.returnSequence) {
            dHidden = apart(dy, m_c.type);
            const auto bytes = m_c.steps * stateCount() * bytesOf(m_c.type);
            dy = m_compiler.scratch(bytes);
            m_compiler.clear(dy, bytes);
        }
        const auto target = m_compiler.value(m_op.inputGradients[0]);
        const bool adds = target && m_op.accumulate[0];
        const auto count = m_c.batch * m_c.steps * m_c.features;
        const auto dx = target && !adds ? target : m_compiler.scratch(count * bytesOf(m_c.type));
        auto call = m_c;
        call.pass = RecurrencePass::BackwardData;
        if (auto ok = m_compiler.call(call, {m_kept.y, dy, dHidden, m_kept.hidden, m_kept.cell, m_kept.weights,
                                             m_kept.lengths, m_kept.reserve, dx});
            !ok)
            return ok;
        if (adds) add(dx, m_c.type, target, count);
        return {};
    }

    Compiler& m_compiler;
    const plan::Operation& m_op;
    const model::Recurrent& m_layer;
    Recurrence m_c;
    Kept m_kept;
};

}  // namespace

kernels::Cell cellOf(model::RecurrentCell cell) {
    if (cell == model::RecurrentCell::Lstm) return kernels::Cell::Lstm;
    return cell == model::RecurrentCell::Gru ? kernels::Cell::Gru : kernels::Cell::Rnn;
}

Result<LibraryRecurrence> askLibrary(Compiler& compiler, const plan::Operation& forward, bool persistent) {
    const auto& layer = std::get<model::Recurrent>(forward.layer);
    const auto& in = compiler.dims(forward.inputs[0]);
    LibraryRecurrence asked;
    auto& c = asked.call;
    c.cell = cellOf(layer.cell);
    c.batch = in[0], c.steps = in[1], c.features = in[2];
    c.units = layer.units;
    c.directions = layer.bidirectional ? 2 : 1;
    c.training = compiler.training();
    c.persistent = persistent;
    c.type = compiler.type();
    c.tf32 = compiler.tf32();
    auto spaces = compiler.spacesOf(c);
    if (!spaces) return Failure(spaces.error());
    asked.spaces = std::move(*spaces);
    return asked;
}

Result<void> emitLibraryForward(Compiler& compiler, const plan::Operation& forward,
                                const LibraryRecurrence& recurrence) {
    return Emitter(compiler, forward, recurrence).forward();
}

bool tryLibraryBackward(Compiler& compiler, const plan::Operation& backward, Result<void>& result) {
    const auto* kept = compiler.recall<Kept>(backward.node);
    if (kept == nullptr) return false;
    result = Emitter(compiler, backward, *kept).backward();
    return true;
}

}  // namespace steelyard::compute::cuda
