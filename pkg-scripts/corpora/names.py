"""Writes names in another script: learns from names in both scripts which letters stand for which, and applies it to other names.

Letters are aligned in order, one or two English ones with none to two of the other script, by expectation maximisation (Jiampojamarn
et al., 2007). A name is written by the most probable path."""
import collections
import math

# Letters of a chunk, at most.
LONGEST = 2
ROUNDS = 6
# Pairs whose chunks are less probable than this, by letter and beside the median, are translations rather than the same name.
LEAST = 0.3
# A chunk of fewer names says nothing.
RAREST = 2
# A chunk that was never seen.
UNSEEN = 1e-9


def chunks(english, other, i, j):
    """The chunks that can follow the first `i` and `j` letters."""
    for a in range(1, LONGEST + 1):
        for b in range(0, LONGEST + 1):
            # Two letters for two are two steps.
            if i + a <= len(english) and j + b <= len(other) and (a, b) != (2, 2):
                yield i + a, j + b, (english[i : i + a], other[j : j + b])


def forward(english, other, probability):
    total = collections.defaultdict(float)
    total[0, 0] = 1.0
    for i in range(len(english)):
        for j in range(len(other) + 1):
            if total[i, j]:
                for i2, j2, chunk in chunks(english, other, i, j):
                    total[i2, j2] += total[i, j] * probability(chunk)
    return total


def backward(english, other, probability):
    total = collections.defaultdict(float)
    total[len(english), len(other)] = 1.0
    for i in range(len(english) - 1, -1, -1):
        for j in range(len(other), -1, -1):
            total[i, j] = sum(total[i2, j2] * probability(chunk) for i2, j2, chunk in chunks(english, other, i, j))
    return total


def learn(pairs):
    """For each English chunk its counterparts with the logarithms of their shares of all chunks, from pairs of names in lower case.
    Pairs that are translations rather than the same name are left out on the way."""
    pairs = [(english, other) for english, other in pairs if len(english) <= 2 * len(other) and len(other) <= 2 * len(english)]
    table = {}
    for round_ in range(ROUNDS):
        known = table
        probability = (lambda chunk: known.get(chunk, UNSEEN)) if round_ else (lambda chunk: 0.01)
        likely = []
        for english, other in pairs:
            left = forward(english, other, probability)
            whole = left[len(english), len(other)]
            if whole:
                likely.append((whole ** (1 / len(english)), english, other, left, whole))
        median = sorted(share for share, *_ in likely)[len(likely) // 2]
        counts = collections.defaultdict(float)
        for share, english, other, left, whole in likely:
            if round_ and share < LEAST * median:
                continue
            right = backward(english, other, probability)
            for (i, j), before in list(left.items()):
                if before and i < len(english):
                    for i2, j2, chunk in chunks(english, other, i, j):
                        counts[chunk] += before * probability(chunk) * right[i2, j2] / whole
        everything = sum(counts.values())
        table = {chunk: count / everything for chunk, count in counts.items() if count > RAREST}
    written = {}
    for (english, other), share in sorted(table.items()):
        written.setdefault(english, []).append((math.log(share), other))
    return written


def write(name, table):
    """`name`, in lower case, in the other script; `None` where a letter was never seen."""
    best = {0: (0.0, "")}
    for i in range(len(name)):
        if i in best:
            score, text = best[i]
            for a in range(1, LONGEST + 1):
                for share, other in table.get(name[i : i + a], ()):
                    if i + a <= len(name) and (i + a not in best or score + share > best[i + a][0]):
                        best[i + a] = (score + share, text + other)
    return best.get(len(name), (0, None))[1]
