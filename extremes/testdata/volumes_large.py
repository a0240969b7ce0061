#!/usr/bin/env python3
"""Writes volumes_large.csv: intrinsic volumes v_k(n) of large cones to 20 digits.

    python3 volumes_large.py > volumes_large.csv        (mpmath 1.3, some minutes)

    v_k = C(n-1, k) a_k int N(m; 0, 1/(k+1)) Phi(m)^(n-1-k) dm,
    a_k = sqrt((k+1)/pi) int e^{-(k+1) z^2} [erfc(i z)/2]^k dz,

both by the trapezoidal rule, halved until it agrees; n is the float64 nearest the
decimal. The last k of each n are in its far tails, where v_k is about 1e-60.
"""
from mpmath import mp, mpf, mpc, pi, exp, log, log1p, sqrt, erfc, npdf, re, j, loggamma

mp.dps = 40
TOLERANCE = mpf(10) ** -24


def q(x):
    return erfc(x / sqrt(mpf(2))) / 2


def solve(f, lo, hi):
    for _ in range(60):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if f(mid) > 0 else (lo, mid)
    return lo


def trapezoid(log_f, center, step):
    top, previous = re(log_f(center)), None
    while True:
        total = mpf(1)
        for sign in (1, -1):
            i = 1
            while True:
                v = exp(log_f(center + sign * i * step) - top)
                total += re(v)
                if abs(v) < mpf(10) ** -32:
                    break
                i += 1
        value = total * step
        if previous is not None and abs(value / previous - 1) < TOLERANCE:
            return log(value) + top
        previous, step = value, step / 2


ANGLES = {0: mpf(0)}


def log_angle(k):
    if k not in ANGLES:
        c = solve(lambda c: k * npdf(c) / q(c) - (k + 1) * c, mpf(0), sqrt(mpf(k)) + 1) / sqrt(mpf(2))
        f = lambda x: -(k + 1) * mpc(x, -c) ** 2 + k * log(erfc(j * mpc(x, -c)) / 2)
        ANGLES[k] = trapezoid(f, mpf(0), mpf(1) / 2 / sqrt(mpf(k))) + log((k + 1) / pi) / 2
    return ANGLES[k]


def log_face(n, k):
    rest = n - 1 - k
    peak = solve(lambda m: rest * npdf(m) / (1 - q(m)) - (k + 1) * m, mpf(0), mpf(50))
    h = npdf(peak) / (1 - q(peak))
    width = 1 / sqrt(k + 1 + rest * h * (h + peak))
    return trapezoid(lambda m: rest * log1p(-q(m)) - (k + 1) * m * m / 2, peak, width / 4) + log((k + 1) / (2 * pi)) / 2


print("n,k,v")
for name, ks in (
    ("1000", (0, 1, 8, 30, 107)),
    ("1e6", (0, 1, 2, 20, 60, 174)),
    ("1e20", (0, 1, 80, 356)),
    ("1e300", (0, 1, 100, 1200, 1361, 1600, 2295)),
):
    n = mpf(int(float(name)))
    for k in ks:
        mp.dps = 50 if n > 1e200 else 40
        choose = sum((log((n - 1 - i) / (i + 1)) for i in range(k)), mpf(0))
        print(f"{name},{k},{mp.nstr(exp(choose + log_angle(k) + log_face(n, k)), 20)}", flush=True)
