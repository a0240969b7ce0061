#!/usr/bin/env python3
"""What lamcap does, in PyTorch, for comparison: OP, float32, on CPUs.

Keys E (p x d) and values U (p x d) give the scores S = E W^T U^T (p x p), whose
row i should be largest at column i. Training minimises the mean cross-entropy
of the rows over W (d x d) by full-batch torch.optim.Adam, from W = 0.

It reads commands, one a line, from the standard input (or takes each argument
as one) and answers each with one JSON object on one line, so that a caller can
take measurements of both programs in turn:

    draw D P [SEED]       a normal instance
    load FILE D P         the instance in FILE: E, then U, little-endian float32
    step [SECONDS]        time of one Adam step: median over steps taken for
                          SECONDS (default 1) after warming up
    decide RATE [STEPS]   Adam at that learning rate until every input is recalled,
                          or for STEPS (default 2000)
    tune [STEPS]          the same over a grid of learning rates; the one with
                          the fewest steps is timed once more and reported
    quit

    pytorch.py 'draw 64 430' step 'decide 0.1'

With Debian's packages (python3-torch, libopenblas0-pthread) it is fastest with

    MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=17179869184
    MALLOC_TOP_PAD_=268435456 OMP_WAIT_POLICY=PASSIVE

in the environment and no OPENBLAS_* there; the first line printed shows what was
set. Threads: THREADS in the environment, or all processors.

Exits with 3 where there is no PyTorch.
"""

import json
import os
import statistics
import sys
import time

try:
    import torch
    from torch.nn.functional import cross_entropy
except ImportError as err:
    print(f"pytorch.py: {err}: want Debian's python3-torch", file=sys.stderr)
    sys.exit(3)

RATES = (0.1, 0.03, 0.05, 0.2, 0.3, 0.02, 0.01, 1.0)
TUNING = ("MALLOC_", "OMP_", "OPENBLAS_", "GOTO_", "MKL_")


class Task:
    """One instance: keys, values, and the index of each row as its target."""

    def __init__(self, keys, values):
        self.keys = keys
        # Both layouts: the products run as fast with one as with the other, the
        # transposition must not be part of the step.
        self.columns = values.t().contiguous()
        self.targets = torch.arange(len(keys))
        self.p, self.d = keys.shape

    @staticmethod
    def draw(d, p, seed=1):
        generator = torch.Generator().manual_seed(seed)
        return Task(*(torch.randn(p, d, generator=generator) for _ in range(2)))

    @staticmethod
    def load(path, d, p):
        want = 2 * p * d * 4
        if (have := os.path.getsize(path)) != want:
            raise ValueError(f"{path}: {have} bytes: want 2*{p}*{d} float32 numbers, {want} bytes")
        if sys.byteorder != "little":
            raise ValueError("want a little-endian machine")
        with open(path, "rb") as file:
            numbers = torch.frombuffer(bytearray(file.read()), dtype=torch.float32)
        keys, values = numbers.reshape(2, p, d)
        return Task(keys.contiguous(), values.contiguous())

    def scores(self, w):
        return self.keys @ w.t() @ self.columns

    def recalled(self, scores):
        """Whether every row is largest at its target, strictly.

        The first pass, over the largest numbers alone, is the fast one; ties pass
        it, as all scores do at W = 0.
        """
        with torch.no_grad():
            own = scores.diagonal()
            return bool((scores.amax(1) <= own).all()) and int((scores >= own[:, None]).sum()) == self.p


class Training:
    """Adam on one task, from W = 0."""

    def __init__(self, task, rate):
        self.task = task
        self.w = torch.zeros(task.d, task.d, requires_grad=True)
        self.optimizer = torch.optim.Adam([self.w], lr=rate)

    def step(self, check=False):
        """One step; with check, says first whether all was recalled before it,
        and does not take it if so."""
        self.optimizer.zero_grad(set_to_none=True)
        scores = self.task.scores(self.w)
        if check and self.task.recalled(scores):
            return True
        loss = cross_entropy(scores, self.task.targets)
        loss.backward()
        self.optimizer.step()
        return False


