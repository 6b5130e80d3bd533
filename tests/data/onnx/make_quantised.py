#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the quantised models of this folder: python3 make_quantised.py [NAME ...], with the PyPI packages onnx and
onnxruntime (made with 1.23.2 and 1.32.0 on 2026-11-26 and 27). A small network as onnxruntime.quantization writes it,
with QuantizeLinear and DequantizeLinear around its operators, and small networks whose grids have no zero points; the
expected outputs are those of ONNX Runtime without graph optimisations."""
import pathlib
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto as T, helper as h, numpy_helper as nh
from onnxruntime.quantization import (CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic,
                                      quantize_static)

HERE = pathlib.Path(__file__).parent
RNG = np.random.default_rng(20261126)


def weights(name, *shape):
    return nh.from_array((RNG.standard_normal(shape) * 0.3).astype(np.float32), name)


def images():
    return RNG.standard_normal((2, 3, 12, 12)).astype(np.float32)


class Samples(CalibrationDataReader):
    def __init__(self):
        self.samples = iter([{"x": images()} for _ in range(8)])

    def get_next(self):
        return next(self.samples, None)


GRAPH = h.make_graph([
    h.make_node("Conv", ["x", "w1", "b1"], ["c1"], name="conv1", pads=[1, 1, 1, 1]),
    h.make_node("Relu", ["c1"], ["r1"], name="relu1"),
    h.make_node("MaxPool", ["r1"], ["p1"], name="pool1", kernel_shape=[2, 2], strides=[2, 2]),
    h.make_node("Conv", ["p1", "w2", "b2"], ["c2"], name="conv2", pads=[1, 1, 1, 1]),
    h.make_node("Add", ["c2", "p1"], ["a2"], name="add"),
    h.make_node("Relu", ["a2"], ["r2"], name="relu2"),
    h.make_node("GlobalAveragePool", ["r2"], ["p2"], name="gap"),
    h.make_node("Flatten", ["p2"], ["f"], name="flat"),
    h.make_node("MatMul", ["f", "w3"], ["m"], name="matmul"),
    h.make_node("Relu", ["m"], ["r3"], name="relu3"),
    h.make_node("Gemm", ["r3", "w4", "b4"], ["y"], name="gemm", transB=1),
], "quantised", [h.make_tensor_value_info("x", T.FLOAT, ["n", 3, 12, 12])],
    [h.make_tensor_value_info("y", T.FLOAT, ["n", 5])],
    [weights("w1", 8, 3, 3, 3), weights("b1", 8), weights("w2", 8, 8, 3, 3), weights("b2", 8), weights("w3", 8, 10),
     weights("w4", 5, 10), weights("b4", 5)])


def case(name, quantise, graph=GRAPH):
    if len(sys.argv) > 1 and name not in sys.argv[1:]:
        return
    made = h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], producer_name="steelyard tests")
    made.ir_version = 8
    folder = HERE / name
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        onnx.save(made, temporary + "/net.onnx")
        quantise(temporary + "/net.onnx", str(folder / "model.onnx"))
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    x = images().reshape([2] + [extent.dim_value for extent in graph.input[0].type.tensor_type.shape.dim[1:]])
    (data / "input_0.pb").write_bytes(nh.from_array(x, "x").SerializeToString())
    (data / "output_0.pb").write_bytes(nh.from_array(session.run(None, {"x": x})[0], "y").SerializeToString())


def calibrated(**how):
    return lambda source, target: quantize_static(source, target, Samples(), quant_format=QuantFormat.QDQ, **how)


case("qdq_channels", calibrated(activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, per_channel=True))
case("qdq_signed", calibrated(activation_type=QuantType.QInt8, weight_type=QuantType.QInt8))
# DynamicQuantizeLinear, ConvInteger and MatMulInteger.
case("integers", lambda source, target: quantize_dynamic(source, target, weight_type=QuantType.QUInt8))
case("qdq_symmetric", calibrated(activation_type=QuantType.QInt8, weight_type=QuantType.QInt8, per_channel=True,
                                 extra_options={"ActivationSymmetric": True, "WeightSymmetric": True}))


def copied(source, target):
    pathlib.Path(target).write_bytes(pathlib.Path(source).read_bytes())


def integers(name, kind, low, high, *shape):
    return nh.from_array(RNG.integers(low, high, shape, endpoint=True).astype(kind), name)


def scalar(name, value, kind=np.float32):
    return nh.from_array(np.array(value, kind), name)


def both(x, scale, zero, result):
    """x rounded to a grid."""
    return [h.make_node("QuantizeLinear", [x, scale, zero], [result + "_levels"], name=result + "_q"),
            h.make_node("DequantizeLinear", [result + "_levels", scale, zero], [result], name=result + "_dq")]


# Every grid is one that int8 has too: signed ones without a zero point, unsigned ones from 0. No weight uses all 127
# levels, so that only the steps of the file give its integers. The second convolution ends without ReLU: its grid cuts
# negative values off. The weights of the last layer are stored as numbers and quantised by operators, as PyTorch does.
W1_STEPS = (np.arange(8) * 0.0004 + 0.002).astype(np.float32)
case("qdq_exact", copied, h.make_graph([
    *both("x", "sx", "zs", "xr"),
    h.make_node("DequantizeLinear", ["w1", "s1", "z1"], ["w1r"], name="w1_dq", axis=0),
    h.make_node("DequantizeLinear", ["b1", "sb1", "zb1"], ["b1r"], name="b1_dq", axis=0),
    h.make_node("Conv", ["xr", "w1r", "b1r"], ["c1"], name="conv1", pads=[1, 1, 1, 1]),
    h.make_node("Relu", ["c1"], ["r1"], name="relu1"),
    *both("r1", "sr1", "zu", "r1r"),
    h.make_node("MaxPool", ["r1r"], ["p1"], name="pool1", kernel_shape=[2, 2], strides=[2, 2]),
    *both("p1", "sr1", "zu", "p1r"),
    h.make_node("DequantizeLinear", ["w2", "s2", "z2"], ["w2r"], name="w2_dq"),
    h.make_node("Conv", ["p1r", "w2r"], ["c2"], name="conv2", pads=[1, 1, 1, 1]),
    *both("c2", "sc2", "zu", "c2r"),
    h.make_node("GlobalAveragePool", ["c2r"], ["p2"], name="gap"),
    *both("p2", "sp2", "zu", "p2r"),
    h.make_node("Flatten", ["p2r"], ["f"], name="flat"),
    *both("w3", "s3", "zs", "w3r"),
    h.make_node("Gemm", ["f", "w3r", "b3"], ["y"], name="gemm", transB=1),
], "exact", [h.make_tensor_value_info("x", T.FLOAT, ["n", 3, 12, 12])],
    [h.make_tensor_value_info("y", T.FLOAT, ["n", 5])],
    [scalar("sx", 4 / 127), scalar("zs", 0, np.int8), scalar("zu", 0, np.uint8),
     integers("w1", np.int8, -90, 90, 8, 3, 3, 3), nh.from_array(W1_STEPS, "s1"),
     nh.from_array(np.zeros(8, np.int8), "z1"), integers("b1", np.int32, -2000, 2000, 8),
     nh.from_array((W1_STEPS * np.float32(4 / 127)).astype(np.float32), "sb1"),
     nh.from_array(np.zeros(8, np.int32), "zb1"), scalar("sr1", 3 / 255),
     integers("w2", np.uint8, 38, 218, 8, 8, 3, 3), scalar("s2", 0.002), scalar("z2", 128, np.uint8),
     scalar("sc2", 4 / 255), scalar("sp2", 2 / 255),
     nh.from_array((RNG.integers(-100, 100, (5, 8)) * np.float32(0.01) + RNG.uniform(-0.004, 0.004, (5, 8)))
                   .astype(np.float32), "w3"), scalar("s3", 0.01), weights("b3", 5)]))

# A gate whose Clip is part of its grid: multiplication reads the saturated values.
case("qdq_saturated", copied, h.make_graph([
    *both("x", "sx", "zs", "xr"),
    h.make_node("DequantizeLinear", ["w1", "s1", "z1"], ["w1r"], name="w1_dq"),
    h.make_node("Conv", ["xr", "w1r"], ["c1"], name="conv1", pads=[1, 1, 1, 1]),
    *both("c1", "sc1", "zs", "c1r"),
    h.make_node("Add", ["c1r", "shift"], ["g"], name="shift"),
    *both("g", "sg", "zu", "gr"),
    h.make_node("Mul", ["c1r", "gr"], ["m"], name="gate"),
    *both("m", "sm", "zs", "mr"),
    h.make_node("DequantizeLinear", ["w2", "s1", "z1"], ["w2r"], name="w2_dq"),
    h.make_node("Conv", ["mr", "w2r"], ["y"], name="conv2"),
], "saturated", [h.make_tensor_value_info("x", T.FLOAT, ["n", 3, 12, 12])],
    [h.make_tensor_value_info("y", T.FLOAT, ["n", 4, 10, 10])],
    [scalar("sx", 4 / 127), scalar("zs", 0, np.int8), scalar("zu", 0, np.uint8), scalar("shift", 0.47),
     integers("w1", np.int8, -90, 90, 8, 3, 3, 3), scalar("s1", 0.00307), scalar("z1", 0, np.int8),
     scalar("sc1", 3 / 127), scalar("sg", 1 / 255), scalar("sm", 3 / 127),
     integers("w2", np.int8, -90, 90, 4, 8, 3, 3)]))

# A product and its bias as two operators, each with a grid.
case("qdq_bias", copied, h.make_graph([
    *both("x", "sx", "zs", "xr"),
    h.make_node("DequantizeLinear", ["w1", "s1", "z1"], ["w1r"], name="w1_dq"),
    h.make_node("MatMul", ["xr", "w1r"], ["m"], name="matmul1"),
    *both("m", "sm", "zs", "mr"),
    h.make_node("Add", ["mr", "b1"], ["a"], name="add"),
    *both("a", "sa", "zs", "ar"),
    h.make_node("DequantizeLinear", ["w2", "s1", "z1"], ["w2r"], name="w2_dq"),
    h.make_node("MatMul", ["ar", "w2r"], ["y"], name="matmul2"),
], "bias", [h.make_tensor_value_info("x", T.FLOAT, ["n", 432])], [h.make_tensor_value_info("y", T.FLOAT, ["n", 4])],
    [scalar("sx", 4 / 127), scalar("zs", 0, np.int8), integers("w1", np.int8, -90, 90, 432, 6), scalar("s1", 0.002),
     scalar("z1", 0, np.int8), scalar("sm", 6 / 127), weights("b1", 6), scalar("sa", 7 / 127),
     integers("w2", np.int8, -90, 90, 6, 4)]))

# Integer operators, with pooling and reshaping of integers between them.
case("qlinear", copied, h.make_graph([
    h.make_node("QuantizeLinear", ["x", "sx", "zx"], ["xq"], name="x_q"),
    h.make_node("QLinearConv", ["xq", "sx", "zx", "w1", "s1", "z1", "sc", "zu", "b1"], ["c1"], name="conv1",
                pads=[1, 1, 1, 1]),
    h.make_node("MaxPool", ["c1"], ["p1"], name="pool1", kernel_shape=[2, 2], strides=[2, 2]),
    h.make_node("QLinearConv", ["p1", "sc", "zu", "w2", "s1", "z1", "sd", "zu"], ["c2"], name="conv2"),
    h.make_node("Flatten", ["c2"], ["f"], name="flat"),
    h.make_node("QLinearMatMul", ["f", "sd", "zu", "w3", "s3", "z1", "sy", "zx"], ["yq"], name="matmul"),
    h.make_node("DequantizeLinear", ["yq", "sy", "zx"], ["y"], name="y_dq"),
], "integer_operators", [h.make_tensor_value_info("x", T.FLOAT, ["n", 3, 12, 12])],
    [h.make_tensor_value_info("y", T.FLOAT, ["n", 5])],
    [scalar("sx", 4 / 127), scalar("zx", 128, np.uint8), scalar("zu", 0, np.uint8),
     integers("w1", np.int8, -90, 90, 8, 3, 3, 3), scalar("s1", 0.003), scalar("z1", 0, np.int8),
     scalar("sc", 3 / 255), integers("b1", np.int32, -2000, 2000, 8), integers("w2", np.int8, -90, 90, 8, 8, 3, 3),
     scalar("sd", 4 / 255), integers("w3", np.int8, -90, 90, 128, 5), scalar("s3", 0.002), scalar("sy", 6 / 127)]))
