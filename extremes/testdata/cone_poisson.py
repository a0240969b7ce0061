#!/usr/bin/env python3
"""Writes cone_poisson.csv: D and V beyond n = 1e300, where n - 1 competitors are a
Poisson process of density lambda(t) = n phi(t), to 58 digits.

    python3 cone_poisson.py > cone_poisson.csv        (mpmath 1.3; some minutes)

With M = Q/phi and e(s, t) = st + s^2/2 + lambda(t) [M(t+s) - M(t)], on s = i omega,

    E f(nQ(m))    = (1/2 pi i) int int f(nQ(t)) [1 + lambda(t) M(t+s)] e^e ds dt,
    E|A|(|A| - 1) = E (nQ(m))^2 + (1/pi i) int int lambda(t)^2 [M(t+s) - M(t)]/s e^e ds dt,

D = E nQ(m), V = E|A|(|A| - 1) + D - D^2. Both integrands are entire and decay like
Gaussians: the trapezoidal rule converges exponentially. A row is computed twice,
with other steps, and printed if the two agree to 58 digits (V is the difference
of squares of D). T + 3 log T = 2 log n - log 2 pi.
"""
import sys
from mpmath import mp, mpf, mpc, exp, findroot, log, log10, nstr, pi, sqrt

DIGITS = 60
mp.dps = DIGITS + 12
CUT = mpf(10) ** -(DIGITS + 3)


def mills(z):
    """M by its continued fraction z + 1/(z + 2/(z + ...)), for |z| > 12 and Re z >> 1."""
    r = float(abs(z))
    terms = (DIGITS * 2.3 / (2 * r)) ** 2 + 1.6 * DIGITS / (2 * log10(r)) + 10
    y = z
    for k in range(int(terms), 0, -1):
        y = z + k / y
    return 1 / y


def cone(log_n, finer):
    density = lambda t: exp(log_n - t * t / 2) / sqrt(2 * pi)
    drift = lambda t: t - density(t) * (1 - t * mills(t))
    # Where the mean of the sum crosses t; spread and slope there set the steps.
    lo, hi = sqrt(log_n), sqrt(2 * log_n)
    for _ in range(60):
        t = (lo + hi) / 2
        lo, hi = (t, hi) if drift(t) < 0 else (lo, t)
    slope = (drift(t + mpf(10) ** -8) - drift(t - mpf(10) ** -8)) / (2 * mpf(10) ** -8)
    spread = sqrt(1 + density(t) * ((1 + t * t) * mills(t) - t))
    reach = 2 * sqrt(-2 * log(CUT)) * mpf("1.6") * finer
    d_omega, d_t = 2 * pi / (spread * reach), spread / slope * 2 * pi / reach

    def row(t):
        """sums over omega at t: density of m, and of the pairs' second part"""
        level, m = density(t), mills(t)
        first, second = (1 + level * m) / 2, level ** 2 * (t * m - 1) / 2
        j = small = 0
        while small < 3:
            j += 1
            s = mpc(0, j * d_omega)
            shifted = mills(t + s)
            e = exp(s * t + s * s / 2 + level * (shifted - m))
            first += ((1 + level * shifted) * e).real
            second += (level ** 2 * (shifted - m) / s * e).real
            small = small + 1 if abs(e) < CUT else 0
        return level * m, first * d_omega / pi * d_t, second * 2 * d_omega / pi * d_t

    whole = mean = square = pairs = mpf(0)
    for sign in (1, -1):
        j, small = (0 if sign > 0 else 1), 0
        while small < 3:
            q, first, second = row(t + sign * j * d_t)
            whole += first
            mean += q * first
            square += q * q * first
            pairs += second
            small = small + 1 if abs(first) < CUT * abs(whole) and abs(second) < CUT * abs(pairs) else 0
            j += 1
    assert abs(whole - 1) < mpf(10) ** -DIGITS, whole - 1
    return mean, square + pairs + mean - mean ** 2


def main():
    print("log_n,T,D,V")
    for text in ("1e3", "1e4", "1e6"):
        log_n = mpf(text)
        d, v = cone(log_n, mpf(1))
        for x, y in zip((d, v), cone(log_n, mpf("1.13"))):
            sys.stderr.write("log n = %s: the two differ by %s\n" % (text, nstr(x / y - 1, 3)))
            if abs(x / y - 1) > mpf(10) ** -58:
                raise SystemExit("not converged")
        t = findroot(lambda t: t + 3 * log(t) - 2 * log_n + log(2 * pi), 2 * log_n - 3 * log(2 * log_n))
        print(",".join([text] + [nstr(x, 58) for x in (t, d, v)]))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
