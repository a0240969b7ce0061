"""First steps of Adam (Kingma & Ba, algorithm 1) on the mean cross-entropy, 40 digits.

Two inputs, d_in = d_out = 1, n = 2: keys 2^-20 and 3*2^-20, targets 1 and -0.5,
competitors -1 and 0.25. Small keys make epsilon = 1e-8 matter, so that a sum in
place of the mean, or epsilon inside the root, changes the third digit. First with
the published constants and a constant rate; then with others and three schedules
over a horizon of T = 4 evaluations, that is, three steps, the last two with a
ridge lambda = 2^-20.
"""
from mpmath import mp, mpf, cos, exp, pi, sqrt

mp.dps = 40
keys = [mpf(2) ** -20, 3 * mpf(2) ** -20]
target, other = [mpf(1), mpf(-1) / 2], [mpf(-1), mpf(1) / 4]
rate, T = mpf(1) / 8, 4


def steps(name, b1, b2, eps, factor, ridge=mpf(0)):
    w = m = v = mpf(0)
    for t in range(1, T):
        g = ridge * w / len(keys)
        for e, u0, u1 in zip(keys, target, other):
            margin = (u0 - u1) * w * e
            g += -(u0 - u1) * e / (1 + exp(margin)) / len(keys)
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        w -= rate * factor(mpf(t)) * (m / (1 - b1**t)) / (sqrt(v / (1 - b2**t)) + eps)
        print(name, t, mp.nstr(w, 20))


# The constants as float64 has them: decimals like 0.9 are not exact there, which
# changes the 16th digit only.
steps("published", mpf(9) / 10, mpf(999) / 1000, mpf(10) ** -8, lambda t: mpf(1))
other_constants = mpf(1) / 2, mpf(3) / 4, mpf(2) ** -20
steps("root", *other_constants, lambda t: 1 / sqrt(t))
steps("linear", *other_constants, lambda t: 1 - (t - 1) / (T - 1), mpf(2) ** -20)
steps("cosine", *other_constants, lambda t: (1 + cos(pi * (t - 1) / (T - 1))) / 2, mpf(2) ** -20)
