"""The paper's method in PyTorch: the rival that our trainer is measured against.

    python peer_pytorch.py FOLDER [--candidates DIR]

FOLDER has queries.tsv, documents.tsv (id, title, text) and relevance.tsv (query id, document id,
grade). DIR has train.tsv, validation.tsv and test.tsv (query id, document id, grade), as
`smooth-clir evaluate --split S --write-candidates FILE` writes them: with it, both train on,
validate on and rank exactly the same pairs. Without it, queries are split 3:1:1 at random.

Tokens are words and punctuation, lower case. The last line printed is JSON.
"""
import argparse
import json
import os
import random
import re
import time
from collections import Counter

import numpy as np
import torch
from torch import nn

TOKEN = re.compile(r"\w+|[^\w\s]")


def read(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip()]


def draw(folder, documents, negatives, seed):
    """Splits queries 3:1:1 and draws irrelevant documents for each."""
    graded = {}
    for query, document, grade in read(f"{folder}/relevance.tsv"):
        graded.setdefault(query, {})[document] = int(grade)
    rng = random.Random(seed)
    queries = [query for query, grades in graded.items() if 2 in grades.values()]
    rng.shuffle(queries)
    fifth = len(queries) // 5
    parts = {
        "test": queries[:fifth],
        "validation": queries[fifth : 2 * fifth],
        "train": queries[2 * fifth :],
    }
    pairs = {}
    for name, part in parts.items():
        pairs[name] = []
        for query in part:
            irrelevant = set()
            while len(irrelevant) < negatives:
                document = documents[rng.randrange(len(documents))]
                if document not in graded[query]:
                    irrelevant.add(document)
            pairs[name] += [(query, d, g) for d, g in graded[query].items()]
            pairs[name] += [(query, d, 0) for d in sorted(irrelevant)]
    return pairs


def load(folder, candidates, negatives, seed):
    queries = {row[0]: row[-1] for row in read(f"{folder}/queries.tsv")}
    documents = {row[0]: row[-1] for row in read(f"{folder}/documents.tsv")}
    if candidates:
        names = ("train", "validation", "test")
        pairs = {n: [(q, d, int(g)) for q, d, g in read(f"{candidates}/{n}.tsv")] for n in names}
    else:
        pairs = draw(folder, list(documents), negatives, seed)

    def vocabulary(texts):
        counts = Counter(token for text in texts for token in TOKEN.findall(text.lower()))
        return {token: row for row, (token, _) in enumerate(counts.most_common(), 1)}

    def rows(text, words):
        known = [words.get(token, 0) for token in TOKEN.findall(text.lower())]
        return np.array(known or [0], dtype=np.int64)

    trained = {query: queries[query] for query, _, _ in pairs["train"]}
    query_words, document_words = vocabulary(trained.values()), vocabulary(documents.values())
    query_rows = {q: rows(text, query_words) for q, text in queries.items()}
    document_rows = {d: rows(text, document_words) for d, text in documents.items()}
    return pairs, query_rows, document_rows, len(query_words) + 1, len(document_words) + 1


class Encoders(nn.Module):
    def __init__(self, queries, documents, dimension, sparse, deviation):
        super().__init__()
        self.query = nn.EmbeddingBag(queries, dimension, mode="mean", sparse=sparse)
        self.document = nn.EmbeddingBag(documents, dimension, mode="mean", sparse=sparse)
        nn.init.normal_(self.query.weight, std=deviation)
        nn.init.normal_(self.document.weight, std=deviation)

    def forward(self, queries, documents):
        return torch.tanh(self.query(*queries)), torch.tanh(self.document(*documents))


def smooth_cosine(q, d, epsilon):
    return (q * d).sum(1) / ((q.norm(dim=1) + epsilon) * (d.norm(dim=1) + epsilon))


def sosl(r, grade, thresholds):
    low = torch.tensor([-1.0, *thresholds])[grade]
    high = torch.tensor([*thresholds, 1.0])[grade]
    return (torch.relu(r - high) ** 2 + torch.relu(low - r) ** 2).mean()


