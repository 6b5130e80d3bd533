// SPDX-License-Identifier: Apache-2.0
// Products, attention and convolutions of imported networks: with the libraries if supported, otherwise with the
// general kernels, which use one thread per element and are slow.
#include <algorithm>

#include "engine/compute/cuda/operations/array_operand.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

constexpr std::int64_t kMostCalls = 64;  // of a product whose leading dimensions the library cannot batch

// [lead.., rows, columns] of three operands, with leading dimensions merged if all strides allow it.
struct ProductWalk {
    model::Shape lead;
    std::vector<model::Shape> strides;  // of a, b, out over `lead`
    std::int64_t rows = 0, columns = 0, depth = 0;
    std::int64_t aRow = 0, aColumn = 0, bRow = 0, bColumn = 0, outRow = 0, outColumn = 0;
};

ProductWalk walkOf(const DeviceArray& a, const DeviceArray& b, const DeviceArray& out) {
    const auto rank = out.dims.size();
    ProductWalk p;
    p.rows = out.dims[rank - 2], p.columns = out.dims[rank - 1], p.depth = a.dims.back();
    const auto lastTwo = [](const DeviceArray& m, std::int64_t& row, std::int64_t& column) {
        row = m.strides[m.strides.size() - 2];
        column = m.strides.back();
    };
    lastTwo(a, p.aRow, p.aColumn);
    lastTwo(b, p.bRow, p.bColumn);
    lastTwo(out, p.outRow, p.outColumn);
    const model::Shape lead(out.dims.begin(), out.dims.end() - 2);
    std::vector<model::Shape> strides;
    for (const auto* m : {&a, &b, &out}) {
        model::Shape own(lead.size(), 0);
        const auto missing = rank - m->dims.size();
        for (std::size_t d = missing; d < lead.size(); ++d)
            own[d] = m->dims[d - missing] == 1 ? 0 : m->strides[d - missing];
        strides.push_back(std::move(own));
    }
    const auto walk = simplifiedWalk(lead, strides);
    p.lead = walk.extents;
    p.strides = walk.strides;
    // One matrix for all: the rows of the others form a single product.
    if (p.lead.size() == 1 && p.strides[1][0] == 0 && p.strides[0][0] == p.rows * p.aRow &&
        p.strides[2][0] == p.rows * p.outRow) {
        p.rows *= p.lead[0];
        p.lead.clear();
        for (auto& list : p.strides) list.clear();
    }
    return p;
}

// A matrix in library terms: whether it is transposed, and its leading dimension.
struct StoredMatrix {
    bool transposed = false;
    std::int64_t stride = 0;
};
std::optional<StoredMatrix> stored(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
    if ((columns == 1 || column == 1) && (rows == 1 || row >= columns))
        return StoredMatrix{false, rows == 1 ? columns : row};
    if ((rows == 1 || row == 1) && (columns == 1 || column >= rows))
        return StoredMatrix{true, columns == 1 ? rows : column};
    return std::nullopt;
}

std::optional<ElementType> elementTypeOf(ArrayType type) {
    switch (type) {
        case ArrayType::F32:
            return ElementType::F32;
        case ArrayType::F16:
            return ElementType::F16;
        case ArrayType::Bf16:
            return ElementType::Bf16;
        case ArrayType::I32:
            break;
    }
    return std::nullopt;
}

