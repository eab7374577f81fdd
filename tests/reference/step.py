"""Makes step.tsv: three training steps by PyTorch's autograd and SparseAdam, in float64.

    python3 tests/reference/step.py > tests/reference/step.tsv

Lines, by their first column: `setting` name, values; `row` table, row, initial values; `pair`
step, query rows, document rows, language, grade; `gradient` step, table, row, values; `after`
step, table, row, values; `loss` step, value. Tables are 0 for queries, then one for each language.
"""
import torch
import torch.nn.functional as F

torch.manual_seed(5)
EPSILON, THRESHOLDS, RATE, DIMENSION = 0.5, (0.2, 0.6), 0.05, 5
EDGES = (-1.0, *THRESHOLDS, 1.0)
SIZES = (7, 6, 5)

# Numbers that float32 holds exactly.
tables = [(torch.randn(n, DIMENSION) * 0.7).double().requires_grad_() for n in SIZES]
# Query rows, document rows, language, grade. Words are repeated in a text and shared by texts, one
# text is empty, and in each table some rows are touched never, some once, some every time.
STEPS = [
    [([0, 1, 1], [0, 2], 0, 2), ([2], [0, 0, 3], 0, 0), ([3, 0], [1, 1, 4], 1, 1), ([4], [0], 1, 2)],
    [([0, 5], [4], 0, 2), ([1], [], 0, 2), ([5, 5, 5], [1], 1, 0), ([0], [0, 4], 1, 1)],
    [([0, 2, 4], [0, 2, 4], 0, 1), ([1, 3], [3], 0, 2), ([3], [2, 1], 1, 2), ([5], [1, 1], 1, 0)],
]


def encode(table, rows):
    if not rows:
        return torch.zeros(DIMENSION, dtype=torch.float64)
    return torch.tanh(F.embedding(torch.tensor(rows), table, sparse=True).mean(0))


def norm(v):
    # The gradient of a norm at the zero vector is taken as 0, as autograd takes it.
    return torch.linalg.vector_norm(v)


def show(*columns):
    print(*[",".join(map(str, c)) if isinstance(c, list) else c for c in columns], sep="\t")


show("setting", "epsilon", EPSILON)
show("setting", "thresholds", list(THRESHOLDS))
show("setting", "rate", RATE)
for number, table in enumerate(tables):
    for row, values in enumerate(table.tolist()):
        show("row", number, row, values)
adam = torch.optim.SparseAdam(tables, lr=RATE, betas=(0.9, 0.999), eps=1e-8)
for step, batch in enumerate(STEPS):
    losses = []
    for query, document, language, grade in batch:
        show("pair", step, query, document, language, grade)
        q, d = encode(tables[0], query), encode(tables[1 + language], document)
        r = (q @ d) / ((norm(q) + EPSILON) * (norm(d) + EPSILON))
        low, high = EDGES[grade], EDGES[grade + 1]
        losses.append(torch.relu(r - high) ** 2 + torch.relu(low - r) ** 2)
    loss = torch.stack(losses).mean()
    adam.zero_grad()
    loss.backward()
    show("loss", step, loss.item())
    for number, table in enumerate(tables):
        gradient = table.grad.coalesce()
        for row, values in zip(gradient.indices()[0].tolist(), gradient.values().tolist()):
            show("gradient", step, number, row, values)
    adam.step()
    for number, table in enumerate(tables):
        for row, values in enumerate(table.tolist()):
            show("after", step, number, row, values)
