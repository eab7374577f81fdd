"""Rankings of the English originals, to compare with: what a perfect translation would give.

originals.py TYPED VECTORS OUT: TYPED has passages.tsv and queries.tsv; VECTORS the vectors of the English passages, then of
the queries, as little-endian 32-bit numbers. Writes the runs OUT/bm25.xx and OUT/teacher.xx, over the passages that the
language xx has.
"""
import array
import collections
import math
import os
import re
import sys

typed, vectors, out = sys.argv[1:]
COLUMNS = {"fr": 3, "it": 4, "sw": 5, "tl": 6, "es": 7}
K1, B = 1.2, 0.75


def table(name):
    with open(os.path.join(typed, name), encoding="utf8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def words(text):
    return re.findall(r"\w+", text.lower())


def bm25(texts):
    """A function from a query to the scores of texts."""
    counts = [collections.Counter(words(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / len(lengths)
    documents = collections.Counter(word for count in counts for word in count)

    def idf(word):
        return math.log(1 + (len(texts) - documents[word] + 0.5) / (documents[word] + 0.5))

    def score(query, count, length):
        shared = [word for word in query if word in count]
        whole = K1 * (1 - B + B * length / mean)
        return sum(idf(word) * count[word] * (K1 + 1) / (count[word] + whole) for word in shared)

    return lambda query: [score(words(query), *of) for of in zip(counts, lengths)]


passages, queries = table("passages.tsv"), table("queries.tsv")
values = array.array("f")
with open(vectors, "rb") as file:
    values.frombytes(file.read())
size = len(values) // (len(passages) + len(queries))
vector = [values[at : at + size] for at in range(0, len(values), size)]

for language, column in COLUMNS.items():
    there = [at for at, passage in enumerate(passages) if len(passage) > column and passage[column]]
    lexical = bm25([passages[at][2] for at in there])

    def teacher(number):
        own = vector[len(passages) + number]
        return [sum(a * b for a, b in zip(own, vector[at])) for at in there]

    scorers = {"bm25": lambda number: lexical(queries[number][2]), "teacher": teacher}
    for name, scorer in scorers.items():
        with open(os.path.join(out, f"{name}.{language}"), "w", encoding="utf8") as run:
            for number, query in enumerate(queries):
                scores = scorer(number)
                best = sorted(range(len(there)), key=lambda at: (-scores[at], at))[:10]
                for rank, at in enumerate((at for at in best if scores[at] > 0), 1):
                    print(query[0], passages[there[at]][0], rank, sep="\t", file=run)