// One call per leading dimension except the last; false if the library does not support the product.
Result<bool> callLibrary(Compiler& compiler, const ProductWalk& p, const DeviceArray& a, const DeviceArray& b,
                         const DeviceArray& out) {
    const auto types = elementTypeOf(a.type), result = elementTypeOf(out.type);
    if (!compiler.hasMatrices() || a.type != b.type || !types || !result) return false;
    const auto left = stored(p.rows, p.depth, p.aRow, p.aColumn);
    const auto right = stored(p.depth, p.columns, p.bRow, p.bColumn);
    const auto target = stored(p.rows, p.columns, p.outRow, p.outColumn);
    if (!left || !right || !target || target->transposed) return false;
    const auto outer = p.lead.empty() ? model::Shape{} : model::Shape(p.lead.begin(), p.lead.end() - 1);
    if (model::elementCount(outer) > kMostCalls) return false;
    MatrixProduct call;
    call.rows = p.rows, call.columns = p.columns, call.depth = p.depth;
    call.transposeA = left->transposed, call.transposeB = right->transposed;
    call.aStride = left->stride, call.bStride = right->stride, call.cStride = target->stride;
    call.operandType = *types, call.resultType = *result;
    call.tf32 = compiler.tf32();
    if (!p.lead.empty()) {
        call.batch = p.lead.back();
        call.aBatchStride = p.strides[0].back();
        call.bBatchStride = p.strides[1].back();
        call.cBatchStride = p.strides[2].back();
    }
    for (std::int64_t i = 0; i < model::elementCount(outer); ++i) {
        std::int64_t at[3] = {a.offset, b.offset, out.offset};
        auto rest = i;
        for (std::size_t d = outer.size(); d-- > 0; rest /= outer[d])
            for (std::size_t k = 0; k < 3; ++k) at[k] += rest % outer[d] * p.strides[k][d];
        TRY(compiler.call(call,
                          {a.value.at(at[0] * kernels::bytesOf(a.type)), b.value.at(at[1] * kernels::bytesOf(b.type)),
                           out.value.at(at[2] * kernels::bytesOf(out.type))}));
    }
    return true;
}

// A float32 constant in a 16-bit step, or vice versa.
DeviceArray inType(Compiler& compiler, const DeviceArray& array, ArrayType type) {
    return array.isInteger() || array.type == type ? array : denseArray(compiler, array, type);
}

}  // namespace

Result<void> emitArrayProduct(Compiler& compiler, const plan::Operation& op, DeviceArray a, DeviceArray b,
                              DeviceArray out) {
    // Vectors as matrices with one row or column.
    if (a.dims.size() == 1) {
        a.dims.insert(a.dims.begin(), 1);
        a.strides.insert(a.strides.begin(), a.dims.back());
        out.dims.insert(out.dims.end() - (b.dims.size() == 1 ? 0 : 1), 1);
        out.strides = model::rowMajorStrides(out.dims);
    }
    if (b.dims.size() == 1) {
        b.dims.push_back(1);
        b.strides.push_back(1);
        out.dims.push_back(1);
        out.strides = model::rowMajorStrides(out.dims);
    }
    if (!a.isInteger() && !b.isInteger()) {
        const auto type = arrayTypeOf(compiler.type());
        a = inType(compiler, a, type);
        b = inType(compiler, b, type);
    }
    const auto walk = walkOf(a, b, out);
    ASSIGN(const bool called, callLibrary(compiler, walk, a, b, out));
    if (called) return {};
    auto dims = walk.lead;
    dims.insert(dims.end(), {walk.rows, walk.columns});
    kernels::ArrayProduct product;
    ASSIGN(product.extents, extentsOf(op, dims));
    product.depth = walk.depth, product.aStride = walk.aColumn, product.bStride = walk.bRow;
    product.exact = a.isInteger() || b.isInteger() || out.isInteger();
    const auto strides = [&](std::size_t k, std::int64_t row, std::int64_t column) {
        auto all = walk.strides[k];
        all.insert(all.end(), {row, column});
        return stridesOf(all);
    };
    product.a.strides = strides(0, walk.aRow, 0);
    product.b.strides = strides(1, 0, walk.bColumn);
    product.out.strides = strides(2, walk.outRow, walk.outColumn);
    compiler.kernel("native:array_product", {a.value, b.value, out.value}, [=](Stream stream) {
        auto job = product;
        job.a.tensor = a.tensor(), job.b.tensor = b.tensor(), job.out.tensor = out.tensor();
        return kernels::arrayProduct(stream, job);
    });
    return {};
}

