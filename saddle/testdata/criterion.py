#!/usr/bin/env python3
"""Writes surrogate.csv and fraction.csv.

    python3 criterion.py        (mpmath 1.3, seconds)

surrogate.csv  tail fraction r (a float64, repr) -> kappa_r = phi(z)/r, Q(z) = r,
               and capacity 1/((1 + kappa^2) Phi(kappa) + kappa phi(kappa))
fraction.csv   n candidates and a cutoff c -> load 1/E[dist^2; dist^2 <= c],
               fraction P(dist^2 > c) and E[|A|; dist^2 <= c] x load, from the
               volumes of ../../extremes/testdata/volumes.csv and incomplete gamma
               functions; every c is a float64
"""
import csv
from mpmath import mp, mpf, erfc, exp, gammainc, log, ncdf, npdf, nstr, sqrt

mp.dps = 50


def quantile(r):
    """z with Q(z) = r, by Newton's method in log Q."""
    if r > mpf(1) / 2:
        return -quantile(1 - r)
    z = sqrt(max(mpf(0), -2 * log(2 * r)))
    for _ in range(200):
        tail = erfc(z / sqrt(2)) / 2
        step = log(tail / r) * tail / npdf(z)
        z += step
        if abs(step) < mpf(10) ** -45:
            break
    return z


with open("surrogate.csv", "w") as out:
    out.write("r,kappa,capacity\n")
    for r in [1e-300, 1e-200, 1e-100, 1e-50, 1e-20, 1e-10, 1e-6, 1e-4, 0.01, 0.1, 0.25, 0.4, 0.5,
              0.6, 0.75, 0.9, 0.99, 0.9999, 1 - 2.0**-20, 1 - 2.0**-40, 1 - 2.0**-53]:
        kappa = npdf(quantile(mpf(r))) / mpf(r)
        capacity = 1 / ((1 + kappa**2) * ncdf(kappa) + kappa * npdf(kappa))
        out.write("%r,%s,%s\n" % (r, nstr(kappa, 25), nstr(capacity, 25)))

volumes = {}
for row in csv.DictReader(open("../../extremes/testdata/volumes.csv")):
    volumes.setdefault(int(row["n"]), {})[int(row["k"])] = mpf(row["v"])
volumes[2] = {0: mpf(1) / 2, 1: mpf(1) / 2}


def below(k, c):
    return gammainc(mpf(k) / 2, 0, mpf(c) / 2, regularized=True)


with open("fraction.csv", "w") as out:
    out.write("n,cutoff,load,fraction,replicon\n")
    for n in sorted(volumes):
        v = volumes[n]
        for c in [2.0**-20, 0.125, 1.0, 4.0, 8.0, 20.0, 40.0, 64.0]:
            within = sum(k * x * below(k + 2, c) for k, x in v.items())
            active = sum(k * x * below(k, c) for k, x in v.items() if k > 0)
            # 1 - P: 50 digits are enough for fractions above 1e-20.
            above = sum(x * gammainc(mpf(k) / 2, mpf(c) / 2, mp.inf, regularized=True) for k, x in v.items() if k > 0)
            out.write("%d,%r,%s,%s,%s\n" % (n, c, nstr(1 / within, 25), nstr(above, 25), nstr(active / within, 25)))
