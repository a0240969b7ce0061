#!/usr/bin/env python3
"""Writes capacity.csv, overlap.csv and storable.csv.

    python3 generate.py        (mpmath 1.3, some minutes)

Inputs stand for the float64 nearest the decimal shown; values are from 40-digit
arithmetic. gardner_margin.csv came with the theory.

capacity.csv  threshold T -> gamma_c = 1/E(T - t)_+^2, by quadrature
overlap.csv   T, gamma -> q solving q = gamma (1-q) E (phi/Q)(a)^2 with
              a = (T - sqrt(q) t)/sqrt(1-q), and the free energy there
storable.csv  N weights, p facts, n candidates -> P(storable) and 1 - P from the
              volumes of ../../extremes/testdata/volumes.csv
"""
import csv
import sys
from mpmath import mp, mpf, pi, exp, log, sqrt, erfc, npdf, ncdf, quad

mp.dps = 40


def table(name, header, rows):
    with open(name, "w") as out:
        out.write(header + "\n")
        for row in rows:
            out.write(",".join(row) + "\n")
            out.flush()


def show(x, digits=25):
    return mp.nstr(x, digits)


def trapezoid(f, center, h, tolerance=13):
    """Over the real line, for an analytic f: halving h squares the error."""
    total, previous, offset = f(center), None, h
    step, reach = h, [mpf(0), mpf(0)]
    while True:
        for i, sign in enumerate((1, -1)):
            x, quiet = offset, 0
            while quiet < 4 or x < reach[i]:
                v = f(center + sign * x)
                total += v
                quiet = quiet + 1 if abs(v) < mpf(10) ** -34 * abs(total) else 0
                x += step
            reach[i] = x
        value = total * h
        if previous is not None and abs(value - previous) < mpf(10) ** -tolerance * abs(value):
            return value
        previous, offset, step, h = value, h / 2, h, h / 2


def capacity():
    for text in ["-37", "-20.5", "-5", "-1", "-0.01", "0", "0.01", "0.7", "1.5", "4", "8.25", "37", "1000", "1e50"]:
        T = mpf(float(text))
        closed = (1 + T * T) * ncdf(T) + T * npdf(T)
        value = closed
        if T < 1000:
            # u = T - t, in units of its scale; density taken out, because quad stops
            # at an absolute error.
            scale = 1 / (1 + abs(T)) if T < 0 else mpf(1)
            points = [scale * x for x in (0, 1, 2, 4, 8, 12, 20, 32, 50, 80, 120)]
            if T > 0:
                points = sorted({mpf(0), T / 2, T} | {T + i for i in (-4, -2, -1, 1, 2, 4, 8, 14) if T + i > 0})
            top = max(T, mpf(0))
            value = quad(lambda u: u * u * exp(T * u - u * u / 2 - top * top / 2), points) * npdf(T) * exp(top * top / 2)
            assert abs(value / closed - 1) < mpf(10) ** -24, (text, value, closed)
        yield text, show(1 / value)


def q_tail(x):
    return erfc(x / sqrt(mpf(2))) / 2


def averages(T, q):
    """E h(a)^2 and E log Q(a)."""
    e = 1 - q
    a = lambda t: (T - sqrt(q) * t) / sqrt(e)
    h = lambda x: npdf(x) / q_tail(x)
    # The kink of width sqrt(e/q) at t = T/sqrt(q) sets the step.
    step = min(mpf("0.5"), sqrt(e / q) / 2)
    mean = trapezoid(lambda t: npdf(t) * h(a(t)) ** 2, mpf(0), step)
    return mean, a, step


def overlap():
    for T_text, gamma_text in [("0", "1"), ("0", "1.9"), ("1", "0.01"), ("1", "0.3"), ("1", "0.5"), ("1", "0.519"), ("1", "0.51957"),
                               ("3", "0.05"), ("3", "0.0999"), ("5", "0.03"), ("-1", "5"), ("2.5", "0.13")]:
        T, gamma = mpf(float(T_text)), mpf(float(gamma_text))

        def condition(q):
            return gamma * (1 - q) * averages(T, q)[0] - q

        # Secant in log(1 - q), where near capacity it is nearly straight.
        x0, x1 = -log(mpf(2)), -log(mpf(3))
        c = lambda x: condition(1 - exp(x))
        lo, hi = mpf(-14), mpf(-1) / 1000
        mp.dps = 20
        for _ in range(12):
            mid = (lo + hi) / 2
            if c(mid) > 0:
                hi = mid
            else:
                lo = mid
        mp.dps = 40
        x0, x1 = lo, hi
        f0, f1 = c(x0), c(x1)
        for _ in range(12):
            x2 = x1 - f1 * (x1 - x0) / (f1 - f0)
            x0, f0, x1, f1 = x1, f1, x2, c(x2)
            if abs(x1 - x0) < mpf(10) ** -24:
                break
        else:
            raise SystemExit("not solved")
        q = 1 - exp(x1)
        _, a, step = averages(T, q)
        energy = log(1 - q) / 2 + q / (2 * (1 - q)) + gamma * trapezoid(lambda t: npdf(t) * log(q_tail(a(t))), mpf(0), step)
        yield T_text, gamma_text, show(q, 22), show(energy, 20)


def storable():
    volumes = {}
    with open("../../extremes/testdata/volumes.csv") as f:
        for row in csv.DictReader(f):
            volumes.setdefault(int(row["n"]), []).append(mpf(row["v"]))
    for n, p, sizes in [(4, 3, [0, 1, 2, 5, 9, 10]), (10, 20, [5, 30, 40, 44, 60, 100]), (100, 12, [20, 50, 57, 64, 110])]:
        c = [mpf(1)]
        for _ in range(p):
            out = [mpf(0)] * (len(c) + len(volumes[n]) - 1)
            for i, x in enumerate(c):
                for j, y in enumerate(volumes[n]):
                    out[i + j] += x * y
            c = out
        for N in sizes:
            # A total of exactly N - 1 mod 2 below N counts twice; the other parity
            # gives the complement.
            yes = 2 * sum((c[j] for j in range(N - 1, -1, -2) if j < len(c)), mpf(0))
            no = 2 * sum((c[j] for j in range(N + 1, len(c), 2)), mpf(0))
            assert abs(yes + no - 1) < mpf(10) ** -22, (n, p, N, yes + no)
            yield str(N), str(p), str(n), show(yes, 20), show(no, 20)


if __name__ == "__main__":
    which = sys.argv[1:] or ["capacity", "overlap", "storable"]
    if "capacity" in which:
        table("capacity.csv", "threshold,gamma_c", capacity())
    if "overlap" in which:
        table("overlap.csv", "threshold,gamma,q,free_energy", overlap())
    if "storable" in which:
        table("storable.csv", "weights,p,n,probability,complement", storable())
