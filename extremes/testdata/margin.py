#!/usr/bin/env python3
"""Writes margin.csv: moments and laws of the winner-take-all cone with a margin.

    python3 margin.py > margin.csv        (mpmath 1.3; some minutes)

By the number j of active competitors, another way than the inversion of the
level's law at its own argument: given the sum (j+1) m + K of t_0 and j of the t's,
the probability a_j(K) that the j exceed m does not depend on m, so that the
density of the level m* is

    f_n(m) = sum_j C(n-1, j) Phi(m)^(n-1-j) g_j(m),
    g_j(m) = sqrt(j+1) phi(((j+1) m + K)/sqrt(j+1)) a_j(K),

and that of a given competitor's score, with rho active or t_rho = x below the
level of the other n - 1,

    sum_j C(n-2, j-1) Phi(x)^(n-1-j) g_j(x) + phi(x) (1 - F_{n-1}(x)).

a_j is the density of t_0 + sum (t_i - m | t_i > m) at m + K, along the imaginary
axis from the m at which that is the mean. Columns: n, K, dimension, active, mean
and variance of m*, and at the level x the density and CDF of m* (the correct
score's at x + K) and of a competitor. All inputs are float64.
"""
import sys
from mpmath import mp, mpf, mpc, binomial, exp, erfc, ncdf, npdf, pi, re, sqrt

mp.dps = 28
TINY = mpf(10) ** -26


def mills(z):
    return sqrt(pi / 2) * exp(z * z / 2) * erfc(z / sqrt(mpf(2)))


def trapezoid(f, center, h, both=True):
    """Integral of an analytic f that decays to both sides; h is halved until it holds."""
    previous = None
    while True:
        total = f(center)
        size = abs(total)
        for sign in (1, -1) if both else (1,):
            x, small = h, 0
            while small < 4:
                v = f(center + sign * x)
                total += v if both else 2 * v
                size += abs(v)
                small = small + 1 if abs(v) <= TINY * size else 0
                x += h
        total *= h
        if previous is not None and abs(total - previous) <= mpf(10) ** -12 * size * h:
            return total
        previous, h = total, h / 2


def angle(j, K):
    if j == 0:
        return mpf(1)
    excess = lambda m: 1 / mills(m) - m
    lo, hi = -K / (j + 1) - 1, mpf(30)
    while hi - lo > mpf("1e-3"):
        mid = (lo + hi) / 2
        if j * excess(mid) > mid + K:
            lo = mid
        else:
            hi = mid
    m = lo
    def f(omega):
        s = mpc(0, omega)
        return re(exp(s * (m + K) + s * s / 2) * (mills(m + s) / mills(m)) ** j)
    density = trapezoid(f, mpf(0), mpf(1) / 2, both=False) / (2 * pi)
    # Q(m)^j times that is phi(S/sqrt(j+1))/sqrt(j+1) a_j, S = (j+1) m + K.
    q = npdf(m) * mills(m)
    return density * q ** j / (npdf(((j + 1) * m + K) / sqrt(mpf(j + 1))) / sqrt(mpf(j + 1)))


class Cone:
    def __init__(self, n, K, angles):
        self.n, self.K, self.a = n, K, angles

    def g(self, j, m):
        r = sqrt(mpf(j + 1))
        return r * npdf(((j + 1) * m + self.K) / r) * self.a[j]

    def density(self, m, j0=0):
        n, cdf = self.n, ncdf(m)
        return sum(binomial(n - 1, j) * cdf ** (n - 1 - j) * self.g(j, m) for j in range(n))

    def held(self, x):
        n, cdf = self.n, ncdf(x)
        return sum(binomial(n - 2, j - 1) * cdf ** (n - 1 - j) * self.g(j, x) for j in range(1, n))

    def below(self, f, x):
        """Integral of f up to x."""
        return mp.quad(f, [x - 12, x - 5, x - 2, x - 1, x - mpf("0.5"), x], method="gauss-legendre")


def main():
    print("n,K,dimension,active,mean,variance,x,level_density,level_cdf,competitor_density,competitor_cdf")
    for K in map(mpf, ("0", "0.25", "1", "3.5", "20")):
        angles = [angle(j, K) for j in range(60)]
        if K == 1:  # P(t_1 > m | t_0 + t_1 = 2m + K) = Phi(K/sqrt 2)
            assert abs(angles[1] - ncdf(K / sqrt(mpf(2)))) < mpf(10) ** -24
        for n in (2, 3, 4, 10, 60):
            cone = Cone(n, K, angles)
            h = mpf("0.1")
            center = mpf(0) if K < 5 else -K / n / 2
            mass = trapezoid(cone.density, center, h)
            assert abs(mass - 1) < mpf(10) ** -20, (n, K, mass - 1)
            mean = trapezoid(lambda m: m * cone.density(m), center, h)
            variance = trapezoid(lambda m: (m - mean) ** 2 * cone.density(m), center, h)
            active = (n - 1) * trapezoid(cone.held, center, h)
            for shift in (-1.5, 0.5):
                x = mpf(round(float(mean + shift * sqrt(variance)) * 64)) / 64
                other = Cone(n - 1, K, angles)
                cdf = cone.below(cone.density, x)
                free = 1 - other.below(other.density, x)
                competitor = cone.held(x) + npdf(x) * free
                # Held below x, or free below x; the latter by parts.
                held = cone.below(cone.held, x)
                stay = ncdf(x) * free + other.below(lambda y: ncdf(y) * other.density(y), x)
                row = [K, active + K * (mean + K), active, mean, variance]
                text = ",".join(mp.nstr(v, 22) for v in row)
                tail = ",".join(mp.nstr(v, 22) for v in (x, cone.density(x), cdf, competitor))
                end = mp.nstr(held + stay, 22)
                print("%d,%s,%s,%s" % (n, text, tail, end))
                sys.stdout.flush()


if __name__ == "__main__":
    main()
