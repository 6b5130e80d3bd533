#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the small models of this folder: python3 make_models.py, with the PyPI package onnx (made with 1.23.2 on
2026-11-24). Each is one case: model.onnx and test_data_set_0 with inputs and the outputs of onnx.reference or, for `recurrent`,
of onnxruntime 1.32.0. Those in
refused/ have no data: they are read to see what is said about them."""
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto as T, helper as h, numpy_helper as nh
from onnx.reference import ReferenceEvaluator

HERE = pathlib.Path(__file__).parent
RNG = np.random.default_rng(20261124)


def weights(name, *shape, scale=0.5):
    return nh.from_array((RNG.standard_normal(shape) * scale).astype(np.float32), name)


def numbers(name, values, dtype=np.int64):
    return nh.from_array(np.array(values, dtype), name)


def model(name, nodes, inputs, outputs, initializers=(), opset=17, domains=()):
    graph = h.make_graph(nodes, name, inputs, outputs, list(initializers))
    opsets = [h.make_opsetid("", opset), *[h.make_opsetid(d, 1) for d in domains]]
    made = h.make_model(graph, opset_imports=opsets, producer_name="steelyard tests")
    made.ir_version = 8
    return made


def value(name, shape, kind=T.FLOAT):
    return h.make_tensor_value_info(name, kind, shape)


def case(name, made, inputs, external=False, runtime=False):
    folder = HERE / name
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    if runtime:  # onnx.reference has one direction of recurrent layers only
        session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
        outputs = session.run(None, inputs)
    else:
        outputs = ReferenceEvaluator(made).run(None, inputs)
    for i, (key, array) in enumerate(inputs.items()):
        (data / f"input_{i}.pb").write_bytes(nh.from_array(np.asarray(array), key).SerializeToString())
    for i, array in enumerate(outputs):
        key = made.graph.output[i].name
        (data / f"output_{i}.pb").write_bytes(nh.from_array(np.asarray(array), key).SerializeToString())
    if external:
        onnx.save(made, str(folder / "model.onnx"), save_as_external_data=True, location="weights.bin",
                  size_threshold=0)
    else:
        (folder / "model.onnx").write_bytes(made.SerializeToString())


def refused(name, made):
    (HERE / "refused").mkdir(exist_ok=True)
    (HERE / "refused" / f"{name}.onnx").write_bytes(made.SerializeToString())


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


# A symbolic batch; [K, N] and [N, K] weights; a bias added afterwards.
mlp = model("mlp", [
    h.make_node("MatMul", ["x", "w1"], ["a"], name="first"),
    h.make_node("Add", ["a", "b1"], ["b"], name="bias"),
    h.make_node("Relu", ["b"], ["c"], name="relu"),
    h.make_node("Gemm", ["c", "w2", "b2"], ["d"], transB=1, alpha=0.5, name="second"),
    h.make_node("Softmax", ["d"], ["y"], axis=-1, name="softmax"),
], [value("x", ["batch", 6])], [value("y", ["batch", 4])],
    [weights("w1", 6, 8), weights("b1", 8), weights("w2", 4, 8), weights("b2", 4)])
case("mlp", mlp, {"x": normal(3, 6)})
case("external", mlp, {"x": normal(2, 6)}, external=True)

# Shape arithmetic that is gone once the input has numbers; two outputs.
case("shapes", model("shapes", [
    h.make_node("Shape", ["x"], ["s"]),
    h.make_node("Gather", ["s", "zero"], ["n"], axis=0),
    h.make_node("Unsqueeze", ["n", "axis0"], ["n1"]),
    h.make_node("Concat", ["n1", "rest"], ["target"], axis=0),
    h.make_node("Reshape", ["x", "target"], ["heads"]),
    h.make_node("Transpose", ["heads"], ["moved"], perm=[0, 2, 1]),
    h.make_node("MatMul", ["heads", "moved"], ["scores"]),
    h.make_node("ReduceMean", ["scores"], ["y"], axes=[-1], keepdims=0),
    h.make_node("ArgMax", ["scores"], ["best"], axis=-1, keepdims=0),
], [value("x", ["n", 12])], [value("y", None), value("best", None, T.INT64)],
    [numbers("zero", 0), numbers("axis0", [0]), numbers("rest", [3, -1])]), {"x": normal(2, 12)})

# Convolutions of the kinds that the layers lack: dilated, one-dimensional, transposed; padding, resizing.
case("windows", model("windows", [
    h.make_node("Conv", ["x", "w1", "b1"], ["a"], dilations=[2, 2], pads=[2, 2, 2, 2], name="dilated"),
    h.make_node("LeakyRelu", ["a"], ["b"], alpha=0.1),
    h.make_node("ConvTranspose", ["b", "w2"], ["c"], strides=[2, 2], name="up"),
    h.make_node("MaxPool", ["c"], ["d"], kernel_shape=[2, 2], strides=[2, 2]),
    h.make_node("Resize", ["d", "", "scales"], ["e"], mode="linear", coordinate_transformation_mode="half_pixel"),
    h.make_node("Pad", ["e", "pads"], ["f"], mode="reflect"),
    h.make_node("AveragePool", ["f"], ["y"], kernel_shape=[3, 3], strides=[2, 2]),
], [value("x", [2, 3, 8, 8])], [value("y", None)],
    [weights("w1", 4, 3, 3, 3), weights("b1", 4), weights("w2", 4, 2, 2, 2),
     nh.from_array(np.array([1, 1, 2, 2], np.float32), "scales"),
     numbers("pads", [0, 0, 1, 1, 0, 0, 1, 1])]), {"x": normal(2, 3, 8, 8)})

# Ids into a table, a mask, and a branch that a value decides.
then = h.make_graph([h.make_node("Mul", ["masked", "two"], ["t"])], "then", [], [value("t", None)])
other = h.make_graph([h.make_node("Identity", ["masked"], ["o"])], "else", [], [value("o", None)])
case("tokens", model("tokens", [
    h.make_node("Gather", ["table", "ids"], ["e"], axis=0),
    h.make_node("Cast", ["mask"], ["m"], to=T.BOOL),
    h.make_node("Unsqueeze", ["m", "last"], ["m1"]),
    h.make_node("Where", ["m1", "e", "minus"], ["masked"]),
    h.make_node("Equal", ["mode", "one"], ["is_one"]),
    h.make_node("If", ["is_one"], ["y"], then_branch=then, else_branch=other, name="choice"),
], [value("ids", ["n", 5], T.INT64), value("mask", ["n", 5], T.INT64), value("mode", [], T.INT64)],
    [value("y", None)],
    [weights("table", 11, 4), numbers("last", [2]), numbers("one", 1),
     nh.from_array(np.array(-1, np.float32), "minus"), nh.from_array(np.array(2, np.float32), "two")]),
    {"ids": RNG.integers(0, 11, (2, 5)), "mask": RNG.integers(0, 2, (2, 5)), "mode": np.array(1)})

x4 = [value("x", [1, 4])]
y4 = [value("y", [1, 4])]
refused("operator", model("operator", [
    h.make_node("Relu", ["x"], ["h"], name="relu"),
    h.make_node("NonMaxSuppression", ["h", "h"], ["y"], name="/head/nms")], x4, y4))
refused("domain", model("domain", [
    h.make_node("FusedMatMul", ["x", "x"], ["y"], name="fused", domain="com.microsoft")], x4, y4,
    domains=["com.microsoft"]))
refused("cycle", model("cycle", [
    h.make_node("Add", ["x", "b"], ["a"], name="one"), h.make_node("Relu", ["a"], ["b"], name="two"),
    h.make_node("Relu", ["b"], ["y"], name="three")], x4, y4))
refused("twice", model("twice", [
    h.make_node("Relu", ["x"], ["y"], name="one"), h.make_node("Relu", ["x"], ["y"], name="two")], x4, y4))
refused("open", model("open", [h.make_node("Relu", ["x"], ["y"])], [value("x", ["n", 3, "height", 8])],
                      [value("y", None)]))
refused("old", model("old", [h.make_node("Relu", ["x"], ["y"])], x4, y4, opset=6))
outside = model("outside", [h.make_node("Add", ["x", "w"], ["y"], name="add")], x4, y4, [weights("w", 4)])
tensor = outside.graph.initializer[0]
onnx.external_data_helper.set_external_data(tensor, "../outside.bin")
tensor.ClearField("raw_data")
tensor.data_location = T.EXTERNAL
refused("outside", outside)

# Attention with masks as exporters write them, and rows in which nothing is left: overwritten with a number, or with
# minus infinity and the weights guarded against NaN, or added. The last one overwrites with a number that leaves weights.
low, zero32, infinity = (nh.from_array(np.array(v, np.float32), n)
                         for n, v in (("low", -1e9), ("zero32", 0), ("infinity", -np.inf)))
case("masked_attention", model("masked_attention", [
    h.make_node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]),
    h.make_node("MatMul", ["q", "kt"], ["s0"]), h.make_node("Mul", ["s0", "half"], ["scores"]),
    h.make_node("Where", ["keep", "scores", "low"], ["s1"]),
    h.make_node("Softmax", ["s1"], ["p1"], axis=-1), h.make_node("MatMul", ["p1", "v"], ["y1"]),
    h.make_node("MatMul", ["v", "kt"], ["s2"]),
    h.make_node("Not", ["keep"], ["hide"]),
    h.make_node("Where", ["hide", "infinity", "s2"], ["s3"]),
    h.make_node("Softmax", ["s3"], ["p3"], axis=-1), h.make_node("IsNaN", ["p3"], ["n3"]),
    h.make_node("Where", ["n3", "zero32", "p3"], ["g3"]), h.make_node("MatMul", ["g3", "v"], ["y2"]),
    h.make_node("MatMul", ["k", "kt"], ["s4"]),
    h.make_node("Where", ["keep", "zero32", "infinity"], ["added"]),
    h.make_node("Add", ["s4", "added"], ["s5"]),
    h.make_node("Softmax", ["s5"], ["p5"], axis=-1), h.make_node("IsNaN", ["p5"], ["n5"]),
    h.make_node("Where", ["n5", "zero32", "p5"], ["g5"]), h.make_node("MatMul", ["g5", "v"], ["y3"]),
    h.make_node("MatMul", ["q", "kt"], ["s6"]),
    h.make_node("Where", ["keep", "s6", "half"], ["s7"]),
    h.make_node("Softmax", ["s7"], ["p7"], axis=-1), h.make_node("MatMul", ["p7", "v"], ["y4"]),
], [value(n, ["b", 2, 5, 4]) for n in "qkv"] + [value("keep", ["b", 1, 5, 5], T.BOOL)],
    [value(n, None) for n in ("y1", "y2", "y3", "y4")],
    [nh.from_array(np.array(0.5, np.float32), "half"), low, zero32, infinity]),
    {"q": normal(2, 2, 5, 4), "k": normal(2, 2, 5, 4), "v": normal(2, 2, 5, 4),
     "keep": np.tril(np.ones((2, 1, 5, 5), bool)) & (np.arange(10).reshape(2, 1, 1, 5) > 0)})

# Recurrent layers as exporters write them: time first and batch first again, states of zero and the usual activations
# spelled out. The last three have what only the array operation computes: a second bias, a reset gate before the
# product, the last cell.
BATCH, STEPS, FEATURES, UNITS = 3, 5, 4, 6


def recurrent(name, directions, gates, features, second):
    biases = (RNG.standard_normal((directions, 2 * gates * UNITS)) * 0.4).astype(np.float32)
    if not second:
        biases[:, gates * UNITS:] = 0
    return [weights(f"{name}.W", directions, gates * UNITS, features, scale=0.4),
            weights(f"{name}.R", directions, gates * UNITS, UNITS, scale=0.4), nh.from_array(biases, f"{name}.B")]


cells = {"both": recurrent("both", 2, 4, FEATURES, False), "gru": recurrent("gru", 1, 3, 2 * UNITS, False),
         "rnn": recurrent("rnn", 1, 1, FEATURES, False), "inner": recurrent("inner", 1, 3, FEATURES, True),
         "early": recurrent("early", 1, 3, FEATURES, False), "cell": recurrent("cell", 1, 4, FEATURES, False)}
names = {key: [one.name for one in tensors] for key, tensors in cells.items()}
case("recurrent", model("recurrent", [
    h.make_node("Transpose", ["x"], ["steps"], perm=[1, 0, 2]),
    h.make_node("LSTM", ["steps", *names["both"], "", "zeros", "zeros"], ["both_all", "both_last"], name="both",
                hidden_size=UNITS, direction="bidirectional", activations=["Sigmoid", "Tanh", "Tanh"] * 2),
    h.make_node("Transpose", ["both_all"], ["both_samples"], perm=[2, 0, 1, 3]),
    h.make_node("Reshape", ["both_samples", "joined"], ["both_y"]),
    h.make_node("Transpose", ["both_y"], ["again"], perm=[1, 0, 2]),
    h.make_node("GRU", ["again", *names["gru"]], ["gru_all"], name="gru", hidden_size=UNITS, linear_before_reset=1),
    h.make_node("Squeeze", ["gru_all", "directions"], ["gru_steps"]),
    h.make_node("Transpose", ["gru_steps"], ["gru_y"], perm=[1, 0, 2]),
    h.make_node("RNN", ["steps", *names["rnn"]], ["", "rnn_last"], name="rnn", hidden_size=UNITS),
    h.make_node("GRU", ["steps", *names["inner"]], ["", "inner_last"], name="inner", hidden_size=UNITS,
                linear_before_reset=1),
    h.make_node("GRU", ["steps", *names["early"]], ["early_all", ""], name="early", hidden_size=UNITS),
    h.make_node("LSTM", ["steps", *names["cell"]], ["", "", "cell_last"], name="cell", hidden_size=UNITS),
], [value("x", [BATCH, STEPS, FEATURES])],
    [value(n, s) for n, s in (("both_y", [BATCH, STEPS, 2 * UNITS]), ("both_last", [2, BATCH, UNITS]),
                              ("gru_y", [BATCH, STEPS, UNITS]), ("rnn_last", [1, BATCH, UNITS]),
                              ("inner_last", [1, BATCH, UNITS]), ("early_all", [STEPS, 1, BATCH, UNITS]),
                              ("cell_last", [1, BATCH, UNITS]))],
    [*sum(cells.values(), []), nh.from_array(np.zeros((2, BATCH, UNITS), np.float32), "zeros"),
     numbers("joined", [0, 0, 2 * UNITS]), numbers("directions", [1])]),
    {"x": normal(BATCH, STEPS, FEATURES)}, runtime=True)

# The logarithm of small sums amplifies rounding to 16 bits.
case("logarithm", model("logarithm", [
    h.make_node("MatMul", ["x", "w"], ["a"], name="product"),
    h.make_node("Mul", ["a", "a"], ["b"], name="power"),
    h.make_node("Add", ["b", "epsilon"], ["c"], name="floor"),
    h.make_node("Log", ["c"], ["y"], name="logarithm"),
], [value("x", [2, 64])], [value("y", [2, 96])],
    [weights("w", 64, 96), nh.from_array(np.float32(1e-6).reshape(()), "epsilon")]), {"x": normal(2, 64)})
