"""First steps of Adam (Kingma & Ba, algorithm 1) on the mean cross-entropy, 40 digits.

Two inputs, d_in = d_out = 1, n = 2: keys 2^-20 and 3*2^-20, targets 1 and -0.5,
competitors -1 and 0.25. Small keys make epsilon = 1e-8 matter, so that a sum in
place of the mean, or epsilon inside the root, changes the third digit.
"""
from mpmath import mp, mpf, exp, sqrt

mp.dps = 40
keys = [mpf(2) ** -20, 3 * mpf(2) ** -20]
target, other = [mpf(1), mpf(-1) / 2], [mpf(-1), mpf(1) / 4]
rate, b1, b2, eps = mpf(1) / 8, mpf(9) / 10, mpf(999) / 1000, mpf(10) ** -8
w = m = v = mpf(0)
for t in range(1, 4):
    g = mpf(0)
    for e, u0, u1 in zip(keys, target, other):
        margin = (u0 - u1) * w * e
        g += -(u0 - u1) * e / (1 + exp(margin)) / len(keys)
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g * g
    w -= rate * (m / (1 - b1**t)) / (sqrt(v / (1 - b2**t)) + eps)
    print(t, mp.nstr(w, 20))
