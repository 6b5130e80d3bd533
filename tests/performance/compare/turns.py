# SPDX-License-Identifier: Apache-2.0
"""Processes that run steps on request, for interleaved timing.

A server prints a line that starts with "ready", then answers each line it reads: "<count>" with the seconds per step over
that many steps, "<count> each" with the seconds of each step. step_server is this engine's; serve_steps() is a peer's.
"""
import subprocess
import sys
import time

MEASUREMENT = 0.3  # seconds timed together
SETTLING = 0.25  # seconds; threads of the other side may still spin and keep the CPUs busy


class Server:
    """The process of one side."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment)
        line = self.process.stdout.readline()
        if not line.startswith("ready"):
            raise RuntimeError(self.process.stderr.read().strip() or f"{command[0]} ended")

    def answer(self, request):
        self.process.stdin.write(f"{request}\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if not words:
            raise RuntimeError(self.process.stderr.read().strip() or "the process ended")
        return [float(word) for word in words]

    def seconds_per_step(self, count):
        return self.answer(count)[0]

    def seconds_of_each(self, count):
        return self.answer(f"{count} each")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def serve_steps(step):
    """The server loop of a peer: answers until its input ends."""
    print("ready", flush=True)
    for line in sys.stdin:
        words = line.split()
        marks = [time.perf_counter()]
        for _ in range(int(words[0])):
            step()
            marks.append(time.perf_counter())
        if words[1:] == ["each"]:
            print(*(end - start for start, end in zip(marks, marks[1:])), flush=True)
        else:
            print((marks[-1] - marks[0]) / int(words[0]), flush=True)


def steps_a_measurement(side):
    side.seconds_per_step(1)
    seconds = side.seconds_per_step(1)
    return max(1, min(20000, round(MEASUREMENT / seconds)))


def settled(side, steps):
    time.sleep(SETTLING)
    side.seconds_per_step(max(1, steps // 10))
    return side.seconds_per_step(steps)
