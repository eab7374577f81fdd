"""Queries from one word to a paragraph, for measuring times: python queries.py DATA COUNT > queries.txt

A fifth each, one a line: queries that people typed (DATA/typed), and of English sentences that no model was trained on
(DATA/dev/en-fr.tsv) a word, four words in a row, a whole sentence, and five sentences.
"""
import random
import sys


def main(data, count):
    with open(f"{data}/typed/queries.tsv", encoding="utf-8") as lines:
        typed = [line.rstrip("\n").split("\t")[-1] for line in lines]
    with open(f"{data}/dev/en-fr.tsv", encoding="utf-8") as lines:
        sentences = [line.rstrip("\n").split("\t")[3] for line in lines]
    chance = random.Random(2)

    def run(length):
        words = chance.choice(sentences).split()
        start = chance.randrange(max(1, len(words) - length + 1))
        return " ".join(words[start : start + length])

    kinds = [
        lambda: chance.choice(typed),
        lambda: run(1),
        lambda: run(4),
        lambda: chance.choice(sentences),
        lambda: " ".join(chance.choices(sentences, k=5)),
    ]
    for number in range(count):
        print(kinds[number % len(kinds)]())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
