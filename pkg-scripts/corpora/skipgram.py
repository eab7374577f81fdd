#!/usr/bin/env python3
"""Makes word vectors of one language from texts in it alone, for `--init` of the trainer and `STARTS=vectors` of pkg-scripts/paper.

    pip install gensim
    python3 pkg-scripts/corpora/skipgram.py OUT.vec FILE:COLUMN... [--dimension 64] [--epochs 10] [--seed 1]

reads the texts in a column (from 1) of tab-separated files, each text once, and writes vectors in word2vec's text format. They are
gensim's skip-grams with negative samples; all are scaled together, so that their numbers have the standard deviation of the trainer's
random ones. One thread and one seed give the same file again."""
import argparse
import re
import sys
from pathlib import Path

WORD = re.compile(r"\w+")
# The trainer's initial deviation.
DEVIATION = 0.2


def texts(sources):
    """The words of each text of the sources, which are written FILE:COLUMN; a text that was there before is left out."""
    seen = set()
    for source in sources:
        path, _, column = source.rpartition(":")
        if not path or not column.isdigit() or int(column) < 1:
            raise ValueError(f"{source}: expected FILE:COLUMN, with columns counted from 1")
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                columns = line.rstrip("\n").split("\t")
                if len(columns) < int(column):
                    raise ValueError(f"{path}, line {number}: no column {column}, it has {len(columns)}")
                words = WORD.findall(columns[int(column) - 1].lower())
                key = " ".join(words)
                if words and key not in seen:
                    seen.add(key)
                    yield words


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("sources", nargs="+", metavar="FILE:COLUMN")
    parser.add_argument("--dimension", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    from gensim.models import Word2Vec

    try:
        sentences = list(texts(options.sources))
    except (OSError, ValueError) as problem:
        parser.error(str(problem))
    if not sentences:
        parser.error("no texts in " + ", ".join(options.sources))
    vectors = Word2Vec(
        sentences, vector_size=options.dimension, sg=1, window=5, negative=5, min_count=2, sample=1e-4,
        epochs=options.epochs, seed=options.seed, workers=1,
    ).wv
    vectors.vectors *= DEVIATION / vectors.vectors.std()
    # Written under another name first, so that the file is whole or not there.
    part = options.out.with_name(f".{options.out.name}.part")
    vectors.save_word2vec_format(str(part))
    part.replace(options.out)
    print(f"{len(vectors)} words of {len(sentences)} texts in {options.out}")


if __name__ == "__main__":
    main(sys.argv[1:])
