#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of compare_pytorch.py that need no GPU: arguments, refusals, timing. If PyTorch is installed, also that every
network runs entirely on its device (using the meta device, which computes nothing)."""
import contextlib
import io
import os
import sys
import types
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare_pytorch as compare  # noqa: E402
import compare_together as together  # noqa: E402

try:
    import torch
except ImportError:
    torch = None


def fake_torch(gpus):
    cuda = types.SimpleNamespace(is_available=lambda: gpus > 0, device_count=lambda: gpus)
    return types.SimpleNamespace(__version__="2.0", cuda=cuda)


class Processes(unittest.TestCase):
    def test_each_case_has_one_of_its_own(self):
        ids = {os.getpid(), *(compare.in_its_own_process(os.getpid) for _ in range(2))}
        self.assertEqual(len(ids), 3)

    def test_what_goes_wrong_there_is_raised_here(self):
        with self.assertRaises(ValueError):
            compare.in_its_own_process(int, "no number")


class Arguments(unittest.TestCase):
    def refused(self, *words):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
            compare.parse(words)
        self.assertEqual(ended.exception.code, 2)
        return said.getvalue()

    def test_the_processor_is_the_standard(self):
        args = compare.parse([])
        self.assertEqual((args.device, args.precision), ("cpu", "fp32"))

    def test_a_gpu_has_a_number(self):
        self.assertEqual(compare.parse(["--device", "cuda"]).device, "cuda:0")
        self.assertEqual(compare.parse(["--device", "cuda:3", "--precision", "fp16"]).device, "cuda:3")

    def test_what_does_not_go_together_is_said(self):
        self.assertIn("not 'opencl'", self.refused("--device", "opencl"))
        self.assertIn("tf32 is for --device cuda", self.refused("--precision", "tf32"))
        self.assertIn("fp16 is for --device cuda", self.refused("--precision", "fp16"))
        self.assertIn("--processor-time is for --device cpu", self.refused("--device", "cuda", "--processor-time"))


class Refusal(unittest.TestCase):
    def test_without_a_gpu_it_says_so(self):
        self.assertIsNone(compare.refusal(fake_torch(0), "cpu"))
        self.assertIn("sees no GPU", compare.refusal(fake_torch(0), "cuda:0"))

    def test_a_number_beyond_the_last_is_refused(self):
        self.assertIsNone(compare.refusal(fake_torch(2), "cuda:1"))
        self.assertIn("sees 2 GPUs; there is no cuda:2", compare.refusal(fake_torch(2), "cuda:2"))


class Timing(unittest.TestCase):
    def test_device_time_is_between_events_with_the_device_waited_for(self):
        trace = []

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing

            def record(self):
                trace.append("event")

            def elapsed_time(self, end):
                return 250.0

        cuda = types.SimpleNamespace(Event=Event, synchronize=lambda: trace.append("wait"))
        timer = compare.DeviceTimer(types.SimpleNamespace(cuda=cuda))
        self.assertEqual(timer.seconds(lambda: trace.append("work")), 0.25)
        self.assertEqual(trace, ["wait", "event", "work", "event", "wait"])


class Side:
    """Steps of given lengths, the last one repeated; counts them."""

    def __init__(self, *seconds, variant="eager"):
        self.seconds, self.taken, self.variant = seconds, 0, variant

    def seconds_per_step(self, count):
        seconds = self.seconds[min(self.taken, len(self.seconds) - 1)]
        self.taken += count
        return seconds


class Choosing(unittest.TestCase):
    def test_slow_steps_are_measured_one_at_a_time_and_quick_ones_many(self):
        self.assertEqual(compare.steps_a_measurement(Side(9.0)), 1)
        self.assertEqual(compare.steps_a_measurement(Side(0.5, 0.01)), 40)

    def test_a_slow_way_is_chosen_by_its_second_step(self):
        side = Side(3.0, 2.0)
        self.assertEqual(compare.seconds_to_choose_by(side, 2.5), 2.0)
        self.assertEqual(side.taken, 2)

    def test_a_way_far_slower_than_the_best_is_left_after_a_step(self):
        side = Side(30.0)
        self.assertEqual(compare.seconds_to_choose_by(side, 2.0), 30.0)
        self.assertEqual(side.taken, 1)

    def test_what_is_compiled_is_the_layout_that_was_faster(self):
        seconds = {"eager": 3.0, "channels_last": 2.0, "compile_channels_last": 1.5}
        image = types.SimpleNamespace(batch=lambda count: [types.SimpleNamespace(dim=lambda: 4)])
        with unittest.mock.patch.object(compare, "Peer", lambda *words: Side(seconds[words[-1]], variant=words[-1])), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            peer, steps = compare.fastest_peer(None, image, "infer", 1, compare.parse([]))
        self.assertEqual((peer.variant, steps), ("compile_channels_last", 1))
        self.assertEqual(said.getvalue().count(" ms\n"), 3)

    def test_a_first_step_that_compiles_says_nothing(self):
        self.assertEqual(compare.seconds_to_choose_by(Side(60.0, 1.5, variant="compile"), 2.0), 1.5)


class Turns(unittest.TestCase):
    def test_every_side_measures_once_a_round(self):
        order, theirs, ours = [], iter([3.0, 1.0]), iter([6.0, 5.0])

        def measure(name, values):
            order.append(name)
            return next(values)

        measured = compare.measured_in_turn(2, lambda: measure("theirs", theirs), lambda: measure("ours", ours))
        self.assertEqual(measured, ((3.0, 1.0), (6.0, 5.0)))
        self.assertEqual(order, ["theirs", "ours"] * 2)

    def test_slow_cases_take_fewer_rounds_but_two(self):
        args = compare.parse(["--rounds", "7", "--patience", "60"])
        self.assertEqual([compare.rounds_within(args, seconds) for seconds in (0.5, 15, 50)], [7, 4, 2])
        self.assertEqual(compare.rounds_within(compare.parse(["--rounds", "1"]), 500), 1)


class Ways(unittest.TestCase):
    def test_the_first_table_that_has_a_case_counts(self):
        text = """
