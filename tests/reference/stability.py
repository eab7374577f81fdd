"""Makes stability.tsv: plain SGD of steps c/t, a pair each, by PyTorch's autograd, in float64.

Lines: the losses of training and test pairs after training; after training with the second pair
replaced by the first test pair; the largest change between the two.
"""
import torch

QUERIES, DOCUMENTS = [[0, 1], [2]], [[0], [1, 2, 2], [0, 2]]
TRAINING, TEST = [(0, 0, 2), (0, 1, 0), (1, 2, 1)], [(1, 1, 2), (1, 0, 0)]
EDGES, EPSILON, CONSTANT, STEPS = [-1, 0.2, 0.7, 1], 0.5, 2.0, 7


def loss(words, pair):
    query, document, grade = pair
    q = torch.tanh(words[0][QUERIES[query]].mean(0))
    d = torch.tanh(words[1][DOCUMENTS[document]].mean(0))
    r = (q @ d) / ((q.norm() + EPSILON) * (d.norm() + EPSILON))
    return torch.relu(r - EDGES[grade + 1]) ** 2 + torch.relu(EDGES[grade] - r) ** 2


def train(order):
    query = [[0.3, -0.2, 0.5], [0.1, 0.4, -0.3], [-0.6, 0.2, 0.1]]
    document = [[0.2, 0.1, -0.4], [-0.5, 0.3, 0.2], [0.6, -0.1, 0.3]]
    words = [torch.tensor(rows, dtype=torch.float64, requires_grad=True) for rows in (query, document)]
    for step in range(STEPS):
        gradients = torch.autograd.grad(loss(words, order[step % len(order)]), words)
        with torch.no_grad():
            for rows, gradient in zip(words, gradients):
                rows -= CONSTANT / (step + 1) * gradient
    return [loss(words, pair).item() for pair in TRAINING + TEST]


one, other = train(TRAINING), train([TRAINING[0], TEST[0], TRAINING[2]])
print(*one, sep="\t")
print(*other, sep="\t")
print(max(abs(a - b) for a, b in zip(one, other)))
