#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the quantised models of this folder: python3 make_quantised.py, with the PyPI packages onnx and onnxruntime
(made with 1.23.2 and 1.32.0 on 2026-11-26). A small network as onnxruntime.quantization writes it, with QuantizeLinear
and DequantizeLinear around its operators; the expected outputs are those of ONNX Runtime without graph optimisations."""
import pathlib
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


def case(name, quantise):
    made = h.make_model(GRAPH, opset_imports=[h.make_opsetid("", 17)], producer_name="steelyard tests")
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
    x = images()
    (data / "input_0.pb").write_bytes(nh.from_array(x, "x").SerializeToString())
    (data / "output_0.pb").write_bytes(nh.from_array(session.run(None, {"x": x})[0], "y").SerializeToString())


def calibrated(**how):
    return lambda source, target: quantize_static(source, target, Samples(), quant_format=QuantFormat.QDQ, **how)


case("qdq_channels", calibrated(activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, per_channel=True))
case("qdq_signed", calibrated(activation_type=QuantType.QInt8, weight_type=QuantType.QInt8))
# DynamicQuantizeLinear, ConvInteger and MatMulInteger.
case("integers", lambda source, target: quantize_dynamic(source, target, weight_type=QuantType.QUInt8))
