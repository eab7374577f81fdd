"""Makes lists.tsv: losses of a query's candidates together and their gradients, by autograd over numpy in float64.

Columns: loss, scale, scores, grades, value, gradient. LambdaRank's weights count as constants.
"""
import autograd.numpy as np
import numpy
from autograd import grad
from autograd.scipy.special import logsumexp

GRADES = ([0, 2, 1, 0, 1, 0, 2], [2, 0, 0, 0, 0], [1, 0, 2, 1, 1, 0, 0, 0], [2, 1, 0])


def log_softmax(x):
    return x - logsumexp(x)


def list_net(s, y, _):
    return -np.sum(np.exp(log_softmax(y)) * log_softmax(s))


def list_mle(s, y, _):
    # Breslow: every document of a tied grade stands before all that rank no higher.
    return sum(logsumexp(s[y <= y[i]]) - s[i] for i in range(len(y)) if y[i] > 0)


def rank_net(s, y, weights):
    pairs = [(i, j) for i in range(len(y)) for j in range(len(y)) if y[i] > y[j]]
    return sum(weights[i, j] * np.log1p(np.exp(s[j] - s[i])) for i, j in pairs) / len(pairs)


def rank_cosine(s, y, _):
    return (1 - np.dot(s, y) / np.sqrt(np.dot(s, s) * np.dot(y, y))) / 2


def info_nce(s, y, _):
    return -np.mean(log_softmax(s)[y >= 2])


def changes_of_ndcg(s, y):
    def dcg(order):
        return sum(y[d] / numpy.log2(place + 2) for place, d in enumerate(order))

    order = list(numpy.argsort(-s))
    best = dcg(numpy.argsort(-y))
    weights = numpy.zeros((len(y), len(y)))
    for i in range(len(y)):
        for j in range(len(y)):
            a, b = order.index(i), order.index(j)
            swapped = list(order)
            swapped[a], swapped[b] = j, i
            weights[i, j] = abs(dcg(swapped) - dcg(order)) / best
    return weights


random = numpy.random.default_rng(1)
for name, loss, scales in (
    ("list-net", list_net, (1, 10)),
    ("list-mle", list_mle, (1, 10)),
    ("rank-net", rank_net, (1, 10)),
    ("lambda-rank", rank_net, (1, 10)),
    ("rank-cosine", rank_cosine, (1, 1)),
    ("info-nce", info_nce, (1, 10)),
):
    for number, grades in enumerate(GRADES):
        scale = scales[number % 2]
        scores = random.uniform(-0.9, 0.9, len(grades)).round(6)
        y = numpy.array(grades, dtype=float)
        weights = numpy.ones((len(y), len(y)))
        if name == "lambda-rank":
            weights = changes_of_ndcg(scores, y)
        of = lambda s: loss(scale * s, y, weights)
        joined = lambda numbers: ",".join(str(float(x)) for x in numbers)
        print(name, scale, joined(scores), ",".join(map(str, grades)), float(of(scores)), joined(grad(of)(scores)), sep="\t")
