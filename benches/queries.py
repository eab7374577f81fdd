"""Queries from one word to a paragraph, for measuring times: python queries.py DATA COUNT > queries.tsv

A fifth each, one a line: queries that people typed (DATA/typed), and of English sentences that no model was trained on
(DATA/dev/en-fr.tsv) a word, four words in a row, a whole sentence, and five sentences. The second column has a query of the
same kind in French, for programs that search in the texts' own language: the translations of the same sentences, and words at the
same place of them. Typed queries have no translation; as many French words in a row stand for each.
"""
import random
import sys


def main(data, count):
    with open(f"{data}/typed/queries.tsv", encoding="utf-8") as lines:
        typed = [line.rstrip("\n").split("\t")[-1] for line in lines]
    with open(f"{data}/dev/en-fr.tsv", encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").split("\t")[3:5] for line in lines]
    chance, other_chance = random.Random(2), random.Random(3)

    def run(length, chance=chance):
        words, translated = (text.split() for text in chance.choice(pairs))
        starts = [max(1, len(own) - length + 1) for own in (words, translated)]
        start = chance.randrange(starts[0])
        return [" ".join(own[at : at + length]) for own, at in ((words, start), (translated, start * starts[1] // starts[0]))]

    def typed_query():
        query = chance.choice(typed)
        return [query, run(len(query.split()), other_chance)[1]]

    kinds = [
        typed_query,
        lambda: run(1),
        lambda: run(4),
        lambda: chance.choice(pairs),
        lambda: [" ".join(texts) for texts in zip(*chance.choices(pairs, k=5))],
    ]
    for number in range(count):
        print("\t".join(kinds[number % len(kinds)]()))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