def bags(rows, ids):
    texts = [rows[i] for i in ids]
    starts = np.cumsum([0] + [len(text) for text in texts[:-1]])
    return torch.from_numpy(np.concatenate(texts)), torch.from_numpy(starts)


def batch(pairs, query_rows, document_rows):
    return bags(query_rows, [p[0] for p in pairs]), bags(document_rows, [p[1] for p in pairs])


@torch.no_grad()
def scores(model, pairs, query_rows, document_rows, epsilon):
    parts = [pairs[i : i + 4096] for i in range(0, len(pairs), 4096)]
    vectors = (model(*batch(part, query_rows, document_rows)) for part in parts)
    return torch.cat([smooth_cosine(q, d, epsilon) for q, d in vectors]).numpy()


def metrics(pairs, scored):
    ranked = {}
    for (query, _, grade), score in zip(pairs, scored):
        ranked.setdefault(query, []).append((-score, grade))
    discounts = 1 / np.log2(np.arange(2, 7))
    sums, count = Counter(), 0
    for entries in ranked.values():
        grades = np.array([grade for _, grade in sorted(entries, key=lambda entry: entry[0])])
        if 2 not in grades:
            continue
        count += 1
        best, relevant = np.sort(grades)[::-1][:5], grades > 0
        sums["P_mr@1"] += grades[0] == 2
        sums["P_mr@5"] += (grades[:5] == 2).sum()
        sums["P_r@5"] += (grades[:5] > 0).sum() / 5
        sums["NDCG@5"] += (grades[:5] @ discounts[: len(grades[:5])]) / (best @ discounts[: len(best)])
        sums["MAP"] += (np.cumsum(relevant)[relevant] / (np.flatnonzero(relevant) + 1)).mean()
        sums["MRR_mr"] += 1 / (np.flatnonzero(grades == 2)[0] + 1)
        sums["MRR_r"] += 1 / (np.flatnonzero(relevant)[0] + 1)
    return {name: round(float(total / count), 6) for name, total in sums.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--candidates")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--thresholds", type=lambda t: [float(x) for x in t.split(",")], default=[0.2, 0.7])
    parser.add_argument("--dimension", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--learning-rate", type=float, default=0.01)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--negatives", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init-deviation", type=float, default=0.2)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--dense", action="store_true", help="Adam on every row instead of SparseAdam")
    parser.add_argument("--max-steps", type=int, help="only time so many steps")
    options = parser.parse_args()

    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    pairs, query_rows, document_rows, queries, documents = load(
        options.folder, options.candidates, options.negatives, options.seed
    )
    sparse = not options.dense
    model = Encoders(queries, documents, options.dimension, sparse, options.init_deviation)
    optimiser = torch.optim.Adam if options.dense else torch.optim.SparseAdam
    optimiser = optimiser(list(model.parameters()), lr=options.learning_rate)
    training, rng, best = pairs["train"], random.Random(options.seed), None
    steps = seen = 0
    start = time.perf_counter()
    for epoch in range(1, options.epochs + 1):
        rng.shuffle(training)
        for i in range(0, len(training), options.batch_size):
            part = training[i : i + options.batch_size]
            q, d = model(*batch(part, query_rows, document_rows))
            r = smooth_cosine(q, d, options.epsilon)
            loss = sosl(r, torch.tensor([p[2] for p in part]), options.thresholds)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            steps, seen = steps + 1, seen + len(part)
            if steps == options.max_steps:
                seconds = time.perf_counter() - start
                speed = {"pairs_per_s": round(seen / seconds), "seconds": round(seconds, 2)}
                print(json.dumps({"steps": steps, "threads": options.threads, **speed}))
                return
        measured = {
            name: metrics(pairs[name], scores(model, pairs[name], query_rows, document_rows, options.epsilon))
            for name in ("validation", "test")
        }
        if best is None or measured["validation"]["MAP"] > best["validation"]["MAP"]:
            best = {"epoch": epoch, **measured}
    print(json.dumps({**best, "seconds": round(time.perf_counter() - start, 1)}))


main()
