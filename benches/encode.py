"""Text to vector: documents a second, beside model2vec (https://github.com/MinishLab/model2vec).

    python encode.py MODEL LANGUAGE DOCUMENTS [--rounds 15] [--wasm]

MODEL is one file with numbers of 32 bits, of the kind average; DOCUMENTS has its text in the last
of its columns. Needs model2vec and safetensors from PyPI, Rust, and for --wasm Node.js and Rust's
target wasm32-wasip1. All take turns in one run, each on one thread. The table goes to standard output.

The rivals get the same vocabulary and the same rows, and of all tokenisers the one that
model2vec-rs has a fast path for: BERT's, with whole words only, its accents kept. The work is not
quite the same. Theirs makes a token of each punctuation mark, only to drop it as unknown, and
does not normalise; ours normalises (NFKC), joins the letter ng', and ends with tanh.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Before model2vec is there to read them.
os.environ |= {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}

from model2vec import StaticModel
from safetensors.numpy import load_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
BATCH = 1024


def rival(model, language):
    """model2vec's model with the words and rows of one language of ours."""
    tensors = load_file(model)
    words = bytes(tensors[f"document.{language}.vocabulary"]).decode().split("\n")
    rows = tensors[f"document.{language}.embedding"]
    assert rows.dtype == np.float32, f"{model} has numbers of {rows.dtype}, not float32"
    vocabulary = {word: row for row, word in enumerate(["[UNK]", *words])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    rows = np.concatenate([np.zeros_like(rows[:1]), rows])
    return StaticModel(rows, tokenizer, normalize=False, max_length=None)


class Process:
    """A program that encodes all texts once for each line it is given."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["seconds"]


def in_python(model, texts):
    def encode():
        start = time.perf_counter()
        model.encode(texts, batch_size=BATCH, use_multiprocessing=False)
        return time.perf_counter() - start

    return encode


def build(*options):
    subprocess.run(["cargo", "build", "--quiet", "--release", *options], cwd=ROOT, check=True)


def wasm(*arguments):
    """The example as WebAssembly in Node, with the flags of the page's module."""
    flags = {**os.environ, "RUSTFLAGS": "-C target-feature=+simd128"}
    target = ["--target", "wasm32-wasip1", "--profile", "wasm-release"]
    subprocess.run(["cargo", "build", "--quiet", "--example", "encode", *target], cwd=ROOT, check=True, env=flags)
    module = ROOT / "target/wasm32-wasip1/wasm-release/examples/encode.wasm"
    return Process("node", "--no-warnings", ROOT / "benches/wasi.mjs", module, *arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("language")
    parser.add_argument("documents", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--wasm", action="store_true", help="ours in Node, too")
    options = parser.parse_args()

    rows = options.documents.read_text(encoding="utf-8").split("\n")
    texts = [row.split("\t")[-1] for row in rows if row]
    size = sum(len(text.encode()) for text in texts)
    model = rival(options.model, options.language)
    build("--example", "encode")
    build("--manifest-path", "benches/model2vec-rs/Cargo.toml", "--target-dir", "target/model2vec-rs")
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "texts"
        lines.write_text("\n".join(texts) + "\n", encoding="utf-8")
        model.save_pretrained(folder)
        ours = [options.model.resolve(), options.language, lines]
        programs = {
            "smooth-clir": Process(ROOT / "target/release/examples/encode", *ours),
            "model2vec-rs": Process(
                ROOT / "target/model2vec-rs/release/model2vec-rs-encode", folder, lines
            ),
            "model2vec": in_python(model, texts),
        }
        if options.wasm:
            programs["smooth-clir, WebAssembly in Node"] = wasm(*ours)
        rounds = []
        for number in range(options.rounds + 1):
            rounds.append({name: encode() for name, encode in programs.items()})
            print(f"round {number} of {options.rounds}", file=sys.stderr)
    # The first is to warm up.
    report(rounds[1:], len(texts), size)


def report(rounds, count, size):
    print(f"{count:,} documents, {size / 1e6:.1f} MB, {len(rounds)} rounds\n")
    print("| | documents/s | MB/s | time, smooth-clir's = 1: median (least to most) |")
    print("|---|---|---|---|")
    for name in rounds[0]:
        seconds = statistics.median(taken[name] for taken in rounds)
        ratios = sorted(taken[name] / taken["smooth-clir"] for taken in rounds)
        spread = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(f"| {name} | {count / seconds:,.0f} | {size / seconds / 1e6:.1f} | {spread} |")


main()
