"""Rankings of the English originals by static vectors of a teacher, as model2vec makes them: the teacher's vectors of its own
tokens, in their 256 principal directions, weighted by inverse frequency (Zipf), and averaged. Needs NumPy.

static.py TOKENS TEACHER: writes the texts to encode, one for each token, to standard output.
static.py TYPED TEACHER VECTORS OUT: VECTORS are the teacher's of these texts, as little-endian 32-bit numbers. Writes the runs
OUT/static.xx of the passages that the language xx has.
"""
import json
import os
import re
import sys

DIMENSIONS = 256
# The constant of smooth inverse frequency, and the frequency of the nth token: 1 / n, normalised.
A = 1e-4
COLUMNS = {"fr": 3, "it": 4, "sw": 5, "tl": 6, "es": 7}


def vocabulary(teacher):
    with open(os.path.join(teacher, "tokenizer.json"), encoding="utf8") as file:
        tokens = json.load(file)["model"]["vocab"]
    return sorted(tokens, key=tokens.get)


def pieces(text, numbers):
    """The tokens of a text: of each word the longest that is known, then the longest of the rest (WordPiece)."""
    found = []
    for word in re.findall(r"\w+|[^\w\s]", text.lower()):
        own, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start and ("##" if start else "") + word[start:end] not in numbers:
                end -= 1
            if end == start:
                own = []
                break
            own.append(numbers[("##" if start else "") + word[start:end]])
            start = end
        found += own
    return found


if len(sys.argv) == 3:
    for token in vocabulary(sys.argv[2]):
        print(token.removeprefix("##"))
    sys.exit()

import numpy  # noqa: E402

typed, teacher, vectors, out = sys.argv[1:]
tokens = vocabulary(teacher)
numbers = {token: number for number, token in enumerate(tokens)}
rows = numpy.fromfile(vectors, dtype="<f4").reshape(len(tokens), -1)
rows -= rows.mean(axis=0)
_, directions = numpy.linalg.eigh(rows.T @ rows)
rows = rows @ directions[:, -DIMENSIONS:]
frequencies = 1 / numpy.arange(2, len(tokens) + 2)
rows *= (A / (A + frequencies / frequencies.sum()))[:, None]


def encode(texts):
    means = numpy.stack([rows[pieces(text, numbers)].sum(axis=0) for text in texts])
    return means / numpy.maximum(numpy.linalg.norm(means, axis=1, keepdims=True), 1e-9)


def table(name):
    with open(os.path.join(typed, name), encoding="utf8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


passages, queries = table("passages.tsv"), table("queries.tsv")
scores = encode([query[2] for query in queries]) @ encode([passage[2] for passage in passages]).T
for language, column in COLUMNS.items():
    there = [at for at, passage in enumerate(passages) if len(passage) > column and passage[column]]
    with open(os.path.join(out, f"static.{language}"), "w", encoding="utf8") as run:
        for query, row in zip(queries, scores):
            best = sorted(there, key=lambda at: -row[at])[:10]
            run.writelines(f"{query[0]}\t{passages[at][0]}\t{rank}\n" for rank, at in enumerate(best, 1))
