"""Passages for measuring what grows with their number: python passages.py DATA COUNT > passages.tsv

Each is three sentences drawn from DATA/sentences/en-fr.tsv by a fixed seed, some ninety words: of real words in their
real frequencies, and no two alike, but about nothing. Their figures are of time and memory, never of quality.
"""
import random
import sys


def main(data, count):
    with open(f"{data}/sentences/en-fr.tsv", encoding="utf-8") as lines:
        sentences = [line.rstrip("\n").split("\t")[4] for line in lines]
    chance = random.Random(1)
    for number in range(count):
        text = " ".join(chance.choices(sentences, k=3))
        print(f"p{number}\tPassage {number}\t{text}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
