"""Checks the golden vectors and scores of encoders without layers against NumPy in float64, to 1e-6.

    python3 -m venv .venv && .venv/bin/pip install numpy safetensors
    .venv/bin/python tests/reference/same_bits.py
"""
import json
import re
import struct
from pathlib import Path

import numpy as np
from safetensors import safe_open

golden = Path(__file__).parent.parent / "golden"
number = lambda bits: struct.unpack(">f", bytes.fromhex(bits))[0]


def pursue(gram, correlations, sparsity):
    """Orthogonal matching pursuit, each round fitted anew."""
    taken, code = [], np.zeros(len(gram))
    while len(taken) < sparsity and abs(correlations).max() > 0:
        left = correlations - gram @ code
        left[taken] = 0
        if abs(left).max() < 1e-9 * abs(correlations).max():
            break
        taken.append(int(abs(left).argmax()))
        code[taken] = np.linalg.solve(gram[np.ix_(taken, taken)], correlations[taken])
    return code


def check(prefix):
    with safe_open(golden / f"{prefix}model.safetensors", "numpy") as file:
        config = json.loads(file.metadata()["config"])
        tensor = lambda name: file.get_tensor(f"query.{name}").astype(np.float64)
        words = file.get_tensor("query.vocabulary").tobytes().decode().split("\n")
        rows = tensor("embedding")
        has_weights = "query.weight" in file.keys()
        weights = tensor("weight") if has_weights else np.ones(len(words))
        if config["encoder"] == "sparse_code":
            gram, into = tensor("gram"), tensor("map")
    with safe_open(golden / f"{prefix}index.safetensors", "numpy") as file:
        vectors = file.get_tensor("vectors").astype(np.float64)
        ends = file.get_tensor("ids.offsets")
        ids = file.get_tensor("ids").tobytes().decode()
    ids = [ids[a:b] for a, b in zip(ends, ends[1:])]

    def encode(query):
        known = [words.index(w) for w in re.findall(r"\w+", query.lower()) if w in words]
        if not known:
            return np.zeros(rows.shape[1])
        mean = weights[known] @ rows[known] / weights[known].sum()
        match config["encoder"]:
            case "average":
                return np.tanh(mean)
            case "linear":
                return mean
            case "sparse_code":
                return into @ pursue(gram, mean, config["sparsity"])

    for line in (golden / f"{prefix}vectors.tsv").read_text().splitlines():
        query, *bits = line.split("\t")
        assert np.allclose([number(b) for b in bits], encode(query), atol=1e-6), query

    checked = 0
    for line in (golden / f"{prefix}scores.tsv").read_text().splitlines():
        query, epsilon, *hits = line.split("\t")
        q, epsilon = encode(query), float(epsilon)
        previous = np.inf
        for hit in hits:
            id, bits = hit.split(" ")
            d = vectors[ids.index(id)]
            below = (np.linalg.norm(q) + epsilon) * (np.linalg.norm(d) + epsilon)
            expected = q @ d / below if below > 0 else 0
            assert abs(number(bits) - expected) < 1e-6 and number(bits) <= previous, (query, hit)
            previous = number(bits)
            checked += 1
        assert len(hits) == (0 if query == "nobody knows this" else len(ids)), query
    print(checked, "scores agree:", config["encoder"])


for prefix in ("", "linear-", "sparse-code-"):
    check(prefix)
