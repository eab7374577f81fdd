"""Makes the files in tests/bad, each bad in the way it is named for, and those in tests/good.

    python3 -m venv .venv && .venv/bin/pip install numpy safetensors
    .venv/bin/python tests/bad/make.py

Written with Python's safetensors alone, from the format's description: nothing here comes from
the library that reads them. Expected vectors and scores are NumPy's in float64.
"""
import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save

bad = Path(__file__).parent
good = bad.parent / "good"

TEXT = {"rule": "unicode-words", "version": 1}
CONFIG = {"encoder": "average", "dimension": 3, "epsilon": 0.5, "thresholds": [0.1, 0.4],
          "languages": ["fr"], "text": TEXT}
WORDS = ["bread", "rain", "sun"]
ROWS = np.array([[0.5, -1.0, 0.25], [1.5, 0.5, -0.75], [-0.25, 2.0, 1.0]], np.float32)
FRENCH = ["pain", "pluie", "soleil", "été"]
FRENCH_ROWS = np.array([[1, -1, 0], [1, 0.5, -1], [0, 1.5, 1], [-0.5, 1, 0.5]], np.float32)


def utf8(text):
    return np.frombuffer(text if isinstance(text, bytes) else text.encode(), np.uint8)


def model():
    metadata = {"format": "smooth-clir", "version": "1", "kind": "model", "space": "by Python",
                "config": json.dumps(CONFIG), "provenance": "{}"}
    tensors = {
        "query.vocabulary": utf8("\n".join(WORDS)), "query.embedding": ROWS,
        "document.fr.vocabulary": utf8("\n".join(FRENCH)), "document.fr.embedding": FRENCH_ROWS,
    }
    return metadata, tensors


DOCUMENTS = [("a", "Été", "été soleil"), ("b", "Pain", "pain"), ("c", "Là", "pluie pluie pain")]


def vector(text, words, rows):
    return np.tanh(rows[[words.index(word) for word in text.split()]].astype(np.float64).mean(0))


def index():
    config = {key: CONFIG[key] for key in ("dimension", "languages", "text")}
    metadata = {"format": "smooth-clir", "version": "1", "kind": "index", "model": "by Python",
                "config": json.dumps(config)}
    vectors = np.array([vector(text, FRENCH, FRENCH_ROWS) for *_, text in DOCUMENTS])
    tensors = {"vectors": vectors.astype(np.float32), "language": np.zeros(3, np.uint8),
               "norms": np.linalg.norm(vectors, axis=1).astype(np.float32)}
    for name, texts in zip(("ids", "titles", "texts"), zip(*DOCUMENTS)):
        pieces = [text.encode() for text in texts]
        tensors[name] = utf8(b"".join(pieces))
        tensors[name + ".offsets"] = np.cumsum([0] + [len(p) for p in pieces]).astype(np.uint32)
    return metadata, tensors


def write(folder, name, content):
    assert len(content) < 4096, name
    (folder / f"{name}.safetensors").write_bytes(content)


