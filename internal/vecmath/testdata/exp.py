#!/usr/bin/env python3
"""Writes exp.csv: x and exp(x) as the sum of two float64, in hexadecimal.

Needs mpmath. The arguments are fixed: both ends of the range, small ones, and
a multiplicative sequence that lands on no grid."""
from mpmath import mp, mpf, exp

mp.prec = 200
points = [-708.0, 709.43, 0.0, 1.0, -1.0, 2.0**-30, -(2.0**-30), 2.0**-60]
# Where the reduced argument is largest: halfway between multiples of log 2.
points += [(n + 0.5) * 0.6931471805599453 for n in range(-1020, 1022, 37)]
golden = 0.6180339887498949
points += [-708 + 1417.4 * ((i * golden) % 1) for i in range(1, 2000)]
points += [-60 * ((i * golden) % 1) for i in range(1, 1000)]
points += [2 * ((i * golden) % 1) - 1 for i in range(1, 1000)]
with open("exp.csv", "w") as f:
    for x in points:
        e = exp(mpf(x))
        high = float(e)
        print(x.hex(), high.hex(), float(e - mpf(high)).hex(), sep=",", file=f)
