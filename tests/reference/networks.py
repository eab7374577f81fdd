"""Makes networks.tsv: DSSM-CNN and DSSM-LSTM by PyTorch's own layers, in float64.

    python3 tests/reference/networks.py > tests/reference/networks.tsv

Lines, by their first column: `tensor` network, name, shape, values; `text` kind, rows, vector.
"""
import torch
import torch.nn.functional as F

torch.manual_seed(3)
WORDS, DIMENSION, FILTERS, HIDDEN = 7, 4, 5, 3
TEXTS = [[2], [6, 0], [3, 3], [1, 5, 2, 0, 4]]


def numbers(*shape):
    return (torch.randn(shape) * 0.7).double()  # that float32 holds exactly


def show(*columns):
    print(*[",".join(map(str, c)) if isinstance(c, list) else c for c in columns], sep="\t")


def show_tensor(network, name, tensor):
    show("tensor", network, name, list(tensor.shape), tensor.reshape(-1).tolist())


def layer(network, inputs):
    weight, bias = numbers(DIMENSION, inputs), numbers(DIMENSION)
    show_tensor(network, "linear.weight", weight)
    show_tensor(network, "linear.bias", bias)
    return lambda x: torch.tanh(F.linear(x, weight, bias))


embedding = numbers(WORDS, DIMENSION)
for network in ("cnn", "lstm"):
    show_tensor(network, "embedding", embedding)

output = layer("cnn", FILTERS)
filters, bias = numbers(FILTERS, DIMENSION, 3), numbers(FILTERS)
# Ours are [filters, 3 p], the window's words one after the other.
show_tensor("cnn", "convolution.weight", filters.transpose(1, 2).reshape(FILTERS, -1))
show_tensor("cnn", "convolution.bias", bias)
for text in TEXTS:
    values = F.conv1d(embedding[text].T[None], filters, bias, padding=1)
    show("text", "cnn", text, output(torch.tanh(values).amax(2))[0].tolist())

output = layer("lstm", 2 * HIDDEN)
lstm = torch.nn.LSTM(DIMENSION, HIDDEN, bidirectional=True, batch_first=True).double()
with torch.no_grad():
    for direction, suffix in (("forward", ""), ("backward", "_reverse")):
        for name, ours in (("weight_ih", "input"), ("weight_hh", "hidden"), ("bias_ih", "bias")):
            weight = getattr(lstm, f"{name}_l0{suffix}")
            weight.copy_(numbers(*weight.shape))
            show_tensor("lstm", f"{direction}.{ours}", weight)
        getattr(lstm, f"bias_hh_l0{suffix}").zero_()  # ours has one bias
    for text in TEXTS:
        states, (last, _) = lstm(embedding[text][None])
        show("text", "lstm", text, output(last.reshape(-1)).tolist())
        show("text", "lstm-first", text, output(states[0, 0]).tolist())
