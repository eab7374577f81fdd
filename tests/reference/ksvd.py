"""Makes ksvd.tsv: one round of K-SVD (Aharon, Elad and Bruckstein, 2006) by scikit-learn's pursuit and
NumPy's singular value decomposition.

First line: words, atoms, texts and sparsity. Then, one a line: texts, first atoms, and after the round
atoms, codes (a line for each text) and the sum of squared errors.
"""
import numpy as np
from sklearn.linear_model import orthogonal_mp

random = np.random.default_rng(2)
words, atoms, texts, sparsity = 10, 7, 40, 3
y = random.standard_normal((words, texts)) * (random.random((words, texts)) < 0.7)
d = random.standard_normal((words, atoms))
d /= np.linalg.norm(d, axis=0)
print(words, atoms, texts, sparsity, sep="\t")
for column in (*y.T, *d.T):
    print(*column.tolist(), sep="\t")
x = orthogonal_mp(d, y, n_nonzero_coefs=sparsity)
for atom in range(atoms):
    users = np.flatnonzero(x[atom])
    residual = y[:, users] - d @ x[:, users] + np.outer(d[:, atom], x[atom, users])
    u, s, v = np.linalg.svd(residual, full_matrices=False)
    # Of the two signs, that which goes with the amounts before.
    sign = np.sign(v[0] @ x[atom, users])
    d[:, atom] = sign * u[:, 0]
    x[atom, users] = sign * s[0] * v[0]
for column in (*d.T, *x.T):
    print(*column.tolist(), sep="\t")
print(np.sum((y - d @ x) ** 2).item())
