#!/usr/bin/env python3
"""Writes top.csv: D_{n,k} for k = n - 1, where a single competitor, the lowest,
can be above the target:

    D = E (x - t)_+^2 / 2,  x the least of n - 1 normals, t another.

    python3 top.py        (mpmath 1.3, seconds)
"""
from mpmath import mp, mpf, erfc, exp, inf, nstr, npdf, quad, sqrt

mp.dps = 40


def Q(x):
    return erfc(x / sqrt(2)) / 2


def square(x):
    """E (x - t)_+^2"""
    return (1 + x**2) * Q(-x) + x * npdf(x)


with open("top.csv", "w") as out:
    out.write("n,k,D\n")
    for n in [3, 4, 10, 100, 1000, 10**6, 10**12]:
        f = lambda x: (n - 1) * npdf(x) * exp((n - 2) * mp.log(Q(x))) * square(x) / 2
        d = quad(f, [-40, -20] + [mpf(i) / 2 for i in range(-30, 13)] + [40])
        out.write("%d,%d,%s\n" % (n, n - 1, nstr(d, 25)))
