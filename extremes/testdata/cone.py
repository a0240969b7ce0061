#!/usr/bin/env python3
"""Writes cone.csv: D_n and V_n of the winner-take-all cone to 19 digits.

    python3 cone.py > cone.csv        (mpmath 1.3; about half an hour)

    D_n          = (n-1) int phi(t) P(t_0 + sum_{i<=n-2} (t_i - t)_+ <= t) dt
    E|A|(|A|-1)  = 2(n-1)(n-2) int phi(t) P(x > t, t_0 + (x-t) + sum_{i<=n-3} (t_i-t)_+ <= t) dt

with the probabilities by inversion along a vertical line of the s-plane. Both
integrals have entire integrands: the trapezoidal rule converges exponentially.
Every value is computed twice, with other steps and another line, and printed
only if the two agree to 19 digits. Inputs are the float64 nearest the decimal.
"""
import sys
from mpmath import mp, mpf, mpc, exp, erfc, log, log1p, sqrt, pi, re, npdf

mp.dps = 34
TINY = mpf(10) ** -24

# The trapezoidal rule of step STEP for e^{z^2} erfc z, with the
# residue of its pole; off by e^{-(pi/STEP)^2} = 1e-29. In fixed point, because
# mpmath's own erfc takes two milliseconds.
STEP = mpf(pi) / sqrt(67)
BITS = 140
ONE = 1 << BITS
NODES = [(int((j * STEP) ** 2 * ONE), int(exp(-((j * STEP) ** 2)) * ONE)) for j in range(1, 22)]


def erfcx(z):
    z = mpc(z)
    if z.real < 0:
        return 2 * exp(z * z) - erfcx(-z)
    if abs(z) > 1000 or abs(z) < mpf("0.05"):
        return exp(z * z) * erfc(z)
    square = z * z
    a, b = int(square.real * ONE), int(square.imag * ONE)
    bb = b * b
    x = y = 0
    for node, weight in NODES:
        c = a + node
        q = (weight << (2 * BITS)) // (c * c + bb)
        x += q * c
        y -= q * b
    total = mpc(mpf(x) / ONE / ONE, mpf(y) / ONE / ONE)
    value = STEP * z / pi * (1 / square + 2 * total)
    if z.real < pi / STEP:
        value += 2 * exp(square) / (1 - exp(2 * pi * z / STEP))
    return value


class Integrand:
    """e^{st + s^2/2} L(s)^k psi1(s)^pairs, at fixed t, without 1/s."""

    def __init__(self, t, k, pairs):
        self.t, self.k, self.pairs = t, k, pairs
        self.half = exp(-t * t / 2) / 2
        self.at_t = erfcx(t / sqrt(2)).real
        self.root = 1 / sqrt(mpf(2))

    def log(self, s):
        w = erfcx((s + self.t) * self.root)
        v = s * self.t + s * s / 2
        if self.k:
            v += self.k * log1p(self.half * (w - self.at_t))
        if self.pairs:
            v += self.pairs * log(self.half * w)
        return v

    def mean(self):
        q = self.half * self.at_t
        density = npdf(self.t)
        return self.k * (density - self.t * q) + self.pairs * (density / q - self.t)

    def saddle(self, sign, tolerance=0.3):
        lo, hi = mpf(-7), mpf(5)

        def slope(x):
            c = sign * exp(x)
            d = c * mpf("1e-7")
            return (re(self.log(c + d) - self.log(c - d)) / (2 * d) - 1 / c) * sign

        while hi - lo > tolerance:
            mid = (lo + hi) / 2
            if slope(mid) > 0:
                hi = mid
            else:
                lo = mid
        c = sign * exp((lo + hi) / 2)
        d = c / 20
        return c, re(self.log(c + d) + self.log(c - d) - 2 * self.log(c)) / d ** 2

    def probability(self, contour):
        sign = 1 if self.mean() > self.t else -1
        c, curvature = self.saddle(sign)
        c *= contour

        def f(omega):
            s = mpc(c, omega)
            v = exp(self.log(s)) / s
            return v.real, max(abs(v.real), abs(v.imag))

        h = min(1 / sqrt(max(curvature, 1)), abs(c) / 4)
        # Even in omega: one direction counts twice.
        value = trapezoid(f, h, [1]) / pi
        if sign < 0:
            value += self.unconstrained()
        return value

    def unconstrained(self):
        return (self.half * self.at_t) ** self.pairs

    def is_certain(self):
        """The sum stays below t but for 1e-30: Chernoff's bound."""
        if self.mean() > self.t:
            return False
        c, _ = self.saddle(-1, 0.01)
        return exp(self.log(c).real) < mpf(10) ** -30 * self.unconstrained()


