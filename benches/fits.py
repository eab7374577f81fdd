"""How often a search says that a document fits, of queries with an answer in the collection and without one.

fits.py DATA MODEL TRAINER WORK: for each language of MODEL and each size, half of the passages of DATA/typed and texts of
DATA/documents, DATA/verses and DATA/sentences beside them. A query has an answer if a passage of grade 2 is there, and none if
no passage of grade 1 or 2 is; other queries are left out. Texts that are beside them may answer a query all the same.
"""
import collections
import json
import os
import random
import subprocess
import sys

data, model, trainer, work = sys.argv[1:]
COLUMNS = {"fr": 3, "it": 4, "sw": 5, "tl": 6, "es": 7}
SIZES = (100, 1_000, 100_000)


def table(name):
    with open(os.path.join(data, name), encoding="utf8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def others(language):
    """The texts beside the passages, each once, in an order that is drawn once."""
    files = [(f"documents/en-{language}/documents.tsv", 2), (f"verses/en-{language}/documents.tsv", 2)]
    files.append((f"sentences/en-{language}.tsv", 4))
    there = [(name, column) for name, column in files if os.path.exists(os.path.join(data, name))]
    texts = list(dict.fromkeys(row[column] for name, column in there for row in table(name)))
    random.Random(1).shuffle(texts)
    return texts


passages, queries = table("typed/passages.tsv"), table("typed/queries.tsv")
grades = collections.defaultdict(dict)
for query, passage, grade in table("typed/qrels.tsv"):
    grades[query][passage] = int(grade)

print("language  documents  fits, with an answer  fits, without one  right document first")
for language, column in COLUMNS.items():
    if not os.path.exists(os.path.join(model, f"document.{language}.safetensors")):
        continue
    own = [(row[0], row[column]) for row in passages if len(row) > column and row[column]]
    random.Random(1).shuffle(own)
    beside = [(f"beside {number}", text) for number, text in enumerate(others(language))]
    for size in SIZES:
        inside = own[: min(len(own) // 2, size)]
        documents = inside + beside[: size - len(inside)]
        with open(os.path.join(work, "documents.tsv"), "w", encoding="utf8") as out:
            out.writelines(f"{name}\t\t{text}\n" for name, text in documents)
        index = os.path.join(work, "index.safetensors")
        arguments = [os.path.join(work, "documents.tsv"), "--language", language, "--out", index]
        subprocess.run([trainer, "index", model, *arguments], check=True, capture_output=True)
        names, known = {name for name, _ in inside}, {name for name, _ in own}
        fitting, right = {True: [], False: []}, []
        for query, _, text in queries:
            judged = {name: grade for name, grade in grades[query].items() if name in known}
            answers = {name for name, grade in judged.items() if grade == 2}
            has_answer = bool(answers & names)
            if not answers or not has_answer and judged.keys() & names:
                continue
            search = [trainer, "search", model, index, text, "--limit", "1", "--json"]
            found = subprocess.run(search, check=True, capture_output=True).stdout
            hits = json.loads(found)["hits"]
            fitting[has_answer].append(any(hit["fits"] for hit in hits))
            if has_answer:
                right.append(any(hit["id"] in answers for hit in hits))
        shares = [sum(some) / max(1, len(some)) for some in (fitting[True], fitting[False], right)]
        counts = f"({len(fitting[True])})", f"({len(fitting[False])})"
        print(
            f"{language:8}  {len(documents):9}  {shares[0]:14.2f} {counts[0]:>5}  "
            f"{shares[1]:11.2f} {counts[1]:>5}  {shares[2]:20.2f}",
            flush=True,
        )
