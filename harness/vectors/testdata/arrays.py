"""What NumPy writes, for lamcap to read, and the other way round.

    arrays.py golden         prints numpy.txt: small arrays, as hexadecimal files
    arrays.py save FOLDER    saves arrays, each beside its numbers as text, or as refused-*.npy
    arrays.py check FOLDER   loads the W.npy that lamcap wrote there, and scores its keys
"""
import io, itertools, sys, warnings
import numpy as np
from numpy.lib import format as npy

warnings.simplefilter("ignore")  # that format 2.0 or 3.0 was not needed


def saved(a, version):
    f = io.BytesIO()
    npy.write_array(f, a, version=version)
    return f.getvalue()


def kinds():
    for version, order, descr in itertools.product([1, 2, 3], "CF", ["<f4", ">f4", "<f8", ">f8"]):
        yield version, order, descr


def golden():
    for version, order, descr in kinds():
        a = np.array([[1.5, -2, 1 / 3], [0, 1e-30, -0.0]], dtype=descr, order=order)
        print(version, order, descr, saved(a, (version, 0)).hex())


def save(folder):
    rng = np.random.default_rng(1)
    for version, order, descr in kinds():
        a = np.array(rng.standard_normal((7, 5)) * 10.0 ** rng.integers(-30, 30, (7, 5)), dtype=descr, order=order)
        name = f"{folder}/read-{version}-{order}-{'little' if descr[0] == '<' else 'big'}-{descr[1:]}"
        with open(name + ".npy", "wb") as f:
            f.write(saved(a, (version, 0)))
        np.savetxt(name + ".txt", a.astype("f8"), fmt="%.17g")
    a = rng.standard_normal((4, 3))
    np.save(f"{folder}/refused-half.npy", a.astype("f2"))
    np.save(f"{folder}/refused-long.npy", a.astype("f8").astype(np.longdouble))
    np.save(f"{folder}/refused-whole.npy", a.astype("i8"))
    np.save(f"{folder}/refused-complex.npy", a.astype("c16"))
    np.save(f"{folder}/refused-object.npy", a.astype(object), allow_pickle=True)
    np.save(f"{folder}/refused-fields.npy", np.zeros((4, 3), dtype=[("x", "f4"), ("µ", "f4", (2,))]))
    np.save(f"{folder}/refused-words.npy", np.array([["a", "b"]]))
    np.save(f"{folder}/refused-scalar.npy", np.float64(1))
    np.save(f"{folder}/refused-row.npy", a[0])
    np.save(f"{folder}/refused-cube.npy", a.reshape(2, 2, 3))
    np.save(f"{folder}/refused-empty.npy", a[:0])
    np.savez(f"{folder}/refused-archive.npz", a)


def check(folder):
    W, E, U = (np.load(f"{folder}/{name}.npy") for name in "WEU")
    assert W.dtype == np.float64 and W.flags.c_contiguous, (W.dtype, W.flags)
    assert W.shape == (U.shape[1], E.shape[1]) and W.shape[0] != W.shape[1], W.shape
    assert np.array_equal(np.load(f"{folder}/W.npy", mmap_mode="r"), W)
    scores = np.loadtxt(f"{folder}/scores.txt")  # of value u for key e, at row u, column e
    assert scores.shape == (len(U), len(E))
    for i, u in enumerate(U):
        for j, e in enumerate(E):
            assert abs(u @ W @ e - scores[i, j]) <= 1e-14 * np.linalg.norm(u) * np.linalg.norm(W) * np.linalg.norm(e)


if __name__ == "__main__":
    {"golden": golden, "save": save, "check": check}[sys.argv[1]](*sys.argv[2:])