def trapezoid(f, h, directions):
    """Integral of an f that returns value and modulus, from 0 in the directions.

    The rule is off by about e^{-2 pi a/h}, a the half-width of the strip where
    f is analytic and not too large: when halving h changes the sum by less than
    1e-11 of it, the finer sum is good to the square of that.
    """
    value, size = f(mpf(0))
    share = mpf(len(directions)) / 2
    total, modulus = value * share, size * share
    reach = {1: mpf(0), -1: mpf(0)}
    previous = None
    offset, step = h, h
    while True:
        for sign in directions:
            x, small = offset, 0
            while small < 3 or x < reach[sign]:
                value, size = f(sign * x)
                total += value
                modulus += size
                small = small + 1 if size < TINY * modulus else 0
                x += step
            reach[sign] = x
        current = total * h
        if previous is not None and abs(previous - current) < mpf(10) ** -11 * modulus * h:
            return current
        previous = current
        offset, step, h = h / 2, h, h / 2


def moment(n, pairs, contour, start):
    k = n - 2 - pairs
    prefactor = n - 1 if pairs == 0 else 2 * (n - 1) * (n - 2)
    # Where the mean of the sum crosses t.
    lo, hi = mpf(0), mpf(40)
    while hi - lo > 0.01:
        mid = (lo + hi) / 2
        if Integrand(mid, k, pairs).mean() > mid:
            lo = mid
        else:
            hi = mid

    # Where the probability has become 1 it stays so.
    certain = lo + 1 / max(1, lo) / 8
    while not Integrand(certain, k, pairs).is_certain():
        certain += 1 / max(1, lo) / 8

    def f(x):
        i = Integrand(lo + x, k, pairs)
        value = npdf(lo + x) * (i.unconstrained() if lo + x > certain else i.probability(contour))
        return value, abs(value)

    return prefactor * trapezoid(f, start / max(1, lo), [1, -1])


def twice(n, pairs):
    a = moment(n, pairs, 1, mpf("0.25"))
    b = moment(n, pairs, mpf("0.8"), mpf("0.2"))
    sys.stderr.write("n = %s pairs %d: %s, the two differ by %s\n" % (mp.nstr(n, 5), pairs, mp.nstr(a, 25), mp.nstr(a / b - 1, 3)))
    if abs(a / b - 1) > mpf(10) ** -19:
        raise SystemExit("not converged")
    return a


def main(sizes):
    for z in (mpc(1, "0.3"), mpc(3, 2), mpc("0.5", 8), mpc(26, 3), mpc("-0.7", "1.9")):
        assert abs(erfcx(z) / (exp(z * z) * erfc(z)) - 1) < mpf(10) ** -27
    print("n,D,V")
    for text in sizes:
        n = mpf(float(text))
        mean = twice(n, 0)
        second = twice(n, 1)
        print("%s,%s,%s" % (text, mp.nstr(mean, 19), mp.nstr(second + mean - mean ** 2, 19)))
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:] or "4 10 100 1000 1e4 1e5 1e6 1e8 1e12 1e20 1e50 1e100 1e300".split())
