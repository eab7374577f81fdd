"""Ranks documents with NumPy and safetensors alone: python rank.py MODEL INDEX WORD...

The same bits as the core's, from the same vectors: sums run over 16 lanes, then over halves of them.
"""
import json
import sys

import numpy as np
from safetensors import safe_open


def read(path):
    with safe_open(path, "np") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, json.loads(file.metadata()["config"])


def encode(model, words):
    vocabulary = bytes(model["query.vocabulary"]).decode().split("\n")
    rows = [vocabulary.index(word) for word in words if word in vocabulary]
    return np.tanh(model["query.embedding"][rows].mean(axis=0)) if rows else np.zeros_like(model["query.embedding"][0])


def dot(rows, vector):
    lanes = np.zeros((*rows.shape[:-1], 16), np.float32)
    for start in range(0, len(vector), 16):
        products = rows[..., start : start + 16] * vector[start : start + 16]
        lanes[..., : products.shape[-1]] += products
    while lanes.shape[-1] > 1:
        lanes = lanes[..., : lanes.shape[-1] // 2] + lanes[..., lanes.shape[-1] // 2 :]
    return lanes[..., 0]


def score(query, index, epsilon):
    """Smooth cosine similarity, q.d / ((|q| + epsilon)(|d| + epsilon)), 0 where that is not defined."""
    below = (np.sqrt(dot(query, query)) + np.float32(epsilon)) * (index["norms"] + np.float32(epsilon))
    return np.divide(dot(index["vectors"], query), below, out=np.zeros_like(below), where=below > 0)


if __name__ == "__main__":
    (model, config), (index, _) = read(sys.argv[1]), read(sys.argv[2])
    ids = np.split(index["ids"], index["ids.offsets"][1:-1])
    scores = score(encode(model, sys.argv[3:]), index, config["epsilon"])
    for document in np.argsort(-scores, kind="stable")[:10]:
        print(f"{scores[document]:.6f}\t{bytes(ids[document]).decode()}")
