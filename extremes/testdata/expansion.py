#!/usr/bin/env python3
"""Writes expansion.csv: the coefficients of D_n and V_n for n -> infinity, exactly.

    python3 expansion.py > expansion.csv        (standard library; two minutes)

With T + 3 log T = 2 log n - log 2 pi,

    D_n = T + 3 + d_1/T + d_2/T^2 + ...,   V_n = 2 T - 4 + v_1/T + ...,

and with X = 2 log n, y = 3 log X + log 2 pi,

    D_n = X - y + 3 + P_1(y)/X + P_2(y)/X^2 + ...,   V_n = 2 X - 2 y - 4 + R_1(y)/X + ...

and as continued fractions

    D_n = T + 3 + (e_1/T)/(1 + (e_2/T)/(1 + ...)),   V_n = 2 D_n - 10 + (f_1/T)/(1 + (f_2/T)/(1 + ...)).

A row is (quantity, order, coefficients): of 1/T^order in d and v, of the powers
y^0, y^1, ... of the polynomial in P and R, one number in e and f.

Method (extremes/expansion.go has the derivation): scaled by tau = sqrt(T), with
delta = 1/T, w(x, V) is the solution of

    V = 1 + delta w + x/2 - q K,   q = exp(-w - delta w^2/2),
    K = [m(z) - m(z + x)]/x,   z = 1 + delta w,   m(z) = sum_k (-1)^k (2k-1)!! delta^k z^(-2k-1)

(m: Mills's ratio), a power series in x, V, delta, and for every power series f

    <f> = exp(-delta d/dx d/dV) f at x = V = 0,
    D/T = <q m>,   E|A|(|A|-1)/T = T <(q m)^2> - 2 <q^2 K dw/dV>.
"""
import sys
from fractions import Fraction as F
from math import factorial

ORDERS = 12  # of 1/T in V; D comes out to two more
N = ORDERS + 3
# Rational numbers are computed modulo a prime and reconstructed at the end: that
# is exact for numerators and denominators below 2^260; those here are below 2^70.
PRIME = 2**521 - 1


def residue(x):
    x = F(x)
    return x.numerator * pow(x.denominator, -1, PRIME) % PRIME


def rational(r):
    """The fraction of small numerator and denominator that is r modulo PRIME (Euclid)."""
    a, b, u, v = PRIME, r % PRIME, 0, 1
    while b * b > PRIME:
        a, b, u, v = b, a % b, v, u - a // b * v
    out = F(b, v)
    assert out.numerator.bit_length() < 130 and out.denominator.bit_length() < 130
    return out


class Series:
    """Power series in x, V, delta, {(a, b, j): residue}, kept where max(a, b) + j
    <= N and j <= top: what is dropped cannot reach what is kept."""

    top = N

    def __init__(self, terms):
        self.terms = {k: c for k, c in terms.items() if c and k[2] <= self.top and max(k[0], k[1]) + k[2] <= N}

    def __add__(self, other):
        out = dict(self.terms)
        for k, c in other.terms.items():
            out[k] = (out.get(k, 0) + c) % PRIME
        return Series(out)

    def __sub__(self, other):
        return self + other.times(-1)

    def times(self, factor):
        factor = residue(factor)
        return Series({k: c * factor % PRIME for k, c in self.terms.items()})

    def __mul__(self, other):
        out = {}
        short, long = sorted((self.terms, other.terms), key=len)
        for (a, b, j), c in short.items():
            for (p, q, i), e in long.items():
                x, y, z = a + p, b + q, i + j
                if z <= self.top and (x if x > y else y) + z <= N:
                    k = (x, y, z)
                    out[k] = out.get(k, 0) + c * e
        return Series({k: c % PRIME for k, c in out.items()})


def series(terms):
    return Series({k: residue(c) for k, c in terms.items()})


ONE = series({(0, 0, 0): 1})
X = series({(1, 0, 0): 1})
V = series({(0, 1, 0): 1})
DELTA = series({(0, 0, 1): 1})


def compose(s, coefficient):
    """sum_i coefficient(i) s^i for s without a constant; coefficient: a number or a Series."""
    assert (0, 0, 0) not in s.terms
    total, power, i = Series({}), ONE, 0
    while power.terms:
        c = coefficient(i)
        total += power * c if isinstance(c, Series) else power.times(c)
        power, i = power * s, i + 1
    return total


def exponential(s):
    return compose(s, lambda i: F(1, factorial(i)))


def logarithm(s):
    """log(1 + s)"""
    return compose(s, lambda i: F((-1) ** (i + 1), i) if i else F(0))


def binomial(n, k):
    """of any integer n"""
    out = F(1)
    for i in range(k):
        out = out * (n - i) / (i + 1)
    return out


def odd_factorial(k):
    """(2k - 1)!!"""
    out = 1
    for i in range(1, 2 * k, 2):
        out *= i
    return out


def mills(y):
    """m(1 + y)"""
    return compose(y, lambda i: series(
        {(0, 0, k): (-1) ** k * odd_factorial(k) * binomial(-2 * k - 1, i) for k in range(N + 1)}))