| workload | mode | precision | batch | ratio | peer |
|---|---|---|---|---|---|
| resnet18 | train | bf16 | 32 | 1.5 | channels_last |

| workload | mode | ratio |
|---|---|---|
| vgg16 | train | 2.0 |
| workload | ratio |

| workload | mode | precision | peer |
|---|---|---|---|
| resnet18 | train | bf16 | eager |
| resnet18 | train | fp32 | compile |
"""
        self.assertEqual(compare.known_ways(text), {("resnet18", "train", "bf16"): "channels_last",
                                                    ("resnet18", "train", "fp32"): "compile"})

    def test_another_build_has_a_name(self):
        self.assertEqual(compare.parse(["--beside", "new=chroot /root /bin/server"]).beside,
                         [("new", ["chroot", "/root", "/bin/server"])])
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            compare.parse(["--beside", "/bin/server"])


class Rows(unittest.TestCase):
    def test_say_both_ratios(self):
        engine = types.SimpleNamespace(name="", planned_bytes=2**20, peak_bytes=2**21)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            ratio = compare.report(["a", "train", "fp32", 8], "eager", (2.0, 4.0, 3.0), engine, (1.0, 2.0, 3.0), None, compare.parse([]))
        self.assertEqual(ratio, 1.5)
        self.assertEqual(said.getvalue().split(),
                         ["a", "train", "fp32", "8", "3000.000", "2000.000", "1.50", "2.00", "eager", "3", "1", "2", "-"])


class Together(unittest.TestCase):
    image = types.SimpleNamespace(infer_only=False, batch=lambda count: [types.SimpleNamespace(dim=lambda: 4)])
    tokens = types.SimpleNamespace(infer_only=True, batch=lambda count: [types.SimpleNamespace(dim=lambda: 2)])

    def test_cases_go_precision_by_precision_without_training_what_only_infers(self):
        args = together.parse(["--precisions", "bf16,fp32", "--workloads", "image,tokens"])
        cases = together.cases_of(args, {"image": 16, "tokens": 1}, {"image": self.image, "tokens": self.tokens})
        self.assertEqual(cases[:3], [("image", "train", "bf16", 16), ("image", "infer", "bf16", 16), ("tokens", "infer", "bf16", 1)])
        self.assertEqual([case[2] for case in cases], ["bf16"] * 3 + ["fp32"] * 3)

    def test_images_are_compiled_with_the_channels_last_but_in_fp32(self):
        args = together.parse([])
        for precision, last in (("bf16", "compile_channels_last"), ("tf32", "compile_channels_last"), ("fp32", "compile")):
            args.precision = precision
            self.assertEqual(together.variants_of(self.image, args), ["eager", "channels_last", last])
            self.assertEqual(together.variants_of(self.tokens, args), ["eager", "compile"])


@unittest.skipIf(torch is None, "PyTorch is not here")
class Networks(unittest.TestCase):
    def test_run_wholly_on_their_device(self):
        from torch_models import WORKLOADS
        for name, entry in WORKLOADS.items():
            with self.subTest(name):
                inputs, labels = (tensor.to("meta") for tensor in entry.batch(2))
                with torch.device("meta"):
                    model = entry.model()
                self.assertEqual(entry.loss(model(inputs), labels).device.type, "meta")

    def test_a_peer_learns(self):
        from torch_models import WORKLOADS
        args = compare.parse(["--precision", "bf16"])
        peer = compare.Peer(torch, WORKLOADS["mnist_mlp"], "train", 8, args, "eager")
        losses = [float(peer.step().detach()) for _ in range(8)]
        self.assertLess(losses[-1], losses[0])
        self.assertGreater(peer.seconds_per_step(2), 0)


if __name__ == "__main__":
    unittest.main()
