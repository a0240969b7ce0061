"""Prints kronrod.go's table: python3 kronrod.py

The 11 nodes added to the n = 10 Gauss nodes are the zeros of the Stieltjes
polynomial E of degree n + 1, defined by the integrals of P_n(x) E(x) x^k
over [-1, 1] being zero for k = 0 .. n. Weights solve the moment equations.
"""
from mpmath import lu_solve, matrix, mp, mpf, nstr, polyroots, re

mp.dps = 80
n = 10


def multiply(a, b):
    r = [mpf(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            r[i + j] += x * y
    return r


def integral(a):
    return sum(2 * c / (i + 1) for i, c in enumerate(a) if i % 2 == 0)


def monomial(k):
    return [mpf(0)] * k + [mpf(1)]


def gauss_polynomial():
    a, b = [mpf(1)], [mpf(0), mpf(1)]
    for k in range(1, n):
        c = [mpf(0)] + [(2 * k + 1) * v / (k + 1) for v in b]
        for i, v in enumerate(a):
            c[i] -= k * v / (k + 1)
        a, b = b, c
    return b


P = gauss_polynomial()
odd = list(range(1, n + 1, 2))  # E is odd with leading coefficient 1
A, B = matrix(len(odd), len(odd)), matrix(len(odd), 1)
for row, k in enumerate(odd):
    Pk = multiply(P, monomial(k))
    for column, j in enumerate(odd):
        A[row, column] = integral(multiply(Pk, monomial(j)))
    B[row] = -integral(multiply(Pk, monomial(n + 1)))
E = monomial(n + 1)
for j, c in zip(odd, lu_solve(A, B)):
    E[j] = c


def zeros(p):
    return [re(r) for r in polyroots(p[::-1], maxsteps=500, extraprec=400)]


def weights(xs):
    V, b = matrix(len(xs), len(xs)), matrix(len(xs), 1)
    for k in range(len(xs)):
        for j, x in enumerate(xs):
            V[k, j] = x**k
        b[k] = mpf(2) / (k + 1) if k % 2 == 0 else 0
    return lu_solve(V, b)


gauss, added = sorted(zeros(P)), sorted(zeros(E))


def table(xs):
    return dict((nstr(x, 30), w) for x, w in zip(xs, weights(xs)))


gauss_weights, added_weights = table(gauss), table(added)
both = sorted(gauss + added)
for x, w in zip(both, weights(both)):
    if x > -mpf(10) ** -30:
        g, a = gauss_weights.get(nstr(x, 30), 0), added_weights.get(nstr(x, 30), 0)
        print("\t{%s, %s, %s, %s}," % tuple(nstr(v, 25) if v else 0 for v in (x, w, g, a)))
