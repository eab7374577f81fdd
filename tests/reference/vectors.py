"""Word vectors as other programs write them, and what those programs read from them.

Writes trainer/tests/vectors/: files by gensim, fastText and pickle, and `expected.tsv` and
`fasttext.tsv` (word, numbers). Needs numpy, gensim and fasttext (the wheel: fasttext-wheel).
"""

import os
import pickle
import struct
import tempfile

import fasttext
import numpy as np
from gensim.models import KeyedVectors

HERE = os.path.join(os.path.dirname(__file__), "../../trainer/tests/vectors")
DIMENSION = 4

# In the order of their frequency, as such files are. Of several spellings of a word, the one
# that is all in lower case is to win, else the first.
WORDS = [
    "</s>", "the", "Cat", "PARIS", "cat", "Paris", "don't", "e\u0301te\u0301", "ng'ombe",
    "maison", "\u6771\u4eac", "rue", "eau", "ville", "pont", "jour", "nuit", "ciel", "mer", "sel",
]
WINNERS = {"the": 1, "cat": 4, "paris": 3, "\u00e9t\u00e9": 7, "ng'ombe": 8, "maison": 9,
           "\u6771\u4eac": 10}


def path(name):
    return os.path.join(HERE, name)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data)


def tsv(name, rows):
    lines = ("\t".join([word] + [repr(float(x)) for x in row]) for word, row in rows)
    write(name, ("\n".join(lines) + "\n").encode())


def python2(words, vectors, protocol):
    """The pickle as Python 2 writes it, whose `str` is bytes."""
    def text(word):
        if protocol == 0:
            return b"V" + word.encode("raw-unicode-escape") + b"\n"
        return b"X" + struct.pack("<I", len(word.encode())) + word.encode()

    def string(data):
        if protocol == 0:
            return b"S" + repr(data)[1:].encode() + b"\n"
        return b"T" + struct.pack("<I", len(data)) + data

    def integer(number):
        return b"I%d\n" % number if protocol == 0 else b"J" + struct.pack("<i", number)

    false = b"I00\n" if protocol < 2 else b"\x89"
    shape = b"(" + b"".join(integer(n) for n in vectors.shape) + b"t"
    dtype = (b"cnumpy\ndtype\n(" + string(b"f4") + integer(0) + integer(1) + b"tR("
             + integer(3) + string(b"<") + b"NNN" + integer(-1) + integer(-1) + integer(0) + b"tb")
    array = (b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(" + integer(0) + b"t"
             + string(b"b") + b"tR(" + integer(1) + shape + dtype + false
             + string(vectors.tobytes()) + b"tb")
    start = b"\x80\x02" if protocol == 2 else b""
    data = start + b"((" + b"".join(map(text, words)) + b"t" + array + b"t."
    read_words, read_vectors = pickle.loads(data, encoding="latin1")
    assert tuple(read_words) == tuple(words) and (read_vectors == vectors).all()
    return data


def main():
    os.makedirs(HERE, exist_ok=True)
    numbers = np.random.default_rng(7)
    vectors = numbers.standard_normal((len(WORDS), DIMENSION)).astype(np.float32)
    tsv("expected.tsv", [(word, vectors[row]) for word, row in WINNERS.items()])

    keyed = KeyedVectors(DIMENSION)
    keyed.add_vectors(WORDS, vectors)
    keyed.save_word2vec_format(path("word2vec.txt"), binary=False)
    keyed.save_word2vec_format(path("word2vec.bin"), binary=True)
    keyed.save_word2vec_format(path("glove.txt"), binary=False, write_header=False)

    for protocol in range(6):
        data = pickle.dumps((tuple(WORDS), vectors), protocol)
        if protocol < 5:
            write(f"polyglot.{protocol}.pkl", data)
    write("polyglot.double.pkl", pickle.dumps((WORDS, vectors.astype(">f8")), 2))
    write("polyglot.lists.pkl", pickle.dumps((WORDS, vectors.tolist()), 2))
    write("polyglot.few.pkl", pickle.dumps((WORDS[:9], vectors[:9]), 2))
    for protocol in range(3):
        write(f"polyglot.python2.{protocol}.pkl", python2(WORDS, vectors, protocol))

    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join(folder, "corpus.txt")
        with open(corpus, "w") as file:
            file.write("the cat Paris \u00e9t\u00e9 ng'ombe maison \u6771\u4eac\n" * 20)
        model = fasttext.train_unsupervised(
            corpus, dim=DIMENSION, bucket=30, minn=2, maxn=4, minCount=1, epoch=3, thread=1,
            verbose=0)
        model.save_model(path("fasttext.bin"))
        # `paris` is there as Paris; `chats` is not there, but its n-grams are.
        words = ["the", "cat", "\u00e9t\u00e9", "maison", "\u6771\u4eac", "chats", "\u00eele"]
        rows = [(word, model.get_word_vector(word)) for word in words]
        tsv("fasttext.tsv", rows + [("paris", model.get_word_vector("Paris"))])

        with open(corpus, "w") as file:
            for n in range(300):
                file.write(f"__label__{n % 2} the w{n}\n")
        model = fasttext.train_supervised(corpus, dim=DIMENSION, epoch=1, thread=1, verbose=0)
        model.save_model(path("supervised.bin"))
        tsv("supervised.tsv", [("the", model.get_word_vector("the"))])
        model.quantize(input=corpus, qnorm=False, dsub=2, verbose=0)
        model.save_model(path("quantised.ftz"))


if __name__ == "__main__":
    main()
