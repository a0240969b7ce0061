"""Prints the tables of nodes.go: python3 nodes.py

Each line is t² rounded to a float, the rest of t², and e^{-t²}.
"""
from mpmath import mp, mpf, exp, nstr, pi, sqrt

mp.dps = 50
last = 12
h = sqrt(pi / (last + 1))
for name, shift in (("midpointNodes", mpf(1) / 2), ("trapezoidNodes", mpf(0))):
    print(name)
    for k in range(last + 1):
        square = ((k + shift) * h) ** 2
        high = float(square)
        weight = exp(-square) if square else mpf(1) / 2
        print("\t{%r, %s, %s}," % (high, nstr(square - high, 17), nstr(weight, 20)))
print("1/h", repr(float(1 / h)), nstr(1 / h - float(1 / h), 20), "pi/h", nstr(pi / h, 25), "2h/pi", nstr(2 * h / pi, 25))
