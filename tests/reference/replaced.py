"""Makes replaced.tsv: what plain SGD of steps c/t comes to in each order of three pairs, and how much one
replaced pair changes it. Central differences of the loss in 64 bits: no gradient is derived by hand.

Lines: "losses", the order, the losses of the training and the test pairs; "change", the order, a place in it, the test
pair that is put there, and the largest change of a loss of a training or test pair.
"""
import itertools
import math

QUERIES, DOCUMENTS = [[0, 1], [2]], [[0], [1, 2, 2], [0, 2]]
TRAINING, TEST = [(0, 0, 2), (0, 1, 0), (1, 2, 1)], [(1, 1, 2), (1, 0, 0)]
EDGES, EPSILON, CONSTANT, STEPS, STEP = [-1, 0.2, 0.7, 1], 0.5, 2.0, 7, 1e-5
FIRST = [0.3, -0.2, 0.5, 0.1, 0.4, -0.3, -0.6, 0.2, 0.1, 0.2, 0.1, -0.4, -0.5, 0.3, 0.2, 0.6, -0.1, 0.3]


def vector(weights, start, rows):
    return [math.tanh(sum(weights[start + 3 * row + at] for row in rows) / len(rows)) for at in range(3)]


def loss(weights, pair):
    query, document, grade = pair
    q, d = vector(weights, 0, QUERIES[query]), vector(weights, 9, DOCUMENTS[document])
    lengths = [math.sqrt(sum(x * x for x in v)) + EPSILON for v in (q, d)]
    r = sum(a * b for a, b in zip(q, d)) / (lengths[0] * lengths[1])
    return max(r - EDGES[grade + 1], 0) ** 2 + max(EDGES[grade] - r, 0) ** 2


def train(order):
    weights = list(FIRST)
    for step in range(STEPS):
        pair, gradient = order[step % len(order)], []
        for at in range(len(weights)):
            sides = [weights[:at] + [weights[at] + sign * STEP] + weights[at + 1:] for sign in (1, -1)]
            gradient.append((loss(sides[0], pair) - loss(sides[1], pair)) / (2 * STEP))
        weights = [w - CONSTANT / (step + 1) * g for w, g in zip(weights, gradient)]
    return [loss(weights, pair) for pair in TRAINING + TEST]


for order in itertools.permutations(range(3)):
    pairs = [TRAINING[pair] for pair in order]
    losses = train(pairs)
    print("losses", "".join(map(str, order)), *losses, sep="\t")
    for place, (test, pair) in itertools.product(range(3), enumerate(TEST)):
        other = train(pairs[:place] + [pair] + pairs[place + 1:])
        change = max(abs(a - b) for a, b in zip(losses, other))
        print("change", "".join(map(str, order)), place, test, change, sep="\t")