def measure_step(task, seconds=1.0):
    training = Training(task, 0.03)
    for _ in range(3):
        training.step()
    times, start = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        training.step()
        times.append(time.perf_counter() - before)
    quarters = statistics.quantiles(times, n=4)
    return {
        "seconds": statistics.median(times),
        "quartiles": [quarters[0], quarters[2]],
        "steps": len(times),
    }


def decide(task, rate, most=2000):
    start = time.perf_counter()
    training = Training(task, rate)
    stored = False
    for steps in range(most + 1):  # the last round checks only
        if steps == most:
            stored = task.recalled(task.scores(training.w))
            break
        if training.step(check=True):
            stored = True
            break
    seconds = time.perf_counter() - start
    finite = bool(torch.isfinite(training.w).all())
    return {"rate": rate, "stored": stored and finite, "finite": finite, "steps": steps, "seconds": seconds}


def tune(task, most=2000):
    # Every step costs the same, so that fewest steps is fastest, without the noise;
    # a rate that needs more than the best so far is abandoned.
    tried, best = [], None
    for rate in RATES:
        result = decide(task, rate, best["steps"] if best else most)
        tried.append(result)
        if result["stored"] and (best is None or result["steps"] < best["steps"]):
            best = result
    result = decide(task, best["rate"], most) if best else {"stored": False, "steps": most}
    return {**result, "tried": tried}


def number(kind, text, least):
    value = kind(text)
    if not value >= least:
        raise ValueError(f"{text}: want {least} or more")
    return value


class Session:
    def __init__(self):
        self.task = None

    def answer(self, words):
        name, *rest = words
        if name == "draw" and len(rest) in (2, 3):
            self.task = Task.draw(*(number(int, word, least) for word, least in zip(rest, (1, 2, 0))))
            result = {}
        elif name == "load" and len(rest) == 3:
            self.task = Task.load(rest[0], number(int, rest[1], 1), number(int, rest[2], 2))
            result = {}
        elif self.task is None and name in ("step", "decide", "tune"):
            raise ValueError(f"{name}: want an instance first: draw D P or load FILE D P")
        elif name == "step" and len(rest) <= 1:
            result = measure_step(self.task, *(number(float, word, 0) for word in rest))
        elif name == "decide" and len(rest) in (1, 2):
            rate = number(float, rest[0], 1e-9)
            result = decide(self.task, rate, *(number(int, word, 1) for word in rest[1:]))
        elif name == "tune" and len(rest) <= 1:
            result = tune(self.task, *(number(int, word, 1) for word in rest))
        else:
            raise ValueError(f"{' '.join(words)}: want draw, load, step, decide, tune or quit; see the head of the script")
        return {"command": name, "d": self.task.d, "p": self.task.p, **result}


def libraries():
    """The names of the linear-algebra libraries that are loaded."""
    with open("/proc/self/maps") as maps:
        files = {os.path.basename(line.split()[-1]) for line in maps if ".so" in line}
    return sorted(name for name in files if "blas" in name or "mkl" in name)


def main():
    torch.set_num_threads(int(os.environ.get("THREADS", os.cpu_count())))
    print(
        json.dumps(
            {
                "torch": torch.__version__,
                "threads": torch.get_num_threads(),
                "libraries": libraries(),
                "environment": {k: v for k, v in sorted(os.environ.items()) if k.startswith(TUNING)},
            }
        ),
        flush=True,
    )
    session = Session()
    failed = False
    for line in sys.argv[1:] or sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "quit":
            break
        try:
            result = session.answer(words)
        except (ValueError, OSError, RuntimeError) as err:
            result, failed = {"command": words[0], "error": str(err)}, True
        print(json.dumps(result), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
