"""Makes metrics.tsv: random rankings and what trec_eval says of them.

    python3 -m venv .venv && .venv/bin/pip install pytrec-eval-terrier
    .venv/bin/python tests/reference/metrics.py > tests/reference/metrics.tsv
"""
import random
import pytrec_eval

random.seed(20)
for case in range(400):
    length = random.randrange(1, 60)
    ranked = random.choices([0, 1, 2], weights=random.choice([(40, 7, 1), (5, 3, 2), (1, 1, 1)]), k=length)
    missed = random.choices([0, 1, 2], weights=(8, 2, 1), k=random.choice([0, 0, 3]))
    if 2 not in ranked + missed:
        ranked[random.randrange(length)] = 2
    # Scores fall strictly, so that trec_eval's rule for ties plays no part.
    run = {"q": {f"d{i}": float(len(ranked) - i) for i in range(length)}}
    qrel = {f"d{i}": g for i, g in enumerate(ranked + missed)}
    def trec(measure, level):
        return pytrec_eval.RelevanceEvaluator({"q": qrel}, {measure}, relevance_level=level).evaluate(run)["q"]
    values = [
        trec("P.1", 2)["P_1"],
        trec("P.5", 2)["P_5"] * 5,
        trec("P.5", 1)["P_5"],
        trec("ndcg_cut.5", 1)["ndcg_cut_5"],
        trec("map", 1)["map"],
        trec("recip_rank", 2)["recip_rank"],
        trec("recip_rank", 1)["recip_rank"],
    ]
    print("".join(map(str, ranked)), "".join(map(str, missed)), *map(repr, values), sep="\t")
