"""What a training step costs: what bounds it, and what twice as much of anything does to it.

    python costs.py FOLDER [--rounds 5] [--steps 2000] [--out FILE.md]

FOLDER has queries.tsv, documents.tsv and relevance.tsv, and its name ends in the documents'
language. Needs Rust, and nothing from PyPI. The tables go to standard output, and to a file with
--out.

Twice as many queries and documents are copies with names of their own; of twice as many words
every second occurrence of a word is another word. All variants take turns.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIMENSION = 64
ROW = DIMENSION * 4
CORES = os.cpu_count()


def read(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip()]


def split_words(rows):
    """Every second occurrence of a word, over all texts, becomes another word."""
    seen = {}

    def other(match):
        word = match[0].lower()
        seen[word] = not seen.get(word, False)
        return word if seen[word] else f"{word}twin"

    return [[*row[:-1], re.sub(r"\w+", other, row[-1])] for row in rows]


def copies(rows, columns):
    """The rows, and once more with other names in the columns named."""
    rename = lambda row: [f"{cell}copy" if at in columns else cell for at, cell in enumerate(row)]
    return rows + [rename(row) for row in rows]


def variants(folder, work):
    """Name -> (folder, options, threads, seconds a pair that it should take, the base's being 1)."""
    names = ["queries.tsv", "documents.tsv", "relevance.tsv"]
    queries, documents, relevance = (read(folder / name) for name in names)

    def made(name, *files):
        (work / name).mkdir()
        for file, rows in zip(names, files):
            text = "".join("\t".join(row) + "\n" for row in rows)
            (work / name / file).write_text(text, encoding="utf-8")
        return work / name

    twice_queries = made("queries", copies(queries, [0]), documents, copies(relevance, [0]))
    twice_documents = made("documents", queries, copies(documents, [0]), relevance)
    twice_words = made("words", split_words(queries), split_words(documents), relevance)
    all_variants = {
        "as it is": (folder, [], CORES, 1),
        "twice the queries": (twice_queries, [], CORES, 1),
        "twice the documents": (twice_documents, [], CORES, 1),
        "twice the vocabulary": (twice_words, [], CORES, 1),
        "twice the dimension": (folder, ["--dimension", str(2 * DIMENSION)], CORES, 2),
        "twice the batch": (folder, ["--batch-size", "256"], CORES, 1),
    }
    threads = CORES
    while threads > 1:
        threads //= 2
        name = "one thread" if threads == 1 else f"{threads} threads"
        all_variants[name] = (folder, [], threads, CORES / threads)
    return all_variants


def train(language, steps, folder, options, threads):
    command = [ROOT / "target/release/smooth-clir", "train", folder, "--language", language]
    command += ["--out", "none", "--epsilon", "1", "--max-steps", str(steps), *options]
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def spread(ratios):
    ratios = sorted(ratios)
    return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"


def bounds(base, ceilings):
    """Seconds that the parts of a step of one pair take at least: name, what is done, seconds."""
    per_pair = {name: base[name] / base["pairs"] for name in ("words", "rows", "active")}
    words, rows, active = per_pair["words"], per_pair["rows"], per_pair["active"]
    flows = words * active
    record = 3 * ROW
    return [
        ("read the rows of its words", f"{words * ROW / 1e3:.1f} KB", words * ROW / ceilings["table"]),
        ("take two vectors through tanh", f"{2 * DIMENSION} numbers", 2 * DIMENSION / ceilings["tanh"]),
        ("add up gradients, in cache", f"{flows * ROW / 1e3:.1f} KB", flows * ROW / ceilings["first_cache"]),
        ("read rows and moments to move", f"{rows * record / 1e3:.1f} KB", rows * record / ceilings["table"]),
        ("Adam", f"{rows * DIMENSION:.0f} numbers", rows * DIMENSION / ceilings["adam"]),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    folder = options.folder.resolve()
    language = folder.name.rsplit("-", 1)[-1]

    build = ["cargo", "build", "--quiet", "--release", "--package"]
    subprocess.run([*build, "smooth-clir-trainer"], cwd=ROOT, check=True)
    subprocess.run([*build, "smooth-clir", "--example", "roofline"], cwd=ROOT, check=True)
    words = {word for row in read(folder / "documents.tsv") for word in re.findall(r"\w+", row[-1].lower())}
    roofline = [ROOT / "target/release/examples/roofline", str(len(words)), str(CORES)]

    with tempfile.TemporaryDirectory() as work:
        all_variants = variants(folder, Path(work))
        rounds, ceilings = [], []
        for number in range(1, options.rounds + 1):
            print(f"round {number} of {options.rounds}", file=sys.stderr)
            ceilings.append(json.loads(subprocess.check_output(roofline)))
            rounds.append(
                {
                    name: train(language, options.steps, data, extra, threads)
                    for name, (data, extra, threads, _) in all_variants.items()
                }
            )
    ceilings = {name: max(round[name] for round in ceilings) for name in ceilings[0]}
    base = [round["as it is"] for round in rounds]
    middle = statistics.median(speed["pairs_per_s"] for speed in base)

    lines = [f"{folder.parent.name}/{folder.name}, {CORES} threads: {middle:,.0f} pairs/s", ""]
    lines += ["| | pairs/s | time of a pair: median (least to most) | should be |", "|---|---|---|---|"]
    for name, (*_, expected) in all_variants.items():
        speeds = [round[name]["pairs_per_s"] for round in rounds]
        ratios = [a["pairs_per_s"] / speed for a, speed in zip(base, speeds)]
        lines.append(f"| {name} | {statistics.median(speeds):,.0f} | {spread(ratios)} | {expected:g} |")
    lines += ["", "| a pair at least has to | how much | ns | of its time |", "|---|---|---|---|"]
    total = 0
    for name, amount, seconds in bounds(base[0], ceilings):
        total += seconds
        lines.append(f"| {name} | {amount} | {seconds * 1e9:.0f} | {seconds * middle:.0%} |")
    lines.append(f"| all | | {total * 1e9:.0f} of {1e9 / middle:.0f} | {total * middle:.0%} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


main()
