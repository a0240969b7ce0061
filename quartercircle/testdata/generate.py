#!/usr/bin/env python3
"""Writes the tables of this folder that are not quarter_circle.csv.

    python3 generate.py        (mpmath 1.3, under a minute)

Inputs stand for the float64 nearest the decimal shown, so that a test needs no
correction; values are from 40-digit arithmetic, 25 digits shown. Every value
is checked here against a quadrature of the density.

closed_form.csv   kappa -> x_kappa, I(kappa)
inverse.csv       alpha -> kappa with I(kappa)/2 = alpha
law.csv           x -> density, CDF, survival
rectangular.csv   ratio, kappa -> x_kappa, I; by root finding on the arctan
                  form of the CDF of Marchenko-Pastur, not used by the package
"""
from mpmath import mp, mpf, pi, sin, cos, sqrt, asin, acos, atan, tan, quad

mp.dps = 40


def solve(f, lo, hi):
    """Bisection: slow and certain."""
    lo, hi = mpf(lo), mpf(hi)
    for _ in range(170):
        mid = (lo + hi) / 2
        if f(mid) > 0:
            hi = mid
        else:
            lo = mid
    return (lo + hi) / 2


def show(x):
    return mp.nstr(x, 25)


def table(name, header, rows):
    with open(name, "w") as out:
        out.write(header + "\n")
        for row in rows:
            out.write(",".join(row) + "\n")


def theta_of(kappa):
    # theta^3 ~ 3 pi kappa/4 for small kappa: bracket it tightly there.
    mp.dps = 70
    t = solve(lambda t: (2 * t - sin(2 * t)) / pi - kappa, 0, pi / 2)
    mp.dps = 40
    return t


def moment(theta):
    mp.dps = 70
    i = (4 * theta - sin(4 * theta)) / (2 * pi)
    mp.dps = 40
    return +i


def close(a, b):
    assert abs(a - b) <= mpf(10) ** -24 * abs(b), (a, b)


def closed_form():
    kappas = ["1e-15", "1e-14", "1e-13", "2.5e-11", "1e-10", "3e-8", "1e-5", "0.0003", "0.007", "0.03", "0.123456789",
              "0.3333333333333333", "0.45", "0.4999999", "0.5000001", "0.55", "0.6180339887498949", "0.8183098861837907",
              "0.85", "0.97", "0.995", "0.9999", "0.99999999", "0.999999999999", "0.999999999999999"]
    for k in kappas:
        theta = theta_of(mpf(float(k)))
        x = 2 * cos(theta)
        # Quadrature in the angle: dx = 2 sin(t) dt, density 2 sin(t)/pi.
        close(quad(lambda t: 16 * cos(t) ** 2 * sin(t) ** 2 / pi, [0, theta]), moment(theta))
        yield k, show(x), show(moment(theta))


def inverse():
    alphas = ["1e-15", "1e-12", "1e-9", "1e-5", "0.001", "0.02", "0.1", "0.2", "0.2499999", "0.2500001", "0.3", "0.4", "0.45",
              "0.49", "0.499", "0.49999", "0.4999999999", "0.4999999999999999"]
    for a in alphas:
        alpha = mpf(float(a))
        mp.dps = 70
        theta = solve(lambda t: (4 * t - sin(4 * t)) / (4 * pi) - alpha, 0, pi / 2)
        kappa = (2 * theta - sin(2 * theta)) / pi
        mp.dps = 40
        yield a, show(kappa)


def law():
    xs = ["1e-300", "1e-20", "1e-10", "0.001", "0.1", "0.5", "0.75", "0.9999999", "1", "1.0000001", "1.25", "1.5", "1.75", "1.9",
          "1.99", "1.9999", "1.99999999", "1.999999999999", "1.9999999999999998"]
    for x_text in xs:
        x = mpf(float(x_text))
        mp.dps = 360
        density = sqrt(4 - x * x) / pi
        cdf = (2 * asin(x / 2) + x * sqrt(4 - x * x) / 2) / pi
        survival = 1 - cdf
        mp.dps = 40
        close(quad(lambda t: 4 * sin(t) ** 2 / pi, [0, acos(x / 2)]), survival)
        yield x_text, show(density), show(cdf), show(survival)


def rectangular():
    for ratio in ["1", "0.9", "0.5", "0.25", "0.01", "1e-6"]:
        y = mpf(float(ratio))
        mp.dps = 70
        s = sqrt(y)
        mp.dps = 40

        def kappa_of(phi):
            # (2/pi) int_0^phi sin^2/(1 + y + 2 s cos): a partial fraction of
            # which only the last term is not elementary, an arctan.
            t = pi / 2 if phi == pi else atan((1 - s) / (1 + s) * tan(phi / 2))
            return (2 / pi) * (-sin(phi) / (2 * s) + (1 + y) * phi / (4 * y) - (1 - y) / (2 * y) * t)

        for k in ["1e-9", "0.001", "0.1", "0.25", "0.5", "0.75", "0.99", "0.999999"]:
            kappa = mpf(float(k))
            mp.dps = 70
            phi = solve(lambda p: kappa_of(p) - kappa, 0, pi)
            x = sqrt(1 + y + 2 * s * cos(phi))
            i = (2 * phi - sin(2 * phi)) / (2 * pi)
            mp.dps = 40
            close(quad(lambda p: 2 / pi * sin(p) ** 2 / (1 + y + 2 * s * cos(p)), [0, phi / 2, phi]), kappa)
            yield ratio, k, show(x), show(i)


table("closed_form.csv", "kappa,x_kappa,I", closed_form())
table("inverse.csv", "alpha,kappa", inverse())
table("law.csv", "x,density,cdf,survival", law())
table("rectangular.csv", "ratio,kappa,x_kappa,I", rectangular())
