"""NumPy's view of lamcap store and lamcap recall.

    recall.py save FOLDER    keys and values, d_in != d_out
    recall.py check FOLDER   that u @ W @ e of what store wrote ranks as recall does
"""

import csv
import json
import sys

import numpy as np

P, D_IN, D_OUT = 9, 6, 8


def save(folder):
    rng = np.random.default_rng(1)
    np.save(folder + "/K.npy", rng.normal(size=(P, D_IN)).astype(np.float32) + 1)
    np.save(folder + "/V.npy", np.asfortranarray(rng.normal(size=(P, D_OUT))))


def prepared(x, source):
    """x as its preprocessing makes it."""
    for step in source["transform"]["steps"] or []:
        if step["step"] == "centre":
            x = x - np.array(step["mean"])
        elif step["step"] == "unit":
            x = x / np.linalg.norm(x, axis=1, keepdims=True)
        elif step["step"] == "whiten":
            d = x.shape[1]
            x = (x - np.array(step["mean"])) @ np.array(step["matrix"]).reshape(d, d)
        else:
            raise SystemExit("no such step: " + step["step"])
    return x


def check(folder):
    for name in ("plain", "prepared"):
        w = np.load(f"{folder}/{name}.npy")
        assert w.shape == (D_OUT, D_IN) and w.dtype == np.float64 and w.flags.c_contiguous
        with open(f"{folder}/{name}.npy.json") as f:
            memory = json.load(f)
        assert memory["outcome"] == "stored" and memory["recalled"] == P, memory
        keys = prepared(np.load(folder + "/K.npy").astype(np.float64), memory["keys"])
        values = prepared(np.load(folder + "/V.npy"), memory["values"])
        scores = np.array([[u @ w @ e for u in values] for e in keys])
        assert (scores.argmax(axis=1) == np.arange(P)).all(), scores
        with open(f"{folder}/{name}.csv") as f:
            answers = list(csv.DictReader(f))
        assert len(answers) == 3 * P
        order = np.argsort(-scores, axis=1)
        for a in answers:
            q, rank, value = int(a["query"]), int(a["rank"]), int(a["value"])
            assert order[q, rank - 1] == value, (name, a)
            assert abs(scores[q, value] - float(a["score"])) < 1e-9 * np.abs(scores).max(), (name, a)


if __name__ == "__main__":
    {"save": save, "check": check}[sys.argv[1]](sys.argv[2])
