#!/usr/bin/env python3
"""Makes a folder of graded documents from sentence pairs, as docs/paper.md uses it for its experiments.

    python3 pkg-scripts/corpora/graded.py OUT/sentences/en-xx.tsv FOLDER [--set NAME]... [--reach COUNT]

writes FOLDER/queries.tsv, FOLDER/documents.tsv and FOLDER/relevance.tsv. Each English sentence is a query, each other one a document; its
translation has grade 2, and the COUNT sentences (2) before and after it in its group have grade 1. The pairs file is one that make.py
writes (set, group, id, English, other): with --set bible, verses that anyone can fetch."""
import argparse
import sys
from pathlib import Path

from files import write_all


def read(path, sets):
    """The pairs of the sets, all if none is named, as (set and group, id, English, other) in the file's order."""
    pairs = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            columns = line.rstrip("\n").split("\t")
            if len(columns) != 5:
                raise ValueError(f"{path}, line {number}: expected 5 tab-separated columns, found {len(columns)}")
            name, group, pair, english, other = columns
            if not sets or name in sets:
                pairs.append((f"{name}/{group}", f"{name}/{group}/{pair}", english, other))
    return pairs


def graded(pairs, reach):
    """The lines of queries, documents and relevance. A pair whose id was there before is left out."""
    groups = {}
    seen = set()
    for group, pair, english, other in pairs:
        if pair not in seen:
            seen.add(pair)
            groups.setdefault(group, []).append((pair, english, other))
    queries, documents, relevance = [], [], []
    for group, members in groups.items():
        for place, (pair, english, other) in enumerate(members):
            queries.append(f"{pair}\t{group}\t{english}\n")
            documents.append(f"{pair}\t{group}\t{other}\n")
            relevance.append(f"{pair}\t{pair}\t2\n")
            for neighbour in range(max(0, place - reach), min(len(members), place + reach + 1)):
                if neighbour != place:
                    relevance.append(f"{pair}\t{members[neighbour][0]}\t1\n")
    return queries, documents, relevance


def write(folder, queries, documents, relevance):
    """Writes the three files of a graded folder, from their lines."""
    tables = {"queries": queries, "documents": documents, "relevance": relevance}
    write_all({folder / f"{name}.tsv": "".join(lines) for name, lines in tables.items()})


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", action="append", default=[], dest="sets", metavar="NAME")
    parser.add_argument("--reach", type=int, default=2, metavar="COUNT")
    options = parser.parse_args(arguments)
    pairs = read(options.pairs, options.sets)
    if not pairs:
        parser.error(f"{options.pairs}: no pairs of {', '.join(options.sets) or 'any set'}")
    write(options.folder, *graded(pairs, options.reach))
    print(f"{len(pairs)} pairs in {options.folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
