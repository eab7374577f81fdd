"""Makes named_metrics.tsv: random rankings and what trec_eval and ir_measures say of them, by the names of both.

    python3 -m venv .venv && .venv/bin/pip install pytrec-eval-terrier==0.5.11 ir_measures==0.4.3
    .venv/bin/python tests/reference/named_metrics.py > tests/reference/named_metrics.tsv
"""
import random

import ir_measures
import pytrec_eval

TREC = ["map", "recip_rank", "Rprec", "ndcg", "P_5", "P_10", "recall_3", "recall_100", "success_1", "success_3",
        "ndcg_cut_3", "ndcg_cut_10", "map_cut_5"]
OTHERS = ["nDCG@10", "P@3", "P(rel=2)@5", "R@100", "R(rel=2)@3", "RR", "RR@10", "RR(rel=2)@2", "RR(rel=3)", "AP", "AP@5", "AP(rel=2)",
          "Success@3", "Success(rel=2)@1", "Rprec(rel=2)"]

random.seed(29)
print("ranked", "missed", *TREC, *OTHERS, sep="\t")
for case in range(300):
    length = random.randrange(0, 40)
    weights = random.choice([(40, 7, 1, 1), (5, 3, 2, 1), (1, 1, 1, 1), (1, 0, 0, 0), (4, 1, 0, 0)])
    ranked = random.choices(range(4), weights=weights, k=length)
    missed = random.choices(range(4), weights=weights, k=random.choice([1, 1, 3, 8]))
    # Scores fall strictly, so that the rule for ties plays no part.
    run = {"q": {f"d{i}": float(length - i) for i in range(length)}}
    qrels = {"q": {f"d{i}": grade for i, grade in enumerate(ranked + missed)}}
    measures = {name.replace("_cut_", "_cut.") if "_cut_" in name else name for name in TREC}
    measures = {f"{name.rsplit('_', 1)[0]}.{name.rsplit('_', 1)[1]}" if name[-1].isdigit() and "." not in name else name
                for name in measures}
    # trec_eval knows nothing of a query without a result.
    trec = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)["q"] if length else dict.fromkeys(TREC, 0.0)
    others = [ir_measures.parse_measure(name) for name in OTHERS]
    found = ir_measures.calc_aggregate(others, qrels, run) if length else dict.fromkeys(others, 0.0)
    values = [trec[name] for name in TREC] + [found[name] for name in others]
    print("".join(map(str, ranked)), "".join(map(str, missed)), *map(repr, map(float, values)), sep="\t")