// Scores in float32 for all types: unscaled, they may overflow 16-bit types.
Result<void> emitAttendArrays(Compiler& compiler, const plan::Operation& op, const model::AttendArrays& layer) {
    const auto type = arrayTypeOf(compiler.type());
    const auto q = inType(compiler, arrayOf(compiler, op.inputs[0]), type);
    const auto k = inType(compiler, arrayOf(compiler, op.inputs[1]), type);
    const auto v = inType(compiler, arrayOf(compiler, op.inputs[2]), type);
    const auto out = arrayOf(compiler, op.output);
    auto dims = q.dims;
    dims.back() = k.dims.back();
    const auto scores = scratchArray(compiler, ArrayType::F32, dims);
    TRY(emitArrayProduct(compiler, op, q, k, scores));
    const auto weights = type == ArrayType::F32 ? scores : scratchArray(compiler, type, dims);
    kernels::ArraySoftmax softmax;
    model::Shape rows(dims.begin(), dims.end() - 1);
    ASSIGN(softmax.rows, extentsOf(op, rows));
    softmax.length = dims.back();
    softmax.scale = static_cast<float>(layer.scale);
    softmax.masks = static_cast<int>(op.inputs.size()) - 3;
    if (softmax.masks > kernels::kMostMasks)
        return fail(ErrorKind::Unsupported, op.name, messages::tooManyMasks(kernels::kMostMasks));
    std::vector<DeviceArray> masks;
    std::vector<Value> uses{scores.value, weights.value};
    for (std::size_t m = 0; m + 3 < op.inputs.size(); ++m) {
        masks.push_back(arrayOf(compiler, op.inputs[m + 3]));
        const auto strides = broadcastStrides(masks.back(), dims);
        softmax.mask[m].strides = stridesOf(model::Shape(strides.begin(), strides.end() - 1));
        softmax.maskStrides[m] = strides.back();
        uses.push_back(masks.back().value);
    }
    softmax.in.strides = softmax.out.strides =
        stridesOf(model::Shape(scores.strides.begin(), scores.strides.end() - 1));
    compiler.kernel("native:array_softmax", std::move(uses), [=](Stream stream) {
        auto job = softmax;
        job.in.tensor = scores.tensor(), job.out.tensor = weights.tensor();
        for (std::size_t m = 0; m < masks.size(); ++m) job.mask[m].tensor = masks[m].tensor();
        return kernels::arraySoftmax(stream, job);
    });
    return emitArrayProduct(compiler, op, weights, v, out);
}

Result<kernels::ArrayWindow> arrayWindow(const plan::Operation& op, const model::Shape& kernel,
                                         const model::Shape& stride, const model::Shape& dilation,
                                         const model::Shape& before, const model::Shape& after,
                                         const model::Shape& input) {
    if (kernel.size() > static_cast<std::size_t>(kernels::kMostSpatial))
        return fail(ErrorKind::Unsupported, op.name, messages::tooManyDimensions(kernels::kMostSpatial + 2));
    kernels::ArrayWindow window;
    window.spatial = static_cast<int>(kernel.size());
    for (std::size_t d = 0; d < kernel.size(); ++d) {
        window.kernel[d] = kernel[d], window.stride[d] = stride[d], window.dilation[d] = dilation[d];
        window.before[d] = before[d], window.after[d] = after[d];
        window.from[d] = input[d + 2];
    }
    return window;
}

