#!/usr/bin/env python3
"""Writes normal.csv, quantile.csv, maximum.csv, simplex_angle.csv and volumes.csv.

    python3 generate.py        (mpmath 1.3, a few minutes)

Inputs stand for the float64 nearest the decimal shown; values are from 40-digit
arithmetic, 25 digits shown. cone.csv has its own generator, cone.py; the other
tables came with the theory.

normal.csv         x -> log Q(x), hazard phi(x)/Q(x)
quantile.csv       log Q -> x
maximum.csv        n -> mean of the largest of n normals, median, location b_n with
                   Q(b_n) = 1/n, scale 1/(n phi(b_n))
simplex_angle.csv  k -> log a_k
volumes.csv        n, k -> v_k(n), with these angles
"""
from mpmath import mp, mpf, mpc, pi, acos, exp, log, log1p, sqrt, erfc, expm1, quad, binomial, npdf, re, j

mp.dps = 40


def q(x):
    return erfc(x / sqrt(mpf(2))) / 2


def show(x):
    return mp.nstr(x, 25)


def table(name, header, rows):
    with open(name, "w") as out:
        out.write(header + "\n")
        for row in rows:
            out.write(",".join(row) + "\n")
            out.flush()


def log_q(x):
    # log(1 - Q(-x)) where Q is near 1.
    return log(q(x)) if x > 0 else log1p(-q(-x))


def normal():
    for text in ["-38", "-20", "-8.5", "-5.5", "-2.25", "-1.5", "-0.3", "-0.001", "-1e-10", "0", "1e-10", "0.001", "0.3", "0.7",
                 "1.3", "2.7", "4.4", "6.6", "12.34", "26.5", "35.35", "35.36", "37.5", "38.6", "55.5", "1234.5", "1e5", "1e10", "1e100"]:
        x = mpf(float(text))
        if x > 1e4:
            # Six terms of the asymptotic series leave 1e-50 of it.
            u = 1 / x**2
            series = 1 - u * (1 - 3 * u * (1 - 5 * u * (1 - 7 * u)))
            l = -x * x / 2 - log(x * sqrt(2 * pi)) + log(series)
            h = x / series
        else:
            l, h = log_q(x), npdf(x) / q(x)
        yield text, show(l), show(h)


def solve(f, lo, hi):
    for _ in range(140):
        mid = (lo + hi) / 2
        if f(mid) > 0:
            lo = mid
        else:
            hi = mid
    return (lo + hi) / 2


def quantile():
    for text in ["-1e-300", "-1e-30", "-1e-10", "-0.001", "-0.1", "-0.5", "-0.69", "-0.6931", "-0.6932", "-0.7", "-1", "-3", "-10",
                 "-100", "-690.7755278982137", "-700", "-1e4"]:
        l = mpf(float(text))
        x = solve(lambda x: log_q(x) - l, mpf(-60), mpf(200))
        yield text, show(x)


def maximum():
    for text in ["2", "3", "5", "17", "1000", "12345678", "1e15", "1e16", "1e20", "1e50", "1e100", "1e200", "1e300"]:
        n = mpf(float(text))
        log_cdf = lambda x: log1p(-q(x)) if x > 0 else log(q(-x))
        median = solve(lambda x: -log(mpf(2)) - n * log_cdf(x), mpf(-5), mpf(60))
        b = mpf(0) if n == 2 else solve(lambda x: log_q(x) + log(n), mpf(-5), mpf(60))
        s = 1 / max(1, b)
        points = [median + s * i for i in range(0, 9)] + [median + s * i for i in (12, 20, 40, 80, 160)]
        above = quad(lambda x: -expm1(n * log_cdf(x)), points)
        below = quad(lambda x: exp(n * log_cdf(x)), [median - s * i for i in (16, 8, 6, 4, 3, 2, 1, 0)])
        yield text, show(median + above - below), show(median), show(b), show(1 / (n * npdf(b)))


def angle(k):
    """a_k = P(k given ones of k+1 normals exceed the mean of all).

    The vertex angle of a regular k-simplex, by the classical formula
      a_k = sqrt((k+1)/pi) int e^{-(k+1) z^2} [erfc(i z)/2]^k dz,
    along the line Im z = -c through its saddle point.
    """
    if k == 0:
        return mpf(1)
    c = solve(lambda c: k * npdf(c) / q(c) - (k + 1) * c, mpf(0), mpf(20)) / sqrt(mpf(2))
    f = lambda z: exp(-(k + 1) * z * z) * (erfc(j * z) / 2) ** k
    h = 1 / sqrt(mpf(k + 1))
    previous = None
    while True:
        total, i = re(f(mpc(0, -c))), 1
        while True:
            v = f(mpc(i * h, -c))
            total += 2 * re(v)
            if abs(v) < mpf(10) ** -36 * abs(total):
                break
            i += 1
        value = total * h * sqrt((k + 1) / pi)
        if previous is not None and abs(value / previous - 1) < mpf(10) ** -13:
            return value  # good to the square of that: halving squares the error
        previous, h = value, h / 2


def simplex_angle():
    known = {1: mpf(1) / 2, 2: mpf(1) / 6, 3: (3 * acos(mpf(1) / 3) - pi) / (4 * pi)}
    for k in [1, 2, 3, 5, 8, 20, 60, 150, 400]:
        a = angle(k)
        if k in known:
            assert abs(a / known[k] - 1) < mpf(10) ** -25, (k, a)
        yield str(k), show(log(a))


def volumes():
    for n in (4, 10, 100):
        total, mean, parity = mpf(0), mpf(0), mpf(0)
        rows = []
        for k in range(n):
            r = n - 1 - k
            # Scaled: quad would stop at an absolute error.
            log_f = lambda m: r * log1p(-q(m)) - (k + 1) * m * m / 2
            peak = max((log_f(mpf(i) / 8), mpf(i) / 8) for i in range(40))
            width = 1 / sqrt(mpf(k + 1))
            points = [peak[1] + width * i for i in (-12, -8, -5, -3, -1, 0, 1, 3, 5, 8, 12)]
            face = quad(lambda m: exp(log_f(m) - peak[0]), points) * exp(peak[0]) * sqrt((k + 1) / (2 * pi))
            v = binomial(n - 1, k) * angle(k) * face
            total, mean, parity = total + v, mean + k * v, parity + (-1) ** k * v
            if v < mpf(10) ** -60:
                break
            rows.append((str(n), str(k), show(v)))
        assert abs(total - 1) < mpf(10) ** -25 and abs(parity) < mpf(10) ** -25, (n, total, parity)
        print(n, "D =", show(mean))
        yield from rows


table("normal.csv", "x,log_Q,hazard", normal())
table("quantile.csv", "log_Q,x", quantile())
table("maximum.csv", "n,mean,median,location,scale", maximum())
table("simplex_angle.csv", "k,log_a", simplex_angle())
table("volumes.csv", "n,k,v", volumes())
