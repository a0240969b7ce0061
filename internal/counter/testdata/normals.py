#!/usr/bin/env python3
"""Philox4x32-10 and the normals of the package, written independently.

float32 arithmetic is emulated in float64 with one more rounding after every
operation, which is exact for +, ×, √ since 53 ≥ 2·24 + 2. Prints what the
golden test holds: the known answers of Philox, and the SHA-256 of the first
20,000 numbers (little-endian float32) of indices 0 and 2^40 + 7 for the key
whose seed is the bytes 0 to 31."""
import hashlib
import math
import struct


def philox(c, key):
    for r in range(10):
        k0 = (key[0] + r * 0x9E3779B9) % 2**32
        k1 = (key[1] + r * 0xBB67AE85) % 2**32
        high1, low1 = divmod(0xCD9E8D57 * c[2], 2**32)
        high0, low0 = divmod(0xD2511F53 * c[0], 2**32)
        c = [high1 ^ c[1] ^ k0, low1, high0 ^ c[3] ^ k1, low0]
    return c


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def horner(coefficients, x):
    h = [f32(float.fromhex(c)) for c in coefficients]
    p = h[-1]
    for c in reversed(h[:-1]):
        p = f32(f32(p * x) + c)
    return p


def normals(k, j):
    f = f32(f32((k >> 16) * 65536.0) + f32((k & 0xFFFF) + 0.5))
    m, e = math.frexp(f)  # m in [1/2, 1)
    m, e = 2 * m, e - 1
    if f32(m) >= f32(math.sqrt(2)):
        m, e = m / 2, e + 1
    t = f32(m - 1)
    c = [float.fromhex(v) for v in "-0x1p+1 0x1.fffff8p-1 -0x1.555792p-1 0x1.000570p-1 -0x1.98b748p-2 "
         "0x1.5332a4p-2 -0x1.3238f0p-2 0x1.263ba4p-2 -0x1.654490p-3".split()]
    # Pairs, then pairs of pairs.
    c[:8] = [f32(c[n] + f32(c[n + 1] * t)) for n in (0, 2, 4, 6)]
    t2 = f32(t * t)
    t4 = f32(t2 * t2)
    low, high = (f32(c[n] + f32(t2 * c[n + 1])) for n in (0, 2))
    p = f32(low + f32(t4 * f32(high + f32(t4 * c[4]))))
    r = f32(math.sqrt(f32(f32(p * t) + f32((e - 32) * f32(-2 * math.log(2))))))
    v = (j % 2**30) * 4 + 2
    if v >= 2**31:
        v -= 2**32
    w = f32(f32(v) / 2**31)
    z = f32(w * w)
    s = f32(w * horner("0x1.921fb6p-1 -0x1.4abbbap-4 0x1.465e92p-9 -0x1.2d9302p-15".split(), z))
    c = horner("1 -0x1.3bd39cp-2 0x1.03b090p-6 -0x1.4e844ap-12".split(), z)
    if j >> 31:
        c = -c
    if j >> 30 & 1:
        c, s = s, c
    return f32(r * c), f32(r * s)


for c, k in (([0] * 4, [0] * 2), ([2**32 - 1] * 4, [2**32 - 1] * 2),
             ([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0])):
    print(*(f"{w:08x}" for w in philox(c, k)))

seed = hashlib.sha256(b"lamcap normal 1\0" + bytes(range(32))).digest()
key, block_origin, index_origin = struct.unpack("<3Q", seed[:24])
for index in (0, 2**40 + 7):
    out = b""
    for b in range(5000):
        block, i = (b + block_origin) % 2**64, (index + index_origin) % 2**64
        w = philox([block % 2**32, block >> 32, i % 2**32, i >> 32], [key % 2**32, key >> 32])
        (x0, y0), (x1, y1) = normals(w[0], w[1]), normals(w[2], w[3])
        out += struct.pack("<4f", x0, x1, y0, y1)
    print(index, struct.unpack("<8f", out[:32]), hashlib.sha256(out).hexdigest())
