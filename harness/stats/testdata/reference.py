#!/usr/bin/env python3
"""Reference values of the statistics tests, from 40-digit arithmetic (mpmath).

Run: python3 reference.py > reference.csv
Columns: function, arguments separated by spaces, value. Arguments are exactly
representable; levels are the double nearest to the decimal shown.
"""
from mpmath import *

mp.dps = 40


def row(name, args, value):
    print("%s,%s,%s" % (name, " ".join(repr(a) for a in args), nstr(value, 20)))


def z_of(level):
    return sqrt(2) * erfinv(mpf(level))


def upper(k, n, p):
    """P(X >= k), binomial."""
    return fsum(binomial(n, j) * p**j * (1 - p)**(n - j) for j in range(k, n + 1))


def bisect(f, lo, hi):
    """Zero of an increasing or decreasing f, to 2^-120 of the bracket."""
    lo, hi = mpf(lo), mpf(hi)
    rising = f(hi) > 0
    for _ in range(120):
        mid = (lo + hi)/2
        if (f(mid) > 0) == rising:
            hi = mid
        else:
            lo = mid
    return lo


def lower(k, n, p):
    return fsum(binomial(n, j) * p**j * (1 - p)**(n - j) for j in range(0, k + 1))


for level in (0.95, 0.99):
    for s, n in ((8, 10), (0, 10), (10, 10), (1, 1), (3, 60), (57, 60), (500, 1000)):
        z = z_of(level)
        ph = mpf(s) / n
        c, h = ph + z*z/(2*n), z*sqrt(ph*(1-ph)/n + z*z/(4*n*n))
        row("wilson_lo", (s, n, level), (c - h)/(1 + z*z/n) if s else mpf(0))
        row("wilson_hi", (s, n, level), (c + h)/(1 + z*z/n) if s < n else mpf(1))
        a = (1 - mpf(level))/2
        f = lambda x: 1/(1 + exp(-x))
        if s:
            x = bisect(lambda x: upper(s, n, f(x)) - a, -20, 20)
            row("cp_lo", (s, n, level), f(x))
        if s < n:
            x = bisect(lambda x: lower(s, n, f(x)) - a, -20, 20)
            row("cp_hi", (s, n, level), f(x))

for s, n, p in ((8, 10, 0.5), (3, 20, 0.375), (20, 20, 0.0009765625), (0, 40, 0.75), (30, 40, 0.75),
                (500, 1000, 0.25), (999, 1000, 2.0**-10), (17, 5000, 2.0**-8), (4999, 5000, 2.0**-20)):
    row("log_upper", (s, n, p), log(upper(s, n, mpf(p))))
    row("log_lower", (s, n, p), log(lower(s, n, mpf(p))))

for nu in (1, 2, 3, 7.5, 29, 400, 999, 1000, 5000, 100000):
    for t in (0.0625, 0.5, 2, 5, 10, 40, 1000):
        x = mpf(nu)/(nu + mpf(t)**2)
        a = mpf(nu)/2
        lead = a*log(x) + log(1-x)/2 - log(a) - loggamma(a) - loggamma(mpf(1)/2) + loggamma(a + mpf(1)/2)
        if x < 0.999:
            v = lead + log(hyp2f1(a + mpf(1)/2, 1, a + 1, x))
        else:  # x near 1: integrate the density from 0
            d = exp(loggamma(a + mpf(1)/2) - loggamma(a))/sqrt(pi*nu)
            v = log(1 - 2*d*quad(lambda u: (1 + u*u/nu)**(-a - mpf(1)/2), linspace(0, t, 9)))
        row("log_student", (float(t), float(nu)), v)

for L in (-0.75, -1, -3, -10, -100, -650, -1000, -1e6):
    L = mpf(L)
    x0 = sqrt(-2*L) if L < -3 else mpf(1)
    def f(x):
        return log(erfc(x/sqrt(2))/2) - L
    row("upper_quantile", (float(L),), bisect(f, x0*mpf("0.01"), x0*2))


def cdf(x):
    return erfc(-x/sqrt(2))/2


# Probit fits: loads, stored, trials; maximum and the chi^2 profile interval at 95%.
sets = [((0, 1, 2, 3, 4), (19, 17, 9, 4, 1), (20, 20, 20, 20, 20)),
        ((106, 111, 116, 120, 125), (23, 21, 10, 2, 0), (24, 24, 24, 24, 24)),
        ((38, 40, 42, 44), (15, 10, 6, 1), (20, 20, 20, 20))]
for i, (xs, ss, ns) in enumerate(sets):
    def ll(h, w):
        r = mpf(0)
        for x, s, n in zip(xs, ss, ns):
            e = (h - x)/w
            if s:
                r += s*log(cdf(e))
            if n > s:
                r += (n-s)*log(cdf(-e))
        return r
    mid = fsum(xs)/len(xs)
    wid = mpf(xs[1] - xs[0])
    h, w = findroot([lambda h, w: diff(ll, (h, w), (1, 0)), lambda h, w: diff(ll, (h, w), (0, 1))], (mid, wid))
    best = ll(h, w)
    row("fit_half", (i,), h)
    row("fit_width", (i,), w)
    row("fit_log_likelihood", (i,), best)
    crit = z_of(0.95)**2

    def prof(hh):
        ww = findroot(lambda u: diff(lambda v: ll(hh, exp(v)), u), log(w))
        return 2*(best - ll(hh, exp(ww))) - crit
    row("fit_lo", (i,), findroot(prof, (h - w/2, h - w/5), tol=1e-15))
    row("fit_hi", (i,), findroot(prof, (h + w/2, h + w/5), tol=1e-15))
