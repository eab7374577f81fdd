"""Makes pursuit.tsv: codes by scikit-learn's orthogonal matching pursuit.

First line: words and atoms. Then the atoms, of unit length, one a line; then lines of sparsity,
signal and code (as many numbers as atoms).
"""
import numpy as np
from sklearn.linear_model import orthogonal_mp

random = np.random.default_rng(1)
words, atoms = 12, 20
dictionary = random.standard_normal((words, atoms))
dictionary /= np.linalg.norm(dictionary, axis=0)
print(words, atoms, sep="\t")
for atom in dictionary.T:
    print(*atom.tolist(), sep="\t")
for sparsity in (1, 2, 3, 5, 8):
    for _ in range(3):
        signal = random.standard_normal(words)
        code = orthogonal_mp(dictionary, signal, n_nonzero_coefs=sparsity)
        print(sparsity, *signal.tolist(), *code.tolist(), sep="\t")