namespace {

void addBias(Compiler& compiler, const DeviceArray& bias, const DeviceArray& out) {
    kernels::ArrayMap map;
    model::Shape channel(out.dims.size(), 0);
    channel[1] = bias.strides[0];
    const auto walk = simplifiedWalk(out.dims, {channel, out.strides, out.strides});
    map.extents.rank = static_cast<int>(walk.extents.size());
    std::copy(walk.extents.begin(), walk.extents.end(), map.extents.at);
    map.inputs = 2, map.steps = 1;
    map.step[0] = {model::MapKind::Add, 2, 0, 1, 0, 0, 0};
    map.in[0].strides = stridesOf(walk.strides[0]);
    map.in[1].strides = map.out.strides = stridesOf(walk.strides[1]);
    compiler.kernel("native:bias", {bias.value, out.value}, [=](Stream stream) {
        auto job = map;
        job.in[0].tensor = bias.tensor();
        job.in[1].tensor = job.out.tensor = out.tensor();
        return kernels::arrayMap(stream, job);
    });
}

// One or two spatial dimensions, without dilation and with symmetric padding; a transposed convolution is the input
// gradient of the other.
std::optional<Convolution> libraryConvolution(const Compiler& compiler, const model::ConvolveNd& l,
                                              const model::Shape& in, const model::Shape& out) {
    const auto spatial = l.kernel.size();
    if (spatial > 2 || std::any_of(l.dilation.begin(), l.dilation.end(), [](auto d) { return d != 1; }))
        return std::nullopt;
    const auto& image = l.transposed ? out : in;
    const auto& result = l.transposed ? in : out;
    for (std::size_t d = 0; d < spatial; ++d) {
        const auto slack = image[d + 2] + 2 * l.before[d] - l.kernel[d];
        if (slack < 0 || slack / l.stride[d] + 1 != result[d + 2]) return std::nullopt;
    }
    Convolution c;
    c.pass = l.transposed ? ConvolutionPass::BackwardData : ConvolutionPass::Forward;
    c.batch = image[0], c.channels = image[1], c.filters = result[1];
    const auto last = spatial - 1;
    c.width = image[last + 2], c.outputWidth = result[last + 2];
    c.kernelWidth = l.kernel[last], c.strideWidth = l.stride[last], c.paddingWidth = l.before[last];
    c.height = spatial == 2 ? image[2] : 1, c.outputHeight = spatial == 2 ? result[2] : 1;
    if (spatial == 2) c.kernelHeight = l.kernel[0], c.strideHeight = l.stride[0], c.paddingHeight = l.before[0];
    c.groups = l.groups;
    c.type = compiler.type();
    c.tf32 = compiler.tf32();
    return c;
}

}  // namespace

Result<void> emitArrayConvolution(Compiler& compiler, const plan::Operation& op, const model::ConvolveNd& layer) {
    const auto x = arrayOf(compiler, op.inputs[0]), w = arrayOf(compiler, op.inputs[1]),
               y = arrayOf(compiler, op.output);
    const bool biased = op.inputs.size() > 2;
    const auto bias = biased ? arrayOf(compiler, op.inputs[2]) : DeviceArray{};
    const auto type = arrayTypeOf(compiler.type());
    const auto call = libraryConvolution(compiler, layer, x.dims, y.dims);
    if (call && compiler.hasNetworks() && y.type == type && !x.isInteger() && !w.isInteger()) {
        const auto image = denseArray(compiler, x, type), filters = denseArray(compiler, w, type);
        const auto result = isDense(y) ? y : scratchArray(compiler, type, y.dims);
        TRY(compiler.call(*call, {image.value, filters.value, result.value}));
        if (biased) addBias(compiler, bias, result);
        if (!isDense(y)) emitArrayCopy(compiler, result, y);
        return {};
    }
    kernels::ArrayConvolution c;
    ASSIGN(c.extents, extentsOf(op, y.dims));
    ASSIGN(c.window, arrayWindow(op, layer.kernel, layer.stride, layer.dilation, layer.before, layer.after, x.dims));
    c.groups = layer.groups;
    c.inChannels = x.dims[1];
    c.transposed = layer.transposed;
    c.x.strides = stridesOf(x.strides), c.w.strides = stridesOf(w.strides), c.y.strides = stridesOf(y.strides);
    if (biased) c.bias.strides = stridesOf(bias.strides);
    compiler.kernel("native:array_convolution", {x.value, w.value, bias.value, y.value}, [=](Stream stream) {
        auto job = c;
        job.x.tensor = x.tensor(), job.w.tensor = w.tensor(), job.y.tensor = y.tensor();
        job.bias.tensor = bias.tensor();
        return kernels::arrayConvolution(stream, job);
    });
    return {};
}

}  // namespace steelyard::compute::cuda
