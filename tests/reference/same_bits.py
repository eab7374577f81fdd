"""Checks the golden vectors and scores against NumPy in float64, to 1e-6.

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

with safe_open(golden / "model.safetensors", "numpy") as file:
    words = file.get_tensor("query.vocabulary").tobytes().decode().split("\n")
    rows = file.get_tensor("query.embedding").astype(np.float64)
with safe_open(golden / "index.safetensors", "numpy") as file:
    vectors = file.get_tensor("vectors").astype(np.float64)
    ends = file.get_tensor("ids.offsets")
    ids = file.get_tensor("ids").tobytes().decode()
ids = [ids[a:b] for a, b in zip(ends, ends[1:])]

def encode(query):
    known = [words.index(w) for w in re.findall(r"\w+", query.lower()) if w in words]
    return np.tanh(rows[known].mean(0)) if known else np.zeros(rows.shape[1])

for line in (golden / "vectors.tsv").read_text().splitlines():
    query, *bits = line.split("\t")
    assert np.allclose([number(b) for b in bits], encode(query), atol=1e-6), query

checked = 0
for line in (golden / "scores.tsv").read_text().splitlines():
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
print(checked, "scores agree")