def saved(metadata, tensors):
    """The file as Python's library writes it, its header sorted: that order varies otherwise."""
    file = save({name: np.ascontiguousarray(x) for name, x in tensors.items()}, metadata)
    end = 8 + int.from_bytes(file[:8], "little")
    header = json.dumps(json.loads(file[8:end]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + file[end:]


def make(name, spoil, of=model):
    """A file with one thing in its metadata, its config or its tensors set, or taken out."""
    metadata, tensors = of()
    for part, key, value in spoil:
        if part == "config":
            config = json.loads(metadata["config"])
            config[key] = value
            metadata["config"] = json.dumps(config)
            continue
        target = metadata if part == "metadata" else tensors
        if value is None:
            del target[key]
        else:
            target[key] = value
    write(bad, name, saved(metadata, tensors))


def changed(array, place, value):
    array = array.copy()
    array[place] = value
    return array


for old in [*bad.glob("*.safetensors"), *good.glob("*")]:
    old.unlink()
good.mkdir(exist_ok=True)

# No whole safetensors file.
whole = saved(*model())
header = 8 + int.from_bytes(whole[:8], "little")
write(bad, "empty", b"")
write(bad, "shorter-than-a-header-length", whole[:7])
write(bad, "cut-in-its-header", whole[:header // 2])
write(bad, "cut-after-its-header", whole[:header])
write(bad, "cut-in-its-data", whole[:-1])
write(bad, "trailing-byte", whole + b"\0")
write(bad, "header-longer-than-memory", b"\xff" * 8 + whole[8:])
write(bad, "header-not-json", whole[:8] + whole[8:].replace(b"{", b"[", 1))
write(bad, "web-page", b"<!doctype html><title>404</title><p>There is no such file." + b" " * 99)
write(bad, "array-file", b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False}" + b" " * 64)

# Metadata.
for key in ("format", "version", "kind", "config", "provenance", "space"):
    make(f"no-{key}", [("metadata", key, None)])
make("another-format", [("metadata", "format", "pt")])
make("newer-version", [("metadata", "version", "2")])
make("version-before-the-first", [("metadata", "version", "0")])
make("version-not-a-number", [("metadata", "version", "one")])
make("another-kind", [("metadata", "kind", "tokenizer")])
make("metadata-unknown", [("metadata", "author", "nobody")])
make("config-not-json", [("metadata", "config", "{")])
make("provenance-a-long-text", [("metadata", "provenance", "by hand, " * 99)])
make("provenance-not-json", [("metadata", "provenance", "by hand")])
make("extensions-not-a-list", [("metadata", "extensions", "query.weight")])
make("digest-of-other-bytes", [("metadata", "digest", "0123456789abcdef" * 4)])
make("digest-too-short", [("metadata", "digest", "0")])

# Config.
make("another-encoder", [("config", "encoder", "transformer")])
make("another-text-rule", [("config", "text", {"rule": "whitespace", "version": 1})])
make("another-text-rule-version", [("config", "text", {"rule": "unicode-words", "version": 2})])
make("subwords-of-another-rule", [("config", "subwords", {"rule": "fnv1a-2-9", "rows": 5})])
make("subwords-of-no-rows", [("config", "subwords", {"rule": "fnv1a-3-5", "rows": 0})])
make("dimension-0", [("config", "dimension", 0)])
make("dimension-huge", [("config", "dimension", 2**40)])
make("dimension-not-whole", [("config", "dimension", 2.5)])
make("epsilon-negative", [("config", "epsilon", -0.5)])
make("epsilon-too-large-for-f32", [("config", "epsilon", 1e300)])
make("epsilon-text", [("config", "epsilon", "0.5")])
make("thresholds-out-of-order", [("config", "thresholds", [0.4, 0.1])])
make("thresholds-none", [("config", "thresholds", [])])
make("thresholds-not-numbers", [("config", "thresholds", ["low", "high"])])
make("threshold-out-of-reach", [("config", "thresholds", [0.1, 0.9])])
make("languages-not-a-list", [("config", "languages", "fr")])
make("languages-without-the-documents", [("config", "languages", ["it"])])

# Tensors.
nan, infinity = float("nan"), float("inf")
make("embedding-nan", [("", "query.embedding", changed(ROWS, (1, 2), nan))])
make("embedding-infinite", [("", "document.fr.embedding", changed(FRENCH_ROWS, (3, 0), -infinity))])
make("embedding-infinite-f16", [("", "query.embedding", changed(ROWS, 0, infinity).astype(np.float16))])
make("embedding-double", [("", "query.embedding", ROWS.astype(np.float64))])
make("embedding-too-wide", [("", "query.embedding", np.hstack([ROWS, ROWS[:, :1]]))])
make("embedding-flat", [("", "query.embedding", ROWS.reshape(-1))])
make("embedding-transposed", [("", "document.fr.embedding", FRENCH_ROWS.T)])
make("embedding-missing", [("", "query.embedding", None)])
make("vocabulary-missing", [("", "query.vocabulary", None)])
make("vocabulary-shorter-than-table", [("", "query.vocabulary", utf8("bread\nrain"))])
make("vocabulary-longer-than-table", [("", "query.vocabulary", utf8("bread\nrain\nsnow\nsun"))])
make("vocabulary-unsorted", [("", "query.vocabulary", utf8("rain\nbread\nsun"))])
make("vocabulary-repeated", [("", "query.vocabulary", utf8("bread\nrain\nrain"))])
make("vocabulary-with-an-empty-word", [("", "query.vocabulary", utf8("\nbread\nrain"))])
make("vocabulary-not-utf8", [("", "query.vocabulary", utf8(b"bread\nrain\ns\xffn"))])
make("vocabulary-of-characters", [("", "query.vocabulary", np.array([98, 114, 115], np.uint32))])
make("vocabulary-in-two-dimensions", [("", "query.vocabulary", utf8("bread\nrain\nsun").reshape(7, 2))])
make("tensor-unknown", [("", "query.bias", ROWS[0])])
make("tensor-unknown-but-another-named",
     [("", "query.bias", ROWS[0]), ("metadata", "extensions", '["query.weight"]')])
eight_bits = ("", "query.embedding", (ROWS * 50).astype(np.int8))
make("scale-missing", [eight_bits])
make("scale-negative", [eight_bits, ("", "query.scale", np.array([0.02, -0.02, 0.02], np.float32))])
make("scale-nan", [eight_bits, ("", "query.scale", np.array([0.02, nan, 0.02], np.float32))])
make("scale-too-short", [eight_bits, ("", "query.scale", np.array([0.02], np.float32))])
make("scale-beyond-f32", [eight_bits, ("", "query.scale", np.array([0.02, 3e38, 0.02], np.float32))])
make("scale-without-8-bits", [("", "query.scale", np.array([1, 1, 1], np.float32))])

# Networks.
HIDDEN, FILTERS = 2, 5
GRAM = np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]], np.float32)


def ones(*shape):
    return np.full(shape, 0.5, np.float32)


def network(kind, layers):
    metadata, tensors = model()
    metadata["config"] = json.dumps({**CONFIG, "encoder": kind})
    for side in ("query", "document.fr"):
        tensors |= {f"{side}.{name}": ones(*shape) for name, shape in layers.items()}
    return metadata, tensors


def cnn():
    return network("cnn", {
        "convolution.weight": (FILTERS, 9), "convolution.bias": (FILTERS,),
        "linear.weight": (3, FILTERS), "linear.bias": (3,)})


def lstm():
    cell = {"input": (4 * HIDDEN, 3), "hidden": (4 * HIDDEN, HIDDEN), "bias": (4 * HIDDEN,)}
    directions = {f"{x}.{name}": cell[name] for x in ("forward", "backward") for name in cell}
    return network("lstm", {**directions, "linear.weight": (3, 2 * HIDDEN), "linear.bias": (3,)})


def linear():
    metadata, tensors = network("linear", {})
    return metadata, tensors | {"query.weight": ones(len(WORDS)), "document.fr.weight": ones(len(FRENCH))}


def sparse_code():
    """A code of at most two of three atoms, the second beside the first."""
    metadata, tensors = network("sparse_code", {"map": (3, 3)})
    metadata["config"] = json.dumps({**json.loads(metadata["config"]), "sparsity": 2})
    del tensors["document.fr.map"]
    tensors |= {f"{side}.gram": GRAM for side in ("query", "document.fr")}
    return metadata, tensors


make("cnn-filters-of-two-words", [("", "query.convolution.weight", ones(FILTERS, 6))], cnn)
make("cnn-without-filters", [("", "query.convolution.bias", ones(0))], cnn)
make("cnn-linear-half", [("", "document.fr.linear.weight", ones(3, FILTERS).astype(np.float16))], cnn)
make("cnn-as-average", [("config", "encoder", "average")], cnn)
make("lstm-three-gates", [("", "query.forward.bias", ones(3 * HIDDEN))], lstm)
make("lstm-directions-unlike", [("", "query.backward.bias", ones(4 * HIDDEN + 4))], lstm)
make("lstm-bias-nan", [("", "query.backward.bias", changed(ones(4 * HIDDEN), 3, nan))], lstm)
make("lstm-hidden-missing", [("", "document.fr.forward.hidden", None)], lstm)

make("linear-weight-too-short", [("", "query.weight", ones(2))], linear)
make("linear-weight-negative", [("", "query.weight", -ones(3))], linear)
make("linear-with-a-gram", [("", "query.gram", GRAM)], linear)
make("sparse-code-no-sparsity", [("config", "sparsity", None)], sparse_code)
make("sparse-code-of-no-atoms", [("config", "sparsity", 0)], sparse_code)
make("sparse-code-of-four-atoms", [("config", "sparsity", 4)], sparse_code)
make("sparse-code-gram-missing", [("", "document.fr.gram", None)], sparse_code)
make("sparse-code-gram-of-two-atoms", [("", "query.gram", GRAM[:2, :2])], sparse_code)
make("sparse-code-gram-half", [("", "query.gram", GRAM.astype(np.float16))], sparse_code)
make("sparse-code-gram-nan", [("", "query.gram", changed(GRAM, (0, 1), nan))], sparse_code)
make("sparse-code-gram-of-longer-atoms", [("", "query.gram", 2 * GRAM)], sparse_code)
make("sparse-code-gram-unlike", [("", "query.gram", changed(GRAM, (0, 1), 0.4))], sparse_code)
make("sparse-code-gram-beyond-1", [("", "query.gram", np.where(GRAM == 0.5, 3, GRAM))], sparse_code)
make("sparse-code-map-infinite", [("", "query.map", changed(ones(3, 3), 0, infinity))], sparse_code)
make("sparse-code-map-flat", [("", "query.map", ones(9))], sparse_code)

# Indexes.
_, parts = index()


def make_index(name, *spoil):
    make(f"index-{name}", spoil, index)


write(bad, "index-cut-in-its-data", saved(*index())[:-3])
make_index("newer-version", ("metadata", "version", "10"))
make_index("no-model", ("metadata", "model", None))
make_index("another-text-rule", ("config", "text", None))
make_index("dimension-0", ("config", "dimension", 0))
make_index("languages-not-names", ("config", "languages", [1]))
make_index("field-named-twice", ("config", "fields", ["year", "year"]))
make_index("blocks-of-no-documents", ("config", "block", 0))
make_index("language-out-of-range", ("", "language", np.array([0, 0, 1], np.uint8)))
make_index("language-too-short", ("", "language", np.array([0, 0], np.uint8)))
make_index("vectors-nan", ("", "vectors", changed(parts["vectors"], (0, 0), nan)))
make_index("vectors-half", ("", "vectors", parts["vectors"].astype(np.float16)))
make_index("vectors-too-wide", ("config", "dimension", 2))
make_index("vectors-missing", ("", "vectors", None))
make_index("norm-negative", ("", "norms", changed(parts["norms"], 1, -1)))
make_index("norm-nan", ("", "norms", changed(parts["norms"], 2, nan)))
make_index("norm-infinite", ("", "norms", changed(parts["norms"], 2, infinity)))
make_index("norms-too-short", ("", "norms", parts["norms"][:2]))
make_index("titles-missing", ("", "titles", None))
make_index("text-not-utf8", ("", "texts", changed(parts["texts"], 0, 0xFF)))
offsets = lambda name, *values: ("", f"{name}.offsets", np.array(values, np.uint32))
make_index("offsets-too-few", offsets("ids", 0, 1, 3))
make_index("offsets-fall", offsets("ids", 0, 2, 1, 3))
make_index("offsets-start-late", offsets("ids", 1, 1, 2, 3))
make_index("offsets-end-early", offsets("ids", 0, 1, 2, 2))
make_index("offsets-beyond-the-end", offsets("ids", 0, 1, 2, 4))
make_index("offset-inside-a-character", offsets("titles", 0, 1, 9, 12))
make_index("offsets-signed", ("", "ids.offsets", np.array([0, 1, 2, 3], np.int32)))
make_index("tensor-unknown", ("", "ranks", parts["norms"]))

# What is good.
metadata, tensors = model()
write(good, "by-python", saved(metadata, tensors))
metadata["extensions"] = '["query.bias", "author"]'
metadata["author"] = "nobody"
tensors["query.bias"] = ROWS[0]
write(good, "with-extensions", saved(metadata, tensors))
write(good, "index-by-python", saved(*index()))
write(good, "cnn-by-python", saved(*cnn()))
write(good, "lstm-by-python", saved(*lstm()))
write(good, "linear-by-python", saved(*linear()))
write(good, "sparse-code-by-python", saved(*sparse_code()))

lines = []
for query in ("rain", "sun rain sun", "bread sun"):
    q = vector(query, WORDS, ROWS)
    lines.append(["vector", query, *q])
    for epsilon in (0, 0.5, 2):
        scores = []
        for id, _, text in DOCUMENTS:
            d = vector(text, FRENCH, FRENCH_ROWS)
            scores.append((q @ d / (np.linalg.norm(q) + epsilon) / (np.linalg.norm(d) + epsilon), id))
        ranking = [x for score, id in sorted(scores, reverse=True) for x in (id, score)]
        lines.append(["ranking", query, epsilon, *ranking])
text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
(good / "by-python.tsv").write_text(text)
