"""Prints what the tests of joint and coupled PLSA expect, by NumPy and SciPy in float64.

    .venv/bin/pip install numpy scipy
    .venv/bin/python tests/reference/plsa.py > trainer/src/methods/topics/reference.tsv

Lines, by their first column, before numbers: `joint` prior, objective of the start, objective after
a round, P(w|z) of both languages after it, word after word; `coupled` tolerance, objectives of the
start and of rounds; `projection` tolerance, fractions of both documents, KL divergence. The
projection is a constrained minimisation over the posteriors themselves, without its dual.
"""
import numpy as np
from scipy.optimize import minimize

# Documents by words; the last document has no mate.
COUNTS = [
    np.array([[3, 1, 0, 2, 0], [0, 2, 1, 0, 0], [1, 0, 4, 0, 1], [0, 0, 0, 1, 5]], float),
    np.array([[1, 2, 0, 0], [0, 5, 1, 0], [2, 0, 1, 3], [0, 0, 0, 0]], float),
]
TOPICS = 3
PAIRS = 4


def first_thetas():
    theta = np.array([[1 + (3 * d + 5 * z) % 7 for z in range(TOPICS)] for d in range(PAIRS)], float)
    return theta / theta.sum(1, keepdims=True)


def maximise(posteriors, prior):
    """Posteriors [d, w, z] of each side -> P(w|z) [w, z]."""
    tables = []
    for counts, posterior in zip(COUNTS, posteriors):
        table = np.einsum("dw,dwz->wz", counts, posterior) + prior
        tables.append(table / table.sum(0))
    return tables


def start():
    theta = first_thetas()
    return theta, [np.repeat(theta[:, None, :], c.shape[1], 1) for c in COUNTS]


def joint(prior):
    theta, posteriors = start()
    tables = maximise(posteriors, prior)
    objectives = []
    for _ in range(2):
        objectives.append(
            sum((c * np.log(theta @ t.T)).sum() for c, t in zip(COUNTS, tables))
            + sum(prior * np.log(t).sum() for t in tables if prior)
        )
        last = tables
        posteriors = [theta[:, None, :] * t[None] for t in tables]
        posteriors = [p / p.sum(2, keepdims=True) for p in posteriors]
        tables = maximise(posteriors, prior)
        theta = sum(np.einsum("dw,dwz->dz", c, p) for c, p in zip(COUNTS, posteriors))
        theta /= theta.sum(1, keepdims=True)
    print("joint", prior, *objectives, *(x for t in last for x in t.ravel()), sep="\t")


def project(counts, posteriors, tolerance):
    """Counts [w] and posteriors [w, z] of two documents -> the nearest that agree, and the KL."""
    split = len(counts[0])
    c = np.concatenate(counts)
    p = np.concatenate(posteriors)
    signed = np.concatenate([counts[0] / counts[0].sum(), -counts[1] / counts[1].sum()])

    def kl(x):
        q = np.maximum(x.reshape(p.shape), 1e-300)
        return (c[:, None] * q * np.log(q / p)).sum()

    def slope(x):
        q = np.maximum(x.reshape(p.shape), 1e-300)
        return (c[:, None] * (np.log(q / p) + 1)).ravel()

    gap = np.kron(signed, np.eye(TOPICS))
    ones = np.kron(np.eye(len(c)), np.ones(TOPICS))
    found = minimize(
        kl,
        np.full(p.size, 1 / TOPICS),
        jac=slope,
        bounds=[(1e-12, 1)] * p.size,
        constraints=[
            {"type": "eq", "fun": lambda x: ones @ x - 1, "jac": lambda x: ones},
            {"type": "ineq", "fun": lambda x: tolerance - gap @ x, "jac": lambda x: -gap},
            {"type": "ineq", "fun": lambda x: tolerance + gap @ x, "jac": lambda x: gap},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    q = found.x.reshape(p.shape)
    return [q[:split], q[split:]], found.fun


def coupled(tolerance, rounds):
    theta, posteriors = start()
    thetas = [theta.copy(), theta.copy()]
    tables = maximise(posteriors, 0)
    objectives = []
    for _ in range(rounds):
        objective = 0
        posteriors = []
        for c, t, theta in zip(COUNTS, tables, thetas):
            objective += (c * np.log(theta @ t.T)).sum()
            p = theta[:, None, :] * t[None]
            posteriors.append(p / p.sum(2, keepdims=True))
        for d in range(PAIRS - 1):
            known = [c[d] > 0 for c in COUNTS]
            agreed, kl = project(
                [c[d][k] for c, k in zip(COUNTS, known)],
                [p[d][k] for p, k in zip(posteriors, known)],
                tolerance,
            )
            objective -= kl
            for p, k, q in zip(posteriors, known, agreed):
                p[d][k] = q
        tables = maximise(posteriors, 0)
        for c, p, theta in zip(COUNTS, posteriors, thetas):
            known = c.sum(1) > 0
            theta[known] = (np.einsum("dw,dwz->dz", c, p) / np.maximum(c.sum(1), 1)[:, None])[known]
        objectives.append(objective)
    print("coupled", tolerance, *objectives, sep="\t")


def projection(tolerance):
    # Counts and tables of one pair: every word of both languages is in it.
    counts = [np.array([3.0, 1, 2, 1]), np.array([1.0, 4, 2])]
    tables = [np.array([[1 + (5 * w + 3 * z + 2 * s) % 11 for z in range(TOPICS)] for w in range(len(c))], float)
              for s, c in enumerate(counts)]
    tables = [t / t.sum(0) for t in tables]
    thetas = [np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.3, 0.6])]
    posteriors = [theta * t for theta, t in zip(thetas, tables)]
    posteriors = [p / p.sum(1, keepdims=True) for p in posteriors]
    agreed, kl = project(counts, posteriors, tolerance)
    fractions = [(c / c.sum()) @ q for c, q in zip(counts, agreed)]
    print("projection", tolerance, *fractions[0], *fractions[1], kl, sep="\t")


for prior in (0, 0.25):
    joint(prior)
for tolerance in (0, 0.05):
    coupled(tolerance, 4)
for tolerance in (0, 0.05, 0.2, 1):
    projection(tolerance)
