"""Prints linear.tsv: what dense linear algebra makes of 20 pairs of texts of 9 and 7 words.

    python linear.py > linear.tsv

Needs numpy and scipy from PyPI. A line is a name and numbers: the counts of each side, row by row,
and of each method the values of its first RANK directions and, row by row, the matrix that projects
onto the space that they span.
"""
import numpy as np
from scipy.linalg import block_diag, eigh

PAIRS, WORDS, RANK = 20, (9, 7), 4
RIDGE = 0.05

random = np.random.default_rng(2010)
counts = [random.poisson(0.7, (PAIRS, words)) for words in WORDS]
# A text shares its pair's topic; no text is empty.
for row in range(PAIRS):
    for side in range(2):
        counts[side][row, row % 3 * 2 : row % 3 * 2 + 2] += 1 + row % 2
first, second = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in counts)


def show(name, numbers):
    print(name, *(f"{x:.12g}" for x in np.ravel(numbers)), sep="\t")


def show_method(name, values, vectors):
    basis = np.linalg.qr(vectors[:, :RANK])[0]
    show(f"{name} values", values[:RANK])
    show(f"{name} space", basis @ basis.T)


def greatest(*matrices):
    values, vectors = eigh(*matrices)
    return values[::-1], vectors[:, ::-1]


show("first", counts[0])
show("second", counts[1])
_, values, rows = np.linalg.svd(np.hstack([first, second]))
show_method("lsi", values, rows.T)

both = np.hstack([first, second])
own = [side.T @ side / PAIRS for side in (first, second)]
between = first.T @ second / PAIRS
zero = [np.zeros_like(side) for side in own]
crossed = np.block([[zero[0], between], [between.T, zero[1]]])
for name, ridge in [("cca ridge", RIDGE), ("cca", 0)]:
    varied = block_diag(*(side + ridge * np.eye(len(side)) for side in own))
    show_method(name, *greatest(crossed, varied))

texts = [np.hstack([first, np.zeros_like(second)]), np.hstack([np.zeros_like(first), second])]
means = (texts[0] + texts[1]) / 2
deviations = np.vstack([text - means for text in texts])
signal, noise = means.T @ means / PAIRS, deviations.T @ deviations / len(deviations)
for name, ridge in [("opca ridge", RIDGE), ("opca", 0)]:
    show_method(name, *greatest(signal, noise + ridge * np.eye(len(noise))))
