"""Latent semantic indexing and sparse codes, beside scikit-learn.

    python benches/methods.py FOLDER [--rounds 3]

FOLDER has queries.tsv, documents.tsv and relevance.tsv, and its name ends in the documents' language.
Needs scikit-learn and safetensors from PyPI, and the trainer built. All take turns in one run, on one
thread each. The table goes to standard output.

Ours reads, splits and weighs the texts too; scikit-learn gets its matrices ready made.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

# Before NumPy is there to read them.
os.environ |= {"RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import numpy as np
from safetensors.numpy import load_file
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import orthogonal_mp_gram

ROOT = Path(__file__).resolve().parent.parent
TRAINER = ROOT / "target/release/smooth-clir"
RANK = 200


def lines(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def compare(folder, method, *options):
    """Trains one method and gives back what it said of itself."""
    command = [TRAINER, "compare", folder, "--language", folder.name[-2:], "--methods", method,
               "--trials", "1", "--seeds", "1", "--json", *options]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    task = json.loads(told)["tasks"][0]
    return task["methods"][0], task["training pairs"]


def pairs_of(folder, count):
    """The texts of so many pairs of a query and its relevant document."""
    queries = {id: text for id, _, text in lines(folder / "queries.tsv")}
    documents = {id: text for id, _, text in lines(folder / "documents.tsv")}
    relevant = [(q, d) for q, d, grade in lines(folder / "relevance.tsv") if grade == "2"]
    return [queries[q] for q, _ in relevant[:count]], [documents[d] for _, d in relevant[:count]]


def tf_idf(texts):
    return TfidfVectorizer(token_pattern=r"(?u)\b\w+\b", max_features=50_000).fit_transform(texts)


def timed(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    with tempfile.TemporaryDirectory() as out:
        _, count = compare(folder, "lsi")
        both = sparse.hstack([tf_idf(texts) for texts in pairs_of(folder, count)]).tocsr()
        compare(folder, "cdl", "--out", out)
        model = f"{out}/en-{folder.name[-2:]}.cdl.safetensors"
        side = f"document.{folder.name[-2:]}"
        tensors = load_file(model)
        rows = tensors[f"{side}.embedding"] * tensors[f"{side}.scale"][:, None]
        gram = tensors[f"{side}.gram"].astype(np.float64)
        words = bytes(tensors[f"{side}.vocabulary"]).decode().split("\n")
        texts = [text for _, _, text in lines(folder / "documents.tsv")]
        vectorizer = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b", vocabulary=words)
        weighed = vectorizer.fit_transform(texts)

        def codes():
            orthogonal_mp_gram(gram, (weighed @ rows).T.astype(np.float64), n_nonzero_coefs=8)

        index = [TRAINER, "index", model, folder / "documents.tsv", "--out", f"{out}/index.safetensors"]
        work = {
            ("LSI", "smooth-clir"): lambda: compare(folder, "lsi")[0]["seconds"],
            ("LSI", "TruncatedSVD, randomized"): lambda: timed(lambda: TruncatedSVD(RANK).fit(both)),
            ("LSI", "TruncatedSVD, arpack"): lambda: timed(lambda: TruncatedSVD(RANK, algorithm="arpack").fit(both)),
            ("codes", "smooth-clir"): lambda: timed(lambda: subprocess.run(index, check=True, capture_output=True)),
            ("codes", "orthogonal_mp_gram"): lambda: timed(codes),
        }
        seconds = {key: [] for key in work}
        for _ in range(arguments.rounds):
            for key, run in work.items():
                seconds[key].append(run())
    print(f"{both.shape[0]} pairs, {both.shape[1]} words, {RANK} directions; {len(texts)} texts, "
          f"{len(gram)} atoms, 8 a text\n")
    print("| what | by | seconds | as many times as ours |\n|---|---|---|---|")
    for (what, by), own in seconds.items():
        ours = seconds[what, "smooth-clir"]
        ratio = statistics.median(theirs / mine for theirs, mine in zip(own, ours))
        print(f"| {what} | {by} | {statistics.median(own):.2f} | {ratio:.2f} |")


main()
