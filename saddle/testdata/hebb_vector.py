#!/usr/bin/env python3
"""Reference values for the vector law of Hebb's rule, by mpmath (30 digits):

    python3 hebb_vector.py > hebb_vector.csv

kind law:    a=d  b=p  c=n  P(item), decoupled, the angle integrated with the parabolic
             cylinder function D_{-d} in place of the recurrence.
kind tail:   a=d  b=phi     P(angle to a uniform direction < phi)
kind moment: a=k  b=m       log of int_0^inf y^k exp(-(y-m)^2/2) dy
"""
from mpmath import mp, mpf, pi, gamma, sqrt, exp, cos, sin, quad, betainc, pcfu, linspace, log, nstr

mp.dps = 30


def tail(d, phi):
    c = cos(phi)
    t = betainc(mpf(d - 1) / 2, mpf(1) / 2, 0, sin(phi) ** 2, regularized=True) / 2
    return t if c > 0 else 1 - t


def moment(k, m):
    return gamma(k + 1) * exp(-m * m / 4) * pcfu(k + mpf(1) / 2, -m)


def law(d, p, n):
    h = d / sqrt(mpf(p) - 1)
    c = 2 * pi ** (mpf(d - 1) / 2) / (gamma(mpf(d - 1) / 2) * (2 * pi) ** (mpf(d) / 2))
    f = lambda t: (sin(t) ** (d - 2) * (1 - tail(d, t)) ** (n - 1)
                   * exp(-(h * sin(t)) ** 2 / 2) * moment(d - 1, h * cos(t)))
    return c * quad(f, linspace(0, pi, 13))


print("kind,a,b,c,value")
for d, p, n in [(2, 3, 3), (3, 5, 2), (12, 40, 40), (24, 50, 50), (24, 100, 100), (8, 10, 1000),
                (64, 300, 300), (100, 1200, 1200)]:
    print("law,%d,%d,%d,%s" % (d, p, n, nstr(law(d, p, n), 18)))
for d in [2, 3, 8, 24, 100, 1000]:
    for phi in [0.0625, 0.5, 1.0, 1.5, 1.5703125, 1.625, 2.5]:
        t = tail(d, mpf(phi))
        if t > mpf(10) ** -300:
            print("tail,%d,%r,,%s" % (d, phi, nstr(t, 18)))
for k in [1, 7, 23, 99]:
    for m in [-40, -3, -0.25, -0.0625, 0, 0.5, 4, 60]:
        print("moment,%d,%r,,%s" % (k, m, nstr(log(moment(k, mpf(m))), 18)))
