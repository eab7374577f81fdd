"""BM25 over one edition of the Debian handbook, by pages and by passages of 200 words: bm25.py EDITION QUERIES"""

import pathlib
import sys

import bm25s
import Stemmer
from bs4 import BeautifulSoup

edition, queries = map(pathlib.Path, sys.argv[1:])
stemmer = Stemmer.Stemmer("english")


def words(path):
    page = BeautifulSoup(path.read_bytes(), "html.parser")
    for part in page.select("script, style, nav, .docnav"):
        part.decompose()
    return page.get_text(" ").split()


pages = {path.name: words(path) for path in sorted(edition.glob("*.html"))}
asked = [line.split("\t") for line in queries.read_text().splitlines()]
for name, length in [("pages", sys.maxsize), ("passages", 200)]:
    owners, texts = [], []
    for page, found in pages.items():
        for start in range(0, max(1, len(found)), length):
            owners.append(page)
            texts.append(" ".join(found[start : start + length]))
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)
    ranks = []
    for query, expected in asked:
        tokens = bm25s.tokenize([query], stopwords="en", stemmer=stemmer, show_progress=False)
        found, scores = index.retrieve(tokens, k=len(texts), show_progress=False)
        ranked = dict.fromkeys(owners[at] for at, score in zip(found[0], scores[0]) if score > 0)
        hits = [rank for rank, page in enumerate(ranked, 1) if page in expected.split()]
        ranks.append(hits[0] if hits else 0)
    reciprocal = sum(1 / rank for rank in ranks if 0 < rank <= 10) / len(ranks)
    first, three = (sum(0 < rank <= most for rank in ranks) for most in (1, 3))
    print(f"BM25, {edition.name}, {name}: success@1 {first}, success@3 {three} of {len(ranks)}, MRR@10 {reciprocal:.3f}")
