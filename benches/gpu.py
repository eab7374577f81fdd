"""Training steps and rankings in PyTorch with CUDA: the rival of examples/gpu_steps.rs and examples/gpu_rank.rs.

    python gpu.py steps FILE [--steps 500]           FILE as gpu_steps writes it
    python gpu.py rank [--documents 1000000] [--dimension 64] [--queries 50]

Steps: EmbeddingBag, tanh, smooth cosine similarity and SOSL as in gpu_steps, three ways: SparseAdam, which changes
the touched rows alone, as ours does; Adam on every row, fused; and the same as a CUDA graph. Batches are in device memory
before the clock starts, which ours uploads in each step. Rankings: a matrix-vector product, the division and topk, the
ten positions and scores read back, in 32 and 16 bits. Times are medians with the minimum and the maximum.
"""
import argparse
import statistics
import time

import torch
from torch import nn

EPSILON, THRESHOLDS, RATE = 0.5, (0.2, 0.7), 0.01
AHEAD = 32
WARM_UP = 8


class Step(nn.Module):
    def __init__(self, tensors, sparse, device):
        super().__init__()
        bag = lambda table: nn.EmbeddingBag.from_pretrained(
            tensors[table].to(device).clone(), freeze=False, mode="mean", sparse=sparse
        )
        self.query, self.document = bag("query table"), bag("document table")
        self.low = torch.tensor([-1.0, *THRESHOLDS], device=device)
        self.high = torch.tensor([*THRESHOLDS, 1.0], device=device)

    def forward(self, queries, documents, grades):
        q, d = torch.tanh(self.query(queries)), torch.tanh(self.document(documents))
        r = (q * d).sum(1) / ((q.norm(dim=1) + EPSILON) * (d.norm(dim=1) + EPSILON))
        low, high = self.low[grades], self.high[grades]
        return (torch.relu(r - high) ** 2 + torch.relu(low - r) ** 2).mean()


def steps(options):
    from safetensors.torch import load_file

    device = torch.device(options.device)
    tensors = load_file(options.file)
    batches = [tensors[name].to(device).long() for name in ("queries", "documents", "grades")]
    batches = list(zip(*batches))
    print(f"{torch.__version__} on {torch.cuda.get_device_name() if device.type == 'cuda' else 'the processor'}")
    print(f"{options.steps} steps of {len(batches[0][2])} pairs")

    def eager(sparse):
        model = Step(tensors, sparse, device)
        adam = (
            torch.optim.SparseAdam(list(model.parameters()), lr=RATE)
            if sparse
            else torch.optim.Adam(model.parameters(), lr=RATE, fused=device.type == "cuda")
        )

        def step(batch):
            loss = model(*batch)
            adam.zero_grad()
            loss.backward()
            adam.step()
            return loss

        return step

    def graphed():
        model = Step(tensors, False, device)
        adam = torch.optim.Adam(model.parameters(), lr=RATE, fused=True, capturable=True)
        given = [part.clone() for part in batches[0]]
        before = [parameter.detach().clone() for parameter in model.parameters()]

        def whole():
            adam.zero_grad(set_to_none=False)
            loss = model(*given)
            loss.backward()
            adam.step()
            return loss

        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                whole()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss = whole()
        # As if the steps before the capture had not been.
        with torch.no_grad():
            for parameter, value in zip(model.parameters(), before):
                parameter.copy_(value)
                for moment in adam.state[parameter].values():
                    moment.zero_()

        def step(batch):
            for place, part in zip(given, batch):
                place.copy_(part)
            graph.replay()
            return loss

        return step

    ways = [("SparseAdam", lambda: eager(True)), ("Adam on every row", lambda: eager(False))]
    if device.type == "cuda":
        ways.append(("the same, a CUDA graph", graphed))
    for name, make in ways:
        step = make()

        def run(count):
            for number in range(count):
                loss = step(batches[number % len(batches)])
                if (number + 1) % AHEAD == 0 or number + 1 == count:
                    last = loss.item()
            return last

        run(AHEAD)
        start = time.perf_counter()
        last = run(options.steps)
        print(f"{name:>24}: {options.steps / (time.perf_counter() - start):9.1f} steps/s, last loss {last:.6f}")


def rank(options):
    device = torch.device(options.device)
    random = torch.Generator().manual_seed(1)
    vectors = 0.3 * torch.randn(options.documents, options.dimension, generator=random)
    queries = 0.4 * torch.randn(options.queries + WARM_UP, options.dimension, generator=random)
    for dtype in (torch.float32, torch.float16):
        rows = vectors.to(device, dtype)
        norms = rows.float().norm(dim=1)
        times = []
        for query in queries:
            start = time.perf_counter()
            there = query.to(device)
            scores = (rows @ there.to(dtype)).float() / ((norms + 0.25) * (there.norm() + 0.25))
            best = torch.topk(scores, 10)
            best.indices.cpu(), best.values.cpu()
            times.append(1e3 * (time.perf_counter() - start))
        times = sorted(times[WARM_UP:])
        print(f"{options.documents} documents, {options.dimension} {dtype}: "
              f"{statistics.median(times):.3f} ms ({times[0]:.3f} to {times[-1]:.3f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    of_steps = commands.add_parser("steps")
    of_steps.add_argument("file")
    of_steps.add_argument("--steps", type=int, default=500)
    of_rank = commands.add_parser("rank")
    of_rank.add_argument("--documents", type=int, default=1_000_000)
    of_rank.add_argument("--dimension", type=int, default=64)
    of_rank.add_argument("--queries", type=int, default=50)
    for command in (of_steps, of_rank):
        command.add_argument("--device", default="cuda")
    options = parser.parse_args()
    {"steps": steps, "rank": rank}[options.command](options)


main()
