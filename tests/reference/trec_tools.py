"""Compares our figures of a run with those of pytrec_eval (trec_eval's own code) and ranx.

    python3 -m venv .venv && .venv/bin/pip install pytrec-eval-terrier ranx
    smooth-clir evaluate MODEL FOLDER --run RUN --qrels QRELS --json > FIGURES
    .venv/bin/python tests/reference/trec_tools.py RUN QRELS FIGURES

FIGURES may come from `smooth-clir metrics --run RUN --qrels QRELS --json` as well. Prints each
metric and how far each tool is from ours; exit status 1 if any is farther than 1e-6, or if a
query's scores do not strictly fall in single precision, which is what trec_eval keeps of them:
where they tie, ranx goes its own way, and we go trec_eval's, by falling document id.
"""
import json
import sys

import numpy
import pytrec_eval
import ranx

run_path, qrels_path, figures_path = sys.argv[1:]
with open(run_path) as file:
    run = pytrec_eval.parse_run(file)
with open(qrels_path) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(figures_path) as file:
    figures = json.load(file)

# Name, pytrec_eval's measure and what to multiply it by, ranx's, the lowest relevant grade.
METRICS = [
    ("P_mr@1", "P_1", 1, "precision@1-l2", 2),
    ("P_mr@5", "P_5", 5, "hits@5-l2", 2),
    ("P_r@5", "P_5", 1, "precision@5", 1),
    ("NDCG@5", "ndcg_cut_5", 1, "ndcg@5", 1),
    ("MAP", "map", 1, "map", 1),
    ("MRR_mr", "recip_rank", 1, "mrr-l2", 2),
    ("MRR_r", "recip_rank", 1, "mrr", 1),
]

# Ours are means over the queries that have a document of grade 2; one that the run lacks scores 0.
queries = sorted(query for query, grades in qrels.items() if max(grades.values()) >= 2)
judged = {query: qrels[query] for query in queries}
found = {query: run[query] for query in queries if query in run}
by_level = {}
for level in (1, 2):
    measures = {"P.1,5", "ndcg_cut.5", "map", "recip_rank"}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, measures, relevance_level=level)
    by_level[level] = evaluator.evaluate(found)
with_all = {query: found.get(query, {"none": 0.0}) for query in queries}
by_ranx = ranx.evaluate(
    ranx.Qrels(judged), ranx.Run(with_all), [metric[3] for metric in METRICS], make_comparable=True
)

bad = len(queries) != figures["queries"]
print(f"{len(queries)} queries, ours {figures['queries']}; {len(run)} in the run")
for name, trec, factor, other, level in METRICS:
    values = [by_level[level][query][trec] if query in found else 0.0 for query in queries]
    by_trec = factor * float(numpy.mean(values)) - figures["metrics"][name]
    by_other = float(by_ranx[other]) - figures["metrics"][name]
    bad |= max(abs(by_trec), abs(by_other)) > 1e-6
    print(f"{name:<8}{figures['metrics'][name]:10.6f}  pytrec_eval {by_trec:+.1e}  ranx {by_other:+.1e}")

ties = 0
for scores in run.values():
    # In the order in which they are written.
    single = numpy.array(list(scores.values()), dtype=numpy.float32)
    ties += int((numpy.diff(single) >= 0).sum())
print(f"places where the score does not fall as a 32-bit number: {ties}")
sys.exit(bad or ties > 0)
