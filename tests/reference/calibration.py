"""Makes calibration.tsv: random scores and grades, and what scikit-learn says of them.

    python3 -m venv .venv && .venv/bin/pip install scikit-learn
    .venv/bin/python tests/reference/calibration.py > tests/reference/calibration.tsv

Each line: thresholds, true grades, scores, balanced accuracy, kappa with quadratic weights.
"""
import math
import random
import warnings

from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

# Grades that are predicted and never true, and a kappa of nothing, are among the cases.
warnings.simplefilter("ignore")
random.seed(20)
for case in range(40):
    grades = random.choice([2, 3, 3, 3, 5])
    # In eighths, which binary holds exactly.
    thresholds = sorted(random.sample(range(-6, 7), grades - 1))
    thresholds = [t / 8 for t in thresholds]
    count = random.choice([1, 5, 30, 100])
    truth = random.choices(range(grades), weights=[9] + [1] * (grades - 1), k=count)
    if case % 8 == 0:
        truth = [0] * count
    scores = [max(-1, min(1, round(random.gauss(g / grades - 0.4, 0.3) * 64) / 64)) for g in truth]
    if case % 16 == 0:
        scores = [-1.0] * count
    predicted = [sum(t < score for t in thresholds) for score in scores]
    kappa = cohen_kappa_score(truth, predicted, weights="quadratic", labels=range(grades))
    columns = [thresholds, truth, scores, [balanced_accuracy_score(truth, predicted)], [kappa]]
    print("\t".join(" ".join("nan" if math.isnan(x) else repr(float(x)) for x in c) for c in columns))
