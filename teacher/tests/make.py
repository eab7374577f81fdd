"""Makes tests/tiny, a random BERT of a few kilobytes, and the vectors that it should give its texts.

    python3 teacher/tests/make.py      (numpy 2.4.6, safetensors 0.8.0, tokenizers 0.22)

The expected vectors come from a forward pass in NumPy with 64 bits and unrounded weights, written from the definition
of BERT (Devlin et al., 2019). `make.py FOLDER` instead prints the vectors of the lines on standard input by the encoder
in FOLDER, as little-endian 32-bit numbers: to compare with a real one.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

HERE = Path(__file__).parent / "tiny"
erf = np.vectorize(math.erf)


def forward(tensors, config, ids, pooling="mean"):
    """The vector of one text, of length 1."""
    get = lambda name: tensors[name].astype(np.float64)
    hidden, heads = config["hidden_size"], config["num_attention_heads"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + config["layer_norm_eps"])
        return x * get(name + ".weight") + get(name + ".bias")

    def linear(x, name):
        return x @ get(name + ".weight").T + get(name + ".bias")

    def split(x):
        return x.reshape(len(ids), heads, hidden // heads).transpose(1, 0, 2)

    x = get("embeddings.word_embeddings.weight")[ids]
    x = x + get("embeddings.position_embeddings.weight")[: len(ids)]
    x = x + get("embeddings.token_type_embeddings.weight")[0]
    x = norm(x, "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        q, k, v = (split(linear(x, at + f"attention.self.{name}")) for name in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(hidden // heads)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        attended = (scores @ v).transpose(1, 0, 2).reshape(len(ids), hidden)
        x = norm(x + linear(attended, at + "attention.output.dense"), at + "attention.output.LayerNorm")
        wide = linear(x, at + "intermediate.dense")
        wide = wide * 0.5 * (1 + erf(wide / math.sqrt(2)))
        x = norm(x + linear(wide, at + "output.dense"), at + "output.LayerNorm")
    vector = x.mean(0) if pooling == "mean" else x[0]
    return vector / np.linalg.norm(vector)


def tokenizer(words):
    made = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.decoder = decoders.WordPiece()
    # As in published folders: a reader must not cut or pad because of them.
    made.enable_truncation(8)
    made.enable_padding(length=8)
    return made


def make():
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "rain", "falls", "over", "moun", "##tain", "##s", ",", "and"]
    words += ["snow", "un", "##known", "a", "cat", "sleep", "##ing"]
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": 24,
        "intermediate_size": 40,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "vocab_size": len(words),
        "max_position_embeddings": 12,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
    }
    random = np.random.default_rng(1)
    hidden, wide = config["hidden_size"], config["intermediate_size"]
    tensors = {}

    def add(name, *shape, mean=0.0, deviation=0.3):
        tensors[name] = (mean + deviation * random.standard_normal(shape)).astype(np.float32)

    add("embeddings.word_embeddings.weight", len(words), hidden, deviation=1)
    add("embeddings.position_embeddings.weight", config["max_position_embeddings"], hidden)
    add("embeddings.token_type_embeddings.weight", 2, hidden)
    norms = ["embeddings.LayerNorm"]
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        for name, inputs, outputs in [
            ("attention.self.query", hidden, hidden),
            ("attention.self.key", hidden, hidden),
            ("attention.self.value", hidden, hidden),
            ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", hidden, wide),
            ("output.dense", wide, hidden),
        ]:
            add(at + name + ".weight", outputs, inputs)
            add(at + name + ".bias", outputs)
        norms += [at + "attention.output.LayerNorm", at + "output.LayerNorm"]
    for name in norms:
        add(name + ".weight", hidden, mean=1.0)
        add(name + ".bias", hidden)

    made = tokenizer(words)
    made.save(str(HERE / "tokenizer.json"))
    save_file(tensors, HERE / "model.safetensors")
    (HERE / "1_Pooling").mkdir(exist_ok=True)
    written = {
        "config.json": config,
        "1_Pooling/config.json": {"word_embedding_dimension": hidden, "pooling_mode_mean_tokens": True},
        "modules.json": [{"type": "sentence_transformers.models." + name} for name in ("Transformer", "Pooling", "Normalize")],
        "sentence_bert_config.json": {"max_seq_length": 10},
    }
    for name, content in written.items():
        (HERE / name).write_text(json.dumps(content, indent=1) + "\n")

    made.no_truncation()
    made.no_padding()
    texts = ["the rain falls over the mountains", "Snow, and a cat", "a", "xylophone", "unknown sleeping cats"]
    expected = []
    for text in texts:
        ids = made.encode(text).ids
        expected.append({
            "text": text,
            "tokens": ids[1:-1],
            "mean": forward(tensors, config, ids).tolist(),
            "first": forward(tensors, config, ids, "first").tolist(),
        })
    # Longer than 10 tokens: two windows of 6 and 5, averaged by their tokens with the marks.
    text = "the rain and the snow and the cat sleeping and falls"
    ids = made.encode(text, add_special_tokens=False).ids
    middle = (len(ids) + 1) // 2
    windows = [[2, *window, 3] for window in (ids[:middle], ids[middle:])]
    vector = sum(len(window) * forward(tensors, config, window) for window in windows)
    expected.append({"text": text, "tokens": ids, "mean": (vector / np.linalg.norm(vector)).tolist()})
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if len(sys.argv) == 1:
    make()
else:
    folder = Path(sys.argv[1])
    read = Tokenizer.from_file(str(folder / "tokenizer.json"))
    read.no_truncation()
    read.no_padding()
    loaded, settings = load_file(folder / "model.safetensors"), json.loads((folder / "config.json").read_text())
    for line in sys.stdin:
        sys.stdout.buffer.write(forward(loaded, settings, read.encode(line.rstrip("\n")).ids).astype("<f4").tobytes())
