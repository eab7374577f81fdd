"""Makes contrastive.tsv: contrastive steps by PyTorch's autograd and SparseAdam, in float64.

    python3 tests/reference/contrastive.py > tests/reference/contrastive.tsv

Lines, by their first column: `word` side, token, weight; `row` table, row, values before;
`text` step, side, words, number; `left-out` step, side, word; then for each objective `loss`
objective, step, value and `after` objective, table, row, values. Tables are 0 for queries, 1 for
documents, 2 for n-grams. A step's texts and their mates are in one order.
"""
import torch
import torch.nn.functional as F

EPSILON, TEMPERATURE, RATE, DIMENSION, BUCKETS = 0.1, 0.2, 0.05, 4, 7
EDGES = (-1.0, 0.2, 0.7, 1.0)
RIVALS = 1
WORDS = (["rain", "sea", "sun", "wind"], ["mer", "pluie", "soleil", "vent", "été"])
WEIGHTS = ([0.5, 1.0, 0.75, 1.0], [1.0, 0.25, 1.0, 0.5, 1.0])
# Of each step, the rows of each query and of its mate, and numbers that are equal where texts are.
STEPS = [
    ([[0, 1], [2], [3, 3, 0], [1]], [[1, 0], [2, 4], [3, 1], [0]], [0, 1, 2, 3], [0, 1, 2, 3]),
    ([[2, 0], [1, 2], [3], [3]], [[2], [0, 2], [3], [4, 3]], [0, 1, 2, 2], [0, 1, 2, 3]),
    ([[0], [1], [2, 3]], [[1], [0, 4], [2, 3]], [0, 1, 2], [0, 1, 2]),
]
# Words that a step takes as what their n-grams make of them: side, row.
LEFT_OUT = [[], [(0, 2), (1, 3)], []]


def buckets(token):
    found, text = [], f"<{token}>"
    for start in range(len(text)):
        for length in range(3, 6):
            if start + length <= len(text):
                value = 0x811C9DC5
                for byte in text[start : start + length].encode():
                    value = (value ^ byte) * 0x01000193 % 2**32
                found.append(value % BUCKETS)
    return found


def tables():
    torch.manual_seed(3)
    sizes = [len(WORDS[0]), len(WORDS[1]), BUCKETS]
    return [(torch.randn(n, DIMENSION) * 0.5).double().requires_grad_() for n in sizes]


def encode(tables, side, text, left_out):
    total, weights = torch.zeros(DIMENSION, dtype=torch.float64), 0.0
    for row in text:
        spelled = F.embedding(torch.tensor(buckets(WORDS[side][row])), tables[2], sparse=True).mean(0)
        own = F.embedding(torch.tensor(row), tables[side], sparse=True)
        word = spelled if (side, row) in left_out else own + spelled
        total = total + WEIGHTS[side][row] * word
        weights += WEIGHTS[side][row]
    return torch.tanh(total / weights)


def scaled(vector):
    return vector / (torch.linalg.vector_norm(vector) + EPSILON)


def sosl(score, grade):
    return torch.relu(score - EDGES[grade + 1]) ** 2 + torch.relu(EDGES[grade] - score) ** 2


def objective(name, scores, rival):
    if name == "both":
        return objective("softmax", scores, rival) + 0.5 * objective("graded", scores, rival)
    losses = []
    for table, rival in ((scores, rival), (scores.T, rival.T)):
        for i in range(len(table)):
            others = [table[i, j] for j in range(len(table)) if j != i and rival[i, j]]
            if name == "softmax":
                row = torch.stack([table[i, i], *others]) / TEMPERATURE
                losses.append(torch.logsumexp(row, 0) - row[0])
            else:
                hardest = sorted(others, key=lambda x: -float(x))[:RIVALS]
                each = [sosl(table[i, i], 2), *[sosl(x, 0) for x in hardest]]
                losses.append(torch.stack(each).mean())
    return torch.stack(losses).mean()


def show(*columns):
    print(*[",".join(map(str, c)) if isinstance(c, list) else c for c in columns], sep="\t")


for side in range(2):
    for token, weight in zip(WORDS[side], WEIGHTS[side]):
        show("word", side, token, weight)
for number, table in enumerate(tables()):
    for row, values in enumerate(table.tolist()):
        show("row", number, row, values)
for step, (queries, documents, *same) in enumerate(STEPS):
    for side, texts in enumerate((queries, documents)):
        for text, number in zip(texts, same[side]):
            show("text", step, side, text, number)
    for side, row in LEFT_OUT[step]:
        show("left-out", step, side, row)
for name in ("softmax", "graded", "both"):
    trained = tables()
    adam = torch.optim.SparseAdam(trained, lr=RATE, betas=(0.9, 0.999), eps=1e-8)
    for step, (queries, documents, *same) in enumerate(STEPS):
        vectors = [
            torch.stack([scaled(encode(trained, side, text, LEFT_OUT[step])) for text in texts])
            for side, texts in enumerate((queries, documents))
        ]
        numbers = [torch.tensor(x) for x in same]
        rival = torch.stack([(x[:, None] != x[None, :]) for x in numbers]).all(0)
        loss = objective(name, vectors[0] @ vectors[1].T, rival)
        adam.zero_grad()
        loss.backward()
        adam.step()
        show("loss", name, step, loss.item())
    for number, table in enumerate(trained):
        for row, values in enumerate(table.tolist()):
            show("after", name, number, row, values)
