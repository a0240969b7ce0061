"""Reference values of w, erfcx and log erfc for the tests: python3 generate.py

Inputs are floats printed in full (repr), so they are exactly representable;
outputs come from 80-digit arithmetic (mpmath), printed with 25 digits.
"""
import csv
import random
from mpmath import mp, mpf, mpc, exp, erfc, log, re, im, nstr, sqrt, pi

mp.dps = 80
random.seed(20)


def w(x, y):
    z = mpc(x, y)
    return exp(-z * z) * erfc(mpc(0, -1) * z)


def text(v):
    return nstr(v, 25, min_fixed=0, max_fixed=0)


points = set()
# moduli from 1e-10 to 1e10, directions from the real to the imaginary axis
for k in range(-33, 35, 4):
    for y, x in ((0, 1), (1, 0), (1, 1), (1, 4), (4, 1), (1, 1024), (1, 2**40), (2**30, 1)):
        points.add((x * 2.0**k, y * 2.0**k))
# the working range, at random and near the nodes and the borders of the rules
h = float(sqrt(pi / 13))
for _ in range(120):
    points.add((random.uniform(0, 8), random.uniform(0, 8)))
for _ in range(60):
    points.add((random.uniform(0, 30), 2.0 ** random.uniform(-40, 2)))
for k in range(13):
    for y in (0.0, 1e-12, 0.01):
        points.add((k * h, y))
        points.add(((k + 0.5) * h, y))
        points.add(((k + 0.25) * h, y))
        points.add(((k + 0.7499) * h, y))
for v in (0.25, 0.5, 1.0, 2.0, 4.0, 6.25):
    points.add((v, v))
    points.add((v, v * (1 - 2.0**-20)))
    points.add((v, 6.390673242833442))
    points.add((v, 6.3906732428334415))
for x in (10.0, 20.0, 25.0, 26.0, 27.0, 99999.0, 100001.0):
    for y in (0.0, 1e-30, 1e-5, 0.009, 0.011, 3.0, 10.0):
        points.add((x, y))
        points.add((y, x))

with open("w.csv", "w", newline="") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["x", "y", "re", "im"])
    for x, y in sorted(points):
        v = w(x, y)
        rows.writerow([repr(float(x)), repr(float(y)), text(re(v)), text(im(v))])

lower = [(random.uniform(-5, 5), random.uniform(-5, 0)) for _ in range(40)]
lower += [(-random.uniform(0, 6), random.uniform(0, 6)) for _ in range(20)]
lower += [(0.0, -26.5), (1.0, -26.625), (-3.0, -26.75), (1000.0, -1000.25), (12345.5, -12345.5)]
with open("w_elsewhere.csv", "w", newline="") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["x", "y", "re", "im"])
    for x, y in lower:
        v = w(x, y)
        rows.writerow([repr(float(x)), repr(float(y)), text(re(v)), text(im(v))])

xs = [-26.625, -26.5, -26.0, -10.0, -1.0, -0.5, -1e-8, 0.0, 1e-300, 1e-10]
xs += [i / 8 for i in range(-80, 320, 3)] + [random.uniform(0, 30) for _ in range(60)]
xs += [25.0, 25.000000001, 26.5, 30.0, 100.0, 1e5, 1e8, 1e200]
with open("erfcx.csv", "w", newline="") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["x", "erfcx"])
    for x in xs:
        v = mpf(x)
        big = 1 / (sqrt(pi) * v) if v > mpf(10) ** 30 else exp(v * v) * erfc(v)
        rows.writerow([repr(x), text(big)])

xs = [-30.0, -6.0, -5.0, -2.0, -1.0, -0.75, -0.5, -0.25, -1e-3, -1e-20, 0.0, 1e-20, 1e-3, 0.25, 0.5]
xs += [random.uniform(-3, 3) for _ in range(60)] + [random.uniform(3, 40) for _ in range(60)]
xs += [20.0, 20.000000001, 26.5, 27.0, 100.0, 12345.678, 1e8]
with open("log_erfc.csv", "w", newline="") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["x", "log_erfc"])
    for x in xs:
        v = mpf(x)
        # for x << 0, log(2 - erfc(-x)) needs the digits of erfc(-x): dps 80 + 400
        with mp.workdps(480):
            value = log(erfc(v)) if v != 0 else mpf(0)
        rows.writerow([repr(x), text(value)])
