# Numerical kernels on arrays much larger than a cache: lattice Boltzmann flow round a disc (D2Q9), a wave equation, a sparse
# conjugate gradient and a dense product. usage: lattice.py ROUNDS
import sys

import numpy as np

WEIGHTS = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
STEPS = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))


def flow(width, height, steps):
    y, x = np.mgrid[0:height, 0:width]
    wall = (x - width // 5) ** 2 + (y - height // 2) ** 2 < (height // 9) ** 2
    f = np.ones((9, height, width)) * WEIGHTS[:, None, None]
    f[1] += 0.02 * (1 + 0.1 * (y % 7))
    for _ in range(steps):
        for k, (dx, dy) in enumerate(STEPS):
            f[k] = np.roll(np.roll(f[k], dx, axis=1), dy, axis=0)
        bounced = f[:, wall][[0, 3, 4, 1, 2, 7, 8, 5, 6]]
        rho = f.sum(axis=0)
        ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho
        uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho
        square = 1.5 * (ux * ux + uy * uy)
        for k, (dx, dy) in enumerate(STEPS):
            cu = 3 * (dx * ux + dy * uy)
            f[k] += 0.6 * (rho * WEIGHTS[k] * (1 + cu + 0.5 * cu * cu - square) - f[k])
        f[:, wall] = bounced
    return float(ux[~wall].sum())


def wave(n, steps):
    now = np.zeros((n, n))
    now[n // 3, n // 2] = 1
    before = now.copy()
    for _ in range(steps):
        after = 2 * now - before
        after[1:-1, 1:-1] += 0.2 * (now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2] - 4 * now[1:-1, 1:-1])
        before, now = now, after
    return float(np.abs(now).sum())


def gradient(n, per_row, steps):
    at = np.arange(n)
    columns = (at[:, None] * 7919 + np.arange(per_row) * 104729 + at[:, None] % 13) % n
    values = 0.1 / (1.0 + columns % 5)
    x, r = np.zeros(n), np.ones(n) + at % 3
    p = r.copy()
    rr = r @ r
    for _ in range(steps):
        ap = 3 * p + (values * p[columns]).sum(axis=1)
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        p = r + new / rr * p
        rr = new
    return float(x.sum())


for turn in range(int(sys.argv[1])):
    n = 160 + 24 * turn
    a = (np.arange(n * n).reshape(n, n) * 31 % 101) / 50.0
    print(turn, flow(512 - 64 * turn, 200 + 40 * turn, 10), wave(700 - 90 * turn, 60), gradient(150000 + 20000 * turn, 8, 10),
          float((a @ a @ a).trace()))
