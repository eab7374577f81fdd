"""Makes significance.tsv: what scipy, statsmodels and numpy say of random figures.

    python3 -m venv .venv && .venv/bin/pip install numpy scipy statsmodels
    .venv/bin/python tests/reference/significance.py > tests/reference/significance.tsv

Each line: kind, then columns of numbers separated by spaces.
  randomisation  differences; p over all choices of signs (exact)
  holm           p-values; adjusted
  bootstrap      groups; values; low and high of 95 % (200,000 draws of groups)
  spread         values; mean and sample standard deviation
"""
import numpy
from scipy import stats
from statsmodels.stats.multitest import multipletests

random = numpy.random.default_rng(20)


def line(kind, *columns):
    print(kind, *(" ".join(repr(float(x)) for x in column) for column in columns), sep="\t")


for case in range(30):
    count = int(random.integers(3, 15))
    differences = random.normal(random.choice([0, 0.3, 0.8]), 1, count)
    if case % 3 == 0:  # As a metric that is 0 or 1 has them: many ties.
        differences = numpy.sign(differences) * random.integers(0, 2, count)
    if case % 3 == 1:
        differences = numpy.round(differences, 1)
    test = stats.permutation_test(
        (differences, numpy.zeros(count)),
        lambda a, b: numpy.mean(a - b),
        permutation_type="samples",
        n_resamples=numpy.inf,
        alternative="two-sided",
        vectorized=False,
    )
    line("randomisation", differences, [test.pvalue])

for case in range(25):
    p = random.uniform(0, random.choice([0.01, 0.1, 1]), int(random.integers(1, 12)))
    if case % 4 == 0:
        p = numpy.round(p, 2)
    line("holm", p, multipletests(p, method="holm")[1])

for case in range(12):
    number = int(random.integers(20, 50))
    sizes = random.integers(1, 6, number)
    groups = numpy.repeat(numpy.arange(number), sizes)
    values = numpy.repeat(random.uniform(0, 1, number), sizes) + random.normal(0, 0.2, groups.size)
    order = random.permutation(groups.size)
    groups, values = groups[order], values[order]
    sums = numpy.bincount(groups, weights=values)
    counts = numpy.bincount(groups)
    interval = stats.bootstrap(
        (sums, counts),
        lambda s, c, axis=-1: s.sum(axis=axis) / c.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=200_000,
        batch=10_000,
        method="percentile",
        confidence_level=0.95,
        random_state=random,
    ).confidence_interval
    line("bootstrap", groups, values, [interval.low, interval.high])

for case in range(10):
    values = random.uniform(0, 1, int(random.integers(2, 8)))
    line("spread", values, [values.mean(), values.std(ddof=1)])
