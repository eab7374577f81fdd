"""examples/rank.py against what the core wrote: tests/golden."""
import sys
import unittest
from pathlib import Path

import numpy as np

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS.parent / "examples"))
import rank

GOLDEN = TESTS / "golden"
# As the core's rule splits them.
TOKENS = {
    "rain": ["rain"],
    "Rain over the mountains, rain!": ["rain", "over", "the", "mountains", "rain"],
    "the old boat on the lake": ["the", "old", "boat", "on", "the", "lake"],
    "bread and salt and bread": ["bread", "and", "salt", "and", "bread"],
    "nobody knows this": ["nobody", "knows", "this"],
    "lake lake lake lake lake lake lake": ["lake"] * 7,
    "mountains boat bread unknown words": ["mountains", "boat", "bread", "unknown", "words"],
    "salt": ["salt"],
}


def golden(name):
    return [line.split("\t") for line in (GOLDEN / name).read_text().splitlines()]


def floats(bits):
    return np.array([int(one, 16) for one in bits], np.uint32).view(np.float32)


class Rank(unittest.TestCase):
    def setUp(self):
        self.model, _ = rank.read(GOLDEN / "model.safetensors")
        self.index, _ = rank.read(GOLDEN / "index.safetensors")
        self.vectors = {query: floats(bits) for query, *bits in golden("vectors.tsv")}

    def test_vectors_of_words_are_the_cores_to_a_millionth(self):
        self.assertEqual(self.vectors.keys(), TOKENS.keys())
        for query, vector in self.vectors.items():
            np.testing.assert_allclose(rank.encode(self.model, TOKENS[query]), vector, rtol=0, atol=1e-6)

    def test_scores_of_stored_vectors_are_the_cores_to_the_bit(self):
        offsets = self.index["ids.offsets"]
        ids = [bytes(self.index["ids"][a:b]).decode() for a, b in zip(offsets, offsets[1:])]
        ranked = 0
        for query, epsilon, *hits in golden("scores.tsv"):
            scores = rank.score(self.vectors[query], self.index, float(epsilon))
            for hit in hits:
                name, bits = hit.split(" ")
                self.assertEqual(scores[ids.index(name)].view(np.uint32), int(bits, 16), (query, epsilon, name))
                ranked += 1
        self.assertGreater(ranked, 1000)


if __name__ == "__main__":
    unittest.main()