def mills_difference(y):
    """K at z = 1 + y: (z + x)^(-e) = sum_m C(-e, m) x^m z^(-e-m)"""
    return compose(y, lambda i: series(
        {(m - 1, 0, k): -(-1) ** k * odd_factorial(k) * binomial(-2 * k - 1, m) * binomial(-2 * k - 1 - m, i)
         for k in range(N + 1) for m in range(1, N + 2)}))


def solve():
    """w: the right-hand side depends on w through delta w alone, so that every
    step settles one more order of delta, and needs no more than that."""
    w = Series({})
    for top in list(range(N + 1)) + [N]:
        Series.top = top
        numerator = DELTA * w + X.times(F(1, 2)) - V  # q K - 1
        last, w = w, (logarithm(mills_difference(DELTA * w) - ONE) - logarithm(numerator)
                      - (DELTA * w * w).times(F(1, 2)))
        sys.stderr.write("order %d: %d terms\n" % (top, len(w.terms)))
    assert not (w - last).terms
    return w


def mean(f):
    """<f> by powers of delta"""
    out = [0] * (N + 1)
    for (a, b, j), c in f.terms.items():
        if a == b:
            out[b + j] += c * (-1) ** b * factorial(b)
    return [rational(c) for c in out]


def coefficients():
    """[D of T^1, T^0, ...], [V of T^1, T^0, ...]"""
    w = solve()
    y = DELTA * w
    q = exponential(w.times(-1) - (DELTA * w * w).times(F(1, 2)))
    pushed = q * mills(y)
    slope = Series({(a, b - 1, j): c * b % PRIME for (a, b, j), c in w.terms.items() if b})
    d, squares = mean(pushed), mean(pushed * pushed)
    pairs = mean(q * q * mills_difference(y) * slope)  # but for its last order, which slope lacks
    v = [squares[i + 1] - 2 * pairs[i] + d[i] - sum(d[j] * d[i + 1 - j] for j in range(i + 2)) for i in range(N - 1)]
    return d, v


class Polynomials:
    """Series in 1/X whose coefficients are polynomials in y (lists)."""

    def __init__(self, size):
        self.size = size

    def product(self, a, b):
        out = [[] for _ in range(self.size)]
        for i in range(self.size):
            for j in range(self.size - i):
                for k, c in enumerate(a[i]):
                    for l, e in enumerate(b[j]):
                        out[i + j] += [F(0)] * (k + l + 1 - len(out[i + j]))
                        out[i + j][k + l] += c * e
        return out

    def sum(self, a, b, factor):
        out = []
        for p, q in zip(a, b):
            n = max(len(p), len(q))
            p, q = p + [F(0)] * (n - len(p)), q + [F(0)] * (n - len(q))
            out.append([c + factor * e for c, e in zip(p, q)])
        return out

    def one(self):
        return [[F(1)]] + [[] for _ in range(self.size - 1)]

    def compose(self, u, coefficient):
        total, power = [[] for _ in range(self.size)], self.one()
        for i in range(self.size):
            total = self.sum(total, power, coefficient(i))
            power = self.product(power, u)
        return total


def explicit(c):
    """sum_i c_i T^(1-i), T = X (1 + u), u = -(y + 3 log(1 + u))/X, in powers of 1/X"""
    p = Polynomials(len(c) + 1)
    u = [[] for _ in range(p.size)]
    for _ in range(p.size):
        log = p.compose(u, lambda i: F((-1) ** (i + 1), i) if i else F(0))
        u = p.sum([[], [F(0), F(-1)]] + [[] for _ in range(p.size - 2)], [[]] + log[:-1], F(-3))
    power = p.sum(p.one(), u, 1)
    inverse = p.compose(u, lambda i: F((-1) ** i))
    out = [[] for _ in range(p.size)]
    for i, c_i in enumerate(c):
        out = p.sum(out, [[] for _ in range(i)] + power[:p.size - i], c_i)
        power = p.product(power, inverse)
    return out[:len(c)]


def quotient(a, b):
    """a/b of power series"""
    out = []
    for i in range(len(a)):
        out.append((a[i] - sum(out[j] * b[i - j] for j in range(i))) / b[0])
    return out


def fraction(c):
    """[e_0, e_1, ...] with sum c_i z^i = e_0/(1 + e_1 z/(1 + e_2 z/(1 + ...)))"""
    out = []
    while c:
        out.append(c[0])
        c = quotient([c[0]] + [F(0)] * (len(c) - 1), c)[1:]
    return out


def trim(p):
    while p and not p[-1]:
        p = p[:-1]
    return p


def main():
    d, v = coefficients()
    assert d[:2] == [1, 3] and v[:2] == [2, -4]
    print("quantity,order,coefficients")
    for name, c in (("d", d), ("v", v)):
        for i in range(2, len(c)):
            print("%s,%d,%s" % (name, i - 1, c[i]))
    for name, c in (("e", d), ("f", [a - 2 * b for a, b in zip(v, d)])):
        for i, e in enumerate(fraction(c[2:])):
            print("%s,%d,%s" % (name, i + 1, e))
    for name, c in (("P", d), ("R", v)):
        e = explicit(c)
        for i in range(2, len(c)):
            print("%s,%d,%s" % (name, i - 1, " ".join(str(a) for a in trim(e[i]))))


if __name__ == "__main__":
    main()
