"""Exact search by a library of Python: `peers.py numpy|faiss FOLDER`, as scan-bench answers."""
import json
import pathlib
import sys
import time

import numpy as np

DIMENSION, LIMIT = 64, 10


def numpy_search(documents):
    def search(query):
        scores = documents @ query
        best = np.argpartition(scores, -LIMIT)[-LIMIT:]
        return best[np.argsort(-scores[best])]

    return search


def faiss_search(documents):
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatIP(DIMENSION)
    index.add(documents)
    return lambda query: index.search(query[None], LIMIT)[1][0]


def main():
    peer, folder = sys.argv[1:]
    read = lambda name: np.fromfile(pathlib.Path(folder, name), np.float32).reshape(-1, DIMENSION)
    documents, queries = read("documents.f32"), read("queries.f32")
    # Dot products with vectors of length 1 order documents as cosines do.
    documents /= np.linalg.norm(documents, axis=1, keepdims=True)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    search = {"numpy": numpy_search, "faiss": faiss_search}[peer](documents)
    print("ready", flush=True)
    for line in sys.stdin:
        first, count = map(int, line.split())
        start = time.perf_counter()
        for number in range(first, first + count):
            found = search(queries[number % len(queries)])
        milliseconds = (time.perf_counter() - start) * 1e3
        print(json.dumps({"milliseconds": milliseconds, "found": found.tolist()}), flush=True)


main()
